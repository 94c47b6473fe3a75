"""Knowledge: which seats know where a card is, and for those who do not, what it was mixed with.

`Table.known` says who can place a card. A card that a seat cannot place belongs to a *batch*: the cards it was mixed with when the seat lost
sight of it. A shuffle makes a batch; so does a card that leaves a hand, for those who cannot tell which of its cards went.

The first batch is the whole deck. If everybody knew the cards that went into a later one, as in a reshuffled discard pile, every seat knows
what each batch holds, and the table is *plain*: a world is a shuffle within each batch. Otherwise it is a matter of *histories* (see there):
a card that comes out of a batch may be any that went in, and what went in is itself in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Batch(NamedTuple):
    """Cards that were mixed. Which cards have not been mixed again since is told by `Table.batch`."""

    chance: int  # the index of the shuffle in the table's chance record, -1 if nothing was shuffled
    cards: tuple[int, ...] = ()  # what went in; empty for the whole deck
    known: tuple[int, ...] = ()  # which seats knew where each of them was, just before; empty if everybody knew them all


def mixed(cards: Sequence[int], known: Sequence[int], everybody: int, chance: int) -> Batch:
    """Return the batch that `cards` make when they are mixed."""
    before = tuple(known[card] for card in cards)
    return Batch(chance, tuple(cards), () if all(seats == everybody for seats in before) else before)


def is_plain(batches: Sequence[Batch]) -> bool:
    """Tell whether every seat knows which cards each batch holds."""
    return len(batches) == 1 or not any(batch.known for batch in batches)
