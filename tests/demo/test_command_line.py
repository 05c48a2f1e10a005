"""The command line where its parts could be taken for each other."""

import subprocess
import sys


def test_a_flag_of_the_command_that_is_shown_is_not_ours():
    """`--stdio` behind `mention terminal --` belongs to the program that is run, not to the editor's door."""
    done = subprocess.run(
        [sys.executable, "-m", "wave_bridge", "mention", "terminal", "--locale", "en", "--", "echo", "--stdio"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["Terminal output", "$ echo --stdio", "--stdio"]
