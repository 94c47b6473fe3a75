"""A rating as it was once."""

from __future__ import annotations

from msgspec import Struct


class HistoryPoint(Struct, frozen=True):
    """A rating as it was once."""

    at: str  # in UTC
    rating: float
    low: float  # the ends of its comparison interval
    high: float
    games: int
