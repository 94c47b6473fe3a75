"""The plays of RAGAMARU by the text of sections 2.2 and 2.5 of the rule book, slowly.

Every order of every few cards is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from pitboss_ragamaru.messages import Field, Pending

COLOURLESS: Final = ("CV", "RES", "TMO", "SIN", "RAG")


def card_family(card: str) -> str:
    """Return what the cards of a family have in common: the number, or the kind."""
    return card if card in COLOURLESS else card[2:] if "-" in card else card[1:]


def fits_field(card: str, field: Field, advantage: str) -> bool:
    """2.2: tell whether a card fits the field."""
    if card in ("RES", "SIN", "RAG"):
        return True
    if card in ("TMO", "CV"):
        return False
    if field.free or card[0] == field.colour or (card.endswith("-ADV") and advantage == "wild"):
        return True
    return card_family(card) == (field.kind if "-" in card else str(field.number))


def is_play(cards: Sequence[str]) -> bool:
    """2.2: tell whether these cards may go together, in this order."""
    if len(cards) == 1:
        return True
    if len(cards) == 2 and cards[0].endswith("-TRY") and cards[1] == "CV":
        return True
    return cards[0] not in ("CV", "TMO") and len({card_family(card) for card in cards}) == 1


def leaves_a_card(cards: Sequence[str], hand: Sequence[str]) -> bool:
    """2.2: a play that empties the hand consists of number cards."""
    return len(cards) < len(hand) or all(card not in COLOURLESS and "-" not in card for card in cards)


def list_plays(
    hand: Sequence[str], field: Field, max_same: int = 2, advantage: str = "coloured"
) -> set[tuple[str, ...]]:
    """Return every play of a hand in an ordinary turn; of the cards between the first and the last one order."""
    return {
        cards
        for cards in _candidate_plays(hand, max_same)
        if is_play(cards) and fits_field(cards[0], field, advantage) and leaves_a_card(cards, hand)
    }


def list_answers(hand: Sequence[str], pending: Pending, max_same: int = 2) -> set[tuple[str, ...]]:
    """2.5: return every answer to an attack."""

    def is_answer(cards: Sequence[str]) -> bool:
        if cards == ("TMO",):
            return True
        if pending.converted:
            return False
        if pending.attack == "TRY" and cards == ("CV",):
            return True
        return cards[0].endswith(f"-{pending.attack}") and is_play(cards)

    return {cards for cards in _candidate_plays(hand, max_same) if is_answer(cards) and leaves_a_card(cards, hand)}


def _candidate_plays(hand: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Yield every order of one or two cards, and of more cards of one family."""
    yield from permutations(hand, 1)
    yield from permutations(hand, 2)
    for name in {card_family(card) for card in hand}:
        members = [card for card in hand if card_family(card) == name]
        for size in range(3, most + 1):
            yield from map(_canonical_order, permutations(members, size))


def _canonical_order(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Put the cards between the first and the last in the order R Y B K."""
    between = sorted(cards[1:-1], key=lambda card: "RYBK".find(card[0]) if card not in COLOURLESS else 9)
    return (cards[0], *between, cards[-1])
