"""Oh Hell: hands that grow and shrink, and trumps."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_oh_hell.game import OhHell
from pitboss_oh_hell.messages import list_hand_sizes
from pitboss_oh_hell.state import OhHellState

GAME = OhHell()


def deal(seed: str, seats: int = 4, **given: object) -> OhHellState:
    """Return a match before the first bid."""
    return GAME.deal(seats, resolve_options(GAME, seats, None, given), Random(seed))


@pytest.mark.parametrize(
    ("order", "sizes"),
    [
        ("down", [3, 2, 1]),
        ("up", [1, 2, 3]),
        ("down_up", [3, 2, 1, 2, 3]),
        ("up_down", [1, 2, 3, 2, 1]),
        ("most", [3]),
    ],
)
def test_hands_grow_and_shrink(order: str, sizes: list[int]) -> None:
    """In each deal everybody holds as many cards as the option says, and the next seat bids first."""
    state, found = deal("sizes", most=3, order=order), []
    while state.turn is not None:
        if not state.auction.calls:
            found.append((len(state.view(0).hand), state.turn.seat))
        state.play(state.legal()[0])

    assert found == [(size, number % 4) for number, size in enumerate(sizes)]
    assert list_hand_sizes(state.options) == sizes


def test_trumps_of_the_deal_before() -> None:
    """A deal of all cards has no trumps, whatever the trumps of the deal before."""
    state = deal("trumps", most=13, order="up")
    while state.hand_size < 13:
        assert state.order.trump is not None
        state.play(state.legal()[0])

    assert (state.order.trump, state.view(0).turned_up) == (None, None)


def test_options() -> None:
    """The largest hand depends on how many play."""
    assert [resolve_options(GAME, seats).most for seats in GAME.seats] == [10, 10, 10, 8, 7]
