"""The bots that rungs are made of: a game's own bot with a handicap, and with rollouts."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec
import pytest

from pitboss import AnyGame, Random
from pitboss.action_range import find_legal_action, locate_ranges
from pitboss.bot import Question
from pitboss.errors import ConfigError
from pitboss.game import find_sides, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock, Hello, Start
from pitboss_house_bots.handicap_bot import HandicapBot
from pitboss_house_bots.own_bot import make_own_bot, strip_choice
from pitboss_house_bots.plugin import ROLLOUT_OPTIONS, read_options
from pitboss_house_bots.rollout_bot import OwnPolicy, RolloutSearch
from tests.bots.blocking_runner import BotProgram, play_series
from tests.bots.conftest import ProgramFinder
from tests.marks import first_rows

GAMES: Final = Registry().games
WITHOUT_OWN_BOT: Final = ("fireworks", "five-card-draw", "seven-card-stud")  # house:poker plays draw and stud, too
QUICK_GAMES: Final = ["euchre", "hearts", "eights", "oh-hell", "spades", "cribbage", "dou-dizhu", "bridge", "poker"]


def make_question(name: str, seats: int, seed: str = "s") -> tuple[AnyGame, Any, Question]:
    """Return a game, its first state, and the question to the seat on turn."""
    game = GAMES[name]
    options = resolve_options(game, seats)
    state = game.deal(seats, options, Random(seed))
    assert state.turn is not None
    seat, phase = state.turn
    legal, view = (msgspec.json.decode(msgspec.json.encode(one)) for one in (state.legal(), state.view(seat)))
    clock = Clock(start_ms=1000, decision_ms=60_000)
    hello = Hello(game=name, options=msgspec.to_builtins(options), seats=seats, seat=seat, seed=seed, clock=clock)
    start = Start(game_id=1, seat=seat, players=[f"bot {one}" for one in range(seats)], seed=seed)
    ranges = {one.index: one.field for one in locate_ranges(state.legal())}
    question = Question(
        legal=legal,
        view=view,
        events=[],
        seat=seat,
        phase=phase,
        decision_ms=60_000,
        game_ms=None,
        hello=hello,
        start=start,
        ranges=ranges,
    )
    return game, state, question


@pytest.mark.parametrize("name", [name for name in GAMES if name not in WITHOUT_OWN_BOT])
def test_every_own_bot_answers(name: str) -> None:
    """The own bot of each game is found in its plugin, and answers a question with a legal action."""
    game, state, question = make_question(name, GAMES[name].seats[0])
    own = make_own_bot(name)

    own.begin(question.hello, question.start)
    action = OwnPolicy(game, own, question).find_action(strip_choice(own.choose(question)), state.legal())

    assert find_legal_action(msgspec.to_builtins(action), state.legal(), game.Action) == action


def test_a_game_without_a_bot_of_its_own() -> None:
    """The error names the bot that is missing."""
    with pytest.raises(ConfigError, match="whist has no bot of its own, house:whist"):
        make_own_bot("whist")


@pytest.mark.parametrize(("percent", "differs"), [(0, False), (100, True)])
def test_handicap(percent: float, differs: bool) -> None:
    """Without a handicap the bot plays as the own bot does, in all games; with the whole it plays all actions."""
    _, _, question = make_question("hearts", 4)
    bot = HandicapBot(percent)
    bot.prepare(question.hello)
    own = strip_choice(bot.own.choose(question))
    chosen = Counter[str]()
    for number in range(60):
        bot.begin(question.hello, msgspec.structs.replace(question.start, seed=f"game {number}"))
        chosen[repr(strip_choice(bot.choose(question)))] += 1

    assert (len(chosen) > 20) is differs
    assert differs or set(chosen) == {repr(own)}


def test_a_handicap_by_the_seed() -> None:
    """The same seed of a game gives the same slips, whatever was played before."""
    _, _, question = make_question("hearts", 4)
    bot = HandicapBot(50)
    bot.prepare(question.hello)

    def play_once() -> list[object]:
        bot.begin(question.hello, question.start)
        return [strip_choice(bot.choose(question)) for _ in range(20)]

    assert play_once() == play_once()


@pytest.mark.once
@first_rows(3)("name", QUICK_GAMES)
def test_rollouts(name: str) -> None:
    """Rollouts rank legal actions, the own bot's among them, and the same seed ranks them alike; the state is as it
    was.
    """
    game, state, question = make_question(name, GAMES[name].seats[0])
    seats = question.hello.seats
    sides = find_sides(game, seats, resolve_options(game, seats))
    before = msgspec.to_builtins(state.view(question.seat))

    def search() -> list[tuple[object, int, float | None]]:
        own = make_own_bot(name)
        own.begin(question.hello, question.start)
        found = RolloutSearch(state, question, OwnPolicy(game, own, question), sides, Random("r"))
        for _ in range(2):
            found.try_world()
        found.drop_worse_half()
        found.try_world()
        return [(one.action, one.visits, one.value) for one in found.advice(caution=1.0).ranked]

    ranked = search()

    assert ranked == search()
    assert max(visits for _, visits, _ in ranked) == 3
    assert all(
        find_legal_action(msgspec.to_builtins(action), state.legal(), game.Action) is not None
        for action, _, _ in ranked
    )
    assert msgspec.to_builtins(state.view(question.seat)) == before


@pytest.mark.once
@pytest.mark.parametrize("bot", [("house:handicap", "percent=50"), ("house:rollout", "worlds=2")])
def test_real_processes_play_the_same_game_again(bot: tuple[str, str], program: ProgramFinder) -> None:
    """A game by real processes is legal to its end, and the same seed gives the same game."""
    name, option = bot
    tested = BotProgram([*program(name).command, option])
    euchre = GAMES["euchre"]
    bots = [tested, program("house:random"), tested, program("house:random")]
    given = dict(euchre.presets)["single"]

    [one] = play_series(bots, euchre, ["same"], msgspec.to_builtins(given))
    [two] = play_series(bots, euchre, ["same"], msgspec.to_builtins(given))

    assert one.choices == two.choices


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["deep=3"], "rollout has no option 'deep'; it has worlds, caution"),
        (["worlds=some"], "rollout: worlds is 'some'; it is a whole number from 1 to 100000"),
        (["caution=11"], "rollout: caution is '11'; it is a number from 0.0 to 10.0"),
    ],
)
def test_wrong_options(words: list[str], complaint: str) -> None:
    """The error names the option, and those that there are."""
    with pytest.raises(ValueError, match=complaint):
        read_options("rollout", ROLLOUT_OPTIONS, words)
