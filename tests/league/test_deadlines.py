"""When submissions end: late days, extensions, and clocks that are put forward and back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.league.deadlines import Deadlines, add_days, find_zone, parse_time

ZURICH: Final = ZoneInfo("Europe/Zurich")
CLOSES: Final = datetime.fromisoformat("2027-02-01T18:00:00+01:00")
EXTENDED: Final = datetime.fromisoformat("2027-02-05T18:00:00+01:00")
DEADLINES: Final = Deadlines(CLOSES, 3, ZURICH, {"ada": EXTENDED})
SECOND: Final = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("owner", "at", "late_days"),
    [
        ("bob", "2027-02-01T17:00:00+00:00", 0),
        ("bob", "2027-02-01T17:00:01+00:00", 1),
        ("bob", "2027-02-02T17:00:00+00:00", 1),
        ("bob", "2027-02-04T17:00:00+00:00", 3),
        ("bob", "2027-02-04T17:00:01+00:00", None),
        ("ada", "2027-02-05T17:00:00+00:00", 0),
        ("ada", "2027-02-08T17:00:00+00:00", 3),
        ("ada", "2027-02-08T17:00:01+00:00", None),
    ],
)
def test_late_days(owner: str, at: str, late_days: int | None) -> None:
    """A day late begins with the second after the end, and an extension moves the end of one owner alone."""
    assert DEADLINES.count_late_days(owner, datetime.fromisoformat(at)) == late_days


def test_an_extension_of_an_earlier_season() -> None:
    """An extension that was for an earlier end than that of today ends nobody's submissions earlier."""
    deadlines = DEADLINES._replace(closes=EXTENDED + timedelta(days=30))

    assert deadlines.find_end("ada") == deadlines.find_end("bob") == EXTENDED + timedelta(days=30)


def test_the_last_moment_of_all() -> None:
    """Nobody can submit after the late days of the longest extension."""
    assert DEADLINES.find_last_of_all() == EXTENDED + timedelta(days=3)
    assert DEADLINES._replace(extensions={}).find_last_of_all() == CLOSES + timedelta(days=3)


def test_a_league_that_does_not_close() -> None:
    """Without an end nothing is late, whatever extensions are left from another time."""
    deadlines = DEADLINES._replace(closes=None)

    assert deadlines.count_late_days("ada", EXTENDED + timedelta(days=99)) == 0
    assert deadlines.find_last_of_all() is None
    assert deadlines.find_last("ada") is None


@pytest.mark.parametrize(
    ("closes", "hours"),
    [("2027-03-27T18:00:00+01:00", 23), ("2027-10-30T18:00:00+02:00", 25), ("2027-02-01T18:00:00+01:00", 24)],
    ids=["put forward", "put back", "an ordinary night"],
)
def test_a_day_by_the_clock(closes: str, hours: int) -> None:
    """A day late ends at the same time of day, in the night of a change of clocks after 23 or 25 hours."""
    end = datetime.fromisoformat(closes)

    after = add_days(end, 1, ZURICH)

    assert after - end == timedelta(hours=hours)
    assert after.astimezone(ZURICH).strftime("%H:%M") == "18:00"
    assert add_days(end, 1, None) - end == timedelta(days=1)


def test_the_end_of_a_day_late_in_the_night_of_a_change() -> None:
    """The last second of a day of 23 hours is one day late, and the next second is two."""
    deadlines = Deadlines(datetime.fromisoformat("2027-03-27T18:00:00+01:00"), 3, ZURICH, {})
    end = datetime.fromisoformat("2027-03-28T16:00:00+00:00")

    assert deadlines.count_late_days("bob", end) == 1
    assert deadlines.count_late_days("bob", end + SECOND) == 2


def test_a_day_that_ends_at_a_time_shown_twice_or_never() -> None:
    """A time that a clock shows twice is the later one; one that is jumped over is as if the clock had gone on."""
    twice = add_days(datetime.fromisoformat("2027-10-30T02:30:00+02:00"), 1, ZURICH)
    never = add_days(datetime.fromisoformat("2027-03-27T02:30:00+01:00"), 1, ZURICH)

    assert twice == datetime.fromisoformat("2027-10-31T01:30:00+00:00")
    assert never == datetime.fromisoformat("2027-03-28T03:30:00+02:00")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2027-02-08T18:00:00+01:00", "2027-02-08T17:00:00+00:00"),
        ("2027-02-08 18:00Z", "2027-02-08T18:00:00+00:00"),
        ("2027-02-08 18:00", "2027-02-08T17:00:00+00:00"),
        ("2027-07-08T18:00", "2027-07-08T16:00:00+00:00"),
        ("2027-10-31T02:30", "2027-10-31T01:30:00+00:00"),
    ],
)
def test_times_that_people_write(text: str, meant: str) -> None:
    """A time without an offset is that of the clocks of the zone, in winter and in summer."""
    assert parse_time(text, ZURICH) == datetime.fromisoformat(meant)


@pytest.mark.parametrize(
    ("text", "zone", "said"),
    [
        ("tomorrow", ZURICH, "is no date with a time"),
        ("2027-02-08", ZURICH, "says no time of day"),
        ("2027-02-08 18:00", None, "does not say its zone"),
        ("2027-03-28T02:30", ZURICH, "clocks are put forward then"),
    ],
)
def test_times_that_are_refused(text: str, zone: ZoneInfo | None, said: str) -> None:
    """A time that could mean several moments, or none, is refused, and the sentence says what to write."""
    with pytest.raises(ConfigError, match=said):
        parse_time(text, zone)


@pytest.mark.parametrize("name", ["Mars/Base", "../../etc/passwd", "", "Europe"])
def test_no_zone(name: str) -> None:
    """A name that is no zone is refused, also one that leads to another file."""
    with pytest.raises(ConfigError, match="is no time zone"):
        find_zone(name)
