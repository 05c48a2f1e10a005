"""`python -m wave_bridge.embedded --stdio`: the embedded CLI. `-v` prints the version. See docs/EMBEDDED.md."""

from __future__ import annotations

import sys
from typing import Final

from wave_bridge import __version__

_USAGE: Final = "usage: python -m wave_bridge.embedded --stdio | -v\n"
_LAST_WORDS_SECONDS: Final = 2.0


def main(arguments: list[str]) -> int:
    """Do what the arguments say; give the exit code."""
    if {"-v", "--version"} & set(arguments):
        sys.stdout.write(f"{__version__}\n")
        return 0
    if "--stdio" not in arguments:
        sys.stderr.write(_USAGE)
        return 2
    return _serve()


def _serve() -> int:
    import asyncio  # noqa: PLC0415  # asking for the version shall not pay for the rest
    import signal  # noqa: PLC0415

    from wave_bridge.embedded.host import this_host  # noqa: PLC0415
    from wave_bridge.embedded.outlet import Outlet  # noqa: PLC0415
    from wave_bridge.embedded.server import Server  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the real CLI has no handler: it dies of the signal
    outlet = Outlet(1)

    async def serve() -> None:
        await Server(this_host(), outlet).serve(0)

    asyncio.run(serve())
    outlet.close(_LAST_WORDS_SECONDS)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
