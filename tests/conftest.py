"""What every suite needs: property tests judge results, never how long a loaded machine took."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile("wave", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("wave-ci", settings.get_profile("wave"), derandomize=True, database=None, print_blob=True)
settings.load_profile("wave-ci" if os.environ.get("CI") else "wave")
