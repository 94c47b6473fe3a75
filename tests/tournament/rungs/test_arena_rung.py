"""`pitboss arena rung`, with real games: a rung as the bot, the same deals again, and games without rungs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pitboss import Sides
from pitboss.plugins.rungs import GameRungs, MeasuredRung
from pitboss_tournament.rungs.rung_estimate import RungBlock
from pitboss_tournament.rungs.rung_match import read_rung_blocks
from pitboss_tournament.rungs.rung_report import describe_rung, rung_lines
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from tests.tournament.command_line import run_pitboss

PARTNERS: Sides = ((0, 2), (1, 3))
STRENGTHS = (("random", -150.0), ("slips", -70.0), ("magpie", 0.0))


def make_game(deal: int, rotation: int, seats: Mapping[int, tuple[int, float]]) -> GameResult:
    """Return a game by the entrant of each seat, with its place and points."""
    rows = tuple(
        SeatResult(entrant, points, place, 0.0, None, {}, 0, 0, "") for entrant, (place, points) in seats.items()
    )
    return GameResult(0, 0, deal, rotation, rows)


def test_blocks_of_a_bot_among_copies() -> None:
    """Each rung's seat is a comparison, in all rotations; a deal that lacks a game counts nothing."""
    solo = ((0,), (1,), (2,))
    games = [
        make_game(0, 0, {0: (1, 9.0), 1: (2, 5.0), 2: (3, 1.0)}),
        make_game(0, 1, {2: (1, 9.0), 0: (1, 9.0), 1: (3, 0.0)}),
        make_game(0, 2, {1: (1, 9.0), 2: (2, 3.0), 0: (3, 0.0)}),
        make_game(1, 0, {0: (1, 9.0), 1: (2, 5.0), 2: (3, 1.0)}),
    ]

    [block] = read_rung_blocks(games, solo, 3, 3)

    assert block[:3] == (3, 2, 1)
    assert block.points == pytest.approx((6 + 4.5 - 6) / 3)


def test_blocks_of_partners() -> None:
    """A side is one comparison: the bot is the entrants 0 and 2."""
    games = [
        make_game(0, 0, {0: (1, 10.0), 1: (2, 4.0), 2: (1, 10.0), 3: (2, 4.0)}),
        make_game(0, 1, {3: (2, 4.0), 0: (1, 5.0), 1: (2, 4.0), 2: (1, 5.0)}),
    ]

    assert read_rung_blocks(games, PARTNERS, 4, 2) == [RungBlock(2, 0, 0, 3.5)]


def test_blocks_of_teams() -> None:
    """Where all play together, a deal of both teams is the difference of their points; a deal of one is nothing."""
    games = [
        make_game(0, 0, {0: (1, 20.0), 1: (1, 20.0)}),
        make_game(0, 0, {2: (1, 13.0), 3: (1, 13.0)}),
        make_game(1, 0, {2: (1, 13.0), 3: (1, 13.0)}),
    ]

    assert read_rung_blocks(games, ((0, 1),), 2, 1) == [RungBlock(1, 0, 0, 7.0)]


@pytest.mark.once
def test_a_rung_is_measured(tmp_path: Path) -> None:
    """The lowest rung of euchre is near the bottom of its range, and the same seed plays the same deals again."""
    words = (
        "arena",
        "rung",
        "rung:1",
        "--game",
        "euchre",
        "--deals",
        "24",
        "--seed",
        "s",
        "--sandbox",
        "none",
        "--json",
    )

    found, again = (run_pitboss(*words, "--json", cwd=tmp_path).json_value for _ in range(2))

    assert found == again
    assert found["deals"] == 24
    assert found["lowest"] == 1
    assert found["faults"] == 0
    assert sum(met["deals"] for met in found["met"]) == 24
    assert list(tmp_path.iterdir()) == []


def test_what_is_told() -> None:
    """The report names the rung, the range, the side of the own bot on which the bot is, and each rung that it met."""
    rungs = tuple(MeasuredRung(bot=f"house:{name}", strength=at, half_width=0.0, deals=9) for name, at in STRENGTHS)
    table = GameRungs(name="magpie", seats=2, preset=None, unit="rating", deals=60, rungs=rungs)
    even, lost = RungBlock(1, 1, 0, 0.0), RungBlock(0, 2, 0, -5.0)

    report = describe_rung(table, "mine", {1: [even] * 20, 2: [lost] * 4}, "s", 3)
    lines = list(rung_lines(report, table))
    few = describe_rung(table, "mine", {2: [even._replace(wins=2, losses=0), lost]}, "s", 0)

    assert lines[0] == "mine: rung 1 of 3 in magpie, by 24 deals."
    assert next(rung_lines(few, table)) == "mine: rung 2 (1 to 3) of 3 in magpie, by 2 deals."
    assert lines[1].startswith("The game's own bot, house:magpie, is rung 3; the bot is ")
    assert " rating points below it (" in lines[1]
    assert lines[3] == "  rung  2 house:slips: 0 won, 8 lost in 4 deals, -5.0 points a game"
    assert lines[4] == "The bot committed faults in 3 games: see `pitboss check mine`."


@pytest.mark.once
def test_a_game_without_rungs(tmp_path: Path) -> None:
    """The error names the games that have some."""
    ran = run_pitboss("arena", "rung", "house:random", "--game", "magpie", cwd=tmp_path)

    assert ran.status == 2
    assert ran.err.startswith("pitboss: magpie has no rungs; games with rungs: ")
    assert "euchre" in ran.err
