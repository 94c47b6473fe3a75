"""The stock: made again from the discards when it is used up."""

from __future__ import annotations

from pitboss.table.table import Table
from pitboss.table.zones import Zone


def restock(table: Table, discards: Zone, stock: Zone, event: str = "restock") -> bool:
    """Shuffle all discards but the top one into an empty stock; return False if there is nothing to shuffle.

    The discards lie open, so that every player knows which cards the stock then holds.
    """
    below = table.zones[discards][:-1]
    if below:
        table.lay(below, discards, stock, event)
        table.shuffle(stock)
    return bool(below)
