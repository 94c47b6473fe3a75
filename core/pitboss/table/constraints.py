"""Constraints: what the rules have told everybody about cards that not everybody sees.

A player who did not follow suit holds none of it; a player whose round did not end has no complete rack. A table keeps what its game has stated
so, and every imagined world is true to it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple


class Constraint(NamedTuple):
    """What the rules have told about some cards taken together.

    `holds` is called with the numbers of the cards, in this order, and tells whether they are as the rules told. None stands for a card that is not
    public: then it returns True only if it holds whatever that card is (and the table forgets what everybody can see to be true).
    In the table's own constraints a number beyond the deck is EMPTY or a card as it was when it went into a batch: see `Knowledge._mix`.
    """

    holds: Callable[[Iterable[int | None]], bool]
    cards: tuple[int, ...]

    def bind_cards(self, new_numbers: Mapping[int, int], cards_by_number: Sequence[int]) -> Constraint:
        """Return the constraint for when some cards that everybody knows are mixed: it is about the cards that they were."""
        if new_numbers.keys().isdisjoint(self.cards):
            return self
        were = [cards_by_number[card] if card in new_numbers else None for card in self.cards]

        def holds(cards: Iterable[int | None]) -> bool:
            rest = iter(cards)
            return self.holds([next(rest) if card is None else card for card in were])

        return Constraint(holds, tuple(card for card in self.cards if card not in new_numbers))

    def renumber_cards(self, new_numbers: Mapping[int, int]) -> Constraint:
        """Return the constraint for when some cards are mixed that not everybody knows."""
        if new_numbers.keys().isdisjoint(self.cards):
            return self
        return Constraint(self.holds, tuple(new_numbers.get(card, card) for card in self.cards))


class CardDomain(NamedTuple):
    """What the rules have told about each of some cards: that it is one of `among`. Worlds are dealt to fit, so it may be rare."""

    domain: frozenset[int]
    cards: tuple[int, ...]

    def as_constraint(self) -> Constraint:
        """Return the same as a constraint on the cards together."""
        return Constraint(self.domain.issuperset, self.cards)


def is_partly_constrained(numbers: Collection[int], constraints: Iterable[Constraint | CardDomain]) -> bool:
    """Tell whether anything stated is about some of the cards and not about others."""
    these = frozenset(numbers)
    return any(0 < len(these.intersection(one.cards)) < len(these) for one in constraints)
