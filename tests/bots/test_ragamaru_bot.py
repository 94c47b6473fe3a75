"""`house:ragamaru` in whole games, as a real process: legal with every preset and option, repeatable, and better than
chance.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from pitboss.plugins.registry import Registry
from tests.bots.blocking_runner import play_series
from tests.bots.conftest import ProgramFinder
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

GAME: Final = Registry().games["ragamaru"]
BOT: Final = "house:ragamaru"
SHORT: Final[dict[str, object]] = {"max_turns": 150}
UNUSUAL: Final[list[tuple[int, dict[str, object]]]] = [
    (2, {"hand_size": 10, "decline": "free", "max_same": 4}),
    (3, {"after_draw": "drawn", "advantage": "wild", "scoring": "win"}),
    (4, {"teams": 2, "loop": False, "first_colour": "random"}),
    (5, {"max_same": 3, "scoring": "margin", "hand_size": 3}),
    (6, {"teams": 3, "max_same": 4, "decline": "free", "after_draw": "drawn"}),
    (9, {"teams": 3, "level": "beginner", "advantage": "wild"}),
    (10, {"teams": 5, "hand_size": 8, "max_same": 3}),
]


def test_it_enters_through_the_hook_of_its_game() -> None:
    """`pitboss bots` lists the bot, for RAGAMARU alone."""
    registry = Registry()

    assert registry.bots[BOT].games == ("ragamaru",)
    assert registry.bots[BOT].summary.endswith(".")
    assert not registry.broken_plugins


@pytest.mark.parametrize("seats", [2, pytest.param(10, marks=pytest.mark.long)])
@first_rows(1)("preset", GAME.presets)
def test_a_table_of_the_bot(preset: str, seats: int, program: ProgramFinder) -> None:
    """With every preset, at small and large tables, all answers are legal, to the end of the game."""
    [game] = play_series([program(BOT)] * seats, GAME, ["one"], SHORT, preset)

    assert game.choices


@pytest.mark.long
@pytest.mark.parametrize(("seats", "given"), UNUSUAL)
def test_a_table_with_unusual_ragamaru_options(seats: int, given: dict[str, object], program: ProgramFinder) -> None:
    """With options that no preset has, all answers are legal; some seats are taken by chance, which brings the bot into
    odd positions.
    """
    bots = [program(BOT if seat % 3 else "house:random") for seat in range(seats)]

    games = play_series(bots, GAME, ["one", "two"], {**SHORT, **given})

    assert all(game.choices for game in games)


@pytest.mark.long
def test_the_same_ragamaru_seeds_again(program: ProgramFinder) -> None:
    """The same seeds give the same game to the last choice, in another process or after other games in this one."""
    bots = [program(BOT)] * 3

    first, _, again = play_series(bots, GAME, ["deal", "other", "deal"], SHORT)
    [elsewhere] = play_series(bots, GAME, ["deal"], SHORT)

    assert first == again == elsewhere


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 4])
def test_ragamaru_against_chance(seats: int, program: ProgramFinder) -> None:
    """The bot has far more points than a `house:random` bot after a few deals, in whichever seat."""
    ours = theirs = 0.0
    for seat in range(seats):
        bots = [program(BOT if at == seat else "house:random") for at in range(seats)]
        for game in play_series(bots, GAME, ["first", "second"], {}):
            ours += game.outcome.points[seat]
            theirs += (sum(game.outcome.points) - game.outcome.points[seat]) / (seats - 1)

    assert ours > 1.5 * theirs


@pytest.mark.long
def test_partners_against_chance(program: ProgramFinder) -> None:
    """Two of the bot win most games as partners against two that play at random, who have every other seat."""
    won = 0
    for seat in range(2):
        bots = [program(BOT if at % 2 == seat else "house:random") for at in range(4)]
        games = play_series(bots, GAME, [f"deal-{number}" for number in range(5)], {"teams": 2, "loop": False})
        won += sum(game.outcome.places[seat] == game.outcome.places[seat + 2] == 1 for game in games)

    assert won >= 7


@pytest.mark.long
def test_a_ragamaru_match_by_the_runner(tmp_path: Path) -> None:
    """A person can name the bot on the command line; it plays without a fault, and wins."""
    ran = run_pitboss(
        *("match", "ragamaru", BOT, "house:random", "house:first", "--deals", "3", "--seed", "s", "--json"),
        *("--store", str(tmp_path / "games.pitboss")),
    )

    assert ran.status == 0, ran.err
    standings = json.loads(ran.out.splitlines()[-1])["standings"]
    assert standings[0]["name"] == BOT
    assert standings[0]["faults"] == {}


def test_the_bot_does_not_import_the_tournament_package() -> None:
    """The bot imports the table and its own game, and nothing of the runner."""
    code = "import sys, pitboss_ragamaru.bot; print(*sorted(sys.modules))"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert not {"trio", "typer", "rich", "sqlite3", "pitboss_tournament"} & set(imported)
