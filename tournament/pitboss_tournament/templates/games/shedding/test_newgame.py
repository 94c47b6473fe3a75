"""New Game: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from newgame import Draw, NewGame, NewGameState, Play

from pitboss import Options, StackedRandom
from pitboss.testing import assert_conforms


def deal_hands(*hands: str, up_card: str) -> NewGameState:
    """Return a game in which the players are dealt these hands, and a card is turned up."""
    deck = NewGameState.deck
    rows = [deck.find_cards(hand.split()) for hand in hands]
    dealt = [card for cards in zip(*rows, strict=True) for card in cards] + deck.find_cards([up_card])
    rest = [card for card in range(len(deck)) if card not in dealt]
    return NewGame().deal(len(hands), Options(), StackedRandom("test", [[*rest, *dealt[::-1]]]))


def test_it_conforms() -> None:
    """The conformance suite passes with two and with five players."""
    assert_conforms(NewGame(), seats=[2, 5], games=1)


def test_a_game_by_hand() -> None:
    """Suit or rank must fit; who draws is done; who has no card left wins."""
    state = deal_hands("H2 H3 H4 H5 H6", "S2 S3 C9 CK D8", up_card="HK")
    assert state.legal() == [Play("H2"), Play("H3"), Play("H4"), Play("H5"), Play("H6"), Draw()]

    state.play(Play("H2"))
    assert state.legal() == [Play("S2"), Draw()]
    for card in ("H3", "H4", "H5", "H6"):
        state.play(Draw())
        state.play(Play(card))

    assert state.turn is None
    assert (state.outcome().points, state.outcome().winners) == ((0, 9), (0,))
