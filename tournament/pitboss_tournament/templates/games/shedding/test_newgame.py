"""New Game: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from newgame import Draw, NewGame, Play

from pitboss.testing import assert_conforms, stack_deal


def test_it_conforms() -> None:
    """The conformance suite passes with two and with five players."""
    assert_conforms(NewGame(), seats=[2, 5], games=1)


def test_a_game_by_hand() -> None:
    """Suit or rank must fit; who draws is done; who has no card left wins."""
    state = stack_deal(NewGame(), 2, {"hand 0": "H2 H3 H4 H5 H6", "hand 1": "S2 S3 C9 CK D8", "played": "HK"})
    assert state.legal() == [Play("H2"), Play("H3"), Play("H4"), Play("H5"), Play("H6"), Draw()]

    state.play(Play("H2"))
    assert state.legal() == [Play("S2"), Draw()]
    for card in ("H3", "H4", "H5", "H6"):
        state.play(Draw())
        state.play(Play(card))

    assert state.turn is None
    assert (state.outcome().points, state.outcome().winners) == ((0, 9), (0,))
