"""The live screen: how far, how fast, how long; who meets whom; who does wrong."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import thread_time

import pytest
import trio
import trio.testing
from rich.console import Console

from pitboss_tournament.running.progress_listener import DISPLAY_REST_FACTOR, ProgressListener, refresh_display
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.showing.live_screen import MAX_SHOWN_TABLES, LiveScreen
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.text.progress import Pace, format_progress, format_seconds
from tests.tournament.small_tournaments import make_plan, open_tournament, zoo_entrant


class BusyTournament(Tournament):
    """A tournament in which somebody sits at every table, and nobody plays."""

    def tables(self) -> list[tuple[int, ...]]:
        """Return eight tables."""
        return [(1, 0)] * 8

    def count_machines(self) -> Counter[str]:
        """Return six machines, of which the first plays at three tables."""
        return Counter({"hall\x1b[2J": 3, **{f"lab-{number}": 1 for number in range(1, 6)}})


def screen_lines(of: Tournament, width: int, height: int = 40) -> list[str]:
    """Return what the screen shows."""
    out = io.StringIO()
    console = Console(
        file=out, width=width, height=height, force_terminal=True, legacy_windows=False, color_system=None
    )
    with LiveScreen(of, console) as screen:
        screen.prepare_refresh()()
        shown = out.getvalue()
    return [line.rstrip() for line in shown.replace("\x1b[?25l", "").splitlines()]


@pytest.fixture
def playing(tmp_path: Path) -> Tournament:
    """Return a tournament with two finished games, one of them forfeited."""
    made = make_plan(tmp_path / "x.pitboss", zoo_entrant("good", "a"), zoo_entrant("good", "b\x1b[2J"))
    begun = open_tournament(made)
    begun.__class__ = BusyTournament
    for number in range(2):
        seats = (
            SeatResult(0, 5, 1, 1, None, {}, 1, 1, {}),
            SeatResult(1, 0, 2, 0, "late" if number else None, {}, 1, 1, {}),
        )
        begun.running_standings.add(GameResult(number, 0, 0, number, seats))
    return begun


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_screen(playing: Tournament, width: int) -> None:
    """Standings, tables, machines, forfeits and progress fit the width, and no name does anything to the terminal."""
    lines = screen_lines(playing, width)
    text = " ".join(" ".join(lines).split())

    assert all(len(line) <= width and line.isprintable() for line in lines)
    assert r"now: b\x1b[2J - a; " in text
    assert text.count(r"b\x1b[2J - a") == MAX_SHOWN_TABLES
    assert f"and {8 - MAX_SHOWN_TABLES} more tables" in text
    assert r"on: hall\x1b[2J, 3 tables; lab-1, 1 table; lab-2, 1 table; lab-3, 1 table; and 2 more machines" in text
    assert r"forfeits: b\x1b[2J (late 1)" in text
    assert "2 of 4 games, " in text


def test_the_screen_shows_what_results_are_scored_by(tmp_path: Path) -> None:
    """Points are those of the standings: here each is compared with who held the same cards."""
    bots = zoo_entrant("good", "a"), zoo_entrant("good", "b")
    begun = open_tournament(make_plan(tmp_path / "x.pitboss", *bots, score="matchpoints"))
    for rotation, (first, points) in enumerate(((0, (5, 9)), (1, (4, 9)))):  # a and b hold the same cards in turn
        seats = (
            SeatResult(entrant, points[seat], 2 - seat, float(seat), None, {}, 1, 1, {})
            for seat, entrant in enumerate((first, 1 - first))
        )
        begun.running_standings.add(GameResult(rotation, 0, 0, rotation, tuple(seats)))

    heading, first_line, second_line, *_ = (" ".join(line.split()) for line in screen_lines(begun, 120))
    assert heading.startswith("bot games blocks matchpoints % wins % ")
    assert first_line.startswith("1 a 2 1 75.0 ±? 100.0 ")
    assert second_line.startswith("2 b 2 1 25.0 ±? 0.0 ")


@pytest.mark.parametrize("height", [30, 61, 62])
def test_more_bots_than_lines(tmp_path: Path, height: int) -> None:
    """The first ones are shown, and how many there are beside them; nothing is cut off below."""
    bots = [zoo_entrant("good", f"bot-{number}") for number in range(60)]
    lines = screen_lines(open_tournament(make_plan(tmp_path / "x.pitboss", *bots)), 80, height)

    shown = sum("bot-" in line for line in lines)
    assert shown == (60 if height == 62 else height - 3)
    assert (f"and {60 - shown} more bots" in lines) == (shown < 60)


class ThinkingListener(ProgressListener):
    """Takes its time for each refresh."""

    def __init__(self) -> None:
        self.began: list[float] = []

    def prepare_refresh(self) -> Callable[[], None]:
        """Compute for 20 ms."""
        self.began.append(trio.current_time())
        until = thread_time() + 0.02
        while thread_time() < until:
            pass
        return super().prepare_refresh()


async def test_a_display_that_takes_long_rests(autojump_clock: trio.testing.MockClock) -> None:
    """A refresh takes a hundredth of the time at most."""
    listener = ThinkingListener()
    with trio.move_on_after(20 * DISPLAY_REST_FACTOR * 0.02):
        await refresh_display(listener)

    assert 2 < len(listener.began)
    assert all(later - earlier >= DISPLAY_REST_FACTOR * 0.02 for earlier, later in pairwise(listener.began))


def test_a_line_of_progress() -> None:
    """A line of progress has games, speed, and how long the run takes if there is an end."""
    assert format_progress(150, 1_150, 10.0) == "150 of 1,150 games, 10.0 a second, 100 s left".replace(
        "100 s", "2 min"
    )
    assert format_progress(50, 1_000, 0.0) == "50 of 1,000 games, 0.0 a second"
    assert format_progress(1_000, 1_000, 100.0) == "1,000 of 1,000 games, 100.0 a second"
    assert format_progress(7, None, 0.0) == "7 games, 0.0 a second"


def test_the_pace_is_that_of_the_last_minute() -> None:
    """The pace leaves out games from before the run, and follows a machine that slows down within a minute."""
    pace = Pace(50, 0.0)

    assert pace.measure(50, 0.0) == 0.0
    assert pace.measure(150, 10.0) == 10.0
    for second in range(11, 601):
        pace.measure(150 + (second - 10) * 10, second)
    assert pace.measure(6_050, 600.0) == pytest.approx(10.0)
    for second in range(601, 665):
        speed = pace.measure(6_050 + (second - 600), second)
    assert speed == pytest.approx(1.0)


def test_the_pace_of_long_games() -> None:
    """The pace of games of ten is told by the last twenty, as a minute is too short; and a run that stands still gets
    slower.
    """
    pace = Pace(0, 0.0)

    for second in range(1, 36_001):
        speed = pace.measure(second // 600, second)
    assert speed == pytest.approx(1 / 600, rel=0.1)
    assert pace.measure(60, 48_000) < 0.6 * speed


@pytest.mark.parametrize(("seconds", "written"), [(99.4, "99 s"), (100, "2 min"), (5_940, "99 min"), (6_000, "1.7 h")])
def test_durations(seconds: float, written: str) -> None:
    """Durations are written in the unit that suits them."""
    assert format_seconds(seconds) == written
