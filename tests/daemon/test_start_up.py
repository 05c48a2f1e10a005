"""What the daemon imports before it can answer its first editor."""

from __future__ import annotations

import json
import subprocess
import sys

LATER = ("wave_bridge.providers.terminal", "wave_bridge.providers.screen", "wcwidth", "httpx", "rich", "prompt_toolkit")


def test_what_the_first_answer_does_not_need_is_not_imported_before_it():
    """The screen model comes with the first @terminal; the picker's and the embedded CLI's libraries never."""
    code = "import json, sys, wave_bridge.daemon; print(json.dumps(list(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code]))
    assert [name for name in LATER if name in loaded] == []
