"""Fifty panels while everything breaks: afterwards each shows what the CLI has, and nothing is left of anything."""

from __future__ import annotations

import pytest
from soak import SHORT, soak

SECONDS = 25


@pytest.mark.req("T6.1", "T6.2", "T6.3", "T6.6", "T10.5")
async def test_panels_that_come_go_lag_and_lose_their_processes_show_what_the_cli_has(tmp_path_factory):
    """`python tests/soak/soak.py` does it for ten minutes."""
    report = await soak(tmp_path_factory.mktemp("m"), "1", SECONDS, SHORT)
    assert report.faults == []
    assert {"kill_cli", "kill_daemon", "stall", "reload"} <= set(report.trouble)
    assert report.compared > 100
