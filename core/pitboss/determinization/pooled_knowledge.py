"""Pooled knowledge: what all seats together know of a table; the rest is what chance has not shown yet."""

from __future__ import annotations

from pitboss.table.knowledge import ShuffleGroup
from pitboss.table.table import Table


def pool_knowledge(table: Table) -> None:
    """Let every seat know each card and each secret value that some seat knows.

    Worlds sampled from the table then are redraws: the cards that nobody has seen, in another order within their
    shuffle groups, all orders equally likely. Cards that constraints name stay where they are, and each group keeps the
    cards that entered it. So a redraw is as likely as the table itself, given all that any player can have gone by.
    """
    everybody = table.layout.everybody
    stated = [*(fact.cards for fact in table.constraints), *(domain.cards for domain in table.card_domains)]
    named = {card for cards in stated for card in table.current_cards(cards)}
    table.known_by = [everybody if seats or card in named else 0 for card, seats in enumerate(table.known_by)]
    table.secrets = tuple([held._replace(known_by=everybody) if held.known_by else held for held in table.secrets])
    table.shuffle_groups = [ShuffleGroup(group.chance_index, group.cards) for group in table.shuffle_groups]
    table.constraints = []
    table.card_domains = []
    table.open_plays = ()
    table.has_constraints_or_mixing = False
    table.has_only_public_groups = True
