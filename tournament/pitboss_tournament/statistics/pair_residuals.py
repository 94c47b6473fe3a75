"""Pair residuals: whether a bot does better with another one at its table than the ratings explain.

The residual of a bot in a block is the share of its opponents that it beat, less the share that the ratings expect,
ties left out. By the model (see `bradley_terry`) its mean is the same whoever sits there. So each bot's residuals with
another one at the table are compared with those without: the *gain* is the difference of their means, with the error of
Welch (1947) and the degrees of freedom of the smaller sample. A variance is never taken for less than that of the model
with independent games: a few blocks that ended alike prove little. Ratings are a model, so only a gain of more than
MIN_GAIN counts.

A gift bends the ratings of both, and with them the residuals of all whom they met: honest bots gain by a champion that
is rated too high. Where one bot gives to another, the one gains and the other loses. So one pair is tested: that in
which the gain of the one is most above that of the other, for its error. Of the next one it can be told when the blocks
of the first are left out (see `gifts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, sqrt
from typing import Final, NamedTuple

from msgspec import Struct

from pitboss_tournament.statistics.arrays import Floats, Whole, add_up, join_arrays, np
from pitboss_tournament.statistics.block_chunks import BlockChunk, pad_columns
from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.student_t import log_bayes_factor, student_t_cdf

MIN_GAIN: Final = 0.05  # of the share of beaten opponents
MIN_RESIDUAL_BLOCKS: Final = 8  # with the other one, and as many without
MIN_RESIDUAL_BOTS: Final = 4  # of three that beat each other in turn, nobody can tell who gives to whom
SMALLEST_VARIANCE: Final = 1e-12


class PairResidual(Struct, frozen=True, kw_only=True):
    """How much better a bot does with another one at its table than the ratings explain."""

    gainer: int  # both are entrants
    giver: int
    blocks: int  # in which both sat at the table
    gain: float  # of the share of beaten opponents: with the giver, less without
    error: float  # the standard error of the gain
    freedom: int  # degrees of freedom
    tests: int  # how many pairs can be compared, each in both directions

    def compute_error(self, *, anytime: bool) -> float:
        """Return the probability that such a gain is chance, of all pairs together; 1 if it is not worth a word.

        If the number of games was fixed beforehand, or however often one looks.
        """
        t = (self.gain - MIN_GAIN) / self.error
        if t <= 0:
            return 1.0
        alone = exp(-log_bayes_factor(t, self.freedom)) if anytime else 1 - student_t_cdf(t, self.freedom)
        return min(1.0, self.tests * alone)


class _SeatedBots(NamedTuple):
    """Who sits in one place of the first game of some blocks, with the residuals there: one value for each block."""

    blocks: Whole  # their numbers in the chunk
    bots: Whole
    seated: Floats  # 1; 0 where a side has fewer bots than others
    residuals: Floats
    variances: Floats  # of the residuals, by the model, if games are independent


class _ResidualSums(NamedTuple):
    """Sums over blocks by key: of a bot, or of a bot and another one."""

    keys: Whole
    blocks: Floats
    residuals: Floats
    squares: Floats
    variances: Floats


def find_strongest_residual(model: PairModel, x: Floats) -> PairResidual | None:
    """Return the gain that stands out most where the model has the unknowns `x`; None if there is none to compare."""
    size = len(model.entrants)
    if size < MIN_RESIDUAL_BOTS:
        return None
    strengths = model.likelihood.log_strengths(x)
    members = [[(model.numbers[entrant], 1.0) for entrant in side] for side, _ in model.rankings.contenders]
    columns = pad_columns(members)
    alone, together = list[_ResidualSums](), list[_ResidualSums]()
    for chunk in model.iter_chunks():
        for places in _measure_chunk(model, chunk, strengths, columns):
            if len(places) < 2:  # nobody sits beside another
                continue
            alone.append(_join_sums([_sum_residuals(place.bots, place.seated, place) for place in places]))
            pairs = [_sum_pair(one, other, size) for one in places for other in places if one is not other]
            together.append(_join_sums(pairs))
    if not together:
        return None
    return _choose_strongest(model, _join_sums(alone), _join_sums(together))


def _measure_chunk(
    model: PairModel, chunk: BlockChunk, strengths: Floats, columns: list[tuple[Whole, Floats]]
) -> list[list[_SeatedBots]]:
    """Return the places of the blocks of a chunk with their residuals, by blocks of as many contenders.

    `columns`: by contender of the rankings its entrants, as of `pad_columns`.
    """
    scores = model.score_blocks(chunk, strengths)
    seats = [
        (first, places[contenders], flags[contenders])
        for first in chunk.firsts
        for contenders in first.contenders
        for places, flags in columns
    ]
    keyed = [(scores.blocks, scores.unknowns), *((first.blocks, bots) for first, bots, _ in seats)]
    keys = join_arrays([blocks * model.unknowns + bots for blocks, bots in keyed])
    distinct, at = np.unique(keys, return_inverse=True)
    of_scores = at[: len(scores.blocks)]
    sums = add_up(of_scores, scores.values, len(distinct))
    spread = np.abs(scores.values) - scores.values * scores.values  # p (1 - p) of each comparison
    variances = add_up(of_scores, spread, len(distinct))
    found: dict[int, list[_SeatedBots]] = {}
    end = len(scores.blocks)
    for first, bots, seated in seats:
        own, end = at[end : end + len(bots)], end + len(bots)
        opponents = max(1, len(first.contenders) - 1)
        most = chunk.block_games[first.blocks] * opponents
        place = _SeatedBots(first.blocks, bots, seated, sums[own] / most, variances[own] / (most * most))
        found.setdefault(len(first.contenders), []).append(place)
    return list(found.values())


def _sum_pair(one: _SeatedBots, other: _SeatedBots, size: int) -> _ResidualSums:
    """Return the sums of the bots in the first place, by who sits in the other one."""
    return _sum_residuals(one.bots * size + other.bots, one.seated * other.seated, one)


def _sum_residuals(keys: Whole, counted: Floats, one: _SeatedBots) -> _ResidualSums:
    values = one.residuals * counted
    return _add_by_key(_ResidualSums(keys, counted, values, values * values, one.variances * counted))


def _join_sums(parts: list[_ResidualSums]) -> _ResidualSums:
    """Return the sums of several, each key once."""
    return _add_by_key(_ResidualSums(*map(join_arrays, zip(*parts, strict=True))))


def _add_by_key(sums: _ResidualSums) -> _ResidualSums:
    keys, places = np.unique(sums.keys, return_inverse=True)
    return _ResidualSums(keys, *[add_up(places, column, len(keys)) for column in sums[1:]])


def _choose_strongest(model: PairModel, alone: _ResidualSums, together: _ResidualSums) -> PairResidual | None:
    """Return the residual of the pair in which one gains and the other loses most clearly."""
    size = len(model.entrants)
    found = dict(_iter_residuals(model, alone, together))

    def find_contrast(key: int) -> float:
        one, other = found[key], found.get(key % size * size + key // size)
        if other is None:  # the giver has met hardly anybody else
            return one.gain / one.error
        return (one.gain - other.gain) / sqrt(one.error**2 + other.error**2)

    best = max(found, key=find_contrast, default=None)
    return None if best is None else found[best]


def _iter_residuals(
    model: PairModel, alone: _ResidualSums, together: _ResidualSums
) -> Iterator[tuple[int, PairResidual]]:
    """Yield the residuals of all pairs that can be compared, with their keys."""
    size = len(model.entrants)
    gainers = np.searchsorted(alone.keys, together.keys // size)
    apart = [whole[gainers] - part for whole, part in zip(alone[1:], together[1:], strict=True)]
    least = np.minimum(together.blocks, apart[0])
    is_known = least >= MIN_RESIDUAL_BLOCKS
    with_giver, without = (
        _ResidualSums(together.keys[is_known], *[column[is_known] for column in columns])
        for columns in (together[1:], apart)
    )
    (mean, variance), (mean_without, variance_without) = map(_estimate, (with_giver, without))
    gains, errors = mean - mean_without, np.sqrt(variance + variance_without)
    shown = (with_giver.keys, with_giver.blocks, gains, errors, least[is_known])
    for key, blocks, gain, error, fewest in zip(*[column.tolist() for column in shown], strict=True):
        yield (
            key,
            PairResidual(
                gainer=model.entrants[key // size],
                giver=model.entrants[key % size],
                blocks=round(blocks),
                gain=gain,
                error=error,
                freedom=round(fewest) - 1,
                tests=len(gains),
            ),
        )


def _estimate(sums: _ResidualSums) -> tuple[Floats, Floats]:
    """Return means of residuals, and the variances of these means."""
    means = sums.residuals / sums.blocks
    seen = (sums.squares - sums.blocks * means * means) / (sums.blocks - 1)
    expected = sums.variances / sums.blocks
    return means, (np.maximum(seen, expected) + SMALLEST_VARIANCE) / sums.blocks
