"""The shuffles and lots that would have led to an imagined world, also where hidden cards were mixed with others."""

from __future__ import annotations

from pitboss.table import Chance, Table


def chance_of(real: Table, world: Table) -> list[Chance] | None:
    """Return the chance record of a world; None if the real table keeps none.

    A plain world brings its own. Else it is told by what went into each batch, in truth and in the world: where a card lay after a shuffle,
    there lay in the world what went into the next batch in its place, or what lies in its place now.
    """
    if world.chance is not None or real.chance is None:
        return world.chance
    past = list(real.chance)
    lies = {
        card: other
        for cards, others in zip(real.zones, world.zones, strict=True)
        for card, other in zip(cards, others, strict=True)
        if card >= 0
    }
    for batch, imagined in zip(reversed(real.batches), reversed(world.batches), strict=True):
        order = past[batch.chance] if batch.chance >= 0 else 0
        if isinstance(order, tuple):
            past[batch.chance] = tuple(lies[card] for card in order)
        lies.update(zip(batch.cards, imagined.cards, strict=True))
    return past
