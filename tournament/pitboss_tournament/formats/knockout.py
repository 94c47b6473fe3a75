"""Knockout: the best of each table go on, the others are eliminated, until one table is left: the final.

A match is a number of blocks, the tournament's `deals`. The bot with the better mean place score goes on; if the last
to go on and the first to stay behind are exactly equal, the table plays the same number again, at most `extra` times,
and then the one listed first goes on. Each round is seeded again: the remaining bots, as listed, fill the tables from
first to last and back, so that the first meet the last. If not all find a table, those with the fewest byes have a bye,
and of these the first listed. So that exactly one table is left at the end, more bots may go on from one table of the
first round than from the others. A disqualified bot does not go on: the next one does. If too few for a table are left,
there is no final.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from pitboss.errors import OptionError
from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, PlayedRound, RoundGenerator

if TYPE_CHECKING:
    from pitboss_tournament.statistics.head_to_head import HeadToHead


class KnockoutOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `knockout`."""

    advance: Annotated[int, Meta(ge=1, description="Bots that advance from each table; fewer than the seats.")] = 1
    extra: Annotated[
        int,
        Meta(
            ge=0,
            le=100,
            description="How often to extend a match that is tied at the cut, before the list decides.",
        ),
    ] = 3


class Knockout:
    """Matches; the losers are eliminated."""

    name = "knockout"
    summary = "Matches, from which the best go on, until one table is left."
    is_static = False
    why_closed = "whoever is left has won matches for it"
    Options = KnockoutOptions

    def check(self, field: EntrantField, options: KnockoutOptions) -> None:
        """Require that at least one bot of each table is eliminated."""
        field.require_single_seats(self.name)
        if options.advance >= field.seats:
            raise OptionError(
                f"advance is {options.advance}; it must be less than the {field.seats} seats of a table", "advance"
            )

    def count_blocks(self, field: EntrantField, options: KnockoutOptions) -> int:
        """Return the blocks of all matches without extensions."""
        beaten = len(field.names) - field.seats
        return (-(-beaten // (field.seats - options.advance)) + 1) * field.deals

    def rounds(self, field: EntrantField, options: KnockoutOptions) -> RoundGenerator:
        """Yield the rounds; return the bots in the order of elimination, the last first.

        Bots that went out in one round, at the same place of their tables, share a place.
        """
        left, behind, byes = list(range(len(field.names))), list[list[int]](), Counter[int]()
        while len(left) >= field.seats:
            quotas = _advancing_quotas(len(left), field.seats, options.advance)
            resting = sorted(left, key=lambda bot: (byes[bot], bot))[: len(left) - len(quotas) * field.seats]
            byes.update(resting)
            tables = _snake_tables([bot for bot in left if bot not in resting], len(quotas))
            ranked, out = yield from _play_matches(tables, quotas, field.deals, options.extra)
            if len(left) == field.seats:
                return [*ranked[0], *behind]
            on = [bot for table, quota in zip(ranked, quotas, strict=True) for bot in table[:quota] if bot not in out]
            gone = [[table[place] for table in ranked if table[place] not in on] for place in range(field.seats)]
            level = [[bot for bot in group if bot not in out] for group in gone]
            behind = [*filter(None, [*level, [bot for group in gone for bot in group if bot in out]]), *behind]
            left = sorted((*on, *resting))
        return [*left, *behind]


def _advancing_quotas(left: int, seats: int, advance: int) -> list[int]:
    """Return the number of bots that go on, for each table of a round."""
    beaten = left - seats  # until the final
    if beaten == 0:
        return [1]
    tables = min(left // seats, -(-beaten // (seats - advance)))
    remainder = beaten % (seats - advance)
    return [seats - remainder if table == tables - 1 and remainder else advance for table in range(tables)]


def _snake_tables(bots: Sequence[int], tables: int) -> list[list[int]]:
    """Distribute the bots over the tables, back and forth."""
    found: list[list[int]] = [[] for _ in range(tables)]
    for number, bot in enumerate(bots):
        lap, place = divmod(number, tables)
        found[place if lap % 2 == 0 else tables - 1 - place].append(bot)
    return found


def _play_matches(
    tables: Sequence[Sequence[int]], quotas: Sequence[int], deals: int, extra: int
) -> Generator[PlannedRound, PlayedRound, tuple[list[list[int]], frozenset[int]]]:
    """Play matches, with at most `extra` extensions while the cut is tied.

    Return the ranking of each table, disqualified bots last, and all disqualified bots.
    """
    from pitboss_tournament.statistics.head_to_head import HeadToHead  # noqa: PLC0415 - a list needs none

    bots = 1 + max(bot for table in tables for bot in table)
    results = [HeadToHead(bots) for _ in tables]
    level = list(range(len(tables)))
    for time in range(1 + extra):
        played = yield PlannedRound([tables[number] for number in level], deals, is_extension=time > 0)
        out = played.disqualified
        for number, table in zip(level, played.tables, strict=True):
            results[number].add_all(table.blocks)
        ranked = [_rank_table(table, result, out) for table, result in zip(tables, results, strict=True)]
        level = [number for number in level if _is_level(ranked[number], quotas[number], results[number], out)]
        if not level:
            break
    return ranked, out


def _rank_table(table: Sequence[int], results: HeadToHead, out: frozenset[int]) -> list[int]:
    return sorted(table, key=lambda bot: (bot in out, -results.mean_score(bot), bot))


def _is_level(ranked: Sequence[int], quota: int, results: HeadToHead, out: frozenset[int]) -> bool:
    """Return whether the last to go on and the first to stay behind are equal."""
    last, first = ranked[quota - 1], ranked[quota]
    return not {last, first} & out and results.mean_score(last) == results.mean_score(first)
