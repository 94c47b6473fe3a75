"""Uniform deals of cards to places of which some may hold only certain cards.

A player who did not follow suit holds no card of the suit, for example. Cards that fit the same places form a *class*,
places with the same domain a *group*. Groups are filled in turn; the number of cards of each class is drawn with the
number of completions as its weight.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, prod
from typing import TypeAlias

from pitboss.table.randomness import Random

ClassCounts: TypeAlias = tuple[int, ...]  # by class: how many cards
PlaceGroup: TypeAlias = tuple[int, tuple[int, ...]]  # how many places, and the classes that they may hold


class ConstrainedDeal:
    """A deal of `cards` to as many places; place k may hold a card of `domains[k]` (None: any)."""

    def __init__(self, cards: Sequence[int], domains: Sequence[frozenset[int] | None]) -> None:
        places: dict[frozenset[int], list[int]] = {}
        for place, domain in enumerate(domains):
            if domain is not None:
                places.setdefault(domain, []).append(place)
        classes: dict[tuple[bool, ...], list[int]] = {}
        for card in cards:
            classes.setdefault(tuple([card in domain for domain in places]), []).append(card)
        self._card_classes = list(classes.values())
        self._grouped_places = list(places.values())
        self._free_places = [place for place, domain in enumerate(domains) if domain is None]
        self._place_groups = tuple(
            (len(group), tuple(number for number, fits in enumerate(classes) if fits[nth]))
            for nth, group in enumerate(self._grouped_places)
        )

    @property
    def is_possible(self) -> bool:
        """Whether the cards can be dealt to fit all domains."""
        return bool(_count_ways(tuple(map(len, self._card_classes)), self._place_groups))

    def sample_deal(self, rng: Random) -> list[int]:
        """Return the card of each place in a deal drawn uniformly from the possible ones."""
        dealt = [0] * (len(self._free_places) + sum(map(len, self._grouped_places)))
        heaps = [heap[:] for heap in self._card_classes]
        for nth, places in enumerate(self._grouped_places):
            hand: list[int] = []
            for number, share in enumerate(_sample_share(tuple(map(len, heaps)), self._place_groups[nth:], rng)):
                if share:
                    rng.shuffle(heaps[number])
                    hand += heaps[number][:share]
                    del heaps[number][:share]
            if len(self._place_groups[nth][1]) > 1:
                rng.shuffle(hand)
            for place, card in zip(places, hand, strict=True):
                dealt[place] = card
        rest = [card for heap in heaps for card in heap]
        rng.shuffle(rest)
        for place, card in zip(self._free_places, rest, strict=True):
            dealt[place] = card
        return dealt


def _sample_share(counts: ClassCounts, groups: tuple[PlaceGroup, ...], rng: Random) -> ClassCounts:
    """Draw the number of cards of each class that the first group gets."""
    shares, weights = _weigh_shares(counts, groups)
    if len(shares) == 1:
        return shares[0]
    drawn = rng.randbelow(weights[-1])
    return next(share for share, weight in zip(shares, weights, strict=True) if drawn < weight)


@lru_cache(maxsize=1 << 11)  # the same for all worlds sampled at one decision
def _weigh_shares(
    counts: ClassCounts, groups: tuple[PlaceGroup, ...]
) -> tuple[tuple[ClassCounts, ...], tuple[int, ...]]:
    """Return the possible shares of the first group, and the running totals of their numbers of completions."""
    size, classes = groups[0]
    shares, weights, total = [], [], 0
    for share in _generate_shares(counts, size, classes, 0):
        left = tuple(count - taken for count, taken in zip(counts, share, strict=True))
        ways = prod(map(comb, counts, share)) * _count_ways(left, groups[1:])
        if ways:
            total += ways
            shares.append(share)
            weights.append(total)
    return tuple(shares), tuple(weights)


def _count_ways(counts: ClassCounts, groups: tuple[PlaceGroup, ...]) -> int:
    """Return the number of ways to fill the groups, regardless of the order of places within a group."""
    if not groups:
        return 1
    weights = _weigh_shares(counts, groups)[1]
    return weights[-1] if weights else 0


def _generate_shares(counts: ClassCounts, size: int, classes: tuple[int, ...], at: int) -> Iterator[ClassCounts]:
    """Yield every way to take `size` cards of the classes from number `at` on."""
    if at == len(counts):
        if size == 0:
            yield ()
        return
    for taken in range(min(counts[at], size) + 1) if at in classes else (0,):
        for rest in _generate_shares(counts, size - taken, classes, at + 1):
            yield (taken, *rest)
