"""The rounds of a static format: they depend on no result, so all of them are open from the start.

The first one has the tables of the first roster. Each roster after it makes a *stage*: rounds with the deals that its
tables lack, one for tables that have played equally much. So whoever joins plays what it needs, and nothing is played
again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.plugins.formats import FormatOptions, PlannedRound
from pitboss_tournament.formats.selection import make_field
from pitboss_tournament.formats.table_sets import TableEntrants, TableSets
from pitboss_tournament.plan.plan import Plan, Roster
from pitboss_tournament.rounds.asked_rounds import RoundAsked
from pitboss_tournament.rounds.open_rounds import OpenRound
from pitboss_tournament.store.header import Header

MAX_CHANGED_TABLES: Final = 1_000_000  # of a field that changes: they are listed


def list_static_rounds(
    tournament: Plan | Header, rosters: Sequence[Roster], asked: RoundAsked, options: FormatOptions
) -> list[OpenRound]:
    """Return the rounds of all stages.

    Raises:
        FormatPluginError: the format fails, or its tables cannot be played.
        ConfigError: they are too many for a field that changes.
    """
    stages = _Stages(tournament, rosters, asked, options)
    for number in range(len(rosters)):
        asked.call(partial(stages.open_stage, number))
    return stages.rounds


class _Stages:
    """The stages opened so far."""

    def __init__(
        self, tournament: Plan | Header, rosters: Sequence[Roster], asked: RoundAsked, options: FormatOptions
    ) -> None:
        self.rounds: list[OpenRound] = []
        self._tournament = tournament
        self._rosters = rosters
        self._asked = asked
        self._options = options
        self._orders = asked.orders  # in which each deal is played
        self._games_end = 0
        self._deals = Counter[TableEntrants]()  # of tables that are listed

    def open_stage(self, number: int) -> None:
        """Open the rounds of a roster, in which all of its tables get as many deals."""
        roster = self._rosters[number]
        planned = self._ask(roster)
        end = planned.deals
        if self._tournament.deals < roster.deals:
            end = self._ask(replace(roster, deals=self._tournament.deals)).deals
        if (
            number == 0
            and isinstance(planned.tables, TableSets)
            and roster.entries == tuple(range(len(roster.entries)))
        ):
            self._append(planned.tables, (), planned.deals, end)
            return
        tables = self._asked._replace(bots=len(roster.entries)).check_tables(planned)
        if number and len(tables) > MAX_CHANGED_TABLES:
            raise ConfigError(
                f"the bots of a tournament with {len(tables):,} tables cannot change, of more than "
                f"{MAX_CHANGED_TABLES:,}; choose another store, or tables = {MAX_CHANGED_TABLES} at most"
            )
        joined = set(roster.entries).difference(self._rosters[number - 1].entries if number else ())
        lacking: defaultdict[int, list[TableEntrants]] = defaultdict(list)  # by the deals that they have
        for table in tables:
            entrants = tuple(sorted(roster.entries[bot] for bot in table))
            before = self._deals_scheduled(entrants)
            if before < planned.deals and (before or not number or not joined.isdisjoint(entrants)):
                lacking[before].append(entrants)
        for before, group in sorted(lacking.items()):
            self._append(group, [before] * len(group), planned.deals - before, max(0, end - before))

    def _ask(self, roster: Roster) -> PlannedRound:
        """Return the only round that the format has for a roster."""
        [planned] = self._asked.format.rounds(make_field(self._tournament, roster), self._options)
        return planned

    def _append(self, tables: Sequence[TableEntrants], deals_before: Sequence[int], deals: int, end: int) -> None:
        self.rounds.append(OpenRound(self._games_end, tables, deals_before, deals, min(deals, end)))
        self._games_end += len(tables) * deals * self._orders
        if not isinstance(tables, TableSets):
            for table in tables:
                self._deals[table] += deals

    def _deals_scheduled(self, table: TableEntrants) -> int:
        """Return the deals that a table has in the stages opened so far."""
        first = self.rounds[0] if self.rounds else None
        of_first = first.deals if first and isinstance(first.tables, TableSets) and first.tables.find(table) else 0
        return of_first + self._deals[table]
