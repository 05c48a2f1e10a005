"""Logging to a file of the user's alone. stdout belongs to the protocol; payloads are logged at DEBUG only.

Whatever passes through here loses its secrets, at every level and from every library: the values of keys that name
one, and whole `env` and `headers` objects. Control and bidirectional characters are escaped, for a log is read in a
terminal.
"""

from __future__ import annotations

import logging
import os
import re
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING, Final

import platformdirs

if TYPE_CHECKING:
    from io import TextIOWrapper

MAX_BYTES: Final = 5 * 1024 * 1024
KEPT_FILES: Final = 3
MAX_RECORD: Final = 32 * 1024  # characters
MASK: Final = "•••"
FORMAT: Final = "%(asctime)s %(levelname)s %(name)s [%(process)d] %(message)s"

# A quote may be escaped: JSON is logged inside JSON. Every repetition is bounded: the text may be anything.
_QUOTE = r"""\\{0,7}["']"""
_TEXT = r'"(?:[^"\\]|\\.)*"?'
_SECRET = re.compile(
    rf"({_QUOTE}[\w-]{{0,40}}(?:api[_-]?key|token|secret|password|passwd|authorization|credential|cookie)[\w-]{{0,40}}{_QUOTE}\s*:\s*)"
    rf"""({_QUOTE})(?:(?!(?<!\\)\2).)*(\2|$)""",
    re.IGNORECASE | re.DOTALL,
)
_OBJECTS = re.compile(
    rf"({_QUOTE}(?:env|headers|defaultHeaders)"
    rf"""{_QUOTE}\s*:\s*)\{{(?:[^{{}}"']|{_TEXT}|'(?:[^'\\]|\\.)*'?)*(\}}|$)""",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+[\w.~+/=-]+", re.IGNORECASE)
# C0 without tab and newline, C1, and the characters that change the reading order
_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def log_path(chosen: str | None, name: str) -> Path:
    """Give the log file: the one that the user chose, or `name` in the user's log folder."""
    return Path(chosen) if chosen else Path(platformdirs.user_log_dir("wave-bridge", appauthor=False)) / f"{name}.log"


def set_up(path: Path, level: str = "INFO") -> None:
    """Send all logging to `path`, or to stderr when that can't be; `level` is a name of the logging module."""
    target: logging.Handler
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        target = OwnerOnlyFile(path, maxBytes=MAX_BYTES, backupCount=KEPT_FILES, encoding="utf-8", errors="replace")
    except OSError as fault:
        target = logging.StreamHandler()
        target.stream.write(f"wave-bridge: can't log to {path}: {fault}\n")
    target.setFormatter(SafeFormatter(FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[target], force=True)
    logging.captureWarnings(capture=True)
    logging.raiseExceptions = False  # a full disk is no reason to write to stderr
    if level.upper() != "DEBUG":
        logging.getLogger("pygls").setLevel(logging.WARNING)  # it logs payloads at INFO


class OwnerOnlyFile(RotatingFileHandler):
    """A rotating file that only its owner may read, new ones too."""

    def _open(self) -> TextIOWrapper:
        descriptor = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        return os.fdopen(descriptor, "a", encoding=self.encoding, errors=self.errors)


class SafeFormatter(logging.Formatter):
    """Formats a record without its secrets and without characters that act on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the line, or lines."""
        return safe(super().format(record))


def safe(text: str) -> str:
    """Give `text` with secrets masked, unsafe characters escaped, and its end cut off past MAX_RECORD."""
    if len(text) > MAX_RECORD:
        text = f"{text[:MAX_RECORD]}… ({len(text)} characters)"
    for pattern, masked in ((_OBJECTS, rf"\1{{{MASK}}}"), (_SECRET, rf"\1\2{MASK}\3"), (_BEARER, rf"\1 {MASK}")):
        text = pattern.sub(masked, text)
    return _UNSAFE.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
