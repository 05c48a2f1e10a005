"""Where sessions live: `<base>/projects/<encoded workdir>/<session id>.jsonl`, `<base>` being `~/.wave`.

Nothing here is read from the environment: base, home and current directory are arguments. A session id is checked
before it becomes part of a path. The encoding is not injective (`/a/b-c` and `/a/b/c` share a name), so a folder's
name finds candidates and the header decides whose a session is.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from typing import TYPE_CHECKING, Final

from wave_bridge.errors import InvalidParams
from wave_bridge.store.limits import FOLDER_HASH, FOLDER_NAME, FOLDER_NAME_KEPT

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX: Final = ".jsonl"
SUBAGENT: Final = "subagent-"

_DRIVE: Final = re.compile(r"^[A-Za-z]:")
_SLASH: Final = re.compile(r"[/\\]")
# JavaScript's \s, spelled out: Python's differs (it has U+001C-001F and U+0085 and lacks U+FEFF).
_BLANKS: Final = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
_INVALID: Final = {"darwin": re.compile("[:]"), "win32": re.compile('[<>:"|?*]')}
_INVALID_ELSEWHERE: Final = re.compile("\0")
_SHORTENED: Final = re.compile(rf"-[0-9a-f]{{{FOLDER_HASH}}}$")
SESSION_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def encode(path: str, platform: str) -> str:
    """Give the folder name of the workdir `path` (S1.1, S1.2); `platform` is a `sys.platform`. Pure; may be empty.

    The steps and their order are the CLI's: drive off, one slash off, slashes to "-", each run of blanks to one "_",
    what the platform forbids to "_", and past 200 UTF-16 units a cut with a hash of the whole path (SB4). The
    cut may leave half a surrogate pair; on disk that is U+FFFD.
    """
    name = _DRIVE.sub("", path)
    name = _SLASH.sub("", name, count=1) if name[:1] in {"/", "\\"} else name
    name = _BLANKS.sub("_", _SLASH.sub("-", name))
    name = _INVALID.get(platform, _INVALID_ELSEWHERE).sub("_", name)
    units = name.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * FOLDER_NAME:
        return name
    digest = hashlib.sha256(_well_formed(path).encode()).hexdigest()
    kept = units[: 2 * FOLDER_NAME_KEPT].decode("utf-16-le", "surrogatepass")
    return f"{kept}-{digest[:FOLDER_HASH]}"


def _well_formed(text: str) -> str:
    """Give `text` with each lone surrogate as U+FFFD, which is how a JavaScript program writes it as UTF-8."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def decode(name: str) -> str | None:
    """Guess the path behind a folder name, for display only (S6.2); None where it was shortened (S6.5)."""
    if _SHORTENED.search(name):
        return None
    return "/" + name.replace("-", "/").replace("_", " ")


def normalise(path: str, cwd: str, home: str) -> str:
    """Give the path by which a workdir is known: `~` expanded, absolute, links resolved.

    A directory that does not exist keeps its links as they are. `~user` is not expanded: it is a relative path.
    """
    if path == "~" or path.startswith(("~/", "~\\")):
        path = home + path[1:]
    absolute = os.path.normpath(os.path.join(cwd, path))  # noqa: PTH118  Path keeps "..", which must go
    if absolute.startswith("//") and os.sep == "/":
        absolute = absolute[1:]
    try:
        return os.path.realpath(absolute, strict=True)
    except (OSError, ValueError):  # missing, a loop of links, not permitted; NUL is a ValueError
        return absolute


def projects(base: Path) -> Path:
    """Give the folder of the project folders."""
    return base / "projects"


def project_dir(base: Path, workdir: str) -> Path:
    """Give the folder of the sessions of `workdir`, a normalised path; for `/` that is `projects` itself."""
    return projects(base) / _well_formed(encode(workdir, sys.platform))


def is_session_id(text: str) -> bool:
    """Tell whether `text` is a UUID in lower case, the only thing that may become a session's file name."""
    return SESSION_ID.fullmatch(text) is not None


def require_session_id(text: str) -> str:
    """Give `text` if it is a session id, else raise InvalidParams: `../x`, a path or NUL never gets further."""
    if not is_session_id(text):
        raise InvalidParams("Invalid session ID format", member="sessionId")
    return text


def session_file(base: Path, workdir: str, session_id: str) -> Path:
    """Give the file of a session of the normalised `workdir`; InvalidParams unless the id is one."""
    return project_dir(base, workdir) / (require_session_id(session_id) + SUFFIX)


def subagent_file(base: Path, workdir: str, session_id: str) -> Path:
    """Give the file of a subagent's thread (S4.1), which no list shows."""
    return project_dir(base, workdir) / (SUBAGENT + require_session_id(session_id) + SUFFIX)


def session_id_of(path: Path) -> str:
    """Give the id in a session's or subagent's file name; InvalidParams where there is none."""
    return require_session_id(path.name.removesuffix(SUFFIX).removeprefix(SUBAGENT))
