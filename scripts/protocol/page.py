"""docs/PROTOCOL.md: what a client has to know, from the table, the Structs, the errors and the limits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import schema

from wave_bridge import errors
from wave_bridge.core import limits
from wave_bridge.core.client_api import METHODS, Method

WORDS = Path(__file__).parent / "page"  # the chapters that no table holds
# Bounds that a client can meet; the sentences are those beside the constants.
MET = (
    "MAX_FRAME",
    "MAX_HEADER",
    "MAX_OUTSTANDING",
    "OUTBOX_SOFT",
    "OUTBOX_HARD",
    "OUTBOX_REPLIES",
    "CONTEXT_TIMEOUT",
    "EDITOR_TIMEOUT",
    "INITIALIZE_TIMEOUT",
    "SESSION_GRACE",
    "DAEMON_GRACE",
)


def page() -> str:
    """Give the page's text."""
    chapters = [
        "<!-- Written by scripts/generate: change the table, the Structs or scripts/protocol/page, not this. -->",
        _words("opening"),
        "## Methods",
        _words("methods"),
        *_nouns(),
        "## Shapes",
        _words("shapes"),
        *_shapes(),
        "## Errors",
        _words("errors"),
        _errors(),
        "## Bounds",
        _limits(),
        _words("panels"),
        "## A sample exchange",
        _words("sample"),
    ]
    return "\n\n".join(chapters) + "\n"


def _words(name: str) -> str:
    return (WORDS / f"{name}.txt").read_text("utf-8").strip()


# Methods


def _nouns() -> list[str]:
    nouns = dict.fromkeys(row.name.split("/")[1] for row in METHODS)
    return [_noun(noun, [row for row in METHODS if row.name.split("/")[1] == noun]) for noun in nouns]


def _noun(noun: str, rows: list[Method]) -> str:
    head = ["| method | kind | params | result | what it does |", "|---|---|---|---|---|"]
    return "\n".join([f"### wave/{noun}", "", *head, *map(_line, rows)])


def _line(row: Method) -> str:
    arrow = "to the bridge" if row.direction == "toBridge" else "from the bridge"
    result = _result(row)
    passes = f" Passed on to the CLI's `{row.forward}`." if row.forward else ""
    return f"| `{row.name}` | {row.kind} {arrow} | {_link(row.params.__name__)} | {result} | {row.doc}{passes} |"


def _result(row: Method) -> str:
    if row.kind == "notification":
        return ""
    if schema.is_struct(row.result):
        return _link(row.result.__name__)
    return "the CLI's own" if row.forward else "an object"


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


# Shapes


def _shapes() -> list[str]:
    return [_shape(name, shape) for name, shape in schema.definitions().items()]


def _shape(name: str, shape: schema.Schema) -> str:
    required = shape["required"]
    members = [
        f"* `{key}{'' if key in required else '?'}`: {_type(member)}" for key, member in shape["properties"].items()
    ]
    return "\n".join([f"### {name}", "", _escape(shape["description"]), *([""] if members else []), *members])


def _type(member: schema.Schema) -> str:
    fallback = f", {json.dumps(member['default'])} when left out" if member.get("default") not in (None, [], {}) else ""
    return _bare(member) + fallback


def _bare(member: schema.Schema) -> str:
    match member:
        case {"$ref": target}:
            return _link(str(target).removeprefix(schema.REF))
        case {"enum": [only]}:
            return f"always `{json.dumps(only)}`"
        case {"enum": values}:
            return " or ".join(f"`{json.dumps(value)}`" for value in values)
        case {"type": "array", "items": items}:
            return f"list of {_bare(items)}"
        case {"anyOf": options}:
            return " or ".join(map(_bare, options))
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"object of {_bare(values)}"
        case {"type": str(kind)}:
            return kind
        case _:
            return "any value"


# Errors and limits


def _errors() -> str:
    rows = [
        f"| `{kind.kind}` | {kind.code} | {kind.fault} | {_escape(_first(kind))} | {_escape(kind.advice)} |"
        for kind in _kinds(errors.BridgeError)
    ]
    return "\n".join(["| kind | code | whose fault | when | what to do |", "|---|---|---|---|---|", *rows])


def _kinds(root: type[errors.BridgeError]) -> list[type[errors.BridgeError]]:
    return [root, *(kind for child in root.__subclasses__() for kind in _kinds(child))]


def _first(kind: type[errors.BridgeError]) -> str:
    if kind is errors.BridgeError:
        return "The bridge failed; its log has the reason."
    return " ".join(str(kind.__doc__).split())


def _limits() -> str:
    source = Path(limits.__file__).read_text("utf-8")
    notes: dict[str, str] = dict(re.findall(r"^(\w+): Final = .*?  # (.+)$", source, re.MULTILINE))
    rows = [f"| `{name}` | {_amount(getattr(limits, name))} | {_escape(notes[name])} |" for name in MET]
    return "\n".join(["| bound | value | what it is |", "|---|---|---|", *rows])


def _amount(value: float) -> str:
    if isinstance(value, float):
        return f"{value:g} s"
    return (
        f"{value // limits.MIB} MiB"
        if value >= limits.MIB
        else f"{value // limits.KIB} KiB"
        if value > limits.KIB
        else str(value)
    )


def _escape(text: str) -> str:
    return text.replace("|", "\\|")
