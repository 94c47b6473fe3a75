"""When submissions end: for all, for an owner with an extension, and how many days late a submission is.

A day late ends at the same time of day as submissions do, on the clock of the zone that `[grades] zone` names; without
a zone it has 24 hours. So where clocks are put forward in that night, a day has 23 hours. A time that a clock shows
twice is the later one.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pitboss.errors import ConfigError


class Deadlines(NamedTuple):
    """When submissions to a league end. What its methods return is in UTC."""

    closes: datetime | None  # for all; None: never
    late_days: int  # in which late ones are taken
    zone: ZoneInfo | None
    extensions: Mapping[str, datetime]  # by owner

    def find_end(self, owner: str) -> datetime | None:
        """Return when the submissions of an owner end that are not late: not before those of all; None: never."""
        if self.closes is None:
            return None
        return max(self.closes, self.extensions.get(owner, self.closes)).astimezone(UTC)

    def find_last(self, owner: str) -> datetime | None:
        """Return when the late submissions of an owner end; None: never."""
        end = self.find_end(owner)
        return None if end is None else add_days(end, self.late_days, self.zone)

    def find_last_of_all(self) -> datetime | None:
        """Return when nobody can submit any more; None: never."""
        if self.closes is None:
            return None
        return max(add_days(end, self.late_days, self.zone) for end in (self.closes, *self.extensions.values()))

    def show(self, time: datetime) -> str:
        """Return a time as the clocks of the zone show it, or those by which `closes` is given."""
        return time.astimezone(self.zone or (None if self.closes is None else self.closes.tzinfo)).isoformat()

    def count_late_days(self, owner: str, at: datetime) -> int | None:
        """Return how many days late a submission of this time is, 0 if it is in time; None: it is too late."""
        end = self.find_end(owner)
        if end is None:
            return 0
        return next((days for days in range(self.late_days + 1) if at <= add_days(end, days, self.zone)), None)


def add_days(time: datetime, days: int, zone: ZoneInfo | None) -> datetime:
    """Return the same time of day some days later, by the clock of a zone, or after days of 24 hours; in UTC."""
    if zone is None:
        return time.astimezone(UTC) + timedelta(days=days)
    return locate_time(time.astimezone(zone).replace(tzinfo=None) + timedelta(days=days), zone)


def locate_time(shown: datetime, zone: ZoneInfo) -> datetime:
    """Return when a clock of a zone shows a time: the later of two, or where it jumps over it as if it went on; in UTC.

    Two times in the same zone are compared as clocks show them, so the moments are compared in UTC.
    """
    return max(shown.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def find_zone(name: str) -> ZoneInfo:
    """Return a time zone.

    Raises:
        ConfigError: it is not known here.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"{name!r} is no time zone that this machine knows; one is Europe/Zurich") from None


def parse_time(text: str, zone: ZoneInfo | None) -> datetime:
    """Return the time that somebody has written, with its offset, or as the clock of the zone shows it.

    Raises:
        ConfigError: it is none, or no clock ever shows it.
    """
    example = "2027-02-08T18:00:00+01:00"
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConfigError(f"{text!r} is no date with a time; one is {example}") from None
    if len(text.strip()) <= len("2027-02-08"):
        raise ConfigError(f"{text!r} says no time of day; write {example}")
    if found.tzinfo is not None:
        return found
    if zone is None:
        raise ConfigError(f"{text!r} does not say its zone: write {example}, or give [grades] zone in league.toml")
    located = locate_time(found, zone)
    if located.astimezone(zone).replace(tzinfo=None) != found:
        raise ConfigError(f"no clock of {zone.key} shows {text!r}: clocks are put forward then")
    return located
