"""The soak plays on the machine of the end-to-end tests."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "e2e")]
