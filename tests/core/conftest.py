"""Shared by the tests of the core: property tests are the same in every run, and no test fails on a clock."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("core", deadline=None, derandomize=True)
settings.load_profile("core")
