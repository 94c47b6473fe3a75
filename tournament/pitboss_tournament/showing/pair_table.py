"""Pair table: the comparison of each pair of bots, as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss_tournament.results.columns import choose_pair_columns
from pitboss_tournament.results.standings_rows import PairRow
from pitboss_tournament.text.columns import TableLine, TextColumn, fit_table

PAIRS_EXPLAINED: Final = (
    "This table shows which bot is better head to head: per game, over the blocks in which both sat at one table. The "
    "intervals, and sure, hold at 95 % for each pair by itself, however often you look and whenever you stop: of 100 "
    "pairs of equal bots up to 5 may be called sure. The verdict of the standings says which is better against this "
    "field, for all bots at once."
)


def pair_lines(rows: Sequence[PairRow], width: int | None) -> list[TableLine]:
    """Return a table of pairs, with as many columns as fit: those before it go first."""
    columns = [TextColumn(column.heading, column.text) for column in choose_pair_columns(rows)]
    bots, figures = columns[:2], columns[2:]
    return fit_table(rows, bots, [figures, figures[1:], figures[2:]], width)


def pair_explanations(rows: Sequence[PairRow]) -> list[str]:
    """Return what the columns of a table of these pairs mean."""
    return [*(f"{column.heading}: {column.meaning}" for column in choose_pair_columns(rows)[2:]), PAIRS_EXPLAINED]
