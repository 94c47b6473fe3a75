"""Sequential test of two bots, valid however often it is looked at: a tournament can stop as soon as it is sure.

A fixed 95 % interval that is checked repeatedly will eventually be wrong. This module uses betting (e-values) instead
(Ville 1939; Waudby-Smith and Ramdas 2024, *Estimating means of bounded random variables by betting*, JRSS B 86):
against the claim "the mean difference is at most m" a gambler with one coin stakes the same share of his capital on
every block, and his capital is multiplied by 1 + share · (difference - m). If the claim holds, he wins nothing on
average, and the probability that he ever has 1/error coins is at most `error`, however often and whenever one looks. As
the best share is not known, the coin is spread over many of them, small and large. The capital is a function of the
differences alone, in whatever order they came.

The best share is the mean difference divided by its mean square. At a table of six the differences of a block, its mean
over six games, are small and their squares smaller still: there the greatest share is best even for small differences.
At a table of two, small differences need small shares. So large shares get the most of the coin, and small ones enough;
`tests.soak.stop_rule` shows how many blocks it takes beside a gambler who knows the best share.

Where it is said what the mean is if the claim does not hold, as by a second bound, the best stake is known except for
the mean square, and half of the coin is on it (`log_aimed_capital`). The mean square is that of the same blocks, so
that this half is no bet before the block: what that adds to the probability of an error is too little to be seen in
`tests.soak.comparison`.

The claims that are not refuted form a *confidence sequence*: an interval for the mean that holds at all times at once.

The only assumptions are that blocks are independent and that no difference exceeds 1, which holds for place scores.
Therefore a long row of equal differences, of ties only, or of small wins with one great loss among them gives no false
certainty, from the first block on. Tests that estimate the variance, such as sequential t-tests, are a little quicker
on normal differences, but can err without limit on skewed ones (and no test of a mean can do without a bound: Bahadur
and Savage 1956).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, floor, log, log1p, sqrt
from statistics import NormalDist
from typing import Final, Literal, TypeAlias

TEST_ERROR: Final = 0.05
POWER: Final = 0.8  # the probability of a proof for which blocks are planned
STAKES: Final = tuple(0.99 * 0.6**number for number in range(11))  # shares of the largest stake that can lose all
# of the coin, by stake, found by simulation: see above
WEIGHTS: Final = tuple(stake**0.75 / sum(other**0.75 for other in STAKES) for stake in STAKES)
INTERVAL_STEPS: Final = 16  # bisections: the ends of an interval are exact to 2 / 2**16
MAX_BLOCKS: Final = 10_000_000  # that are planned

SequentialVerdict: TypeAlias = Literal["better", "worse", "close", "undecided"]


def judge_differences(
    differences: Mapping[float, int], *, delta: float | None = None, error: float = TEST_ERROR
) -> SequentialVerdict:
    """Return the verdict on block differences between -1 and 1, given with their counts.

    "better" and "worse" are about the first bot, "close" means that neither is better by more than `delta`. The
    probability that a wrong verdict is ever given is at most `error`: whatever the truth, at most two of the verdicts
    are wrong, and each has half of the error.

    Raises:
        ValueError: delta is not between 0 and 1.
    """
    if delta is not None and not 0 < delta < 1:
        raise ValueError(f"delta is {delta:g} of the greatest difference; it must be above 0 and below 1")
    proof = log(2 / error)
    turned = _turn(differences)
    if can_prove(differences, proof):
        lead = sum(value * count for value, count in differences.items())
        if lead > 0 and log_capital(differences, 0.0) >= proof:  # whoever bets on the one behind has lost
            return "better"
        if lead < 0 and log_capital(turned, 0.0) >= proof:
            return "worse"
    if delta is not None and min(log_capital(differences, -delta), log_capital(turned, -delta)) >= proof:
        return "close"
    return "undecided"


def compute_confidence_sequence(differences: Mapping[float, int], *, error: float = TEST_ERROR) -> tuple[float, float]:
    """Return the lowest and the highest mean, from -1 to 1, that block differences with these counts do not refute.

    The probability that the true mean ever lies outside is at most `error`, however often one looks. The interval is
    clear of zero where `judge_differences` says "better" or "worse", up to rounding.
    """
    return _lower_bound(differences, error), -_lower_bound(_turn(differences), error)


def count_blocks_to_proof(
    played: Mapping[float, int],
    future: Mapping[float, int] | None = None,
    *,
    error: float = TEST_ERROR,
    power: float = POWER,
) -> int | None:
    """Return how many more blocks prove the first bot "better" or "worse", with the probability `power` or more.

    `played`: the differences of the blocks so far, with their counts; may be empty. `future`: a sample of the
    differences still to come, with counts; by default they come as those so far. 0: it is proven. None: by no number up
    to ten million, as with a mean difference of zero or none at all.

    After n more blocks the log capital of each stake is normal with mean n · μ and variance n · σ², μ and σ² being
    those of log(1 + stake · difference); as all stakes gain and lose on the same blocks, the quantile of the sum is the
    sum of the quantiles. The probability is a little higher than asked for, as the proof may come earlier.
    """
    proof = log(2 / error)
    if max(log_capital(played, 0.0), log_capital(_turn(played), 0.0)) >= proof:
        return 0
    future = future if future is not None else played
    if sum(value * count for value, count in future.items()) < 0:
        played, future = _turn(played), _turn(future)
    blocks = sum(future.values())
    quantile = NormalDist().inv_cdf(power)
    terms = []
    for now, stake in zip(_log_capitals(played, 0.0), STAKES, strict=True):
        gains = [(log1p(stake * value), count) for value, count in future.items()]
        mean = sum(gain * count for gain, count in gains) / max(1, blocks)
        variance = sum((gain - mean) ** 2 * count for gain, count in gains) / max(1, blocks)
        terms.append((now, mean, quantile * sqrt(variance)))

    def is_enough(more: int) -> bool:
        return _add_logs([now + more * mean - sqrt(more) * spread for now, mean, spread in terms]) >= proof

    enough = 1
    while not is_enough(enough):  # convex in the number of blocks, so that it is crossed once
        enough *= 2
        if enough > MAX_BLOCKS:
            return None
    too_few = enough // 2
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if is_enough(middle) else (middle, enough)
    return enough


def can_prove(differences: Mapping[float, int], proof: float) -> bool:
    """Return whether there are enough differences for a log capital of `proof` against zero.

    None of them multiplies the capital by more than 1 + the largest stake.
    """
    return sum(differences.values()) * log1p(STAKES[0]) >= proof


def count_fewest_blocks(proof: float) -> int:
    """Return the fewest blocks whose log capital against zero may be `proof`: see `can_prove`."""
    return max(0, floor(proof / log1p(STAKES[0])))


def log_capital(differences: Mapping[float, int], mean: float) -> float:
    """Return the log capital of the bet against "the mean is at most `mean`", for differences between -1 and 1."""
    return _add_logs(_log_capitals(differences, mean))


def log_aimed_capital(bets: Mapping[float, int], expected: float) -> float:
    """Return the log capital of a bet that wins nothing on average, or less, unless it wins `expected`.

    `bets`: what a stake of 1 wins in a block, at worst -1, with the number of blocks. Half of the coin is on the stake
    that is best where it wins `expected` on average: `expected` divided by the mean square. The other half is spread
    over small and large stakes, for what is won beyond.
    """
    squares = sum(value * value * count for value, count in bets.items())
    stake = min(STAKES[0], max(0.0, expected) * sum(bets.values()) / squares) if squares else STAKES[0]
    aimed = sum(count * log1p(stake * value) for value, count in bets.items())
    return _add_logs([aimed, log_capital(bets, 0.0)]) - log(2)


def _log_capitals(differences: Mapping[float, int], mean: float) -> list[float]:
    """Return the log capital of each stake, its part of the coin included."""
    return [
        log(weight) + sum(count * log1p(stake / (1 + mean) * (value - mean)) for value, count in differences.items())
        for stake, weight in zip(STAKES, WEIGHTS, strict=True)
    ]


def _lower_bound(differences: Mapping[float, int], error: float) -> float:
    low, high, proof = -1.0, 1.0, log(2 / error)
    for _ in range(INTERVAL_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if log_capital(differences, middle) >= proof else (low, middle)
    return low


def _turn(differences: Mapping[float, int]) -> dict[float, int]:
    """Return the differences with the second bot as the first."""
    return {-value: count for value, count in differences.items()}


def _add_logs(logs: list[float]) -> float:
    """Return the logarithm of the sum of the numbers whose logarithms are given."""
    greatest = max(logs)
    return greatest + log(sum(exp(value - greatest) for value in logs))
