"""New Game: it keeps every promise of a game, and plays by its rules."""

from __future__ import annotations

from newgame import NewGame, NewGameOptions, NewGameState, Play

from pitboss import StackedRandom
from pitboss.testing import assert_conforms


def deal_hands(*hands: str) -> NewGameState:
    """Return a game in which the players are dealt these hands."""
    deck = NewGameState.deck
    rows = [deck.find_cards(hand.split()) for hand in hands]
    dealt = [card for cards in zip(*rows, strict=True) for card in cards]
    rest = [card for card in range(len(deck)) if card not in dealt]
    options = NewGameOptions(hand=len(rows[0]))
    return NewGame().deal(len(hands), options, StackedRandom("test", [[*rest, *dealt[::-1]]]))


def test_it_conforms() -> None:
    """The conformance suite passes with two and with four players."""
    assert_conforms(NewGame(), seats=[2, 4], games=1)


def test_a_game_by_hand() -> None:
    """Suit is followed, the highest card of it takes the trick, and who took it leads."""
    state = deal_hands("H2 SA", "H10 C3", "D4 D5")
    state.play(Play("H2"))
    assert state.legal() == [Play("H10")]
    state.play(Play("H10"))
    assert state.legal() == [Play("D4"), Play("D5")]
    state.play(Play("D4"))
    assert state.turn is not None and state.turn.seat == 1
    for card in ("C3", "D5", "SA"):
        state.play(Play(card))

    assert state.turn is None
    assert state.outcome().points == (0, 2, 0)
