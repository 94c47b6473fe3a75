"""Cards that are pointed out: a hint tells everybody, its owner too, which cards of a hand have a property."""

from __future__ import annotations

from pitboss import Random
from pitboss.game import AnyState, resolve_options
from pitboss.table.events import Tell
from pitboss.table.secrets import Scalar
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.messages import Hint, Play
from pitboss_fireworks.state import FireworksState
from tests.core.tracked_games import is_tracked_correctly, track_game

GAME = Fireworks()


def deal(seats: int = 2) -> FireworksState:
    """Return a game as it begins."""
    return GAME.deal(seats, resolve_options(GAME, seats), Random("hint"))


def play_well(state: AnyState, rng: Random) -> object:
    """Play a card that fits, which the player does not see, one time in four; else do what costs no life."""
    assert isinstance(state, FireworksState)
    assert state.turn is not None
    legal = state.legal()
    for slot, face in enumerate(state.faces(state.hands[state.turn.seat]), 1):
        if state.heights_by_colour()[face[0]] + 1 == int(face[1]) and rng.randbelow(4) == 0:
            return Play(slot)
    return rng.choice([action for action in legal if not isinstance(action, Play)] or legal)


def test_everybody_is_told_the_places() -> None:
    """The event has the places of the cards, from 1, for the owner as for all others."""
    state = deal()
    sign = state.faces(state.hands[1])[2][1]
    slots: list[Scalar] = [slot for slot, face in enumerate(state.faces(state.hands[1]), 1) if face[1] == sign]

    state.play(Hint(1, sign))  # type: ignore[arg-type]

    told = Tell(event="hint", facts={"seat": 1, "sign": sign, "slots": slots})
    assert [state.table.events(seat)[-1] for seat in range(3)] == [told] * 3


def test_worlds_hold_what_was_pointed_out() -> None:
    """In each world of the owner the pointed cards have the number, and the others have not."""
    state = deal()
    sign = state.faces(state.hands[1])[0][1]
    has = [face[1] == sign for face in state.faces(state.hands[1])]
    state.play(Hint(1, sign))  # type: ignore[arg-type]

    for number in range(20):
        world = state.imagine(1, Random(str(number)))
        assert [face[1] == sign for face in world.faces(world.hands[1])] == has


def test_a_hint_is_followed() -> None:
    """The tracker of the hand's owner follows hints about cards that the owner does not see, and cards that it plays
    unseen.

    Each decision but a few is followed, within a quarter of a second's steps.
    """
    found = [
        is_tracked_correctly(one)
        for number in range(2)
        for one in track_game(GAME, 2, resolve_options(GAME, 2), f"g{number}", number, 40, choose=play_well)
    ]

    assert sum(found) >= 0.9 * len(found) >= 30
