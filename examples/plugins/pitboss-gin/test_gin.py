"""Gin Rummy: it keeps every promise of a game, and counts by its rules."""

from __future__ import annotations

import pytest

from gin import Draw, Gin, GinOptions, GinState, Knock, Pass
from pitboss.testing import assert_conforms, stack_deal

SPADES = "SA S2 S3 S4 S5 S6 S7 S8 S9"


def deal(first: str, second: str, stock: str) -> GinState:
    """Return a match of one deal as it begins, with these hands, and the cards that are drawn."""
    dealt = {"hand 0": first, "hand 1": second, "discards": "DK", "stock": stock}
    state = stack_deal(Gin(), 2, dealt, options=GinOptions(deals=1))
    assert isinstance(state, GinState)
    state.play(Pass())
    state.play(Pass())
    state.play(Draw())
    return state


def test_it_conforms() -> None:
    """The conformance suite passes."""
    assert_conforms(Gin(), presets=["short"], games=2)


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        (f"{SPADES} H5", "HA H2 H3 C9 C7 D9 D2 C4 C2 S10", (28, 0)),  # 33 loose, the ten of spades laid off
        (f"{SPADES} H5", "HA H2 H3 D4 D5 D6 C7 C8 C9 C4", (0, 26)),  # an undercut: 4 against 5
        (f"{SPADES} S10", "HA H2 H3 D4 D5 D6 C7 C8 C9 C4", (29, 0)),  # gin
    ],
)
def test_who_has_the_points(first: str, second: str, points: tuple[int, int]) -> None:
    """The difference goes to the knocker, or with 25 more to who undercuts; gin has 25 more."""
    state = deal(first, second, "HK")
    state.play(Knock("HK"))

    assert (state.turn, state.outcome().points) == (None, points)


def test_who_may_knock() -> None:
    """Only discards that leave ten points at most may go with a knock."""
    state = deal("SA S2 S3 H4 H5 H6 D7 D8 CJ C2", "HA H2 H3 D4 D5 D6 C7 C8 C9 C4", "D9")

    assert [action for action in state.legal() if isinstance(action, Knock)] == [Knock("C2"), Knock("CJ")]
