"""Fireworks: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from fireworks import Discard, Fireworks, FireworksOptions, Hint, Play
from pitboss.testing import assert_conforms, stack_deal

DEALT = {"hand 0": "R1 R2 R5 W4 Y3", "hand 1": "R3 G1 B4 B5 W1", "stock": "Y1 Y2"}


def test_it_conforms() -> None:
    """The conformance suite passes at small tables and at large ones."""
    assert_conforms(Fireworks(), seats=[2, 4], games=1)


def test_all_but_the_owner_see_a_card() -> None:
    """A hand is open to all but to the one who holds it."""
    state = stack_deal(Fireworks(), 2, DEALT)

    assert state.view(0).hands[0] == [None] * 5
    assert sorted(filter(None, state.view(1).hands[0])) == ["R1", "R2", "R5", "W4", "Y3"]


def test_a_hint_is_about_all_cards_of_a_hand() -> None:
    """Cards with the colour have no other, and the others have it no more; it costs a token."""
    state = stack_deal(Fireworks(), 2, DEALT)
    state.play(Hint(1, "B"))

    shown, possible = state.view(0).hands[1], state.view(1).possible[1]
    assert possible == ["B12345" if face in ("B4", "B5") else "RYGW12345" for face in shown]
    assert (state.view(1).tokens, state.turn) == (7, (1, "play"))


def test_a_card_that_fits_is_a_point_of_all() -> None:
    """One that does not costs a life; the last life costs all points."""
    state = stack_deal(Fireworks(), 2, DEALT, options=FireworksOptions(lives=1))
    slot = {face: number for number, face in enumerate(state.view(1).hands[0], 1)}
    state.play(Play(slot["R1"]))
    state.play(Hint(0, "2"))
    state.play(Play(next(number for number, face in enumerate(state.view(1).hands[0], 1) if face == "Y3")))

    assert state.view(0).heights["R"] == 1
    assert (state.turn, state.outcome().points, state.outcome().sides) == (None, (0.0, 0.0), ((0, 1),))


def test_a_token_comes_back_with_a_discard() -> None:
    """Nobody may discard while all tokens are there."""
    state = stack_deal(Fireworks(), 2, DEALT)

    assert Discard(1) not in state.legal()
    state.play(Hint(1, "1"))
    state.play(Discard(1))
    assert state.view(0).tokens == 8
