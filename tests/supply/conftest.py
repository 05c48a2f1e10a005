"""Editors that bring CLIs, before a real `wave-bridge --stdio`; the harness is that of the end-to-end tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "e2e"))

from machine import machine  # noqa: F401 - a fixture
