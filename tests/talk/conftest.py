"""Chats run in real terminals; the harness is that of the picker's tests, the makers of files those of the store's."""

import sys
from pathlib import Path

for folder in ("picker", "store"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))

from desk import desk, trees  # noqa: E402, F401 - fixtures, found by what stands above
