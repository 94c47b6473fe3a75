"""Rules of a league that change at a date: told from the day on which its file has them, in force from the date on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from pitboss_tournament.text.schema_text import ALLOWED

CHANGED_TABLES: Final = ("clock", "limits", "options")  # of a league's file, whose keys a change gives one by one
NEW_SEASON: Final = ("clock", "options")  # games by other ones are not added up: a season begins with the change


class RuleChange(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[changes]]: rules that hold from a time on. A change of clock or options begins a new season."""

    at: Annotated[
        datetime,
        Meta(
            tz=True,
            description="From when on.",
            extra={ALLOWED: "a date and a time with its zone: 2027-01-10T00:00:00+01:00"},
        ),
    ]
    clock: Annotated[dict[str, Any], Meta(description="Keys of [clock] that change.")] = {}
    limits: Annotated[dict[str, Any], Meta(description="Keys of [limits] that change.")] = {}
    options: Annotated[dict[str, Any], Meta(description="Keys of [options] that change.")] = {}

    @property
    def begins_season(self) -> bool:
        """Whether games before and after it cannot be added up."""
        return any(getattr(self, table) for table in NEW_SEASON)

    def list_values(self) -> dict[str, Any]:
        """Return the values that it sets, by dotted key."""
        return {f"{table}.{key}": value for table in CHANGED_TABLES for key, value in getattr(self, table).items()}


def sort_changes(changes: Sequence[RuleChange]) -> list[RuleChange]:
    """Return changes in the order of their times."""
    return sorted(changes, key=lambda one: one.at)


def apply_change(plain: dict[str, Any], change: RuleChange) -> dict[str, Any]:
    """Return the values of a league's file with those that a change sets."""
    changed = {table: {**plain.get(table, {}), **getattr(change, table)} for table in CHANGED_TABLES}
    return {**plain, **{table: keys for table, keys in changed.items() if keys}}


def find_next(changes: Sequence[RuleChange], now: datetime) -> RuleChange | None:
    """Return the change that comes next; None if none does."""
    return next((one for one in sort_changes(changes) if one.at > now), None)


def read_wall_clock() -> datetime:
    """Return the time by which changes come into force."""
    return datetime.now(UTC)


def write_value(value: object) -> str:
    """Return a value of a file as people read it."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
