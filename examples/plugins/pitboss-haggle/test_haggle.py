"""Haggle: it keeps every promise of a game, and its offers are checked and not listed."""

from __future__ import annotations

import pytest

from haggle import Accept, Haggle, HaggleOptions, HaggleState, Offer, Wait
from pitboss import IllegalAction, Random
from pitboss.testing import assert_conforms


def deal(**options: int) -> HaggleState:
    """Return a game as it begins."""
    return Haggle().deal(2, HaggleOptions(**options), Random("deal"))


def test_it_conforms() -> None:
    """The conformance suite passes, offers included."""
    assert_conforms(Haggle(), games=1)


def test_an_offer_is_not_listed_and_can_be_played() -> None:
    """The legal list holds what every bot can do; an offer is played beside it, and the other may accept it."""
    state = deal()
    assert list(state.legal()) == [Wait()]

    state.play(Offer(books=3, hats=0, balls=0))

    assert list(state.legal()) == [Wait(), Accept()]
    state.play(Accept())
    mine, other = state.worths_of(0), state.worths_of(1)
    assert state.outcome().points == (3 * mine[0], 2 * other[1] + other[2])


@pytest.mark.parametrize(
    ("offer", "reason"),
    [
        (Offer(books=4, hats=0, balls=0), "there are 3 books, not 4"),
        (Offer(books=0, hats=2, balls=1), "that is what the other leaves you: accept it"),
    ],
)
def test_an_offer_that_cannot_be_made_is_refused_with_the_reason(offer: Offer, reason: str) -> None:
    """Whoever makes an offer that the rules do not allow is told why, and nothing has changed."""
    state = deal()
    state.play(Offer(books=3, hats=0, balls=0))

    with pytest.raises(IllegalAction, match=reason):
        state.play(offer)
    assert state.view(1).offer == [3, 0, 0]


def test_nobody_has_a_point_without_a_deal() -> None:
    """When all turns are over the game ends without points."""
    state = deal(turns=1)
    state.play(Offer(books=3, hats=2, balls=1))
    state.play(Wait())

    assert (state.turn, state.outcome().points) == (None, (0.0, 0.0))
