"""Play variants: which copy of a card was laid down, where copies lie hidden in several shuffle groups.

A player lays down a card from a hand with cards of two groups. A seat that does not see the hand knows the face, not
from which group the card came if both hide a copy. A *variant* names a group for each such play. Compared with
the real table, a place of the hand and a copy then change from that group to the group of the real card.

A variant's weight counts the deals and places in which it happened. A deal in which the player held several copies is
counted once for each, so worlds are kept with the reciprocal of their number: then all deals are equally likely.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from math import factorial, perm, prod
from typing import Final, NamedTuple

from pitboss.table.cards import Face
from pitboss.table.knowledge import Knowledge, OpenPlay
from pitboss.table.randomness import Random

MAX_VARIANTS: Final = 64  # with more, the earliest plays are taken as what they were


class PlacedPlay(NamedTuple):
    """A play, the group that its card came from in a variant, and the place that is of that group in truth (or -1)."""

    play: OpenPlay
    group: int
    place: int


class PlayVariant(NamedTuple):
    """A group for each play."""

    plays: tuple[PlacedPlay, ...]
    weight: int

    def moved_groups(self) -> dict[int, int]:
        """Return the group of a place in this variant, by place, for the places whose group differs from the truth."""
        return {placed.place: placed.play.group for placed in self.plays if placed.place >= 0}


class PlayVariants:
    """All variants of the plays that a seat has seen; `is_certain` if there is only the real one."""

    def __init__(self, table: Knowledge, seat: int) -> None:
        bit = 1 << seat
        self._faces = table.layout.deck.faces
        self._group_of = table.shuffle_group_of
        self._unseen = [card for card, seats in enumerate(table.known_by) if not seats & bit]
        self._hidden = frozenset(self._unseen)
        self._plays = [play for play in table.open_plays if not play.known_by & bit]
        self._copies = self._count_copies()
        self._variants = [] if table.card_domains else self._list_variants()
        self._total = sum(variant.weight for variant in self._variants)

    @property
    def is_certain(self) -> bool:
        """Whether there is no variant but the real one."""
        return len(self._variants) < 2

    def sample_variant(self, rng: Random) -> PlayVariant:
        """Draw a variant by its weight."""
        drawn = rng.randbelow(self._total)
        for variant in self._variants:
            drawn -= variant.weight
            if drawn < 0:
                return variant
        return self._variants[-1]

    def sample_deal(self, variant: PlayVariant, rng: Random) -> list[int]:
        """Deal the unseen cards uniformly within the groups of a variant; return the card in the place of each."""
        replacements: dict[int, int] = {}
        for places, cards in self._deal_groups(variant):
            rng.shuffle(cards)
            replacements.update(zip(places, cards, strict=True))
        return [replacements[card] for card in self._unseen]

    def is_kept(self, cards: Sequence[int], rng: Random) -> bool:
        """Draw whether a deal is kept: with the reciprocal of the number of copies held at each play."""
        held = prod(1 + self._count_held(play, cards) for play in self._plays)
        return held == 1 or rng.randbelow(held) == 0

    def _count_held(self, play: OpenPlay, cards: Sequence[int]) -> int:
        """Return how many other copies were in the hand when the card was played."""
        face = self._faces[play.card]
        return sum(
            self._faces[cards[card] if self._lies_there(card, group) else card] == face
            for card, group in zip(play.rest, play.rest_groups, strict=True)
        )

    def _lies_there(self, card: int, group: int | None) -> bool:
        """Return whether a card of a hand has been hidden ever since."""
        return self._group_of[card] == group and card in self._hidden

    def _count_copies(self) -> Counter[tuple[Face, int]]:
        """Return the number of copies in each group before the plays, by face and group."""
        faces = {self._faces[play.card] for play in self._plays}
        copies = Counter(
            (self._faces[card], self._group_of[card]) for card in self._unseen if self._faces[card] in faces
        )
        copies.update((self._faces[play.card], play.group) for play in self._plays)
        return copies

    def _list_variants(self) -> list[PlayVariant]:
        options = [self._list_options(play) for play in self._plays]
        for number in range(len(options)):
            if prod(map(len, options)) <= MAX_VARIANTS:
                break
            options[number] = options[number][:1]
        made = (self._make_variant(plays) for plays in product(*options)) if options else iter(())
        return [variant for variant in made if variant is not None]

    def _list_options(self, play: OpenPlay) -> list[PlacedPlay]:
        """Return the real group of a play, then each other group of which a place of the hand may have been left."""
        by_group = {play.group: [PlacedPlay(play, play.group, -1)]}
        for card, group in zip(play.rest, play.rest_groups, strict=True):
            if group is not None and group != play.group and self._lies_there(card, group):
                by_group.setdefault(group, []).append(PlacedPlay(play, group, card))
        return [*chain.from_iterable(by_group.values())]

    def _make_variant(self, plays: tuple[PlacedPlay, ...]) -> PlayVariant | None:
        """Return a variant; None if a group has too few copies, or two plays need one place."""
        places = [placed.place for placed in plays if placed.place >= 0]
        used = Counter((self._faces[placed.play.card], placed.group) for placed in plays)
        if len(set(places)) < len(places) or any(count > self._copies[key] for key, count in used.items()):
            return None
        sizes = Counter(self._group_of[card] for card in self._unseen)
        for placed in plays:
            if placed.place >= 0:
                sizes[placed.group] -= 1
                sizes[placed.play.group] += 1
        deals = prod(map(factorial, sizes.values())) * prod(
            perm(self._copies[key], count) for key, count in used.items()
        )
        variant = PlayVariant(plays, deals)
        moved = variant.moved_groups()
        return variant._replace(weight=deals * prod(self._count_places(placed, moved) for placed in plays))

    def _deal_groups(self, variant: PlayVariant) -> list[tuple[list[int], list[int]]]:
        """Return places and cards of each group; copies go to the groups that have used fewer than in truth."""
        moved = variant.moved_groups()
        used = Counter((self._faces[placed.play.card], placed.group) for placed in variant.plays)
        places: dict[int, list[int]] = {}
        cards: dict[int, list[int]] = {}
        spare: dict[Face, list[int]] = {}
        kept: Counter[tuple[Face, int]] = Counter()
        for card in self._unseen:
            face, group = self._faces[card], self._group_of[card]
            places.setdefault(moved.get(card, group), []).append(card)
            if self._copies[face, group] and kept[face, group] == self._copies[face, group] - used[face, group]:
                spare.setdefault(face, []).append(card)
            else:
                kept[face, group] += 1
                cards.setdefault(group, []).append(card)
        for (face, group), count in self._copies.items():
            for _ in range(count - used[face, group] - kept[face, group]):
                cards.setdefault(group, []).append(spare[face].pop())
        return [(places[group], cards[group]) for group in sorted(places)]

    def _count_places(self, placed: PlacedPlay, moved: Mapping[int, int]) -> int:
        """Return how many places of the hand, of those that still hold their cards, the card may have left."""
        if placed.place >= 0:
            return 1  # each such place is a variant of its own
        return 1 + sum(
            self._lies_there(card, group) and moved.get(card, group) == placed.group
            for card, group in zip(placed.play.rest, placed.play.rest_groups, strict=True)
        )


def relabel_plays(
    plays: Sequence[OpenPlay], cards: Sequence[int], group_of: Sequence[int], variant: PlayVariant | None
) -> Iterator[OpenPlay]:
    """Yield the plays as they are in a world: `cards[card]` lies where `card` lay, of the group `group_of` there."""
    came_from = {} if variant is None else {placed.play.card: placed.group for placed in variant.plays}
    moved = {} if variant is None else variant.moved_groups()
    for play in plays:
        rest = [
            (cards[card], moved.get(card, group)) if group_of[card] == group else (card, group)
            for card, group in zip(play.rest, play.rest_groups, strict=True)
        ]
        yield play._replace(
            group=came_from.get(play.card, play.group),
            rest=tuple([card for card, _ in rest]),
            rest_groups=tuple([group for _, group in rest]),
        )
