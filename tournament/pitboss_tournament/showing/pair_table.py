"""Pairs: each two bots side by side, as lines of text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pitboss_tournament.showing.standings_table import format_interval
from pitboss_tournament.statistics.pairwise import Comparison
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.text.columns import Column, TableLine, fit_table

PAIRS_EXPLAINED: Final = (
    "Per game, over the blocks in which both sat at one table: points by which the first bot is ahead; "
    "the share of the others that it is placed before, less the second's; "
    "the chance that it is the better one by places; "
    "how many more blocks it takes to be sure of that, if the difference is what it seems."
)


class PairRow(NamedTuple):
    """Two bots, the better one first."""

    one: str
    other: str
    blocks: int
    points: Estimate
    places: Estimate
    chance: float | None
    more_blocks: int | None


BLOCKS: Final = Column[PairRow]("blocks", lambda pair: f"{pair.blocks:,}")
POINTS: Final = Column[PairRow]("points", lambda pair: format_interval(pair.points))
PLACES: Final = Column[PairRow]("places %", lambda pair: format_interval(pair.places, 100))
CHANCE: Final = Column[PairRow]("chance %", lambda pair: format_percent(pair.chance))
MORE: Final = Column[PairRow]("more", lambda pair: format_more_blocks(pair))


def pair_lines(pairs: Sequence[PairRow], width: int | None) -> list[TableLine]:
    """Return a table of pairs, with as many columns as fit."""
    names = [Column[PairRow]("bot", lambda pair: pair.one), Column[PairRow]("against", lambda pair: pair.other)]
    choices = ((BLOCKS, POINTS, PLACES, CHANCE, MORE), (POINTS, PLACES, CHANCE, MORE), (PLACES, CHANCE, MORE))
    return fit_table(pairs, names, choices, width)


def order_pairs(comparisons: Sequence[Comparison], names: Sequence[str], order: Sequence[str]) -> Iterator[PairRow]:
    """Yield all pairs in board order, the better bot first."""
    place = {name: number for number, name in enumerate(order)}
    for comparison in sorted(comparisons, key=lambda one: sorted((place[names[one.entrant]], place[names[one.other]]))):
        ahead, behind, sign = comparison.entrant, comparison.other, 1
        mean = comparison.places.estimate.mean
        if (mean or 0) < 0 or (not mean and place[names[behind]] < place[names[ahead]]):
            ahead, behind, sign = behind, ahead, -1
        chance = comparison.places.chance
        yield PairRow(
            one=names[ahead],
            other=names[behind],
            blocks=comparison.blocks,
            points=_multiply_estimate(comparison.points.estimate, sign),
            places=_multiply_estimate(comparison.places.estimate, sign),
            chance=chance if chance is None or sign == 1 else 1 - chance,
            more_blocks=comparison.places.more_blocks,
        )


def format_percent(chance: float | None) -> str:
    """Return a chance in percent, never 0 or 100."""
    if chance is None:
        return "-"
    return ">99.9" if chance > 0.999 else "<0.1" if chance < 0.001 else f"{100 * chance:.1f}"


def format_more_blocks(pair: PairRow) -> str:
    """Return the blocks still needed: "sure" if none; "?" if unknown."""
    if pair.more_blocks is None:
        return "?" if pair.blocks else "-"
    return f"{pair.more_blocks:,}" if pair.more_blocks else "sure"


def _multiply_estimate(estimate: Estimate, sign: int) -> Estimate:
    return Estimate(None if estimate.mean is None else sign * estimate.mean, estimate.half_width)
