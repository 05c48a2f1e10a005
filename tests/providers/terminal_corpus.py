"""The recorded outputs under tests/data/terminal with the text that the terminal shows for each."""

from __future__ import annotations

import json
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data" / "terminal"


@dataclass(frozen=True)
class Case:
    """One output, the terminal's size, and what it shows."""

    name: str
    raw: bytes
    cols: int
    rows: int
    text: str
    alternate: bool | None = None


def recorded() -> list[Case]:
    """Give real tools, real shells and made-up streams."""
    index = json.loads((DATA / "index.json").read_text("utf-8"))
    return [
        Case(
            case["name"],
            (DATA / "raw" / f"{case['name']}.raw").read_bytes(),
            case["cols"],
            case["rows"],
            (DATA / "text" / f"{case['name']}.txt").read_bytes().decode().removesuffix("\n"),
            case["alt_active"],
        )
        for case in index["cases"]
    ]


def fuzzed(profile: str) -> list[Case]:
    """Give random streams: `command-0` as commands write them, `full-0` of every kind of sequence."""
    return [
        Case(case["name"], b64decode(case["raw_b64"]), case["cols"], case["rows"], "\n".join(case["lines"]))
        for case in _lines(DATA / "fuzz" / f"{profile}.jsonl")
    ]


def reported() -> list[Case]:
    """Give small inputs after public reports."""
    return [
        Case(
            report["id"],
            b64decode(report["input"]["raw_b64"]),
            report["input"]["cols"],
            report["input"]["rows"],
            report["right"]["text"],
        )
        for report in _lines(DATA / "reports.jsonl")
    ]


def session_commands() -> list[Case]:
    """Give what shells sent between the marks for start and end of a command, shown on an empty screen."""
    return [
        Case(f"{command['case']}-{number}", command["raw_c_d"].encode(), 80, 24, command["output"])
        for number, command in enumerate(_lines(DATA / "sessions.jsonl"))
    ]


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
