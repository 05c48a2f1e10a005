"""`wave-bridge demo --panel`: the panel in a browser, on a sample workspace of its own, until Ctrl-C."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Final

from wave_bridge.web.page import SCRIPT, files

if TYPE_CHECKING:
    from collections.abc import Mapping

KEPT: Final = ("PATH", "LANG", "LC_ALL", "LC_MESSAGES", "PYTHONPATH", "SYSTEMROOT", "BROWSER", "DISPLAY")
LIMIT: Final = 60.0  # seconds for the daemon to start, or to end
REST: Final = 3600.0  # seconds; Ctrl-C ends a rest
EDIT: Final = json.dumps(
    {
        "text": "I make it add.",
        "tool": {
            "name": "Edit",
            "args": {"file_path": "sums.py", "old_string": "first - second", "new_string": "first + second"},
        },
    }
)
SAMPLE: Final = {
    "README.md": "# Sums\n\nA sample workspace of the Wave Bridge demo. Nothing in it is worth keeping.\n",
    "sums.py": 'def add(first, second):\n    """Add two numbers."""\n    return first - second\n',
    "test_sums.py": "from sums import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n",
}
HINT: Final = f"""
The embedded CLI answers by a script: it says again what you write, and does what stands in double square brackets.
Try:  mend the sum [[{EDIT}]][[{{"text": "Done."}}]]
      !python3 -c "import sums; print(sums.add(2, 3))"
Ctrl-C ends the demo and removes what it made.
"""


def show(inherited: Mapping[str, str], *, open_browser: bool) -> int:
    """Show it until the user has seen enough; gives the exit code."""
    if SCRIPT not in files():
        sys.stderr.write(
            "The panel is not built: install Node.js (20.19 or newer) with npm, then run scripts/build-panel.\n"
            "The rest of the bridge needs Python only; `scripts/demo` without --panel shows it.\n"
        )
        return 1
    folder = Path(tempfile.mkdtemp(prefix="wb-"))
    environment = {name: inherited[name] for name in KEPT if name in inherited}
    environment |= {
        "HOME": str(folder / "home"),
        "WAVE_BRIDGE_DIR": str(folder / "run"),
        "WAVE_BRIDGE_LOG": str(folder / "daemon.log"),
        "WAVE_CLI_PATH": "embedded",
    }
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # whoever ends the demo, nothing of it stays
    try:
        return _show(environment, folder, open_browser=open_browser)
    except KeyboardInterrupt:
        return 0
    finally:
        _bridge(environment, "stop")
        shutil.rmtree(folder, ignore_errors=True)


def _show(environment: Mapping[str, str], folder: Path, *, open_browser: bool) -> int:
    workspace = folder / "sums"
    for place in (folder / "home", workspace):
        place.mkdir()
    for name, content in SAMPLE.items():
        (workspace / name).write_text(content)
    opened = _bridge(environment, "panel", str(workspace), "--no-open")
    if opened.returncode:
        return 1
    url = opened.stdout.strip()
    sys.stdout.write(f"{url}\n{HINT}")
    sys.stdout.flush()
    if open_browser and not webbrowser.open(url):
        sys.stderr.write("No browser could be started: open the address above. It opens once.\n")
    while True:
        time.sleep(REST)


def _bridge(environment: Mapping[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run `wave-bridge` in the demo's surroundings; what it complains of is the user's to read."""
    command = [sys.executable, "-P", "-m", "wave_bridge", *arguments]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, timeout=LIMIT, check=False)
