"""Pickers run in real terminals; the makers of session files are those of the store's tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "store"))

from desk import desk, trees  # noqa: F401 - fixtures
