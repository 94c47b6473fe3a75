"""Bots of the house as objects of this process: each plays a whole game, asked as the runner asks."""

from __future__ import annotations

import pytest

from pitboss.bot import Choice, Question
from pitboss.errors import ConfigError, IllegalAction
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Hello, Start
from pitboss.simulation.game_setup import GameSetup, OptionVariant
from pitboss_house_bots.local_player import LocalPlayer, greet_local_player, make_player

BOTS = [
    "house:random",
    "house:first",
    "house:cribbage",
    "house:handicap?percent=50",
    "house:search?worlds=2&ms=60000",
    "house:rollout?worlds=1",
]


def make_setup(name: str, seats: int, preset: str | None = None) -> GameSetup:
    """Return a game at a table."""
    game = Registry().find_game(name)
    return GameSetup(game, seats, resolve_options(game, seats, preset), OptionVariant(preset))


def seat_bot(setup: GameSetup, seat: int, player: object) -> LocalPlayer:
    """Have a bot begin a game."""
    hello = greet_local_player(setup, seat, "seed")
    start = Start(game_id=1, seat=seat, players=["bot"] * setup.seats, seed=f"game/{seat}")
    return LocalPlayer(player, setup.game.Action, hello, start)  # type: ignore[arg-type]


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_plays_a_game(bot: str) -> None:
    """A bot chooses legal actions to the end, the same ones by the same seed."""
    setup, played = make_setup("cribbage", 2, "single"), []
    for _ in range(2):
        state = setup.deal("deal")
        players = [
            seat_bot(setup, seat, make_player(bot, greet_local_player(setup, seat, "seed"))) for seat in range(2)
        ]
        actions = []
        while state.turn is not None:
            actions.append(players[state.turn.seat].choose(state, state.legal()))
            state.play(actions[-1])
        played.append(actions)
    assert played[0] == played[1]


@pytest.mark.parametrize(
    ("bot", "error", "message"),
    [
        ("house:nobody", ConfigError, "poker has no bot of its own, house:nobody, in Python"),
        ("house:caller", ConfigError, "poker has no bot of its own, house:caller, in Python"),
        ("house:search?depth=2", ValueError, "has no option 'depth'"),
        ("house:search?ms=0", ValueError, "house:search: ms is '0'; it is a whole number from 1 to 60000"),
        ("house:poker?depth=2", ValueError, "house:poker has no options"),
        ("house:first?depth=2", ValueError, "house:first has no options"),
    ],
)
def test_a_bot_that_cannot_be_asked(bot: str, error: type[Exception], message: str) -> None:
    """The error names it; a bot that a module plays by another word is not the module's own."""
    with pytest.raises(error, match=message):
        make_player(bot, greet_local_player(make_setup("poker", 2), 0, "seed"))


class Repeater:
    """A bot that keeps its questions, and gives one answer to all."""

    def __init__(self, answer: Choice) -> None:
        self.answer = answer
        self.asked: list[Question] = []

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""

    def choose(self, question: Question) -> Choice:
        """Return the answer."""
        self.asked.append(question)
        return self.answer


@pytest.mark.parametrize("answer", [-1, 99, {"do": "nothing"}])
def test_an_illegal_answer_is_an_error(answer: Choice) -> None:
    """The error names the seat and the answer."""
    setup = make_setup("racko", 2)
    state = setup.deal("deal")
    assert state.turn is not None
    with pytest.raises(IllegalAction, match=f"seat {state.turn.seat} chose "):
        seat_bot(setup, state.turn.seat, Repeater(answer)).choose(state, state.legal())


def test_a_bot_is_told_each_event_once() -> None:
    """The events of its questions, one after the other, are those that its seat has seen, and its view is its own."""
    setup, bots = make_setup("racko", 2), [Repeater(0), Repeater(0)]
    state = setup.deal("deal")
    players = [seat_bot(setup, seat, bot) for seat, bot in enumerate(bots)]
    for _ in range(10):
        assert state.turn is not None
        before = {seat: state.table.events(seat, 0) for seat in range(2)}
        seat = state.turn.seat
        state.play(players[seat].choose(state, state.legal()))
        assert [event for one in bots[seat].asked for event in one.events] == before[seat]
    assert len(bots[0].asked) + len(bots[1].asked) == 10
