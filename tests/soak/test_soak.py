"""Fifty panels while everything breaks: afterwards each shows what the CLI has, and nothing is left of anything."""

from __future__ import annotations

import pytest
from soak import SHORT, soak

SECONDS = 25


@pytest.mark.req("T6.1", "T6.2", "T6.3", "T6.6", "T10.5")
async def test_panels_that_come_go_lag_and_lose_their_processes_show_what_the_cli_has(tmp_path_factory):
    """`python tests/soak/soak.py` does it for ten minutes, with people who stop turns.

    Here nobody does: the embedded CLI may name another reply in the last words of a stopped one, and a panel then shows
    them in the wrong place until its next snapshot.
    """
    report = await soak(tmp_path_factory.mktemp("m"), "1", SECONDS, SHORT, patient=True)
    # Open (issue 10): once in many runs on a busy machine a panel's first events come behind a number that it has not
    # seen, and it shows less until its next snapshot. One panel may; any other fault fails.
    gaps = {fault.partition(":")[0] for fault in report.faults if fault.endswith("came behind 0")}
    assert [fault for fault in report.faults if fault.partition(":")[0] not in gaps] == []
    assert len(gaps) <= 1
    assert {"kill_cli", "kill_daemon", "stall", "reload"} <= set(report.trouble)
    assert report.compared > 100
