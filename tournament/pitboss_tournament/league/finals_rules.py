"""The rules of finals, and what the book of a league keeps of finals."""

from __future__ import annotations

from msgspec import Struct

from pitboss.text import format_count


class FinalsRules(Struct, frozen=True):
    """The rules that choose the field of the finals."""

    top: int
    min_games: int
    one_per_owner: bool

    def __str__(self) -> str:
        """Return the rules as a phrase."""
        owners = ", one of an owner" if self.one_per_owner else ""
        return f"the best {self.top} of those with {format_count(self.min_games, 'game')} or more{owners}"


class StoredFinals(Struct, frozen=True, kw_only=True):
    """Finals as the book has them. Times are in UTC."""

    number: int
    store: str  # a file name in the league's folder, else a path
    rules: FinalsRules
    begun: str
    held: str | None  # None: games are left to play
