"""A person's choices of several cards are sorted as the hand is; other choices keep their order."""

from __future__ import annotations

from pitboss import Random
from pitboss_hearts.game import Hearts
from pitboss_hearts.messages import HeartsOptions
from pitboss_tournament.play.terminal.terminal_person import sort_choices


def test_choices_of_several_cards_are_sorted() -> None:
    """The 286 ways to pass three of 13 cards stand as the cards of the hand do, each once."""
    state = Hearts().deal(4, HeartsOptions(), Random("pass"))
    deck, legal = state.table.layout.deck, state.legal()
    places = {str(face): place for place, face in enumerate(deck.faces)}

    pairs = sort_choices(deck, legal)
    shown = [[places[str(card)] for card in action.cards] for _, action in pairs]

    assert len({id(action) for action, _ in pairs} & {id(action) for action in legal}) == len(legal) == 286
    assert all(set(action.cards) == set(told.cards) for action, told in pairs)
    assert shown == sorted(map(sorted, shown))


def test_other_choices_keep_their_order() -> None:
    """Actions that are not all choices of k of n cards are shown as the game lists them."""
    state = Hearts().deal(4, HeartsOptions(), Random("pass"))
    some = state.legal()[:5]

    assert sort_choices(state.table.layout.deck, some) == [(action, action) for action in some]
