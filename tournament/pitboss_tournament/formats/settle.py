"""Settle: tables go where the ranking is still uncertain, until it is settled at 95 % or the games are spent.

In the first round all bots meet, at a balanced choice of tables. After each round bots are ranked by their mean
differences with each other bot, and each is tested against the next one (`statistics.sequential_test`, which is valid
after every round). The next round has a table for each two neighbours without a verdict, filled up with their own
neighbours; it plays `deals`, or a quarter of the blocks that the two have had together if that is more, so that rounds
are few. The budget is never exceeded: the last round is shorter, or has fewer tables, those at the top of the ranking.
A disqualified bot is no longer ranked, and nothing is tested about it; nor is one that has left. Those who join meet
all others, in a round of their own. If too few for a table are left, the tournament is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from msgspec import Meta

from pitboss.errors import OptionError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, RoundGenerator
from pitboss_tournament.formats.balanced_design import choose_tables

DEFAULT_ROUNDS: Final = 20  # default length of a tournament, in rounds as long as the first
GROWTH: Final = 4  # a table plays a quarter more than it has


GameBudget = Annotated[
    int, Meta(ge=1, description="Maximum number of games. Default: twenty times the games of the first round.")
]
CloseShare = Annotated[
    float,
    Meta(
        gt=0,
        le=1,
        description="Neighbours that provably differ by at most this share of beaten opponents are settled, too.",
    ),
]


class SettleOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `settle`."""

    games: GameBudget | None = None
    delta: CloseShare | None = None


class Settle:
    """Tables are made for the pairs whose order is uncertain."""

    name = "settle"
    summary = "Tables go where the ranking is still uncertain, until it is settled."
    is_static = False
    why_closed = ""
    ranks_by_proof = True
    Options = SettleOptions

    def check(self, field: EntrantField, options: SettleOptions) -> None:
        """Require a budget that is enough for the first round."""
        field.require_single_seats(self.name)
        first = len(_first_tables(field)) * field.deals * field.games
        if options.games is not None and options.games < first:
            raise OptionError(
                f"games is {options.games}; the first round alone, in which all meet, has {first}: "
                "allow as many, or fewer deals",
                "games",
            )

    def count_blocks(self, field: EntrantField, options: SettleOptions) -> int:
        """Return the blocks that the budget allows."""
        return (
            options.games // field.games if options.games else len(_first_tables(field)) * field.deals * DEFAULT_ROUNDS
        )

    def rounds(self, field: EntrantField, options: SettleOptions) -> RoundGenerator:
        """Yield rounds until no pair is uncertain, or the budget is spent."""
        from pitboss_tournament.statistics.head_to_head import HeadToHead  # noqa: PLC0415 - a list needs none

        left, results = self.count_blocks(field, options), HeadToHead(len(field.names))
        known = set(range(len(field.names)))
        tables: Sequence[tuple[int, ...]] = _first_tables(field)
        deals = field.deals
        while True:
            played = yield PlannedRound(tables, deals)
            left -= len(tables) * deals
            for table in played.tables:
                results.add_all(table.blocks)
            known |= set(played.joined)
            results.make_room(max(known) + 1)
            ranked = results.rank_bots(known - played.disqualified)
            newcomers = [bot for bot in ranked if bot in played.joined and not results.count_blocks_of(bot)]
            if newcomers and left and len(ranked) >= field.seats:
                tables, deals = _placement_tables(newcomers, ranked, field.seats)[:left], field.deals
                deals = min(deals, left // len(tables))
                continue
            uncertain = results.undecided_pairs(ranked, options.delta)
            if not uncertain or not left or len(ranked) < field.seats:
                return [*ranked, *sorted(played.disqualified)]
            tables = _neighbour_tables(uncertain, ranked, field.seats)[:left]
            wanted = max(field.deals, min(results.count_blocks(*pair) for pair in uncertain) // GROWTH)
            deals = min(wanted, left // len(tables))


def _first_tables(field: EntrantField) -> Sequence[tuple[int, ...]]:
    """Return the tables of the first round: a balanced choice with room for all pairs to meet."""
    bots = len(field.names)
    return choose_tables(bots, field.seats, -(-bots * (bots - 1) // (field.seats * (field.seats - 1))))


def _placement_tables(newcomers: Sequence[int], ranked: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Return tables at which each newcomer meets all others, those who joined with it too; no table twice."""
    found: list[tuple[int, ...]] = []
    for bot in newcomers:
        others = [other for other in ranked if other != bot]
        for first in range(0, len(others), seats - 1):
            begin = min(first, len(others) - (seats - 1))
            table = tuple(sorted((bot, *others[begin : begin + seats - 1])))
            if table not in found:
                found.append(table)
    return found


def _neighbour_tables(uncertain: Sequence[tuple[int, int]], ranked: Sequence[int], seats: int) -> list[tuple[int, ...]]:
    """Return one table per uncertain pair, filled with the bots ranked around it; no table twice."""
    found: list[tuple[int, ...]] = []
    for better, _ in uncertain:
        first = min(max(0, ranked.index(better) - (seats - 2) // 2), len(ranked) - seats)
        table = tuple(ranked[first : first + seats])
        if table not in found:
            found.append(table)
    return found
