"""Seeds that name a deal: the orders of its shuffles, and its lots. What comes after the deal follows from the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from pitboss.table.randomness import Random, StackedRandom
from pitboss.table.secret_table import ChanceEvent

PREFIX: Final = "stack:"
SEED: Final = re.compile(r"stack:[^:]*:([0-9,;]*):([0-9,]*)")
MAX_DIGITS: Final = 6  # of a card or lot


def write_stacked_seed(name: str, chance: Iterable[ChanceEvent]) -> str:
    """Return the seed of a game whose deal has these shuffles and lots, in this order; `name` has no colon."""
    orders, lots = list[str](), list[str]()
    for one in chance:
        if isinstance(one, int):
            lots.append(str(one))
        else:
            orders.append(",".join(map(str, one)))
    return f"{PREFIX}{name}:{';'.join(orders)}:{','.join(lots)}"


def open_stream(rng: Random) -> Random:
    """Return the stream by which a game is dealt: a stacked one if the seed of a plain stream names a deal."""
    if type(rng) is not Random or not rng.seed.startswith(PREFIX):
        return rng
    found = SEED.fullmatch(rng.seed)
    if found is None:
        return rng
    orders = [_read_numbers(order) for order in found[1].split(";") if order]
    return DealRandom(rng.seed, orders, _read_numbers(found[2]))


def _read_numbers(text: str) -> Sequence[int]:
    return [int(number[:MAX_DIGITS]) for number in text.split(",") if number]


class DealRandom(StackedRandom):
    """A stream whose first shuffles and lots are those of a deal.

    From the first that does not fit the game it is the ordinary stream of its seed: seeds come from files of others.
    """

    __slots__ = ()

    def spawn(self, name: str) -> DealRandom:
        """Return a stream of this name that takes its orders and lots from the same stack."""
        child = DealRandom(f"{self.seed}/{name}")
        child.orders, child.lots = self.orders, self.lots
        return child

    def shuffle(self, items: list[int], settled: int | None = None) -> None:
        """Put the items into the next given order."""
        if self.orders and sorted(self.orders[0]) != sorted(items):
            self.drop_rest()
        super().shuffle(items, settled)

    def randbelow(self, limit: int) -> int:
        """Return the next given lot."""
        if self.lots and self.lots[0] >= limit:
            self.drop_rest()
        return super().randbelow(limit)

    def drop_rest(self) -> None:
        """Forget what is left of the stack, in the streams that were spawned too."""
        self.orders.clear()
        self.lots.clear()
