"""Plays: which cards may be played together, and the lists of all plays: 2.2 of the rule book, and 2.5 for answers.

A `Playbook` has what is the same for all games with the same deck and options: the plays, made once, and lists of them
by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from pitboss import Deck
from pitboss_ragamaru.cards import (
    BOX,
    CARDS,
    COPIES,
    FIRST_PLACE,
    NUMBER,
    NUMBERS,
    colour_of,
    kind_of,
    number_of,
    places_in,
)
from pitboss_ragamaru.field import ALL_NUMBERS, BITS, FACE_MASKS, OF_KIND, OF_NUMBER, Top, lowest_place, top_of
from pitboss_ragamaru.messages import Play

NOT_TOGETHER: Final = ("CV", "TMO")  # D7
CACHED_LISTS: Final = 1 << 14  # lists of plays that are kept
NUMBER_MASK: Final = (1 << NUMBERS) - 1


def _mates(place: int) -> int:
    """Return the cards that may be played after a card in one play.

    They are those of its family (D6), and a Conversion after a Try (D8).
    """
    kind, number = kind_of(BOX[place]), number_of(BOX[place])
    if kind in NOT_TOGETHER:
        return 0
    family = OF_KIND[kind] if number is None else OF_NUMBER[number]
    return (family | (OF_KIND["CV"] if kind == "TRY" else 0)) & ~BITS[place]


SAME_FACE: Final = tuple(FACE_MASKS[face] for face in BOX)
MATES: Final = tuple(map(_mates, range(CARDS)))


class Combination(NamedTuple):
    """Cards that are played together, in their order."""

    action: Play
    kind: str  # of its first card
    kind_count: int  # number of its cards of that kind
    has_conversion: bool  # a Conversion is among them
    first_mask: int  # the mask of the card that comes first, or of its copies
    needed_mask: int  # the mask of its cards of which the deck has one copy
    cards: tuple[int, ...]  # the table's numbers of the cards in `needed_mask`
    copy_count: int  # number of its cards of which the deck has several copies
    copies_mask: int  # the mask of all these copies
    top: Top  # the field after the play, if nothing is named

    def is_in_hand(self, held: int) -> bool:
        """Whether a hand holds all the cards."""
        return held & self.needed_mask == self.needed_mask and (
            not self.copy_count or (held & self.copies_mask).bit_count() >= self.copy_count
        )


class Playbook:
    """All plays for one deck and one set of options, and cached lists of them by hand."""

    def __init__(self, conversion: bool, loop: bool, max_same: int, wild_advantage: bool) -> None:
        self.places = places_in(conversion, loop)  # by card
        self.faces = tuple(BOX[place] for place in self.places)
        self.deck = Deck(self.faces)
        self.bits = tuple(BITS[place] for place in self.places)  # by card
        self.card_at = {place: card for card, place in enumerate(self.places)}
        self.max_same = max_same
        self.wild_advantage = wild_advantage
        self.combinations = {
            faces: self._combination(faces)
            for place in self.places
            for faces in self._plays_from(place, MATES[place] & sum(self.bits))
        }
        self.single = {place: self.combinations[BOX[place],].action for place in self.places}
        self._firsts = lru_cache(CACHED_LISTS)(self._make_firsts)
        self._longer = lru_cache(CACHED_LISTS)(self._make_longer)
        self.answers = lru_cache(CACHED_LISTS)(self._make_answers)

    # ---- lists

    def plays(self, held: int, fits: int) -> list[Play]:
        """2.2: return all plays of a hand, by size, then in card order; equal cards once."""
        fitting = held & fits
        plays: list[Play] = []
        longer: list[Play] = []
        low = fitting & NUMBER_MASK
        for mask in (low, fitting ^ low):
            if mask:
                singles, firsts = self._firsts(mask)
                plays += singles
                for place in firsts:
                    if mates := held & MATES[place]:
                        longer += self._longer(place, mates)
        if longer:
            if self.max_same > 2:
                longer.sort(key=lambda play: len(play.cards))
            plays += longer
        size = held.bit_count()
        return plays if size > self.max_same else [*drop_going_out(plays, size)]

    def _make_firsts(self, mask: int) -> tuple[tuple[Play, ...], tuple[int, ...]]:
        """Return the plays of one card each, and their places."""
        first = tuple(_first_places(mask))
        return tuple([self.single[place] for place in first]), first

    def faces_of(self, mask: int) -> list[str]:
        """Return the faces of some cards in card order, equal ones once."""
        return [BOX[place] for place in _first_places(mask)]

    def _make_longer(self, place: int, mates: int) -> tuple[Play, ...]:
        """Return the plays of several cards that begin with the one at a place, the others being among its mates."""
        return tuple(self.combinations[faces].action for faces in self._plays_from(place, mates) if len(faces) > 1)

    def _make_answers(self, held: int, kind: str) -> tuple[Play, ...]:
        """2.5: return the plays that answer an attack; `held` are cards of a hand that answer it."""
        family = [place for place in range(CARDS) if held & OF_KIND[kind] & BITS[place]]
        plays = {faces: None for place in family for faces in self._plays_from(place, held & MATES[place])}
        alone = [(face,) for face in NOT_TOGETHER if held & OF_KIND[face]]
        return tuple(self.combinations[faces].action for faces in sorted([*plays, *alone], key=_sort_key))

    def _plays_from(self, place: int, mates: int) -> Iterator[tuple[str, ...]]:
        """Yield the faces of the plays that begin with the card at a place.

        D6: the order of those between the first and the last is immaterial.
        """
        first = BOX[place]
        others = [other for other in range(CARDS) if mates >> other & 1]
        family = [other for other in others if BOX[other] != "CV" or first == "CV"]
        yield (first,)
        yield from dict.fromkeys((first, BOX[other]) for other in others)
        for size in range(3, self.max_same + 1):
            places = (
                (*between, last) for between in combinations(family, size - 2) for last in family if last not in between
            )
            yield from dict.fromkeys((first, *(BOX[other] for other in rest)) for rest in sorted(places))

    def _combination(self, faces: tuple[str, ...]) -> Combination:
        kind, last = kind_of(faces[0]), faces[-1]
        single = [face for face in faces if face not in COPIES]
        copied = [face for face in faces if face in COPIES]
        converts = last == "CV"
        return Combination(
            action=Play(faces),
            kind=kind,
            kind_count=sum(kind_of(face) == kind for face in faces),
            has_conversion=converts,
            first_mask=OF_KIND[kind] if faces[0] in COPIES else BITS[FIRST_PLACE[faces[0]]],
            needed_mask=sum(BITS[FIRST_PLACE[face]] for face in single),
            cards=tuple(self.card_at[FIRST_PLACE[face]] for face in single),
            copy_count=len(copied),
            copies_mask=OF_KIND[copied[0]] if copied else 0,
            top=top_of(last, self.wild_advantage, colour_of(faces[0]) if converts else None),
        )


def drop_going_out(plays: Sequence[Play], size: int) -> Iterator[Play]:
    """2.2: yield the plays, without those that would empty a hand of `size` cards, unless they are of number cards."""
    for play in plays:
        if len(play.cards) < size or kind_of(play.cards[0]) == NUMBER:
            yield play


def can_play(held: int, fits: int) -> bool:
    """Whether a hand has any play (2.2): a card that fits, and it is a number card if it is the last one."""
    fitting = held & fits
    return bool(fitting and (held.bit_count() > 1 or fitting & ALL_NUMBERS))


def _first_places(mask: int) -> Iterator[int]:
    """Yield the places of a mask in card order, of equal cards the first."""
    while mask:
        place = lowest_place(mask)
        yield place
        mask &= ~SAME_FACE[place]


def _sort_key(faces: tuple[str, ...]) -> tuple[int, list[int]]:
    return len(faces), [FIRST_PLACE[face] for face in faces]


playbook: Final = lru_cache(Playbook)
