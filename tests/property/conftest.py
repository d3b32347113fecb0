"""Where the property tests find what the unit tests of kernels have too."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "unit" / "kernels"))
