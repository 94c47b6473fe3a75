"""What a format is asked for, and whether that can be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from pitboss.errors import PitbossError
from pitboss.plugins.formats import AnyFormat, PlannedRound
from pitboss.text import describe_exception
from pitboss_tournament.formats.table_sets import TableEntrants, TableSets

T = TypeVar("T")


class FormatPluginError(PitbossError):
    """A format plugin failed, or asked for a round that cannot be played."""


class RoundAsked(NamedTuple):
    """Which round a format is asked for: what errors say, and what its tables are checked against."""

    format: AnyFormat
    number: int  # of the round, from 1
    seats: int
    bots: int
    orders: int  # in which each deal is played

    def call(self, call: Callable[[], T]) -> T:
        """Call what asks the format.

        Raises:
            FormatPluginError: it fails.
        """
        try:
            return call()
        except (PitbossError, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise FormatPluginError(
                f"the format {self.format.name!r} broke in round {self.number}: {describe_exception(error)}"
            ) from error

    def check_tables(self, asked: PlannedRound) -> Sequence[TableEntrants]:
        """Return the tables of a round. `TableSets` are right by themselves: no list is made of them.

        Raises:
            FormatPluginError: they cannot be played.
        """
        tables: Sequence[TableEntrants]
        wrong: list[TableEntrants] = []
        if isinstance(asked.tables, TableSets):
            tables = asked.tables
        else:
            tables = [tuple(sorted(table)) for table in asked.tables]
            wrong = [
                table for table in tables if len(set(table)) != self.seats or table[0] < 0 or table[-1] >= self.bots
            ]
        if wrong or asked.deals < 1 or not (tables or asked.is_overlapping):
            what = f"a table {wrong[0]}" if wrong else f"{len(tables)} tables with {asked.deals} deals"
            raise FormatPluginError(
                f"the format {self.format.name!r} asks for {what} in round {self.number}; "
                f"a table is {self.seats} different ones of {self.bots} bots"
            )
        return tables
