"""Oh Hell: conformance, hands that grow and shrink, positions, the estimate, the picture and the bot."""

from __future__ import annotations

import pytest

from pitboss import PositionError, Random
from pitboss.game import resolve_options
from pitboss.testing import assert_conforms
from pitboss_oh_hell.game import OhHell
from pitboss_oh_hell.messages import OhHellOptions, Position, list_hand_sizes
from pitboss_oh_hell.state import OhHellState
from tests.games.trick_games import assert_narrow_pictures, assert_position_again, correlate_estimate

GAME = OhHell()


def deal(seed: str, seats: int = 4, **given: object) -> OhHellState:
    """Return a match before the first bid."""
    return GAME.deal(seats, resolve_options(GAME, seats, None, given), Random(seed))


@pytest.mark.once
def test_it_conforms() -> None:
    """A short match of three keeps every promise."""
    assert_conforms(GAME, seats=[3], presets=["short"], games=1)


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize("seats", GAME.seats)
def test_it_conforms_with_every_preset(seats: int) -> None:
    """Every preset and option does, at all tables."""
    assert_conforms(GAME, seats=[seats], games=1)


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
    """Where all cards are dealt there are none, whatever was trumps before."""
    state = deal("trumps", most=13, order="up")
    while state.hand_size < 13:
        assert state.order.trump is not None
        state.play(state.legal()[0])

    assert (state.order.trump, state.view(0).turned_up) == (None, None)


def test_options() -> None:
    """The largest hand depends on how many play."""
    assert [resolve_options(GAME, seats).most for seats in GAME.seats] == [10, 10, 10, 8, 7]


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (Position(bids=[4, 3, 1, 2]), "bid 4 is not one of"),
        (Position(bids=[1], plays=[(0, "H2")]), "1 of 4 have bid"),
        (Position(deal_no=20), "the match has 19 deals"),
        (Position(bids=[1, 1, 1, 1], plays=[(1, "H2")]), "play 1 of the deal is by seat 1"),
    ],
)
def test_positions_that_are_none(position: Position, message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        GAME.setup(4, resolve_options(GAME, 4), position, Random("none"))


@pytest.mark.parametrize("limit", [0, 2, 4, 13, 32])
def test_a_position_is_written_and_set_up_again(limit: int) -> None:
    """Bids, tricks and points are the same, after the end too."""
    assert_position_again(GAME, OhHellOptions(most=7, order="most"), limit)


def test_the_estimate() -> None:
    """It agrees better and better with the points of the deal."""
    found = correlate_estimate(lambda seed: deal(seed, most=7, order="most"), (4, 20, 28), deals=80)

    assert found == sorted(found)
    assert found[-1] > 0.8


def test_the_picture() -> None:
    """Bids and tricks stand beside the names, within 60 columns."""
    for seats in GAME.seats:
        assert_narrow_pictures(deal("picture", seats, order="most"))
