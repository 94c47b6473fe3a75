"""Tokens: hidden cards by where they came from, and what is known of them later.

Copies of a card that were mixed in different shuffles may be taken for each other; what is shown later then tells that a pick was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final, NamedTuple

from pitboss.inference.scripted_random import KnownShuffle
from pitboss.table.cards import Face
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import Zone

LOST: Final = -2  # something lies there, but it is not known what


class TrackChoice(NamedTuple):
    """A choice between hidden cards that came from different mixings, and may all have the face that was shown."""

    key: tuple[int, int]  # the event, and the number of the pick in it
    zone: Zone
    face: Face
    group: int
    other_groups: tuple[int, ...]  # the mixings that were not chosen


class CardTracks:
    """What is known of hidden cards: `needs` of those on a table, `orders` of shuffles.

    A *token* is a card of the table by its number, or, from the size of the deck on, what came to lie at a place in a shuffle. Its *mixing* is
    its batch, or -1 - n if it is of the n-th shuffle. Copies of a card that were mixed in different ones may be taken for each other; what
    is shown later then is in conflict with that.
    """

    def __init__(self, table: Table, seat: int, rng: Random, fixed_choices: Mapping[tuple[int, int], int]) -> None:
        self.required_faces: dict[int, Face] = {}
        self.known_shuffles: list[KnownShuffle] = []
        self.choices: list[TrackChoice] = []
        self.conflict: list[TrackChoice] | None = (
            None  # a card was shown that cannot lie there: the picks that may be wrong
        )
        layout = table.layout
        self.table = table
        self.deck = layout.deck
        self._seat_bit = 1 << seat
        self._rng = rng
        self._fixed_choices = fixed_choices
        self._is_plain = table.has_only_public_groups
        self._faces_by_place: list[dict[int, Face]] = []  # by shuffle: the faces at its places
        self._shuffled_faces: list[list[Face]] = []  # by shuffle: the faces that are known to have gone in
        self._unknown_tracks: list[list[int]] = []  # by shuffle: the tokens that went in whose faces are not known
        self._origins: list[tuple[int, int]] = []  # by token from the size of the deck on: its shuffle and its place
        self._face_counts: dict[tuple[int, Face], int] = {}  # by mixing and face: how many cards with it there were
        self._shown_counts: dict[tuple[int, Face], int] = {}  # and how many of them have been shown
        self.event_number = 0  # the event that is followed
        self.source_zone = layout.zones[0]  # the zone that a card leaves

    @property
    def is_consistent(self) -> bool:
        """Tell whether the cards that lie hidden on the table have the faces that they need."""
        faces = self.deck.faces
        return all(faces[card] == face for card, face in self.required_faces.items())

    # ---- what is known of a token

    def known_face(self, track: int) -> Face | None:
        """Return the face of a token, None if it is not known."""
        count = len(self.deck)
        if track >= count:
            shuffle, place = self._origins[track - count]
            return self._faces_by_place[shuffle].get(place)
        if track < 0:
            return None
        return self.deck.faces[track] if self.table.known_by[track] & self._seat_bit else self.required_faces.get(track)

    def _group_of(self, track: int) -> int:
        count = len(self.deck)
        return self.table.shuffle_group_of[track] if track < count else -1 - self._origins[track - count][0]

    def _count_unshown(self, group: int, face: Face) -> int:
        """Return how many cards with a face a mixing is known to have that have not been shown."""
        return self._count_faces(group, face) - self._shown_counts.get((group, face), 0)

    def _count_faces(self, group: int, face: Face) -> int:
        """Return how many cards with a face a mixing is known to have had."""
        key = group, face
        if key not in self._face_counts:
            if group < 0:
                self._face_counts[key] = self._shuffled_faces[-1 - group].count(face)
            else:
                batch, known = self.table.shuffle_group_of, self.table.known_by
                self._face_counts[key] = sum(
                    batch[copy] == group and not known[copy] & self._seat_bit for copy in self.deck.copies(face)
                )
        return self._face_counts[key]

    def _can_hold(self, group: int, face: Face, *, counts_shown: bool = False) -> bool:
        """Tell whether a mixing may have (or have had) a card with a face that has not been shown: on a plain table each batch is known."""
        if group >= 0 and not self._is_plain:
            return True
        if (self._count_faces if counts_shown else self._count_unshown)(group, face) > 0:
            return True
        open_in = self._unknown_tracks[-1 - group] if group < 0 else ()
        return any(
            token == LOST or (self.known_face(token) is None and self._can_hold(self._group_of(token), face))
            for token in open_in
        )

    def set_face(self, track: int, face: Face) -> None:
        """Note that a token has a face."""
        if track < 0 or self.known_face(track) is not None:
            return
        count, mixing = len(self.deck), self._group_of(track)
        if not self._can_hold(mixing, face):
            self._note_conflict({mixing}, face)
            return
        if track < count:
            self.required_faces[track] = face
        else:
            shuffle, place = self._origins[track - count]
            self._faces_by_place[shuffle][place] = face
            if not self._count_unshown(mixing, face):
                source = self.assign(self._unknown_tracks[shuffle], face)
                if source in self._unknown_tracks[shuffle]:
                    self._unknown_tracks[shuffle].remove(source)
                return
        if mixing < 0 or self._is_plain:
            self._shown_counts[mixing, face] = self._shown_counts.get((mixing, face), 0) + 1

    def assign(self, tracks: Sequence[int], face: Face) -> int:
        """Return one of some tokens that has a face, or may have it, and then has it; LOST if there is none."""
        able = []
        for token in tracks:
            known = self.known_face(token)
            if known == face:
                return token
            if known is None and token >= 0:
                able.append(token)
        mixings = {
            mixing for mixing in set(map(self._group_of, able)) if self._can_hold(mixing, face, counts_shown=True)
        }
        if len(mixings) > 1 and len(self.deck.copies(face)) > 1:
            able = self._restrict_to_one_group(able, mixings, face)
        else:
            able = [
                token
                for token in able
                if self._group_of(token) in mixings and self._can_hold(self._group_of(token), face)
            ]
        if not able:
            if LOST not in tracks and self.conflict is None:
                self._note_conflict(mixings, face)
            return LOST
        faces = self.deck.faces
        token = next((token for token in able if token < len(faces) and faces[token] == face), LOST)
        if token == LOST:
            token = able[0] if self._is_plain else self._rng.choice(able)
        self.set_face(token, face)
        return token

    def _note_conflict(self, groups: Set[int], face: Face) -> None:
        """Note which picks may be wrong: those that took such cards for others of the same mixing, or what can be this card for another one."""
        self.conflict = [
            pick
            for pick in self.choices
            if (pick.face == face and pick.group in groups)
            or (pick.zone == self.source_zone and pick.group not in groups and self._can_hold(pick.group, face))
        ]

    def _restrict_to_one_group(self, candidates: list[int], groups: Set[int], face: Face) -> list[int]:
        """Return those that came from one mixing."""
        key = self.event_number, sum(pick.key[0] == self.event_number for pick in self.choices)
        mixing = self._fixed_choices.get(key)
        if mixing is None or mixing not in groups:
            mixing = self._guess_group(candidates, groups, face)
        self.choices.append(TrackChoice(key, self.source_zone, face, mixing, tuple(sorted(groups - {mixing}))))
        return [token for token in candidates if self._group_of(token) == mixing]

    def _guess_group(self, candidates: Sequence[int], groups: Set[int], face: Face) -> int:
        """Return the mixing of the card that has the face as the table lies, or of any."""
        faces = self.deck.faces
        free = {mixing for mixing in groups if self._can_hold(mixing, face)} or groups
        tokens = [token for token in candidates if self._group_of(token) in free]
        return self._group_of(
            next((one for one in tokens if one < len(faces) and faces[one] == face), self._rng.choice(tokens))
        )

    def add_shuffle(self, tracks: Sequence[int] | None, size: int) -> list[int]:
        """Return the tokens of so many cards that were shuffled, by their places; None went in: the whole deck."""
        went_in = [(token, self.known_face(token)) for token in tracks or ()]
        self._shuffled_faces.append(
            [*self.deck.faces] if tracks is None else [face for _, face in went_in if face is not None]
        )
        self._unknown_tracks.append([token for token, face in went_in if face is None])
        first, wanted = len(self.deck) + len(self._origins), dict[int, Face]()
        self._origins += [(len(self._faces_by_place), place) for place in range(size)]
        self._faces_by_place.append(wanted)
        self.known_shuffles.append(KnownShuffle(size, wanted))
        return [*range(first, first + size)]
