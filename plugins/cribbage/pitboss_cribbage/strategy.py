"""What is worth doing in Cribbage: which cards to keep, and which card to play to a count."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from pitboss_cribbage.scoring import MAX_COUNT, RANK_VALUES, count_play, count_show

# What a crib counts on average with some cards laid into it, by their ranks: a row for each lower rank, from its pair
# on. Found by play, in which the others lay away by the same reckoning.
OWN_PAIRS: Final = """\
5.1 3.9 4.3 5.3 5.3 3.6 3.6 3.5 3.3 3.2 3.5 3.3 3.3
5.5 6.7 4.3 5.3 3.7 3.7 3.4 3.5 3.5 3.7 3.4 3.4
5.7 4.5 5.9 3.6 3.6 3.8 3.5 3.5 3.9 3.6 3.6
5.5 6.4 3.7 3.5 3.7 3.6 3.5 3.8 3.5 3.5
8.6 6.3 5.9 5.4 5.4 6.6 6.8 6.5 6.5
5.4 4.6 4.4 4.9 3.0 3.3 3.0 3.0
5.6 6.1 3.8 2.9 3.4 3.0 3.0
5.1 4.4 3.5 3.3 3.1 3.0
4.8 4.0 3.8 2.9 2.9
4.5 4.5 3.2 2.7
5.2 4.7 4.0
4.6 3.4
4.4"""
OTHERS_PAIRS: Final = """\
6.0 4.8 4.9 5.7 5.9 4.7 4.7 4.6 4.5 4.2 4.6 4.2 4.1
6.2 7.0 5.2 6.1 5.0 4.9 4.9 4.6 4.6 4.7 4.4 4.3
6.5 5.9 6.6 4.6 4.9 4.9 4.7 4.6 4.7 4.4 4.4
6.4 7.1 5.3 4.6 4.9 4.6 4.3 4.5 4.3 4.3
9.0 7.3 6.8 6.1 5.9 7.1 7.3 7.1 7.0
6.7 6.1 5.4 5.9 4.2 4.3 4.1 4.0
6.7 7.2 5.0 4.3 4.4 4.2 4.1
6.3 5.4 4.8 4.4 4.2 4.0
6.2 5.2 4.7 4.0 3.8
5.8 5.2 4.4 3.6
6.4 5.2 4.5
5.5 4.2
5.4"""
OWN_SINGLES: Final = "3.9 4.1 4.2 4.1 6.3 4.2 4.3 4.3 4.1 3.8 4.2 3.8 3.8"
OTHERS_SINGLES: Final = "4.2 4.3 4.4 4.3 6.2 4.6 5.0 4.8 4.4 4.1 4.2 3.9 3.8"
RANKS: Final = range(13)
FOLLOW_UP: Final = 0.5  # how much the points of the own next card count beside those of this one
KEPT_LOW: Final = 0.03  # for each point of value: low cards are worth more later


def read_crib_worths(pairs: str, singles: str) -> dict[tuple[int, ...], float]:
    """Return what a crib is worth on average, by the ranks of the cards laid into it, the lower one first."""
    worths: dict[tuple[int, ...], float] = {}
    for low, row in enumerate(pairs.splitlines()):
        worths |= {(low, low + step): float(word) for step, word in enumerate(row.split())}
    return worths | {(rank,): float(word) for rank, word in enumerate(singles.split())}


CRIB_WORTHS: Final = {
    True: read_crib_worths(OWN_PAIRS, OWN_SINGLES),
    False: read_crib_worths(OTHERS_PAIRS, OTHERS_SINGLES),
}


def measure_laid_away(hand: Sequence[int], laid_away: Collection[int], is_own_crib: bool) -> float:
    """Return what the cards that are kept count on average over all starters, and the crib for its owner."""
    kept = [card for card in hand if card not in laid_away]
    starters = [card for card in range(52) if card not in hand]
    crib = CRIB_WORTHS[is_own_crib][tuple(sorted(card >> 2 for card in laid_away))]
    shown = sum([count_show(kept, starter) for starter in starters]) / len(starters)
    return shown + (crib if is_own_crib else -crib)


def choose_laid_away(hand: Sequence[int], count: int, is_own_crib: bool) -> tuple[int, ...]:
    """Return the cards to lay away."""
    return max(combinations(hand, count), key=lambda cards: measure_laid_away(hand, cards, is_own_crib))


class Rival(NamedTuple):
    """The opponent who plays next, as far as it is known."""

    cards: int  # that it holds; 0: it plays no more in this series
    unseen: Sequence[int]  # by rank, how many of its cards have not been seen


def measure_play(rank: int, series: Sequence[int], count: int, rest: Sequence[int], rival: Rival) -> float:
    """Return how many points more than the next opponent a card makes, with its answer and the best one to that.

    `series` and `rest` are ranks: of the cards since the count began, and of the others that are held.
    """
    ranks, total = [*series, rank], count + RANK_VALUES[rank]
    points = float(count_play(ranks, total)) - KEPT_LOW * (10 - RANK_VALUES[rank])
    if total == MAX_COUNT:
        return points
    chance_of_go = 1.0
    for answer, chance in list_answers(ranks, total, rival):
        chance_of_go -= chance
        reply = total + RANK_VALUES[answer]
        points -= chance * count_play([*ranks, answer], reply)
        points += chance * FOLLOW_UP * best_play(rest, [*ranks, answer], reply)
    return points + chance_of_go * (1 + best_play(rest, ranks, total))


def best_play(held: Sequence[int], series: Sequence[int], count: int) -> int:
    """Return the most points that a card of a hand makes now."""
    playable = [rank for rank in held if count + RANK_VALUES[rank] <= MAX_COUNT]
    return max([count_play([*series, rank], count + RANK_VALUES[rank]) for rank in playable], default=0)


def list_answers(ranks: Sequence[int], count: int, rival: Rival) -> Iterator[tuple[int, float]]:
    """Yield the ranks that the next opponent can answer with, and how likely each is the best that it holds."""
    unseen = sum(rival.unseen)
    playable = [rank for rank in RANKS if rival.unseen[rank] and count + RANK_VALUES[rank] <= MAX_COUNT]
    scored = {rank: count_play([*ranks, rank], count + RANK_VALUES[rank]) for rank in playable}
    better, before = 0, 0.0  # cards that score more, and how likely it holds one of them
    for points in sorted({*scored.values()}, reverse=True):
        equal = [rank for rank in playable if scored[rank] == points]
        copies = sum(rival.unseen[rank] for rank in equal)
        better += copies
        holds = 1 - (1 - better / unseen) ** rival.cards
        yield from ((rank, (holds - before) * rival.unseen[rank] / copies) for rank in equal)
        before = holds
