"""The bots of `bots/`, and two that `pitboss new bot` makes, each as a real process in real games of Rack-O."""

from __future__ import annotations

import tomllib
from typing import Final

import pytest

from pitboss import AnyGame
from tests.bots.blocking_runner import BlockingBot, BotProgram, make_question, play_series
from tests.bots.conftest import BOTS, ProgramFinder
from tests.marks import first_rows

pytestmark = pytest.mark.once

STRATEGIES: Final = ("python-sdk", "python-stdlib", "javascript")
EXAMPLES: Final = (*STRATEGIES, "new:c", "new:awk")  # and two that read JSON with a scanner of their own
SHORT: Final[dict[str, object]] = {"max_rounds": 1, "max_turns": 30}
TABLES: Final[tuple[tuple[int, str, dict[str, object]], ...]] = (
    (2, "classic", {}),
    (3, "classic", {"may_return_discard": True}),
    (4, "classic", {"restock_shuffle": True}),
    (2, "bonus", {"tie": "extra_round"}),
    (2, "duel_ja", {}),
    (2, "duel_en", {"deck_size": 60}),
    (2, "duel_en_bonus", {}),
    (4, "partners", {}),
)


def test_folders_of_bots() -> None:
    """Every folder of `bots/` is put through these tests, and its `bot.toml` says nothing that is not read."""
    folders = {path.parent.name: tomllib.loads(path.read_text()) for path in BOTS.glob("*/bot.toml")}

    assert set(STRATEGIES) == set(folders)
    for about in folders.values():
        assert {"name", "command"} <= set(about) <= {"name", "command", "language", "needs"}
    assert len(folders) == len({about["name"] for about in folders.values()})


@pytest.mark.long
@pytest.mark.parametrize(("seats", "preset", "given"), TABLES, ids=lambda part: str(part))
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_full_table_of_one_bot(
    name: str, seats: int, preset: str, given: dict[str, object], program: ProgramFinder, racko: AnyGame
) -> None:
    """A bot in any seat of a full table, with any preset, answers legally in one game after another, and
    ends at `bye`.
    """
    games = play_series([program(name)] * seats, racko, ["one", "two"], {**SHORT, **given}, preset)

    assert len(games) == 2


@pytest.mark.long
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_same_seeds_again(name: str, program: ProgramFinder, racko: AnyGame) -> None:
    """A bot plays the same game again to the last choice, be it in another process or after other games in this one."""
    pair = [program(name)] * 2

    first, _, again = play_series(pair, racko, ["deal", "other", "deal"], SHORT)
    [elsewhere] = play_series(pair, racko, ["deal"], SHORT)

    assert first == again == elsewhere


@first_rows(1)("name", STRATEGIES)
def test_a_strategy_against_chance(name: str, program: ProgramFinder, racko: AnyGame) -> None:
    """A bot with a strategy wins every short game against `house:random`, and with at least four times its points."""
    points = play_duel(program(name), program("house:random"), racko, 5)

    assert all(bot > chance for bot, chance in points)
    assert sum(bot for bot, _ in points) >= 4 * sum(chance for _, chance in points)


@pytest.mark.long
@pytest.mark.parametrize("name", ["python-stdlib", "javascript"])
def test_the_sdk_bot_against_the_simpler_strategies(name: str, program: ProgramFinder, racko: AnyGame) -> None:
    """The bot with the SDK, which looks further, makes a fifth more points."""
    points = play_duel(program("python-sdk"), program(name), racko, 10)

    assert sum(ours for ours, _ in points) >= 1.2 * sum(theirs for _, theirs in points)


def play_duel(one: BotProgram, other: BotProgram, racko: AnyGame, deals: int) -> list[tuple[float, float]]:
    """Play each deal of three rounds in both orders; return the points of both for every game."""
    seeds = [f"deal-{number}" for number in range(deals)]
    given = {"max_rounds": 3}
    there = [game.outcome.points for game in play_series([one, other], racko, seeds, given)]
    back = [game.outcome.points[::-1] for game in play_series([other, one], racko, seeds, given)]
    return [(first, second) for first, second in [*there, *back]]


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_among_its_like(name: str, seats: int, program: ProgramFinder, racko: AnyGame) -> None:
    """All rounds end with a RACK-O, soon: the bots do not wait for ever for cards that others hold."""
    assert count_decisions_to_racko(program(name), seats, racko, {}) <= 20


@pytest.mark.long
def test_the_sdk_bot_with_min_run(program: ProgramFinder, racko: AnyGame) -> None:
    """The bot with the SDK knows how to come by the run of three without which there is no RACK-O."""
    assert count_decisions_to_racko(program("python-sdk"), 2, racko, {"min_run": 3}) <= 25


def count_decisions_to_racko(program: BotProgram, seats: int, racko: AnyGame, given: dict[str, object]) -> float:
    """Play ten rounds among like bots, each of which must end with a RACK-O; return the mean number of decisions a seat
    and round.
    """
    games = play_series(
        [program] * seats, racko, [f"deal-{number}" for number in range(10)], {"max_rounds": 1, **given}
    )

    assert all(75 in game.outcome.points for game in games)
    return sum(len(game.choices) for game in games) / (10 * seats)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_unknown_game(name: str, program: ProgramFinder) -> None:
    """In a game of which it has never heard a bot chooses one of the legal actions, whatever they look like."""
    legal = [{"say": 'an odd ", [bracketed} \\ thing'}, ["nested", [1, {"deep": []}]], "], }", 4, None]

    with BlockingBot(program(name)) as bot:
        bot.greet(0, 2, game="never-heard-of")
        bot.send_bytes(b'{"type":"start","game_id":1,"seat":0,"players":["A","B"],"seed":"s"}\n')
        bot.end.phase = "playing"
        for number in range(1, 30):
            bot.send_message(make_question(number, 0, "odd", legal[: number % 5 + 1], {"legal": ["x"] * 20, "id": 5}))
            act = bot.read_message()

            assert getattr(act, "choose", None) in range(number % 5 + 1)
