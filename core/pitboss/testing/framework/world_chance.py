"""The chance events that lead to a sampled world, also where hidden cards were mixed with others."""

from __future__ import annotations

from pitboss.table.table import ChanceEvent, Table


def derive_chance(real: Table, world: Table) -> list[ChanceEvent] | None:
    """Return the chance events that lead to a world; None if the real table keeps none.

    Where a card lay after a shuffle, the world had the card that went into the next shuffle group in its place, or the
    card that lies in its place now.
    """
    if world.chance_events is not None or real.chance_events is None:
        return world.chance_events
    chance = list(real.chance_events)
    card_in_world = {
        card: other
        for cards, others in zip(real.zones, world.zones, strict=True)
        for card, other in zip(cards, others, strict=True)
        if card >= 0
    }
    for group, world_group in zip(reversed(real.shuffle_groups), reversed(world.shuffle_groups), strict=True):
        order = chance[group.chance_index] if group.chance_index >= 0 else 0
        if isinstance(order, tuple):
            chance[group.chance_index] = tuple(card_in_world[card] for card in order)
        card_in_world.update(zip(group.cards, world_group.cards, strict=True))
    return chance
