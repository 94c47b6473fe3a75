"""Pair table: the comparison of each two bots, as lines of text for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss_tournament.showing.standings_table import format_interval
from pitboss_tournament.statistics.pairwise import Comparison
from pitboss_tournament.text.columns import Column, TableLine, fit_table

PAIRS_EXPLAINED: Final = (
    "Per game, over the blocks in which both sat at one table: points by which the first bot is ahead; "
    "the share of the others that it is placed before, less the second's; "
    "the chance that it is the better one by places; "
    "how many more blocks it takes to be sure of that, if the difference is what it seems."
)


BLOCKS: Final = Column[Comparison]("blocks", lambda pair: f"{pair.blocks:,}")
POINTS: Final = Column[Comparison]("points", lambda pair: format_interval(pair.points.estimate))
PLACES: Final = Column[Comparison]("places %", lambda pair: format_interval(pair.places.estimate, 100))
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
