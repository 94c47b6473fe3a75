"""Big Two: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

import pytest

from big_two import BigTwo, BigTwoOptions, BigTwoState, Lay, Pass
from pitboss.testing import assert_conforms, stack_deal

HANDS = {
    "hand 0": "D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ DK DA D2",
    "hand 1": "C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK CA C2",
    "hand 2": "H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK HA H2",
}


def deal(*, pass_locks: bool = False) -> BigTwoState:
    """Return a game in which each seat holds a suit, and seat 0 the three of diamonds."""
    return stack_deal(BigTwo(), 4, HANDS, options=BigTwoOptions(deals=1, pass_locks=pass_locks))


@pytest.mark.parametrize("preset", ["short"])
def test_it_conforms(preset: str) -> None:
    """The conformance suite passes."""
    assert_conforms(BigTwo(), seats=[4], presets=[preset], games=1)


def test_the_first_lay_holds_the_three_of_diamonds() -> None:
    """Whoever holds it leads with it, alone or in a combination."""
    state = deal()

    assert state.turn == (0, "lead")
    assert {len(lay.cards) for lay in state.legal() if isinstance(lay, Lay) and "D3" in lay.cards} == {1, 5}
    assert all(isinstance(lay, Lay) and "D3" in lay.cards for lay in state.legal())


@pytest.mark.parametrize(("pass_locks", "following"), [(False, 1), (True, 2)])
def test_who_has_passed_may_lay_again_or_not(pass_locks: bool, following: int) -> None:
    """With `pass_locks` a seat that has passed is passed over until the round is over."""
    state = deal(pass_locks=pass_locks)
    for action in (Lay(("D3",)), Pass(), Lay(("H4",)), Pass(), Lay(("D5",))):
        state.play(action)

    assert state.turn == (following, "follow")


def test_who_laid_last_leads_when_the_others_have_passed() -> None:
    """A straight flush is not beaten by a lower one; the round is over, and the cards are put away."""
    state = deal()
    state.play(Lay(("D3", "D4", "D5", "D6", "D7")))
    state.play(Lay(("C10", "CJ", "CQ", "CK", "CA")))
    for _ in range(3):
        state.play(Pass())

    assert (state.turn, state.view(1).top, len(state.view(1).played)) == ((1, "lead"), [], 10)
