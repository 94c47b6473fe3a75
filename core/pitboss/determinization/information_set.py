"""The information set of a seat: its unseen cards and their constraints, computed once for all worlds of a decision."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.determinization.play_variants import PlayVariants
from pitboss.errors import TableError
from pitboss.table.constrained_deal import ConstrainedDeal
from pitboss.table.constraints import Constraint
from pitboss.table.knowledge import Knowledge
from pitboss.table.randomness import Random
from pitboss.table.zones import EMPTY


class InformationSet:
    """The unseen cards of a seat on a table whose shuffle groups are public.

    Raises:
        TableError: the card domains leave no way to deal the unseen cards.
    """

    def __init__(self, table: Knowledge, seat: int) -> None:
        bit = 1 << seat
        self._made_for = seat, table.known_by[:], table.constraints, table.card_domains, table.open_plays
        known_by = table.known_by
        self.unseen = [card for card, seats in enumerate(known_by) if not seats & bit]
        self._cards_now = [*range(len(known_by)), EMPTY]
        self._known_if_seen = [seats if seats & bit else 0 for seats in known_by]
        self._known_places = [(place, known_by[card]) for place, card in enumerate(self.unseen) if known_by[card]]
        open_constraints = table.open_constraints(bit)
        self.constraints = [Constraint(holds, table.current_cards(numbers)) for holds, numbers, _ in open_constraints]
        self._group_deals = _build_group_deals(table, self.unseen)
        variants = PlayVariants(table, seat) if table.open_plays else None
        self.play_variants = None if variants is None or variants.is_certain else variants

    def is_current(self, table: Knowledge, seat: int) -> bool:
        """Return whether this is still the information set of `seat` (constraint lists are replaced, never changed)."""
        now = seat, table.known_by, table.constraints, table.card_domains, table.open_plays
        return self._made_for == now

    def place_deal(self, deal: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return, by card of the table, the card dealt to its place (index -1: EMPTY); and by card, who knows it then.

        `deal` has the card that takes the place of each of `unseen`.
        """
        cards, known_by = self._cards_now[:], self._known_if_seen[:]
        for card, replacement in zip(self.unseen, deal):  # noqa: B905 - the lengths are equal
            cards[card] = replacement
        for place, seats in self._known_places:
            known_by[deal[place]] = seats
        return cards, known_by

    def sample_deal(self, rng: Random) -> list[int]:
        """Deal `unseen` uniformly within shuffle groups and domains; return the card that takes the place of each."""
        if not self._group_deals:
            dealt = self.unseen[:]
            rng.shuffle(dealt)
            return dealt
        replacements: dict[int, int] = {}
        for cards, deal in self._group_deals:
            replacements.update(zip(cards, deal.sample_deal(rng), strict=True))
        return [replacements[card] for card in self.unseen]


def _build_group_deals(table: Knowledge, unseen: Sequence[int]) -> list[tuple[list[int], ConstrainedDeal]]:
    """Return the unseen cards of each group, with their deal; [] for one group without domains."""
    domains = _domains_by_card(table)
    if len(table.shuffle_groups) == 1 and domains.keys().isdisjoint(unseen):
        return []
    groups: dict[int, list[int]] = {}
    for card in unseen:
        groups.setdefault(table.shuffle_group_of[card], []).append(card)
    deals = [(cards, ConstrainedDeal(cards, [*map(domains.get, cards)])) for cards in groups.values()]
    if not all(deal.is_possible for _, deal in deals):
        raise TableError("card domains leave no place for some unseen cards: the game has stated something untrue")
    return deals


def _domains_by_card(table: Knowledge) -> dict[int, frozenset[int]]:
    """Return, for each card whose place is restricted, the cards that its place may hold."""
    domains: dict[int, frozenset[int]] = {}
    for domain, numbers in table.card_domains:
        for card in table.current_cards(numbers):
            domains[card] = domains[card] & domain if card in domains else domain
    return domains
