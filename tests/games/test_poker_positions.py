"""Written positions of poker: the middle of a hand, and what the blinds lack."""

from __future__ import annotations

from pitboss import PositionError, Random
from pitboss.options import convert_value
from pitboss_poker.messages import Call, Position, Raise
from tests.games.poker_states import deal_poker

MIDDLE: dict[str, object] = {
    "stacks": [9900, 9900, 9900],
    "paid": [100, 100, 100],
    "street": "flop",
    "board": ["H2", "D7", "C9"],
    "last_raise": 100,
    "turn": 0,
}


def test_middle_of_a_hand() -> None:
    """A position in the middle of a hand can be played on."""
    state = deal_poker(3, position=convert_value(MIDDLE, Position, "position", PositionError), hands=1)

    assert state.view(0).min_raise == 100
    assert state.position().paid == [100, 100, 100]


def test_blinds_of_a_dead_button() -> None:
    """A position keeps the seats of the blinds where they do not follow from the button."""
    state = deal_poker(
        4, position=Position(stacks=[900, 0, 900, 900], button=1, small_blind=2, big_blind=3), stacks="carry", hands=9
    )
    state.play(Raise(to=300))
    again = deal_poker(4, position=state.position(), stacks="carry", hands=9)

    assert again.view(2) == state.view(2)
    state.play(Call())
    again.play(Call())
    assert again.view(3) == state.view(3)
    assert state.imagine(3, Random("world")).view(3) == state.view(3)


def test_pot_limit_after_a_short_blind() -> None:
    """A position keeps what the blinds lack, which counts for the pot limit before the flop."""
    state = deal_poker(3, "pot-limit", Position(stacks=[10_000, 30, 10_000]))

    assert state.view(2).max_raise == 350
    assert deal_poker(3, "pot-limit", state.position()).view(2) == state.view(2)
