"""Positions of poker that are no table of the game are refused, with what is wrong."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"stacks": [100, 100]}, "stacks has 2 entries; 3 play"),
        ({"stacks": [100, 0, 100]}, "a hand cannot begin"),
        ({"button": 3}, "button 3 is no seat"),
        ({"net": [1, 1, 1]}, "its sum is 0"),
        ({"hand": 22}, "the game ends after 21"),
        ({"out_hands": [0, 1, 0]}, "stacks are reset"),
        ({"hands": [["SA", "SK", "SQ"], [], []]}, "seat 0 has 3 cards"),
        ({"hands": [["SA", "SA"], [], []]}, "SA"),
        ({"bets": [0, 0, 10]}, "it cannot give bets"),
        ({**MIDDLE, "turn": None}, "to act are the seats [0, 1, 2]"),
        ({**MIDDLE, "turn": 1, "acted": [1]}, "to act are the seats [0, 2]"),
        ({**MIDDLE, "board": ["H2"]}, "the board has 1 cards; on the flop 3"),
        ({**MIDDLE, "bets": [200, 0, 0], "current_bet": 200}, "do not go together"),
        ({**MIDDLE, "over": True, "turn": None}, "the game is not over"),
        ({**MIDDLE, "history": ["", "", ""]}, "street is 'flop'"),
        ({"paid": [0, 0, 0], "over": True, "hand": 21, "turn": 1}, "nobody is on turn"),
        ({"deck": ["SA"]}, "the deck must be all 52 cards"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_no_table_of_the_game(given: dict[str, object], wrong: str) -> None:
    """The message says what is wrong."""
    with pytest.raises(PositionError) as refused:
        deal_poker(3, position=convert_value(given, Position, "position", PositionError))

    assert wrong in str(refused.value)


def test_middle_of_a_hand() -> None:
    """Positions in the middle of a hand can be played on."""
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
