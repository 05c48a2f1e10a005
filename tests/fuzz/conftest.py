"""The seeds of the fuzz targets come from the data of other suites."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "providers")]
