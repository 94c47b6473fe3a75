"""Equity: the share of the pot that a hand wins on average if nobody bets any more, by sampling of unseen cards."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

from pitboss_poker.hand_strength import rank_hand
from pitboss_poker.variant import PokerVariant


def estimate_equity(
    variant: PokerVariant, own: Sequence[int], board: Sequence[int], picks: Sequence[float], samples: int, rng: Random
) -> float:
    """Return the equity of a hand, 0 to 1, against an opponent for each number in `picks`.

    `own` and `board` are keys of cards (`hand_strength.card_key`). An opponent holds the best of so many random hands,
    as they stand on this board: 1 for one that has shown nothing, more for one that has bet or raised. Of 1.3 it is the
    best of two in three of ten samples.
    """
    known = {*own, *board}
    unseen = [key for key in variant.card_keys if key not in known]
    hole, missing = variant.hole_cards, variant.board_size - len(board)
    most = (len(unseen) - missing) // hole  # hands that can be drawn from a small deck
    hands = _limit_picks(picks, most)
    drawn = hole * sum(hands) + missing
    shares = [pick % 1 or 1.0 for pick in picks]  # of the samples in which the last of the hands counts
    won = 0.0
    for _ in range(samples):
        cards = rng.sample(unseen, drawn)
        whole_board = [*board, *cards[:missing]]
        strength = rank_hand([*own, *whole_board])
        ties, at = 1, missing
        for count, share in zip(hands, shares, strict=True):
            theirs = cards[at : at + hole]
            counted = count - (count > 1 and share < 1 and rng.random() >= share)
            for other in range(at + hole, at + hole * counted, hole):
                rival = cards[other : other + hole]
                if rank_hand([*board, *rival]) > rank_hand([*board, *theirs]):
                    theirs = rival
            at += hole * count
            other_strength = rank_hand([*theirs, *whole_board])
            if other_strength > strength:
                break
            ties += other_strength == strength
        else:
            won += 1 / ties
    return won / samples


def _limit_picks(picks: Sequence[float], most: int) -> list[int]:
    """Return the numbers, rounded up, so reduced that no more than `most` hands are drawn; each is at least 1."""
    spare = most - len(picks)
    limited = []
    for pick in picks:
        more = min(ceil(pick) - 1, max(spare, 0))
        spare -= more
        limited.append(1 + more)
    return limited
