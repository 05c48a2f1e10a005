"""Sum up a JUnit report: `passed failed skipped` on the first line, then a line for each failure and each reason.

A folder counts as the reports below it: Maven leaves one for each class. Every suite of the repository, of whatever
language, leaves such a report; counts are read from it, never from a runner's text.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path


def outcome(case: ET.Element) -> str:
    """Give `failed`, `skipped` or `passed`; an error at set-up or teardown is a failure."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "skipped" if case.find("skipped") is not None else "passed"


def skip_reason(case: ET.Element) -> str:
    """Give what the test said when it skipped itself."""
    skipped = case.find("skipped")
    reason = "" if skipped is None else skipped.get("message") or skipped.text or ""
    return " ".join(reason.split()) or "no reason given"


def name(case: ET.Element) -> str:
    """Give a name that a person can find the test by."""
    return ".".join(filter(None, (case.get("classname"), case.get("name"))))


def summary(report: Path) -> list[str]:
    """Give the lines described above. Raises OSError without any report."""
    files = sorted(report.rglob("TEST-*.xml")) if report.is_dir() else []
    # The reports are our own runners', so they need no guard against hostile XML.
    cases = [case for file in files or [report] for case in ET.parse(file).iter("testcase")]
    counts = Counter(map(outcome, cases))
    reasons = Counter(skip_reason(case) for case in cases if outcome(case) == "skipped")
    return [
        f"{counts['passed']} {counts['failed']} {counts['skipped']}",
        *(f"FAILED  {name(case)}" for case in cases if outcome(case) == "failed"),
        *(f"skipped {number} x {reason}" for reason, number in reasons.items()),
    ]


if __name__ == "__main__":
    print("\n".join(summary(Path(sys.argv[1]))))
