"""Whose a session is. A folder's name finds candidates (`/a/b-c` and `/a/b/c` share one); the header decides."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from wave_bridge.store import paths


def is_of_workdir(recorded: str | None, workdir: str, folder: str) -> bool:
    """Tell whether a session in the folder named `folder`, the one of the normalised `workdir`, is of that workdir.

    It is not when its header recorded another directory that exists and whose folder has the same name. A project that
    was moved, a link that points elsewhere by now and a file without a header keep their sessions.
    """
    if recorded is None or recorded == workdir or not os.path.isabs(recorded):  # noqa: PTH117  a list asks per row
        return True
    other = paths.normalise(recorded, "/", "/")
    if paths.encode(other, sys.platform) != folder:
        return True
    try:
        return Path(other).samefile(workdir)
    except OSError:
        return not Path(other).is_dir()


def shown_workdir(recorded: str | None, folder: str) -> str:
    """Give the workdir of a session as well as it is known: recorded, else guessed from the folder's name (S6.5)."""
    return recorded or paths.decode(folder) or folder
