"""Where the property tests find what the unit tests of kernels have too."""

from __future__ import annotations

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "unit" / "kernels"))

# What runs JAX needs several devices, whichever test loads it first.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
