"""What cards of Gin Rummy are worth to keep, and what a discard may give to the other. Hands are masks of cards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from typing import Final

from pitboss.parts.melds import BITS, CARDS, GIN_WORTH, RANK_COUNT, find_layoffs, iter_places
from pitboss_gin_rummy.state import DEADWOOD, HAND

HOPE: Final = 2.0  # what is likely to be loose after another draw counts so much beside what is loose now
MAX_WORSE: Final = 10  # points by which a discard may leave more loose than another, to be thought of
GIFT: Final = 8.0  # points that a meld is worth to the other


class HandProspects:
    """The prospects of a hand: cards that may still be drawn, and cards that the other player may hold."""

    def __init__(self, unseen: int, known: int) -> None:
        """`unseen` are the cards that may lie in the stock or the other hand, `known` those of the other hand."""
        self.unseen, self.known = [*iter_places(unseen)], known
        held = max(0, HAND - known.bit_count())
        self.share = min(1.0, held / max(1, len(self.unseen)))  # chance that the other holds an unseen card
        self.may_hold = unseen

    def choose_discard(self, held: int, allowed: Iterable[int]) -> int:
        """Return the card whose discard costs least: what stays loose now and after a draw, and what it gives away."""
        loose = {card: DEADWOOD.find_least(held ^ BITS[card]) for card in allowed}
        most = min(loose.values()) + MAX_WORSE
        likely = [card for card, left in loose.items() if left <= most]
        return min(likely, key=lambda card: self.cost_of(held ^ BITS[card], loose[card]) + self.gift_of(card))

    def cost_of(self, held: int, loose: int) -> float:
        """Return what ten cards cost: the points loose, and the mean of what is loose after another draw."""
        return loose + HOPE * self.hope_of(held, loose)

    def hope_of(self, held: int, loose: int) -> float:
        """Return the mean of what is loose after a draw, of ten cards with so much loose."""
        dearest = loose - min(DEADWOOD.find_least(held ^ BITS[card]) for card in iter_places(held))
        left = 0
        for card in self.unseen:
            if any(one & held and other & held for one, other in partners_of(card)):
                left += least_after_discard(held | BITS[card])
            else:
                left += loose + min(0, GIN_WORTH[card % RANK_COUNT] - dearest)
        return left / max(1, len(self.unseen))

    def gift_of(self, card: int) -> float:
        """Return what a discard is likely to be worth to the other: the melds that it would complete."""
        chance = 1.0
        for one, other in partners_of(card):
            chance *= 1 - self.chance_of(one) * self.chance_of(other)
        return GIFT * (1 - chance)

    def chance_of(self, card: int) -> float:
        """Return how likely it is that the other holds a card, given as a mask."""
        if self.known & card:
            return 1.0
        return self.share if self.may_hold & card else 0.0

    def count_layoffs(self, melds: Iterable[int]) -> int:
        """Return how many points the other may lay off on melds."""
        fitting = 0
        for meld in melds:
            fitting |= find_layoffs(meld)
        return sum(GIN_WORTH[card % RANK_COUNT] for card in iter_places(fitting & (self.may_hold | self.known)))


def least_after_discard(held: int) -> int:
    """Return the least that is loose after a discard."""
    return min(DEADWOOD.find_least(held ^ BITS[card]) for card in iter_places(held))


@cache
def partners_of(card: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of cards, each as a mask, with which a card is a meld of three."""
    same = [other for other in range(card % RANK_COUNT, CARDS, RANK_COUNT) if other != card]
    runs = [(card + one, card + other) for one, other in ((-2, -1), (-1, 1), (1, 2))]
    suit = card // RANK_COUNT
    pairs = [*combinations(same, 2), *(pair for pair in runs if all(part // RANK_COUNT == suit for part in pair))]
    return tuple((BITS[one], BITS[other]) for one, other in pairs)
