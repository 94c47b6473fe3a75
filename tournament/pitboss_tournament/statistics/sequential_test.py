"""Sequential test of two bots, valid however often it is looked at: a tournament can stop as soon as it is sure.

A fixed 95 % interval that is checked repeatedly will eventually be wrong. This module uses betting (e-values) instead
(Ville 1939; Waudby-Smith and Ramdas 2024, *Estimating means of bounded random variables by betting*, JRSS B 86):
against the claim "the mean difference is at most m" a gambler with one coin stakes the same share of his capital on
every block, and his capital is multiplied by 1 + share · (difference - m). If the claim holds, he wins nothing on
average, and the probability that he ever has 1/error coins is at most `error`, however often and whenever one looks. As
the best share is not known, the coin is spread over many of them, small and large. The capital is a function of the
differences alone, in whatever order they came.

The only assumptions are that blocks are independent and that no difference exceeds 1, which holds for place scores. So
many equal differences, ties only or one great loss among small wins cannot give false certainty from the first block
on. Tests that estimate the variance, such as sequential t-tests, are a little quicker on normal differences, but can
err without limit on skewed ones (and no test of a mean can do without a bound: Bahadur and Savage 1956).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log, log1p
from typing import Final, Literal, TypeAlias

ERROR: Final = 0.05
# shares of the largest stake that can never lose all the capital; the smallest is 0.0056
STAKES: Final = tuple(0.95 * 0.8**number for number in range(24))

SequentialVerdict: TypeAlias = Literal["better", "worse", "close", "undecided"]


def judge_differences(
    differences: Mapping[float, int], *, delta: float | None = None, error: float = ERROR
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
    if log_capital(differences, 0.0) >= proof:
        return "better"
    turned = {-value: count for value, count in differences.items()}
    if log_capital(turned, 0.0) >= proof:
        return "worse"
    if delta is not None and min(log_capital(differences, -delta), log_capital(turned, -delta)) >= proof:
        return "close"
    return "undecided"


def log_capital(differences: Mapping[float, int], mean: float) -> float:
    """Return the log capital of the bet against "the mean is at most `mean`", for differences between -1 and 1."""
    logs = []
    for share in STAKES:
        stake = share / (1 + mean)
        logs.append(sum(count * log1p(stake * (value - mean)) for value, count in differences.items()))
    greatest = max(logs)
    return greatest + log(sum(exp(value - greatest) for value in logs) / len(logs))
