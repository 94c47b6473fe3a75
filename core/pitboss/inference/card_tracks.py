"""Card tracks: hidden cards identified by their origin, and the faces that later events give them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final, NamedTuple

from pitboss.inference.scripted_random import KnownShuffle
from pitboss.table.cards import Face
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import Zone

LOST: Final = -2  # the track of a card of unknown origin


class TrackChoice(NamedTuple):
    """A guess of the shuffle group that a shown card came from, where several groups may hold its face."""

    key: tuple[int, int]  # the event, and the number of the choice in it
    zone: Zone
    face: Face
    group: int
    other_groups: tuple[int, ...]  # those not chosen


class CardTracks:
    """Faces required of hidden cards (`required_faces`) and of shuffles (`known_shuffles`).

    A *track* is a card number, or from the deck size on a place in a shuffle among the events. Its *group* is the
    shuffle group of the card, or -1 - n for the n-th of these shuffles (from 0). A shown copy may have come from one of
    several groups: each guess is recorded in `choices`, and a later conflict names the guesses that may be wrong.
    """

    def __init__(self, table: Table, seat: int, rng: Random, fixed_choices: Mapping[tuple[int, int], int]) -> None:
        self.required_faces: dict[int, Face] = {}
        self.known_shuffles: list[KnownShuffle] = []
        self.choices: list[TrackChoice] = []
        self.conflict: list[TrackChoice] | None = None  # after a contradiction: the choices that may be wrong
        layout = table.layout
        self.table = table
        self.deck = layout.deck
        self._every_card = frozenset(range(len(self.deck)))
        self._seat_bit = 1 << seat
        self._rng = rng
        self._fixed_choices = fixed_choices
        self._is_plain = table.has_only_public_groups
        self._faces_by_place: list[dict[int, Face]] = []  # by shuffle
        self._shuffled_faces: list[list[Face]] = []  # by shuffle: the known faces among its cards
        self._unknown_tracks: list[list[int]] = []  # by shuffle: its cards of unknown face
        self._origins: list[tuple[int, int]] = []  # shuffle and place, by track - deck size
        self._face_counts: dict[tuple[int, Face], int] = {}  # by group and face: cards known to have been in it
        self._shown_counts: dict[tuple[int, Face], int] = {}  # by group and face: those of them that were shown
        self.event_number = 0  # of the current event
        self.source_zone = layout.zones[0]  # the zone that the card of this event leaves
        self.first_moved: list[int] = []  # the tracks that the first event moves or lays

    @property
    def is_consistent(self) -> bool:
        """Whether the hidden cards, as they lie on the table, have the required faces."""
        faces = self.deck.faces
        return all(faces[card] == face for card, face in self.required_faces.items())

    def known_face(self, track: int) -> Face | None:
        """Return the face of a track, None if it is not known."""
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
        """Return the number of cards with `face` known to be in the group and not shown."""
        return self._count_faces(group, face) - self._shown_counts.get((group, face), 0)

    def _count_faces(self, group: int, face: Face) -> int:
        """Return the number of cards with `face` known to have been in the group."""
        key = group, face
        if key not in self._face_counts:
            if group < 0:
                self._face_counts[key] = self._shuffled_faces[-1 - group].count(face)
            else:
                groups, known = self.table.shuffle_group_of, self.table.known_by
                self._face_counts[key] = sum(
                    groups[copy] == group and not known[copy] & self._seat_bit for copy in self.deck.copies(face)
                )
        return self._face_counts[key]

    def _can_hold(self, group: int, face: Face, *, counts_shown: bool = False) -> bool:
        """Whether the group may have an unshown card with `face` (with `counts_shown`: may have had one)."""
        if group >= 0 and not self._is_plain:
            return True
        if (self._count_faces if counts_shown else self._count_unshown)(group, face) > 0:
            return True
        unknown = self._unknown_tracks[-1 - group] if group < 0 else ()
        return any(
            track == LOST or (self.known_face(track) is None and self._can_hold(self._group_of(track), face))
            for track in unknown
        )

    def _domain_of(self, track: int) -> frozenset[int]:
        """Return the cards that a track may be, by what the game has said about the track."""
        table, domain = self.table, self._every_card
        if table.card_domains and 0 <= track < len(domain):
            number = track if table.stands_for is None else table.stands_for.index(track)
            for one in table.card_domains:
                if number in one.cards:
                    domain &= one.domain
        return domain

    def set_face(self, track: int, face: Face | None) -> None:
        """Record that a track has `face` (None: not shown); note a conflict if its group has no such card left."""
        if face is None or track < 0 or self.known_face(track) is not None:
            return
        count, group = len(self.deck), self._group_of(track)
        if not self._can_hold(group, face):
            self._note_conflict({group}, face)
            return
        if track < count:
            self.required_faces[track] = face
        else:
            shuffle, place = self._origins[track - count]
            self._faces_by_place[shuffle][place] = face
            if not self._count_unshown(group, face):
                source = self.assign(self._unknown_tracks[shuffle], face)
                if source in self._unknown_tracks[shuffle]:
                    self._unknown_tracks[shuffle].remove(source)
                return
        if group < 0 or self._is_plain:
            self._shown_counts[group, face] = self._shown_counts.get((group, face), 0) + 1

    def assign(self, tracks: Sequence[int], face: Face) -> int:
        """Assign `face` to a track known to have it, else to one that still can; return it, or `LOST` if none can."""
        able, copies = [], self.deck.copies(face)
        for track in tracks:
            known = self.known_face(track)
            if known == face:
                return track
            if known is None and track >= 0 and not self._domain_of(track).isdisjoint(copies):
                able.append(track)
        groups = {group for group in set(map(self._group_of, able)) if self._can_hold(group, face, counts_shown=True)}
        if len(groups) > 1 and len(copies) > 1:
            able = self._restrict_to_one_group(able, groups, face)
        else:
            able = [track for track in able if self._can_hold(self._group_of(track), face)]
        if not able:
            if LOST not in tracks and self.conflict is None:
                self._note_conflict(groups, face)
            return LOST
        faces = self.deck.faces
        track = next((track for track in able if track < len(faces) and faces[track] == face), LOST)
        if track == LOST:
            track = (
                self._rng.choice(able) if not self._is_plain else min(able, key=lambda one: len(self._domain_of(one)))
            )
        self.set_face(track, face)
        return track

    def _note_conflict(self, groups: Set[int], face: Face) -> None:
        """Set `conflict` to the choices that may be wrong.

        They are the choices that took a copy of `face` from one of `groups`, and those that took a card from
        `source_zone` whose group is another one that can still have this face.
        """
        self.conflict = [
            choice
            for choice in self.choices
            if (choice.face == face and choice.group in groups)
            or (choice.zone == self.source_zone and choice.group not in groups and self._can_hold(choice.group, face))
        ]

    def _restrict_to_one_group(self, candidates: list[int], groups: Set[int], face: Face) -> list[int]:
        """Return the candidates of one shuffle group, the fixed or else a guessed one, and record the choice."""
        key = self.event_number, sum(choice.key[0] == self.event_number for choice in self.choices)
        group = self._fixed_choices.get(key)
        if group is None or group not in groups:
            group = self._guess_group(candidates, groups, face)
        self.choices.append(TrackChoice(key, self.source_zone, face, group, tuple(sorted(groups - {group}))))
        return [track for track in candidates if self._group_of(track) == group]

    def _guess_group(self, candidates: Sequence[int], groups: Set[int], face: Face) -> int:
        """Return the group of a candidate that has `face` on this table, else of a random candidate."""
        faces = self.deck.faces
        free = {group for group in groups if self._can_hold(group, face)} or groups
        usable = [track for track in candidates if self._group_of(track) in free]
        return self._group_of(
            next((track for track in usable if track < len(faces) and faces[track] == face), self._rng.choice(usable))
        )

    def add_shuffle(self, tracks: Sequence[int] | None, size: int) -> list[int]:
        """Return new tracks for the places of a shuffled zone; `tracks` were shuffled (None: the whole deck)."""
        entered = [(track, self.known_face(track)) for track in tracks or ()]
        self._shuffled_faces.append(
            [*self.deck.faces] if tracks is None else [face for _, face in entered if face is not None]
        )
        self._unknown_tracks.append([track for track, face in entered if face is None])
        first, faces_by_place = len(self.deck) + len(self._origins), dict[int, Face]()
        self._origins += [(len(self._faces_by_place), place) for place in range(size)]
        self._faces_by_place.append(faces_by_place)
        self.known_shuffles.append(KnownShuffle(size, faces_by_place))
        return [*range(first, first + size)]
