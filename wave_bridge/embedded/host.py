"""What the process was started with: read once, passed in. Where its files lie."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Host(NamedTuple):
    """The surroundings. `wave` is the base folder `~/.wave`; HOME is read at start and never again."""

    environ: Mapping[str, str]
    home: Path
    cwd: str
    tmp: Path

    @property
    def wave(self) -> Path:
        """The folder of everything that is kept."""
        return self.home / ".wave"

    def folder(self, workdir: str) -> Path:
        """Give the folder that a workdir, taken verbatim from a client, means: `~` expanded, relative to our cwd."""
        if workdir == "~" or workdir.startswith("~/"):
            return self.home / workdir[2:]
        return Path(self.cwd, workdir)


def this_host() -> Host:
    """Read the surroundings of this process."""
    return Host(dict(os.environ), Path.home(), os.getcwd(), Path(tempfile.gettempdir()))  # noqa: PTH109  # the string itself is the workdir
