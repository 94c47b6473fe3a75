"""Histogram of durations with logarithmic bins, eight per doubling: quantiles are accurate to 5 %.

The times of one game are a string: for each bin that has some its letter, and behind it their number if that is not 1.
That is short to store, and many are quickly added up. In stores of schema 5 to 7 it has a letter for each time, which
is read as the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import log2
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from pitboss.foreign_input import LARGEST_NUMBER
from pitboss.text import join_words

STEPS_PER_DOUBLING: Final = 8
LAST_STEP: Final = 64 * STEPS_PER_DOUBLING  # for all longer times
OVERLOADED_MS: Final = 5  # a lag that a hundredth of the answers reaches only where other programs take the processors

# counts by step: step n holds the times around 2^(n / STEPS_PER_DOUBLING) microseconds, step 0 all shorter ones
TimeHistogram: TypeAlias = dict[Annotated[int, Meta(ge=0, le=LAST_STEP)], Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]]
GameTimes: TypeAlias = str | TimeHistogram  # as `write_times` returns it; a histogram in stores of schema 4 and before

_FIRST_LETTER: Final = ord("0")  # for step 0
_DIGITS: Final = "#$%&'()*+,-./"  # of a number; no letter of a step is among them
_BIN: Final = re.compile(f"[^{re.escape(_DIGITS)}][{re.escape(_DIGITS)}]{{0,16}}")  # more digits have no meaning


def quantile(times: Mapping[int, int], share: float) -> float | None:
    """Return the time, in microseconds, that `share` (0 to 1) of the times do not exceed; None if there are none."""
    [step] = _find_quantiles(times.items(), [share])
    return None if step is None else _step_us(step)


def quantile_ms(times: Mapping[int, int], share: float) -> float | None:
    """Return the milliseconds that `share` of the times do not exceed, accurate to 5 %; None if there are none."""
    [step] = _find_quantiles(times.items(), [share])
    return None if step is None else _step_ms(step)


def game_quantiles_ms(times: GameTimes, *shares: float) -> list[float | None]:
    """Return `quantile_ms` of the times of a game for each of some shares; no histogram is made for that."""
    bins = map(_read_bin, _BIN.findall(times)) if isinstance(times, str) else times.items()
    return [None if step is None else _step_ms(step) for step in _find_quantiles(bins, shares)]


def _find_quantiles(bins: Iterable[tuple[int, int]], shares: Sequence[float]) -> list[int | None]:
    """Return the step of each quantile; None if there is no bin. A bin is a step and how many times it has."""
    ordered = sorted(bins)
    if not ordered:
        return [None] * len(shares)
    ends = list(accumulate([count for _, count in ordered]))
    return [ordered[bisect_left(ends, share * ends[-1])][0] for share in shares]


@lru_cache(LAST_STEP + 1)
def _step_ms(step: int) -> float:
    return round(_step_us(step) / 1000, 4)


def _step_us(step: int) -> float:
    return float(2 ** (step / STEPS_PER_DOUBLING))


def overload_text(lag: Mapping[int, int], late_bots: Sequence[str] = ()) -> str | None:
    """Return a warning if the machine was overloaded, by the runner's lag; None if it was not.

    `late_bots`: those that were too late in a game.
    """
    late = quantile_ms(lag, 0.99)
    if late is None or late < OVERLOADED_MS:
        return None
    if late_bots:
        effect = f"No bot was billed for that, but {join_words(late_bots, 'and')} might not have been late"
    else:
        effect = "No bot lost by that, but thinking times are less exact than"
    return (
        f"Warning: the machine was overloaded. The runner was {late:.0f} ms late, or later, to read one answer of a "
        f"hundred. {effect} on a calm machine."
    )


def write_times(microseconds: Iterable[int]) -> str:
    """Return times as a string: bin by bin, the shortest first, the letter of the step and how many times it has."""
    counts: dict[int, int] = {}
    for us, times in Counter(microseconds).items():  # most are the same as others
        step = _find_step(us)
        counts[step] = counts.get(step, 0) + times
    return "".join([chr(_FIRST_LETTER + step) + _write_count(counts[step]) for step in sorted(counts)])


def read_times(times: GameTimes) -> TimeHistogram:
    """Return the histogram of the times of a game."""
    return _count_letters(times) if isinstance(times, str) else times


class TotalTimes:
    """The times of many games together."""

    def __init__(self, histogram: Mapping[int, int] = {}) -> None:
        self._counts = Counter(dict(histogram))

    def add_all(self, games: Iterable[GameTimes]) -> None:
        """Add the times of some games; many together take less time."""
        strings = []
        for times in games:
            if isinstance(times, str):
                strings.append(times)
            else:
                self._counts.update(times)
        self._counts.update(_count_letters("".join(strings)))

    def histogram(self) -> TimeHistogram:
        """Return the histogram of all times."""
        return dict(self._counts)


@lru_cache(10_000)  # quick answers take as long as others in other games
def _find_step(us: int) -> int:
    return round(STEPS_PER_DOUBLING * log2(us)) if us > 1 else 0


def _count_letters(times: str) -> TimeHistogram:
    counts: TimeHistogram = {}
    for one, number in Counter(_BIN.findall(times)).items():
        step, count = _read_bin(one)
        counts[step] = counts.get(step, 0) + number * count
    return counts


@lru_cache(10_000)  # most games have the same few hundred
def _read_bin(letters: str) -> tuple[int, int]:
    """Return the step of a bin, and how many times it has."""
    return min(ord(letters[0]) - _FIRST_LETTER, LAST_STEP), _read_count(letters[1:])


def _write_count(count: int) -> str:
    """Return a number in digits; nothing for 1."""
    digits = ""
    while count and (count > 1 or digits):
        count, digit = divmod(count, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def _read_count(digits: str) -> int:
    count = 0
    for digit in digits:
        count = count * len(_DIGITS) + _DIGITS.index(digit)
    return count if digits else 1
