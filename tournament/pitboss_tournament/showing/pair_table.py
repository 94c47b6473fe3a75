"""Pair table: the comparison of each two bots, as lines of text for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss_tournament.showing.standings_table import format_interval
from pitboss_tournament.statistics.pairwise import Comparison, EstimatedDifference
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.text.columns import Column, TableLine, fit_table

PAIRS_EXPLAINED: Final = (
    "Per game, over the blocks in which both sat at one table: points by which the first bot is ahead; "
    "the share of the others that it is placed before, less the second's, and from where to where that may be; "
    "the chance that it is the better one by places; "
    "how many more blocks make that sure in 80 of 100 cases, if the difference is what it seems. "
    "The intervals, and sure, hold at 95 % for each pair by itself, however often one looks and whenever one stops: "
    "of 100 pairs of equal bots up to 5 may be called sure. The verdict of the standings is about all pairs at once. "
    "The chance holds for one pair, and for a number of deals that was fixed beforehand."
)


BLOCKS: Final = Column[Comparison]("blocks", lambda pair: f"{pair.blocks:,}")
POINTS: Final = Column[Comparison]("points", lambda pair: format_interval(_anytime_estimate(pair.points)))
PLACES: Final = Column[Comparison]("places %", lambda pair: format_range(pair.places, 100))
CHANCE: Final = Column[Comparison]("chance %", lambda pair: format_percent(pair.places.chance))
MORE: Final = Column[Comparison]("more", lambda pair: format_more_blocks(pair.blocks, pair.places.more_blocks))


def pair_lines(pairs: Sequence[Comparison], names: Sequence[str], width: int | None) -> list[TableLine]:
    """Return a table of pairs, with as many columns as fit."""
    bots = [
        Column[Comparison]("bot", lambda pair: names[pair.entrant]),
        Column[Comparison]("against", lambda pair: names[pair.other]),
    ]
    choices = ((BLOCKS, POINTS, PLACES, CHANCE, MORE), (POINTS, PLACES, CHANCE, MORE), (PLACES, CHANCE, MORE))
    return fit_table(pairs, bots, choices, width)


def order_pairs(comparisons: Iterable[Comparison], order: Sequence[int]) -> list[Comparison]:
    """Return the comparisons in the order of the board, each turned so that its better bot comes first."""
    place = {entrant: number for number, entrant in enumerate(order)}

    def rank_pair(pair: Comparison) -> list[int]:
        return sorted((place[pair.entrant], place[pair.other]))

    def is_ahead(pair: Comparison) -> bool:
        mean = pair.places.estimate.mean
        return mean > 0 if mean else place[pair.entrant] < place[pair.other]

    return [pair if is_ahead(pair) else pair.reverse() for pair in sorted(comparisons, key=rank_pair)]


def _anytime_estimate(difference: EstimatedDifference) -> Estimate:
    """Return a mean with its interval at any time, which is symmetric for points."""
    anytime = difference.anytime
    return Estimate(difference.estimate.mean, None if anytime is None else (anytime.high - anytime.low) / 2)


def format_range(difference: EstimatedDifference, scale: float = 1) -> str:
    """Return a mean with the ends of its interval at any time: "12.3 (-1.0 to 24.1)"."""
    mean, anytime = difference.estimate.mean, difference.anytime
    if mean is None:
        return "-"
    ends = "?" if anytime is None else f"{anytime.low * scale:.1f} to {anytime.high * scale:.1f}"
    return f"{mean * scale:.1f} ({ends})"


def format_percent(chance: float | None) -> str:
    """Return a chance in percent, never 0 or 100."""
    if chance is None:
        return "-"
    return ">99.9" if chance > 0.999 else "<0.1" if chance < 0.001 else f"{100 * chance:.1f}"


def format_more_blocks(blocks: int, more_blocks: int | None) -> str:
    """Return the blocks still needed after `blocks`: "sure" if none; "?" if unknown."""
    if more_blocks is None:
        return "?" if blocks else "-"
    return f"{more_blocks:,}" if more_blocks else "sure"
