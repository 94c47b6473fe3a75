"""Round-robin: all bots meet, at tables of all sets of bots or of a balanced choice of them.

A disqualified bot plays no more; tables without it go on. Its finished games count.
"""

from __future__ import annotations

from math import comb
from typing import Annotated, Final

from msgspec import Meta

from pitboss.errors import OptionError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator
from pitboss_tournament.formats.balanced_design import choose_tables
from pitboss_tournament.formats.table_sets import TableSets

MAX_SETS: Final = 10**9
MAX_DESIGN_TABLES: Final = 20_000  # of a balanced choice: a longer search is not worth while


TableCount = Annotated[
    int,
    Meta(
        ge=1,
        description="At least so many sets of bots, chosen so that any two bots meet equally often, "
        "or once more; by default all sets.",
    ),
]


class RoundRobinOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `round-robin`."""

    tables: TableCount | None = None


class RoundRobin:
    """All sets of bots that fit a table, or a balanced choice of them, each with the same number of deals."""

    name = "round-robin"
    summary = "All sets of bots meet, or a balanced choice of them."
    is_static = True
    Options = RoundRobinOptions

    def check(self, field: EntrantField, options: RoundRobinOptions) -> None:
        """Require no more tables than sets, and no more than a balanced choice can have."""
        most, tables = comb(len(field.names), field.seats), options.tables
        if tables is None and most > MAX_SETS:
            raise OptionError(
                f"tables is missing; {len(field.names)} bots at tables of {field.seats} make {most:,} sets, and "
                f"{MAX_SETS:,} are played at most: choose 1 to {MAX_DESIGN_TABLES}",
                "tables",
            )
        if tables is not None and tables > most:
            raise OptionError(
                f"tables is {tables}; {len(field.names)} bots at tables of {field.seats} make 1 to {most} sets",
                "tables",
            )
        if tables is not None and MAX_DESIGN_TABLES < tables < most:
            raise OptionError(
                f"tables is {tables}; a balanced choice has 1 to {MAX_DESIGN_TABLES} tables, and all sets are {most}",
                "tables",
            )

    def count_blocks(self, field: EntrantField, options: RoundRobinOptions) -> int:
        """Return one block for each table and deal."""
        if options.tables is None:
            return comb(len(field.names), field.seats) * field.deals
        return len(choose_tables(len(field.names), field.seats, options.tables)) * field.deals

    def rounds(self, field: EntrantField, options: RoundRobinOptions) -> RoundGenerator:
        """Yield the only round."""
        bots = len(field.names)
        all_sets = TableSets(range(bots), field.seats)
        tables = all_sets if options.tables is None else choose_tables(bots, field.seats, options.tables)
        yield PlannedRound(tables, field.deals)
        return None
