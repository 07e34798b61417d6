"""How many examples the property tests try: ``DITTO_HYPOTHESIS_PROFILE`` names the profile."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Deadlines and slow data are no failures: the machines that run this are shared.
settings.register_profile("ditto", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("ditto"), derandomize=True, print_blob=True)
settings.register_profile("deep", settings.get_profile("ditto"), max_examples=1000)
settings.load_profile(os.environ.get("DITTO_HYPOTHESIS_PROFILE", "ditto"))
