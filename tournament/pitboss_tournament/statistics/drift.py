"""Drift: bots that do better or worse as the deals go on, because they learn, say, or the machine slows down.

All intervals suppose that the blocks of a table could have come in any order. If a bot drifts they could not, and its
rating is the mean over a time in which it changed. The test compares blocks of a table with each other only, so that it
is not misled by who met whom when. Its statistic is the sum, over the tables of a bot, of the products of a block's
number and its place score, each less its mean. The exact variance of this sum, if every order of the blocks of each
table is equally likely, is known (Wald and Wolfowitz 1944, *Statistical tests based on permutations of the
observations*); the sum in its standard deviations is near to normal, and smaller where there are few blocks. The error
is divided by the number of bots tested (Bonferroni): of 100 tournaments in which no bot drifts at most 5 name one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean
from typing import Final, TypeAlias

from msgspec import Struct

DRIFT_ERROR: Final = 0.05  # of naming a bot where none drifts

ScoredBlock: TypeAlias = tuple[int, float]  # the number of a deal, and a bot's mean place score in its games


class Drift(Struct, frozen=True):
    """A bot whose place score, from 0 to 1, rose or fell: its means over the first and the second half of the deals."""

    bot: int
    first: float
    second: float


class DriftTest:
    """The test, to which blocks are added in any order. Memory grows with the blocks."""

    def __init__(self) -> None:
        self._blocks = defaultdict[int, list[tuple[int, Mapping[int, float]]]](list)  # by table

    def add(self, pairing: int, deal: int, place_scores: Mapping[int, float]) -> None:
        """Add a block: the place scores of the bots of a table over a deal."""
        self._blocks[pairing].append((deal, place_scores))

    def find_drifts(self) -> list[Drift]:
        """Return the bots that drift."""
        tables = self._list_tables()
        tested = {
            bot: found for bot, own in sorted(tables.items()) if (found := _measure_trend(own.values())) is not None
        }
        threshold = NormalDist().inv_cdf(1 - DRIFT_ERROR / 2 / max(1, len(tested)))
        return [
            Drift(bot, *_compare_halves(tables[bot].values()))
            for bot, deviations in tested.items()
            if abs(deviations) > threshold
        ]

    def _list_tables(self) -> dict[int, dict[int, list[ScoredBlock]]]:
        """Return the blocks by bot and table, of tables with several: one block by itself has no trend."""
        tables = defaultdict[int, defaultdict[int, list[ScoredBlock]]](lambda: defaultdict(list))
        for pairing, blocks in self._blocks.items():
            for deal, place_scores in blocks if len(blocks) > 1 else ():
                for bot, score in place_scores.items():
                    tables[bot][pairing].append((deal, score))
        return {bot: dict(own) for bot, own in tables.items()}


def drift_text(drift: Drift, names: Sequence[str]) -> str:
    """Return a drift as a sentence."""
    change = "better" if drift.second > drift.first else "worse"
    return (
        f"{names[drift.bot]} did {change} as the deals went on: in their first half {drift.first:.0%} of the others "
        f"were behind it, in the second {drift.second:.0%}."
    )


def _measure_trend(tables: Iterable[list[ScoredBlock]]) -> float | None:
    """Return the sum of the test in its standard deviations; None if no order would have changed it."""
    total = variance = 0.0
    for blocks in tables:
        count = len(blocks)
        if count < 2:
            continue
        times = [number - (count - 1) / 2 for number in range(count)]
        scores = [score for _, score in sorted(blocks)]
        mean = fmean(scores)
        scores = [score - mean for score in scores]
        total += sum(time * score for time, score in zip(times, scores, strict=True))
        variance += sum(time**2 for time in times) * sum(score**2 for score in scores) / (count - 1)
    return total / sqrt(variance) if variance > 1e-12 else None


def _compare_halves(tables: Iterable[list[ScoredBlock]]) -> tuple[float, float]:
    """Return the means over the first half of the blocks of each table, and over the second.

    A block in between counts in neither.
    """
    first, second = list[float](), list[float]()
    for blocks in tables:
        scores = [score for _, score in sorted(blocks)]
        half = len(scores) // 2
        first += scores[:half]
        second += scores[len(scores) - half :]
    return fmean(first), fmean(second)
