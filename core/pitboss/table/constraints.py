"""Constraints: facts about hidden cards that follow from the rules and that every seat knows, or some seats.

A player who did not follow suit holds no card of the suit. Every world that a seat samples satisfies the constraints
that the seat knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple


class Constraint(NamedTuple):
    """A predicate on some cards together.

    `holds` gets a tuple of the card numbers, in the order of `cards`. None stands for a card that is not public;
    `holds` then returns True only if it is true whatever that card is, and the table drops constraints that are true in
    public.
    In the constraints of a table a number beyond the deck stands for EMPTY or for a card at the moment when it entered
    a shuffle group (see `Knowledge._mix_cards`).
    """

    holds: Callable[[tuple[int | None, ...]], bool]
    cards: tuple[int, ...]
    seats: int = -1  # mask of the seats that know it; -1: all

    def bind_cards(self, cards: Mapping[int, int]) -> Constraint:
        """Return the constraint with the numbers in `cards` bound to their cards, which every seat knows."""
        if cards.keys().isdisjoint(self.cards):
            return self
        bound = [cards.get(number) for number in self.cards]

        def holds(unbound: tuple[int | None, ...]) -> bool:
            others = iter(unbound)
            return self.holds(tuple([next(others) if card is None else card for card in bound]))

        return Constraint(holds, tuple(number for number in self.cards if number not in cards), self.seats)

    def renumber_cards(self, new_numbers: Mapping[int, int]) -> Constraint:
        """Return the constraint with mixed cards renumbered as members of their new shuffle group (`new_numbers`)."""
        if new_numbers.keys().isdisjoint(self.cards):
            return self
        return Constraint(self.holds, tuple(new_numbers.get(number, number) for number in self.cards), self.seats)


class CardDomain(NamedTuple):
    """The cards that may lie in the place of each of `cards`. Worlds are dealt to fit it instead of being rejected.

    A number beyond the deck stands for a card when it entered a shuffle group, as in a `Constraint`.
    """

    domain: frozenset[int]
    cards: frozenset[int]

    def renumber_cards(self, new_numbers: Mapping[int, int]) -> CardDomain:
        """Return the domain with mixed cards renumbered as members of their new shuffle group (`new_numbers`)."""
        return CardDomain(self.domain, frozenset(new_numbers.get(number, number) for number in self.cards))

    def drop_cards(self, numbers: Iterable[int]) -> CardDomain:
        """Return the domain without some cards, which every seat knows."""
        return CardDomain(self.domain, self.cards.difference(numbers))
