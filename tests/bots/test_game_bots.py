"""The bots that come with a game: `house:racko`, `house:rummy` and others, as real processes in whole
games.
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

SHORT: Final[dict[str, dict[str, object]]] = {
    "racko": {"max_rounds": 1, "max_turns": 40},
    "rummy": {"deals": 1, "max_turns": 40},
    "lucky-maker": {"games": 1},
    "spades": {"deals": 1},
    "hearts": {"deals": 1},
    "oh-hell": {},
    "bridge": {"deals": 1},
    "eights": {"deals": 1},
    "euchre": {"target": 5},
    "cribbage": {"target": 61},
    "fireworks": {},
    "gin-rummy": {"deals": 1},
    "dou-dizhu": {},
}
PLAYED_ALWAYS: Final = ("rummy", "oh-hell", "gin-rummy")  # by the runner; the others with `make soak`
GAMES: Final = Registry().games
TABLES: Final = [
    (game, seats, preset)
    for game in SHORT
    for number, preset in enumerate(GAMES[game].presets)
    for seats in (min(GAMES[game].seats), max(GAMES[game].seats))[: 2 if number < 2 else 1]
    if (game, preset) not in {("racko", name) for name in ("duel_ja", "duel_en", "duel_en_bonus", "partners")}
]
SPECIAL: Final[list[tuple[str, int, str | None, dict[str, object]]]] = [
    ("racko", 2, "duel_ja", {}),
    ("racko", 2, "duel_en", {"deck_size": 60}),
    ("racko", 2, "duel_en_bonus", {}),
    ("racko", 4, "partners", {}),
    ("racko", 3, None, {"may_return_discard": True, "restock_shuffle": True, "declare": "choice"}),
    ("racko", 2, None, {"max_turns": 1, "deck_size": 22}),
    ("rummy", 2, None, {"hand_size": 1}),
    ("rummy", 2, None, {"hand_size": 51, "decks": 2, "group_max": 8, "must_discard_out": True}),
    ("rummy", 3, None, {"decks": 2, "group_copies": False, "discard_taken": True, "going_rummy": "plus10"}),
    ("rummy", 4, None, {"stock_out": "reshuffle", "melds_per_turn": 1, "stalled_deal": "block", "scoring": "penalty"}),
    ("lucky-maker", 3, None, {"tie_lead": "winner", "void_lead": "next", "start": "random"}),
]


@pytest.mark.parametrize("game", SHORT)
def test_they_enter_beside_the_house_bots_of_another_plugin(game: str) -> None:
    """Several plugins may offer names that begin with `house:`; each of these is for its own game alone."""
    registry = Registry()

    assert registry.bots[f"house:{game}"].games == (game,)
    assert registry.bots[f"house:{game}"].summary.endswith(".")
    assert "house:random" in registry.bots
    assert not registry.broken_plugins


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats", "preset"), TABLES)
def test_a_table_of_one_bot(name: str, seats: int, preset: str, program: ProgramFinder) -> None:
    """With every preset, and with two at the largest table, all answers are legal, to the end of the game."""
    play_checked_game(program, name, seats, preset, SHORT[name])


@pytest.mark.long
@pytest.mark.parametrize(("name", "seats", "preset", "given"), SPECIAL)
def test_a_table_with_unusual_options(
    name: str, seats: int, preset: str | None, given: dict[str, object], program: ProgramFinder
) -> None:
    """With options that no preset has, and presets for one number of seats, all answers are legal, to the end of the
    game.
    """
    play_checked_game(program, name, seats, preset, {**SHORT[name], **given})


def play_checked_game(
    program: ProgramFinder, name: str, seats: int, preset: str | None, given: dict[str, object]
) -> None:
    """Play one game; the referee checks every answer."""
    [game] = play_series([program(f"house:{name}")] * seats, GAMES[name], ["one"], given, preset)

    assert game.choices


@pytest.mark.long
@pytest.mark.parametrize("name", SHORT)
def test_the_same_seeds_again(name: str, program: ProgramFinder) -> None:
    """A bot plays the same game again to the last choice, be it in another process or after other games in this one."""
    game, bots = GAMES[name], [program(f"house:{name}")] * max(3, min(GAMES[name].seats))

    first, _, again = play_series(bots, game, ["deal", "other", "deal"], SHORT[name])
    [elsewhere] = play_series(bots, game, ["deal"], SHORT[name])

    assert first == again == elsewhere


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "seats"), [("racko", 2), ("racko", 4), ("rummy", 2), ("rummy", 4), ("lucky-maker", 3)]
)
def test_a_bot_that_knows_the_game_against_chance(name: str, seats: int, program: ProgramFinder) -> None:
    """The bot has more points than all `house:random` bots after a few deals, in whichever seat."""
    chance = [program("house:random")] * (seats - 1)
    ours = theirs = 0.0
    for seat in range(seats):
        bots = [*chance[:seat], program(f"house:{name}"), *chance[seat:]]
        for game in play_series(bots, GAMES[name], [f"deal-{number}" for number in range(4)], SHORT[name]):
            ours += game.outcome.points[seat]
            theirs += max(points for other, points in enumerate(game.outcome.points) if other != seat)

    assert ours > 1.2 * theirs


@first_rows(1)("name", [pytest.param(name, marks=() if name in PLAYED_ALWAYS else pytest.mark.long) for name in SHORT])
def test_a_match_by_the_runner(name: str, tmp_path: Path) -> None:
    """A person can name the bot on the command line; it plays without a fault."""
    options = [word for key, value in SHORT[name].items() for word in ("-o", f"{key}={value}")]
    others = ["house:random", "house:first", "house:random"][: min(GAMES[name].seats) - 1]

    ran = run_pitboss(
        *("match", name, f"house:{name}", *others, "--deals", "2", "--seed", "s", "--json", *options),
        *("--store", str(tmp_path / "games.pitboss")),
    )

    assert ran.status == 0, ran.err
    standings = json.loads(ran.out.splitlines()[-1])["standings"]
    assert f"house:{name}" in [line["name"] for line in standings[: len(standings) // 2]]  # a partner is level with it
    assert all(line["faults"] == {} for line in standings)


@first_rows(2)(
    "module",
    [
        "pitboss_racko.bot",
        "pitboss_rummy.bot",
        "pitboss_lucky_maker.bot",
        "pitboss_spades.bot",
        "pitboss_hearts.bot",
        "pitboss_oh_hell.bot",
        "pitboss_bridge.bot",
        "pitboss_eights.bot",
        "pitboss_euchre.bot",
        "pitboss_cribbage.bot",
        "pitboss_fireworks.bot",
        "pitboss_gin_rummy.bot",
        "pitboss_dou_dizhu.bot",
    ],
)
def test_the_tournament_package_is_not_imported(module: str) -> None:
    """A bot brings in the table and its own game, and nothing of the runner."""
    code = f"import sys, {module}; print(*sorted(sys.modules))"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()

    assert not {"trio", "typer", "rich", "sqlite3", "pitboss_tournament"} & set(imported)
