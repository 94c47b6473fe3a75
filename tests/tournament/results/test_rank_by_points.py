"""`rank = "points"`: the ranks of standings go by points, by tests of their differences."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss_poker.game import Poker
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.plan.plan import Entrant, StopBounds
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.results.notes import rare_loss_text
from pitboss_tournament.results.verdict import tell_verdict
from pitboss_tournament.showing.version_comparison import judge_stored
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.store.header import Header, make_header
from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss
from tests.tournament.random_results import make_random_plan
from tests.tournament.stored_games import make_stored_game


def make_game(number: int, deal: int, rotation: int, points: dict[int, float], *, lowest_wins: bool) -> GameResult:
    """Return a game of two bots with these points, in the order of the rotation."""
    entrants = sorted(points, reverse=bool(rotation))
    best = (min if lowest_wins else max)(points.values())
    seats = tuple(
        SeatResult(
            entrant=bot,
            points=points[bot],
            place=1 + (points[bot] != best),
            win=float(points[bot] == best),
            fault=None,
            substituted={},
            decisions=1,
            think_us=1,
            think={},
        )
        for bot in entrants
    )
    return GameResult(number, 0, deal, rotation, seats)


def rate_gambler(header: Header, blocks: int, *, lowest_wins: bool = False) -> Findings:
    """Return the standings of a gambler, bot 0, who loses three games of four by 1 and wins the fourth by 20."""
    counts, rng = Counts(header), Random("gambler")
    sign = -1 if lowest_wins else 1
    for deal in range(blocks):
        for rotation in (0, 1):
            won = sign * (20 if rng.random() < 0.25 else -1)
            counts.add(make_game(2 * deal + rotation, deal, rotation, {0: won, 1: -won}, lowest_wins=lowest_wins))
    return Findings(counts)


@pytest.fixture
def duel() -> Header:
    """Return the header of a tournament of two bots."""
    return make_header(make_random_plan("round-robin", 2, 2, 400), "1", "1")


def test_points_rank_otherwise_than_places(duel: Header) -> None:
    """The same games: by places the gambler is last, by points it is first, and each is proven."""
    by_places = rate_gambler(duel, 400)
    by_points = rate_gambler(replace(duel, rank="points"), 400)

    assert [line.name for line in by_places.standings] == ["b1", "b0"]
    assert by_places.rank_ranges == {"b1": RankRange(1, 1), "b0": RankRange(2, 2)}
    assert [line.name for line in by_points.standings] == ["b0", "b1"]
    assert by_points.rank_ranges == {"b0": RankRange(1, 1), "b1": RankRange(2, 2)}
    assert list(tell_verdict(by_points, None)) == [
        "Verdict head to head, by points, more than 99.99 % sure: b0 is better than b1.",
        "b0 over b1: +8.1 ±1.2 points a game and -199 ±28 rating points (below 0: b1 is ahead).",
        "Two measures, two answers: b0 is better than b1 by points, which count by how much; b1 is better than b0 by "
        "places, which count how often, in their 400 blocks.",
    ]


def test_fewer_points_may_be_better(duel: Header) -> None:
    """Fewer points may be better, as in games that count what is left in the hand."""
    found = rate_gambler(replace(duel, rank="points"), 400, lowest_wins=True)

    assert [line.name for line in found.standings] == ["b0", "b1"]
    assert found.rank_ranges["b0"] == RankRange(1, 1)


def test_few_games_prove_nothing(duel: Header) -> None:
    """A difference that may be chance leaves the ranks open, and no number of games is promised."""
    found = rate_gambler(replace(duel, rank="points"), 4)

    assert found.rank_ranges["b0"] == RankRange(1, 2)
    assert list(tell_verdict(found, None)) == [
        "Verdict head to head, by points: no difference between b0 and b1 is proven yet."
    ]


def test_a_loss_rarer_than_the_games_is_warned_of(duel: Header) -> None:
    """Where points count and the game says what a seat can lose; not where places count."""
    options = msgspec.to_builtins(resolve_options(Poker(), 2))
    poker = replace(duel, game="poker", options=options, rank="points")
    few, many = rate_gambler(poker, 5), rate_gambler(poker, 400)

    assert many.worst_loss is not None
    told = rare_loss_text(many)
    assert told is not None
    assert told.startswith(f"Rare losses: a game can cost up to {many.worst_loss:,.0f} points. Such a loss may be ")
    assert f"all 400 blocks of a bot and still cost it up to {many.worst_loss * 3 / 400:,.1f} points a game" in told
    assert rare_loss_text(few) is not None
    assert rare_loss_text(rate_gambler(replace(poker, rank="places"), 400)) is None
    assert rare_loss_text(rate_gambler(replace(duel, rank="points"), 400)) is None


@pytest.mark.parametrize("anytime", [False, pytest.param(True, marks=pytest.mark.long)])
def test_equal_bots_are_hardly_ever_told_apart(anytime: bool) -> None:
    """In tournaments of ten equal bots, whose points depend on each other, one of twenty may be wrong."""
    header = replace(make_header(make_random_plan("round-robin", 10, 2, 20), "1", "1"), rank="points")
    wrong = 0
    for seed in range(40):
        rng, counts = Random(f"equal/{seed}"), Counts(header)
        number = 0
        for one in range(10):
            for other in range(one + 1, 10):
                for deal in range(12):
                    for rotation in (0, 1):
                        points = rng.gauss(0, 1)
                        game = make_game(number, deal, rotation, {one: points, other: -points}, lowest_wins=False)
                        counts.add(replace(game, pairing=10 * one + other))
                        number += 1
        wrong += any(not span.is_open for span in Findings(counts, anytime=anytime).rank_ranges.values())
    assert wrong <= 4


@pytest.mark.long
@pytest.mark.once
def test_the_file_says_so(tmp_path: Path) -> None:
    """Standings say what ranks go by, and another file may ask otherwise of the same games."""
    path = tmp_path / "t.toml"
    text = (
        'game = "magpie"\nseats = 2\ndeals = 2\nseed = "s"\nsandbox = "none"\nbots = ["house:first", "house:random"]\n'
    )
    path.write_text(f'rank = "points"\n{text}')
    assert run_pitboss("run", str(path)).status == 0
    assert run_pitboss("standings", str(tmp_path / "t.pitboss"), "--json").json_value["rank"] == "points"

    path.write_text(text)
    assert run_pitboss("run", str(path)).status == 0
    assert run_pitboss("standings", str(tmp_path / "t.pitboss"), "--json").json_value["rank"] == "places"


@pytest.mark.parametrize(
    ("game", "settings", "rank"),
    [
        ("poker", {}, "points"),
        ("poker", {"rank": "places"}, "places"),
        ("poker", {"preset": "tournament"}, "places"),
        ("bridge", {"seats": 4}, "points"),
        ("dou-dizhu", {"seats": 3}, "points"),
        ("rummy", {"preset": "chips"}, "points"),
        ("rummy", {}, "places"),
        ("racko", {}, "places"),
        ("racko", {"rank": "points"}, "points"),
        ("racko", {"score": "matchpoints", "rank": "places"}, "points"),
        ("fireworks", {"rank": "places"}, "points"),
    ],
)
def test_games_for_points_go_by_points(game: str, settings: dict[str, Any], rank: str, tmp_path: Path) -> None:
    """Ranks by default go by what the players of a game count, and the file may say otherwise."""
    made = TournamentFile(game=game, sandbox="none", **{"seats": 2} | settings)
    bots = [Entrant(name=f"b{number}", command=("true",)) for number in range(made.seats or 2)]

    assert resolve_plan(made, bots, Registry(), tmp_path / "x.pitboss").rank == rank


def test_points_ahead_where_the_fewest_win(tmp_path: Path, duel: Header) -> None:
    """A comparison says by how many points the better bot is ahead, whether the most or the fewest points win."""
    found = []
    for sign in (1, -1):
        with closing(Store.for_run(tmp_path / f"{sign}.pitboss", duel)) as store:
            for number in range(40):
                points = {0: sign * (3.0 + number // 2 % 3), 1: 0.0}
                game = make_game(number, number // 2, number % 2, points, lowest_wins=sign < 0)
                store.add([make_stored_game(number)._replace(result=game)])
            found.append(
                judge_stored(store, "b1", "b0", StopBounds(low=0, high=25, alpha=0.05, beta=0.05)).points_ahead
            )

    assert found[0] is not None
    assert (found[0].mean or 0) > 3
    assert found[1] == found[0]
