"""Shared by all tests: the installed games."""

from __future__ import annotations
