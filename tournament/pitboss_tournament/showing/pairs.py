"""Pairs: each two bots side by side, as lines of text for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pitboss_tournament.results.standings import Estimate
from pitboss_tournament.showing.columns import Column, Line, fitting
from pitboss_tournament.showing.scoreboard import with_interval
from pitboss_tournament.statistics.pairwise import Comparison

PAIRS: Final = (
    "Per game, over the blocks in which both sat at one table: points by which the first bot is ahead; the share of the others that it is placed before, less the second's; "
    "the chance that it is the better one by places; how many more blocks it takes to be sure of that, if the difference is what it seems."
)


class Pair(NamedTuple):
    """Two bots, the one that is placed better first."""

    one: str
    other: str
    blocks: int
    points: Estimate
    places: Estimate
    chance: float | None
    more_blocks: int | None


BLOCKS: Final = Column[Pair]("blocks", lambda pair: f"{pair.blocks:,}")
POINTS: Final = Column[Pair]("points", lambda pair: with_interval(pair.points))
PLACES: Final = Column[Pair]("places %", lambda pair: with_interval(pair.places, 100))
CHANCE: Final = Column[Pair]("chance %", lambda pair: percent(pair.chance))
MORE: Final = Column[Pair]("more", lambda pair: more(pair))


def pair_lines(pairs: Sequence[Pair], width: int | None) -> list[Line]:
    """Return a table of pairs, with as many columns as fit."""
    names = [Column[Pair]("bot", lambda pair: pair.one), Column[Pair]("against", lambda pair: pair.other)]
    choices = ((BLOCKS, POINTS, PLACES, CHANCE, MORE), (POINTS, PLACES, CHANCE, MORE), (PLACES, CHANCE, MORE))
    return fitting(pairs, names, choices, width)


def paired(comparisons: Sequence[Comparison], names: Sequence[str], order: Sequence[str]) -> Iterator[Pair]:
    """Yield all pairs, by the order of the board, the better one of each first."""
    place = {name: number for number, name in enumerate(order)}
    for comparison in sorted(comparisons, key=lambda one: sorted((place[names[one.entrant]], place[names[one.other]]))):
        ahead, behind, sign = comparison.entrant, comparison.other, 1
        mean = comparison.places.estimate.mean
        if (mean or 0) < 0 or (not mean and place[names[behind]] < place[names[ahead]]):
            ahead, behind, sign = behind, ahead, -1
        chance = comparison.places.chance
        yield Pair(
            one=names[ahead],
            other=names[behind],
            blocks=comparison.blocks,
            points=_times(comparison.points.estimate, sign),
            places=_times(comparison.places.estimate, sign),
            chance=chance if chance is None or sign == 1 else 1 - chance,
            more_blocks=comparison.places.more_blocks,
        )


def percent(chance: float | None) -> str:
    """Write a chance; nothing is certain."""
    if chance is None:
        return "-"
    return ">99.9" if chance > 0.999 else "<0.1" if chance < 0.001 else f"{100 * chance:.1f}"


def more(pair: Pair) -> str:
    """Write how many more blocks are wanted: "sure" if none; "?" if nobody can tell."""
    if pair.more_blocks is None:
        return "?" if pair.blocks else "-"
    return f"{pair.more_blocks:,}" if pair.more_blocks else "sure"


def _times(estimate: Estimate, sign: int) -> Estimate:
    return Estimate(None if estimate.mean is None else sign * estimate.mean, estimate.half_width)
