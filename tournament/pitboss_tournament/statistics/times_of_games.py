"""Times of many games at once: their sum, and the quantiles of each game.

Strings of times are read as arrays where there are many: that takes a tenth of the time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pitboss_tournament.statistics.arrays import Whole, add_up, np
from pitboss_tournament.statistics.time_histogram import (
    COUNT_DIGITS,
    FIRST_STEP_LETTER,
    LAST_STEP,
    GameTimes,
    TimeHistogram,
    game_quantiles_ms,
    read_times,
    step_ms,
)

MIN_ARRAY_GAMES: Final = 100  # for fewer numpy is not loaded
MAX_ARRAY_DIGITS: Final = 8  # of a number: sums of longer ones, which no game has, might overflow


class TotalTimes:
    """The times of many games together."""

    def __init__(self, histogram: Mapping[int, int] = {}) -> None:
        self._counts = Counter(dict(histogram))

    def add_all(self, games: Sequence[GameTimes]) -> None:
        """Add the times of some games; many together take less time."""
        if (bins := _read_bins(games)) is not None:
            self._counts.update(_sum_bins(bins))
            return
        strings = []
        for times in games:
            if isinstance(times, str):
                strings.append(times)
            else:
                self._counts.update(times)
        self._counts.update(read_times("".join(strings)))

    def histogram(self) -> TimeHistogram:
        """Return the histogram of all times."""
        return dict(self._counts)


def list_quantiles_ms(games: Sequence[GameTimes], *shares: float) -> list[tuple[float | None, ...]]:
    """Return `quantile_ms` of the times of each game for each of some shares."""
    if (bins := _read_bins(games)) is None:
        return [tuple(game_quantiles_ms(times, *shares)) for times in games]
    if not len(bins.steps):
        return [(None,) * len(shares)] * len(games)
    columns = _find_quantile_steps(bins, len(games), shares)
    milliseconds = [*map(step_ms, range(LAST_STEP + 1)), None]  # the last one, at -1, is that of no step
    return list(zip(*[[milliseconds[step] for step in column.tolist()] for column in columns], strict=True))


class _Bins(NamedTuple):
    """The bins of some games, game by game: of each its game, its step, and how many times it has."""

    games: Whole
    steps: Whole
    counts: Whole


def _read_bins(games: Sequence[GameTimes]) -> _Bins | None:
    """Return the bins of strings of times; None if they are few, or one is no string as `write_times` returns it."""
    strings = [times for times in games if isinstance(times, str)]
    if len(games) < MIN_ARRAY_GAMES or len(strings) < len(games):
        return None
    codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    digits = codes - ord(COUNT_DIGITS[0])
    is_digit = (digits >= 0) & (digits < len(COUNT_DIGITS))
    letters = np.flatnonzero(~is_digit)
    lengths = np.diff(letters, append=len(codes)) - 1  # of the numbers behind them
    games_of_codes = np.repeat(np.arange(len(strings)), list(map(len, strings)))
    steps = np.minimum(codes[letters] - FIRST_STEP_LETTER, LAST_STEP)
    begins_with_digit = is_digit & (np.diff(games_of_codes, prepend=-1) > 0)
    if begins_with_digit.any() or steps.min(initial=0) < 0 or lengths.max(initial=0) > MAX_ARRAY_DIGITS:
        return None
    counts = np.where(lengths > 0, 0, 1)
    for place in range(1, int(lengths.max(initial=0)) + 1):
        longer = np.flatnonzero(lengths >= place)
        counts[longer] = len(COUNT_DIGITS) * counts[longer] + digits[letters[longer] + place]
    return _Bins(games_of_codes[letters], steps, counts)


def _sum_bins(bins: _Bins) -> TimeHistogram:
    steps = np.flatnonzero(np.bincount(bins.steps))
    counts = add_up(bins.steps, bins.counts, LAST_STEP + 1)[steps]
    return dict(zip(steps.tolist(), map(int, counts.tolist()), strict=True))


def _find_quantile_steps(bins: _Bins, games: int, shares: Sequence[float]) -> list[Whole]:
    """Return for each share the step of each game's quantile, -1 for games without times. There is a bin."""
    order = np.argsort(bins.games * (LAST_STEP + 1) + bins.steps, kind="stable")  # in time, if they are in order
    steps, ends = bins.steps[order], np.cumsum(bins.counts[order])
    first, end = (np.searchsorted(bins.games, np.arange(games), side=side) for side in ("left", "right"))
    before = np.where(first > 0, ends[first - 1], 0)
    totals = np.where(end > first, ends[end - 1] - before, 0)
    columns = []
    for share in shares:
        at = np.maximum(np.searchsorted(ends, before + np.ceil(share * totals).astype(np.int64)), first)
        columns.append(np.where(end > first, steps[np.minimum(at, len(steps) - 1)], -1))
    return columns
