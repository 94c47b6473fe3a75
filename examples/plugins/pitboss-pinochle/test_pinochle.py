"""Pinochle: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

import pytest

from pinochle import Bid, EndMelds, LayMeld, NameTrump, Pass, Pinochle, PinochleOptions, PinochleState
from pitboss.parts.tricks import PlayCard
from pitboss.testing import assert_conforms, stack_deal

SPADES = "SA SA S10 SK SK SQ SQ SJ S9 DJ HA CA"  # a run, a second marriage, a pinochle, a nine


def deal_spades(*, all_melds: bool = False) -> PinochleState:
    """Return a game in which seat 0 holds `SPADES`, bids, and names them trumps."""
    state = stack_deal(Pinochle(), 4, {"hand 0": SPADES}, options=PinochleOptions(deals=1, all_melds=all_melds))
    for action in (Bid(20), Pass(), Pass(), Pass(), NameTrump("S")):
        state.play(action)
    return state


@pytest.mark.parametrize("preset", ["short"])
def test_it_conforms(preset: str) -> None:
    """The conformance suite passes."""
    assert_conforms(Pinochle(), presets=[preset], games=1)


def test_who_has_passed_is_not_asked_again() -> None:
    """Calls go round among those who are left; the last one names trumps."""
    state = stack_deal(Pinochle(), 4, {}, options=PinochleOptions(deals=1))
    for seat, action in ((0, Pass()), (1, Bid(20)), (2, Bid(21)), (3, Pass()), (1, Bid(22)), (2, Pass())):
        assert state.turn is not None and state.turn.seat == seat
        state.play(action)

    assert state.turn == (1, "trump")
    assert state.view(0).calls == [(0, None), (1, 20), (2, 21), (3, None), (1, 22), (2, None)]


def test_melds_are_laid_and_counted() -> None:
    """A run is 15, a second marriage of trumps 4, a pinochle 4 and a nine 1; the cards shown are known to all."""
    state = deal_spades()
    for cards in ("SA S10 SK SQ SJ", "SK SQ", "SQ DJ", "S9"):
        state.play(LayMeld(tuple(cards.split())))

    assert state.legal() == [EndMelds()]
    assert state.view(2).meld_points == [24, 0, 0, 0]
    assert state.view(2).melds[0] == ["DJ", "S10", "S9", "SA", "SJ", "SK", "SK", "SQ", "SQ"]


def test_the_ace_that_was_shown_is_played_first() -> None:
    """Of two equal cards the one that everybody knows leaves the hand: nobody learns that there is another."""
    state = deal_spades()
    state.play(LayMeld(("SA", "S10", "SK", "SQ", "SJ")))
    for _ in range(4):
        state.play(EndMelds())
    state.play(PlayCard("SA"))

    assert "SA" in state.faces(state.hands[0])
    assert "SA" not in state.table.faces_known_to(state.hands[0], 1)


def test_all_melds_have_to_be_laid() -> None:
    """Where all melds are laid, a hand that lays no more holds none: in every world of another seat."""
    state = deal_spades(all_melds=True)
    assert EndMelds() not in state.legal()
    while state.turn is not None and state.turn.phase == "meld":
        state.play(state.legal()[0])

    for number in range(20):
        world = state.imagine(0, state.rng.spawn(str(number)))
        for seat in (1, 2, 3):
            assert not {"HK", "HQ"} <= {*world.faces(world.hands[seat])} - {*world.melds[seat]}
