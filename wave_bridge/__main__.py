"""`wave-bridge`: what editors start, in milliseconds, and everything else."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command line; gives the exit code."""
    arguments = sys.argv[1:]
    is_editor = "--stdio" in arguments and arguments[0].startswith("-")  # behind a command it is that command's own
    if is_editor and None in (sys.stdin, sys.stdout):
        sys.stderr.write("wave-bridge: stdin or stdout is closed; the editor's messages go through them\n")
        return 1
    if is_editor and "--standalone" not in arguments:
        # An editor waits for this, and passes flags of its own that do not concern us. Nothing else is imported.
        from wave_bridge import attach  # noqa: PLC0415

        return attach.main(os.environ)
    from wave_bridge import cli  # noqa: PLC0415

    return cli.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
