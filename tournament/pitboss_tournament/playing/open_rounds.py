"""The rounds of a tournament that are open, and their tables, as values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitboss_tournament.formats.table_sets import TableEntrants, TableSets


class OpenRound(NamedTuple):
    """A round that is open."""

    first_game: int
    tables: Sequence[TableEntrants]
    deals_before: Sequence[int]  # by table: deals that its pairing has played before; empty: none has
    deals: int
    wanted: int  # of these deals: a tournament may become shorter


class TablePlace(NamedTuple):
    """Where a table is among the open rounds."""

    round: int  # its index among them
    number: int  # in the round


class OpenTable(NamedTuple):
    """A table of an open round."""

    place: TablePlace
    entrants: TableEntrants
    pairing: int
    deals_before: int


def count_within(tables: Sequence[TableEntrants], bots: set[int]) -> int:
    """Return the number of tables that have none but some of these bots."""
    return tables.count_within(bots) if isinstance(tables, TableSets) else sum(map(bots.issuperset, tables))
