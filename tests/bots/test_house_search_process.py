"""`house:search` as a process: every game, its clocks, and its options."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any, Final

import pytest

from pitboss import OptionError, Random
from pitboss.action_range import sample_actions
from pitboss.bot import Question
from pitboss.game import find_sides, resolve_options
from pitboss.plugins.hookspec import BotOption, NamedBot
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss_house_bots.search import advise
from pitboss_house_bots.search_bot import SearchBot
from tests.bots.blocking_runner import BotProgram, play_series
from tests.bots.conftest import ProgramFinder
from tests.marks import first_rows

pytestmark = pytest.mark.once

GAMES: Final = Registry().games
ONE_ROUND: Final = {
    "racko": {"max_rounds": 1, "max_turns": 4},
    "rummy": {"deals": 1, "max_turns": 4},
    "lucky-maker": {"games": 1},
}
DECISIONS: Final = 6


def list_tables() -> Iterator[tuple[str, int, str | None]]:
    """Yield each game with every number of players and every preset that fits them."""
    for name, game in GAMES.items():
        for seats in game.seats:
            for preset in (None, *game.presets):
                try:
                    resolve_options(game, seats, preset)
                except OptionError:
                    continue
                yield name, seats, preset


@pytest.mark.parametrize(("name", "seats", "preset"), list(list_tables()))
def test_a_legal_answer_at_every_table(name: str, seats: int, preset: str | None) -> None:
    """The search works in every game with every number of seats and every preset: its advice is legal, and every action
    is ranked once.
    """
    game = GAMES[name]
    options = resolve_options(game, seats, preset)
    state, sides = game.deal(seats, options, Random("table")), find_sides(game, seats, options)
    for number in range(DECISIONS):
        if state.turn is None:
            assert number  # a game of Fireworks can be lost after a few decisions
            break
        legal = state.legal()
        advice = advise(state, state.turn.seat, 60.0, Random("search"), sides, worlds=2)
        tried = sample_actions(legal)
        assert sorted(one.index for one in advice.ranked) == list(range(len(tried)))
        assert tried[advice.best.index] == advice.best.action
        state.play(advice.best.action)


@first_rows(1)("name", sorted(ONE_ROUND))
def test_a_game_with_real_processes(name: str, program: ProgramFinder) -> None:
    """A few worlds a decision, two bots that look ahead, and all answers are legal, to the end of the game."""
    game = GAMES[name]
    search = BotProgram([*program("house:search").command, "worlds=3"])
    bots = [search, search, *[program("house:random")] * (game.seats[0] - 2)]

    [played] = play_series(bots, game, ["one"], ONE_ROUND[name])

    assert played.choices


def make_question(decision_ms: int, game_ms: int | None = None, increment_ms: int = 0) -> Question:
    """Return a question with so much time left."""
    clock = Clock(start_ms=1, decision_ms=decision_ms, game_ms=game_ms, increment_ms=increment_ms)
    hello = Hello(game="racko", options={}, seats=2, seat=0, seed="", clock=clock)
    start = Start(game_id=0, seat=0, players=["A", "B"], seed="s")
    return Question(
        legal=[1, 2, 3],
        view=None,
        events=[],
        seat=0,
        phase="draw",
        decision_ms=decision_ms,
        game_ms=game_ms,
        hello=hello,
        start=start,
    )


@pytest.mark.parametrize(
    ("decision", "seconds"),
    [
        (make_question(10_000), 0.1),
        (make_question(60), 0.03),
        (make_question(10_000, game_ms=1_000), 0.02),
        (make_question(10_000, game_ms=1_000, increment_ms=100), 0.07),
        (make_question(10_000, game_ms=8, increment_ms=10_000), 0.002),
        (make_question(10_000, game_ms=0), 0.0),
    ],
)
def test_how_long_it_thinks(decision: Question, seconds: float) -> None:
    """The search thinks no longer than it is told, nor than a part of what any clock has left."""
    assert SearchBot(ms=100).thinking_seconds(decision) == pytest.approx(seconds)


def test_a_game_that_is_not_installed_for_it() -> None:
    """A bot that knows no such game plays it at random, and its note says that it cannot follow."""
    thinker = SearchBot()
    thinker.prepare(Hello(game="whist", options={}, seats=2, seat=0, seed="", clock=Clock(start_ms=1, decision_ms=100)))

    noted = thinker.choose(make_question(100))

    assert noted.choice in (0, 1, 2)
    assert noted.note == "the game could not be followed: at random"


def test_a_game_that_it_cannot_follow() -> None:
    """The bot plays on with a legal action, and its note says what is wrong."""
    thinker = SearchBot()
    thinker.prepare(Hello(game="racko", options={}, seats=2, seat=0, seed="", clock=Clock(start_ms=1, decision_ms=100)))

    noted = thinker.choose(make_question(100))

    assert noted.choice in (0, 1, 2)
    assert noted.note.endswith(": at random")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["deep=3"], "search has no option 'deep'; it has ms, worlds, exploration"),
        (["ms=soon"], "search: ms is 'soon'; it is a whole number from 1 to 60000"),
    ],
)
def test_options_that_it_does_not_know(words: list[str], complaint: str) -> None:
    """The bot, when it is started by hand with wrong options, says so in a line."""
    started = subprocess.run(
        [sys.executable, "-m", "pitboss_house_bots", "search", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )

    assert (started.returncode, started.stderr) == (1, complaint + "\n")


def test_the_options_that_are_offered() -> None:
    """The defaults that the hook states for the options are those of the bot without options."""
    search: NamedBot = Registry().bots["house:search"]
    bot: Any = SearchBot()

    assert {key: option.default for key, option in search.options.items()} == {
        "ms": bot.ms,
        "worlds": bot.worlds,
        "exploration": bot.exploration,
    }
    assert all(isinstance(option, BotOption) and option.summary.endswith(".") for option in search.options.values())


def test_the_same_game_again(program: ProgramFinder) -> None:
    """With time enough the seed decides how a game is played, whatever the process has played before."""
    search = BotProgram([*program("house:search").command, "worlds=5", "ms=60000"])
    bots, game, given = [search, program("house:random")], GAMES["racko"], ONE_ROUND["racko"]

    [alone] = play_series(bots, game, ["two"], given)
    *_, after = play_series(bots, game, ["one", "two"], given)

    assert alone.choices == after.choices
