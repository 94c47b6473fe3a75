"""Effects of parts: which card of a deck wins games, by a regression over the blocks of two players.

The difference of the place scores of two players in a block is regressed on the differences of their programs and of
how often their loadouts have each part. A block, the same deal in both orders of the seats, is one observation. The
standard errors are those of White (1980) with the correction of MacKinnon and White (1985) for few observations (HC2):
they need no equal variances. Where all loadouts have equally many parts one part is always in place of another; then an
effect is that of a copy in place of one of an average part.

The effect of a part is *identified* if the loadouts that were played differ so that it follows from results; five decks
identify the effects of few of fourteen cards. The effects that are identified are tested together: by Holm's test, so
that of 100 tournaments in which no part matters at most 5 name one; or, at any time, by Bayes factors with Bonferroni's
correction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from statistics import NormalDist
from typing import Annotated, Final

from msgspec import Meta, Struct

from pitboss_tournament.statistics.arrays import Floats, np
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.pair_tests import MIN_ERROR
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.sequential_test import TEST_ERROR
from pitboss_tournament.statistics.student_t import (
    anytime_t_quantile,
    find_bayes_t,
    log_bayes_factor,
    student_t_cdf,
    student_t_quantile,
)

POWER: Final = 0.8  # with which an effect of the size `visible` is found
MAX_PARTS: Final = 500  # of all loadouts together; with more nothing is estimated
_ROUNDING: Final = 1e-7
_RANK: Final = 1e-10  # what is smaller, beside the largest eigenvalue, is a rounding error


class PartEffect(Struct, frozen=True, kw_only=True):
    """What one more copy of a part is worth in a game against one other player."""

    name: str
    loadouts: Annotated[int, Meta(description="How many of the loadouts have it.")]
    effect: Annotated[Estimate, Meta(description="Share of the wins, 0 to 1, with its 95 % interval; null: not told.")]
    is_proven: Annotated[bool, Meta(description="Whether it differs from 0 at 95 %, all parts together.")] = False
    error: Annotated[
        float | None, Meta(description="The chance of an effect as large, all parts together, if no part matters.")
    ] = None
    visible: Annotated[
        float | None, Meta(description="How large an effect is that such a tournament proves 80 times of 100.")
    ] = None


class PartEffects(Struct, frozen=True, kw_only=True):
    """The effects of all parts, the best first, and behind them those whose effect is not identified."""

    parts: Sequence[PartEffect]
    blocks: int
    is_relative: Annotated[
        bool, Meta(description="Whether an effect is that of a copy in place of one of an average part.")
    ]

    @property
    def identified(self) -> int:
        """The number of parts whose effect is identified."""
        return sum(part.effect.mean is not None for part in self.parts)


def estimate_part_effects(
    meetings: HeadToHead,
    loadouts: Mapping[int, Mapping[str, int]],
    programs: Mapping[int, str],
    *,
    anytime: bool = False,
) -> PartEffects | None:
    """Return what parts are worth; None if there are none, or too many.

    `loadouts`: by bot, how often its loadout has each part; `programs`: by bot, the name of its program. `anytime`:
    intervals and proofs hold however often one looks.
    """
    names = sorted({name for parts in loadouts.values() for name in parts})
    if not 0 < len(names) <= MAX_PARTS:
        return None
    columns = _describe_bots(names, loadouts, programs)
    pairs = [pair for pair in meetings.list_pairs() if pair[0] in columns and pair[1] in columns]
    size = len(next(iter(columns.values())))
    differences = [(columns[one] - columns[other], meetings.count_differences(one, other)) for one, other in pairs]
    square: Floats = np.zeros((size, size))
    moment: Floats = np.zeros(size)
    blocks = 0
    for row, counts in differences:
        blocks += sum(counts.values())
        square += sum(counts.values()) * np.outer(row, row)
        moment += sum(value * count for value, count in counts.items()) * row
    inverse: Floats = np.asarray(np.linalg.pinv(square, rcond=_RANK, hermitian=True), dtype=float)
    slopes: Floats = inverse @ moment
    spread: Floats = np.zeros((size, size))
    for row, counts in differences:
        leverage = float(row @ inverse @ row)
        if leverage < 1 - _ROUNDING:
            fitted = float(row @ slopes)
            rest = sum(count * (value - fitted) ** 2 for value, count in counts.items())
            spread += rest / (1 - leverage) * np.outer(row, row)
    covariance: Floats = inverse @ spread @ inverse
    known: Floats = inverse @ square  # the projection on what the differences tell
    even: Floats = np.zeros(size)
    even[: len(names)] = 1 / len(names)
    is_relative = bool(np.abs(square @ even).max() < _ROUNDING)
    freedom = blocks - round(float(np.trace(known)))
    tested = list[tuple[str, float, float]]()
    for place, name in enumerate(names):
        weights: Floats = np.zeros(size)
        weights[place] = 1.0
        if is_relative:
            weights -= even
        if freedom > 0 and float(np.abs(known @ weights - weights).max()) < _ROUNDING:
            error = sqrt(max(0.0, float(weights @ covariance @ weights)))
            if error > _ROUNDING:
                tested.append((name, float(weights @ slopes) / 2, error / 2))  # half a difference of two scores
    different = {tuple(sorted(parts.items())): parts for parts in loadouts.values()}
    counted = {name: sum(name in parts for parts in different.values()) for name in names}
    return PartEffects(
        parts=_judge_effects(names, tested, counted, freedom, anytime=anytime), blocks=blocks, is_relative=is_relative
    )


def _describe_bots(
    names: Sequence[str], loadouts: Mapping[int, Mapping[str, int]], programs: Mapping[int, str]
) -> dict[int, Floats]:
    """Return, by bot, how often it has each part, and behind them a one for its program."""
    kinds = sorted({programs[bot] for bot in loadouts})
    found = {}
    for bot, parts in loadouts.items():
        column: Floats = np.zeros(len(names) + len(kinds))
        column[: len(names)] = [parts.get(name, 0) for name in names]
        column[len(names) + kinds.index(programs[bot])] = 1.0
        found[bot] = column
    return found


def _judge_effects(
    names: Sequence[str],
    tested: Sequence[tuple[str, float, float]],
    counted: Mapping[str, int],
    freedom: int,
    *,
    anytime: bool,
) -> list[PartEffect]:
    """Return the effects, with which of them are proven; `tested` has names, estimates and standard errors."""
    count = max(1, len(tested))
    errors = {name: _find_error(effect / width, freedom, anytime=anytime) for name, effect, width in tested}
    adjusted = _adjust_errors(errors, anytime=anytime)
    own, together = (_find_quantile(freedom, share, anytime=anytime) for share in (1, count)) if tested else (0.0, 0.0)
    found = [
        PartEffect(
            name=name,
            loadouts=counted[name],
            effect=Estimate(effect, own * width),
            is_proven=adjusted[name] <= TEST_ERROR,
            error=adjusted[name],
            visible=(together + NormalDist().inv_cdf(POWER)) * width,
        )
        for name, effect, width in tested
    ]
    told = {name for name, _, _ in tested}
    rest = [
        PartEffect(name=name, loadouts=counted[name], effect=Estimate(None, None)) for name in names if name not in told
    ]
    return [*sorted(found, key=lambda one: (-(one.effect.mean or 0.0), one.name)), *rest]


def _find_error(t: float, freedom: int, *, anytime: bool) -> float:
    """Return the two-sided error of a test of one effect."""
    if anytime:
        return min(1.0, exp(-log_bayes_factor(t, freedom)))
    return max(MIN_ERROR, 2 * (1 - student_t_cdf(abs(t), freedom)))


def _adjust_errors(errors: Mapping[str, float], *, anytime: bool) -> dict[str, float]:
    """Return the errors of all tests together: by Holm's step-down, or by Bonferroni's correction at any time."""
    if anytime:
        return {name: min(1.0, len(errors) * error) for name, error in errors.items()}
    adjusted, largest = {}, 0.0
    for number, name in enumerate(sorted(errors, key=errors.__getitem__)):
        largest = max(largest, min(1.0, errors[name] * (len(errors) - number)))
        adjusted[name] = largest
    return adjusted


def _find_quantile(freedom: int, tests: int, *, anytime: bool) -> float:
    """Return how many standard errors from zero an effect is proven, as one of some tests."""
    if anytime:
        return anytime_t_quantile(freedom) if tests == 1 else find_bayes_t(log(tests / TEST_ERROR), freedom)
    return student_t_quantile(freedom, TEST_ERROR / tests)
