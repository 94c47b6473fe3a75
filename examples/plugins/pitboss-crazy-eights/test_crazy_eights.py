"""Crazy Eights: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from crazy_eights import CrazyEights, Draw, EightsOptions, Pass, Play
from pitboss.plugins.packs import SUITS
from pitboss.testing import assert_conforms, stack_deal


def test_it_conforms() -> None:
    """The conformance suite passes at small tables and at large ones."""
    assert_conforms(CrazyEights(), seats=[2, 4], games=1)


def test_what_fits() -> None:
    """A card of the suit or of the rank, and each eight with any suit; or one draws."""
    dealt = {"hand 0": "H3 S5 C9 D8", "played": "H5"}
    state = stack_deal(CrazyEights(), 2, dealt, options=EightsOptions(hand=4))

    assert state.legal() == [*(Play("D8", suit) for suit in SUITS), Play("H3"), Play("S5"), Draw()]


def test_an_eight_names_the_suit() -> None:
    """The named suit must follow, or a card of the rank."""
    dealt = {"hand 0": "D8 H2 H3", "hand 1": "C3 D4 S8", "played": "H5"}
    state = stack_deal(CrazyEights(), 2, dealt, options=EightsOptions(hand=3))
    state.play(Play("D8", "C"))

    assert state.legal() == [Play("C3"), *(Play("S8", suit) for suit in SUITS), Draw()]


def test_some_draws_then_a_pass() -> None:
    """A player who has drawn as many cards as allowed, and cannot play, must pass."""
    dealt = {"hand 0": "C2", "played": "H5", "stock": "C3 S4"}
    state = stack_deal(CrazyEights(), 2, dealt, options=EightsOptions(hand=1, draws=2))
    state.play(Draw())
    state.play(Draw())

    assert state.legal() == [Pass()]


def test_the_stock_is_made_again() -> None:
    """When the last card is drawn, what was played is shuffled, but for the last card."""
    state = stack_deal(CrazyEights(), 6, {"hand 0": "H9", "played": "H5"}, options=EightsOptions(hand=8))
    state.play(Play("H9"))
    for _ in range(52 - 6 * 8 - 1):
        state.play(Draw())

    assert (state.faces(state.stock), state.faces(state.played)) == (["H5"], ["H9"])


def test_all_pass() -> None:
    """If there is nothing to draw one passes, and all having passed the game is over."""
    state = stack_deal(CrazyEights(), 6, {}, options=EightsOptions(hand=8))
    for action in [Draw()] * 3 + [Pass()] * 6:
        assert action in state.legal()
        state.play(action)

    assert state.turn is None


def test_the_winner() -> None:
    """Who has no card left wins; the others count theirs, fifty for an eight."""
    dealt = {"hand 0": "H9", "hand 1": "C8", "hand 2": "DA", "hand 3": "SK", "hand 4": "C7", "played": "H5"}
    state = stack_deal(CrazyEights(), 5, dealt, options=EightsOptions(hand=1))
    state.play(Play("H9"))

    assert state.turn is None
    assert (state.outcome().points, state.outcome().places) == ((0, 50, 1, 10, 7), (1, 5, 2, 4, 3))
