"""Formats whose tables are known before the first game: round-robin, gauntlet and teams.

In a round-robin all bots meet, at tables of all sets of bots or of a balanced choice of them. A disqualified bot plays
no more; tables without it go on. Its finished games count.

A gauntlet plays some bots against all others, to rate a new bot without the cost of a round-robin. At each table sits
exactly one challenger, with each set of others from the rest that fills the table. Challengers do not meet each other,
nor does the rest without one. A disqualified challenger plays no more; when all are disqualified the tournament is
over. Tables with a disqualified bot of the rest are not played.

Teams sit at each table in the order in which they are named, for games in which all play together: four bots at tables
of two make two teams. They meet nobody; with `same_deals` each team plays the same deals.
"""

from __future__ import annotations

from math import comb
from typing import Annotated, Final

from msgspec import Meta

from pitboss.errors import ConfigError, OptionError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator
from pitboss_tournament.formats.balanced_design import choose_tables
from pitboss_tournament.formats.table_sets import TableSets

MAX_SETS: Final = 10**9
MAX_DESIGN_TABLES: Final = 20_000  # of a balanced choice: a longer search is not worth while

TableCount = Annotated[
    int,
    Meta(
        ge=1,
        description="Minimum number of sets of bots, chosen so that any two bots meet equally often, or once more. "
        "Default: all sets.",
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


class Teams:
    """Each bot sits at one table, with those that are named beside it."""

    name = "teams"
    summary = "Teams in the order in which bots are named, for games in which all play together."
    is_static = True
    Options = FormatOptions

    def check(self, field: EntrantField, options: FormatOptions) -> None:
        """Require whole teams."""
        if len(field.names) % field.seats:
            raise ConfigError(f"{len(field.names)} bots make no teams of {field.seats}")

    def count_blocks(self, field: EntrantField, options: FormatOptions) -> int:
        """Return one block for each team and deal."""
        return len(field.names) // field.seats * field.deals

    def rounds(self, field: EntrantField, options: FormatOptions) -> RoundGenerator:
        """Yield the only round."""
        firsts = range(0, len(field.names), field.seats)
        yield PlannedRound([tuple(range(first, first + field.seats)) for first in firsts], field.deals)
        return None


class GauntletOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `gauntlet`."""

    challengers: Annotated[
        tuple[str, ...], Meta(description="The names of the bots that play against the rest. Default: the first bot.")
    ] = ()


class Gauntlet:
    """Each challenger against all sets of the rest that fill its table."""

    name = "gauntlet"
    summary = "One bot, or some, against all the rest."
    is_static = True
    Options = GauntletOptions

    def check(self, field: EntrantField, options: GauntletOptions) -> None:
        """Require challengers that leave enough others to fill a table."""
        challengers = _challengers(field, options)
        if len(set(challengers)) < len(challengers):
            raise OptionError(f"challengers: {', '.join(options.challengers)} names a bot twice", "challengers")
        rest = len(field.names) - len(challengers)
        if rest < field.seats - 1:
            raise OptionError(
                f"challengers: {len(challengers)} of {len(field.names)} bots leave {rest} others; "
                f"a table of {field.seats} needs {field.seats - 1}",
                "challengers",
            )

    def count_blocks(self, field: EntrantField, options: GauntletOptions) -> int:
        """Return one block for each table and deal."""
        challengers = len(_challengers(field, options))
        return challengers * comb(len(field.names) - challengers, field.seats - 1) * field.deals

    def rounds(self, field: EntrantField, options: GauntletOptions) -> RoundGenerator:
        """Yield the only round."""
        challengers = _challengers(field, options)
        rest = [bot for bot in range(len(field.names)) if bot not in challengers]
        yield PlannedRound(TableSets(rest, field.seats, heads=challengers), field.deals)
        return None


def _challengers(field: EntrantField, options: GauntletOptions) -> list[int]:
    return [field.find_bot(name, "challengers") for name in options.challengers] or [0]
