"""The shuffles and lots that would have led to an imagined world, also where hidden cards were mixed with others."""

from __future__ import annotations

from pitboss.table.table import ChanceEvent, Table


def derive_chance(real: Table, world: Table) -> list[ChanceEvent] | None:
    """Return the chance record of a world; None if the real table keeps none.

    A plain world brings its own. Else it is told by what went into each batch, in truth and in the world: where a card lay after a shuffle,
    there lay in the world what went into the next batch in its place, or what lies in its place now.
    """
    if world.chance_events is not None or real.chance_events is None:
        return world.chance_events
    past = list(real.chance_events)
    lies = {
        card: other
        for cards, others in zip(real.zones, world.zones, strict=True)
        for card, other in zip(cards, others, strict=True)
        if card >= 0
    }
    for batch, imagined in zip(reversed(real.shuffle_groups), reversed(world.shuffle_groups), strict=True):
        order = past[batch.chance_index] if batch.chance_index >= 0 else 0
        if isinstance(order, tuple):
            past[batch.chance_index] = tuple(lies[card] for card in order)
        lies.update(zip(batch.cards, imagined.cards, strict=True))
    return past
