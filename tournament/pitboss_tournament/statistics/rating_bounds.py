"""One-sided bounds of the ratings of bots that nobody was placed ahead of, or that were placed ahead of nobody.

Any greater strength would explain such games better, so there is no upper bound, and an interval of as many standard
errors on both sides is far too long (Hauck and Donner 1977). The lower bound is the strength with which all of its
blocks would be won with a chance of 2.5 %, the others being as strong as they are rated. Games of a block may be as
good as copies of each other: so each block counts as one game, against its strongest opponent alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from math import exp, inf, log, log1p
from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.statistics.arrays import np
from pitboss_tournament.statistics.block_chunks import BlockChunk, iter_comparisons
from pitboss_tournament.statistics.bradley_terry import PairModel
from pitboss_tournament.statistics.student_t import CONFIDENCE

BoundKind: TypeAlias = Literal["at least", "at most"]

LOG_CHANCE: Final = log((1 - CONFIDENCE) / 2)
WIDEST: Final = 50.0  # of a log strength
BOUND_HALVINGS: Final = 60


class StrengthBound(NamedTuple):
    """The only bound of a bot's log strength."""

    kind: BoundKind
    value: float


def find_bounds(model: PairModel, strengths: Mapping[int, float]) -> dict[int, StrengthBound]:
    """Return the bounds of the bots that were never placed behind another, or never ahead of one, but tied with all.

    Blocks in which a bot only ties do not count. There are no bounds where seats win and lose together.
    """
    if model.rankings.has_sides:
        return {}
    kinds = _find_kinds(model)
    opponents: dict[int, Counter[float]] = {entrant: Counter() for entrant in kinds}
    for chunk in model.iter_chunks() if kinds else ():
        for (_, entrant), others in _list_opponents(model, chunk, kinds.keys()).items():
            toughest = max if kinds[entrant] == "at least" else min
            opponents[entrant][toughest(strengths[other] for other in others)] += 1
    return {entrant: StrengthBound(kind, _solve_bound(kind, opponents[entrant])) for entrant, kind in kinds.items()}


def head_to_head_bound(blocks: int) -> float:
    """Return the least difference of the log strengths of two bots of whom one won all of their blocks."""
    if not blocks:
        return -inf
    chance = exp(LOG_CHANCE / blocks)
    return log(chance / (1 - chance))


def _find_kinds(model: PairModel) -> dict[int, BoundKind]:
    pairs, sides = model.likelihood.pairs, model.sides
    has_won, has_lost = set[int](), set[int]()
    for contenders, ahead, behind in ((pairs.one, pairs.won, pairs.lost), (pairs.two, pairs.lost, pairs.won)):
        for counts, found in ((ahead, has_won), (behind, has_lost)):
            found.update(sides[contender][0] for contender in set(contenders[counts > 0].tolist()))
    kinds: dict[int, BoundKind] = dict.fromkeys(has_won - has_lost, "at least")
    return kinds | dict.fromkeys(has_lost - has_won, "at most")


def _list_opponents(model: PairModel, chunk: BlockChunk, entrants: Set[int]) -> dict[tuple[int, int], set[int]]:
    """Return for each block and each of these entrants, which are ahead of all or behind all, whom it did not tie with.

    The entrants' blocks are few among all.
    """
    contenders = model.rankings.contenders
    is_asked = np.array([side[0] in entrants for side, _ in contenders], dtype=np.bool_)
    opponents: dict[tuple[int, int], set[int]] = {}
    for games in chunk.games:
        for compared in iter_comparisons(games):
            some = is_asked[compared.ahead] | is_asked[compared.behind]
            columns = [column[some].tolist() for column in compared]
            for block, *pair in zip(*columns, strict=True):
                one, two = (contenders[contender][0][0] for contender in pair)
                for entrant, other in ((one, two), (two, one)):
                    if entrant in entrants:
                        opponents.setdefault((block, entrant), set()).add(other)
    return opponents


def _solve_bound(kind: BoundKind, opponents: Counter[float]) -> float:
    """Return the log strength at which the chance of all blocks is that of LOG_CHANCE, by bisection."""
    sign = 1 if kind == "at least" else -1
    low, high = -WIDEST, WIDEST  # of the bot's advantage in its own direction
    for _ in range(BOUND_HALVINGS):
        middle = (low + high) / 2
        chance = -sum(count * log1p(exp(sign * strength - middle)) for strength, count in opponents.items())
        low, high = (middle, high) if chance < LOG_CHANCE else (low, middle)
    return sign * low
