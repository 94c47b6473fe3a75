"""Tokens: hidden cards by where they came from, and what is known of them later.

Copies of a card that were mixed in different shuffles may be taken for each other; what is shown later then tells that a pick was wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Final, NamedTuple

from pitboss.cards import Face
from pitboss.knowledge import is_plain
from pitboss.randomness import Random
from pitboss.steering import Order
from pitboss.table import Table
from pitboss.zones import Zone

LOST: Final = -2  # something lies there, but it is not known what


class Pick(NamedTuple):
    """A choice between hidden cards that came from different mixings, and may all have the face that was shown."""

    key: tuple[int, int]  # the event, and the number of the pick in it
    zone: Zone
    face: Face
    mixing: int
    others: tuple[int, ...]  # the mixings that were not chosen


class Tokens:
    """What is known of hidden cards: `needs` of those on a table, `orders` of shuffles.

    A *token* is a card of the table by its number, or, from the size of the deck on, what came to lie at a place in a shuffle. Its *mixing* is
    its batch, or -1 - n if it is of the n-th shuffle. Copies of a card that were mixed in different ones may be taken for each other; what
    is shown later then is in conflict with that.
    """

    def __init__(self, table: Table, seat: int, rng: Random, chosen: Mapping[tuple[int, int], int]) -> None:
        self.needs: dict[int, Face] = {}
        self.orders: list[Order] = []
        self.picks: list[Pick] = []
        self.suspects: list[Pick] | None = None  # a card was shown that cannot lie there: the picks that may be wrong
        layout = table.layout
        self.table = table
        self.deck = layout.deck
        self._bit = 1 << seat
        self._rng = rng
        self._chosen = chosen
        self._is_plain = is_plain(table.batches)
        self._wanted: list[dict[int, Face]] = []  # by shuffle: the faces at its places
        self._went_in: list[list[Face]] = []  # by shuffle: the faces that are known to have gone in
        self._open_in: list[list[int]] = []  # by shuffle: the tokens that went in whose faces are not known
        self._born: list[tuple[int, int]] = []  # by token from the size of the deck on: its shuffle and its place
        self._room: dict[tuple[int, Face], int] = {}  # by mixing and face: how many cards with it there were
        self._shown: dict[tuple[int, Face], int] = {}  # and how many of them have been shown
        self.at = 0  # the event that is followed
        self.left = layout.zones[0]  # the zone that a card leaves

    @property
    def is_so(self) -> bool:
        """Tell whether the cards that lie hidden on the table have the faces that they need."""
        faces = self.deck.faces
        return all(faces[card] == face for card, face in self.needs.items())

    # ---- what is known of a token

    def face(self, token: int) -> Face | None:
        """Return the face of a token, None if it is not known."""
        count = len(self.deck)
        if token >= count:
            shuffle, place = self._born[token - count]
            return self._wanted[shuffle].get(place)
        if token < 0:
            return None
        return self.deck.faces[token] if self.table.known[token] & self._bit else self.needs.get(token)

    def _mixing(self, token: int) -> int:
        count = len(self.deck)
        return self.table.batch[token] if token < count else -1 - self._born[token - count][0]

    def _room_for(self, mixing: int, face: Face) -> int:
        """Return how many cards with a face a mixing is known to have that have not been shown."""
        return self._had(mixing, face) - self._shown.get((mixing, face), 0)

    def _had(self, mixing: int, face: Face) -> int:
        """Return how many cards with a face a mixing is known to have had."""
        key = mixing, face
        if key not in self._room:
            if mixing < 0:
                self._room[key] = self._went_in[-1 - mixing].count(face)
            else:
                batch, known = self.table.batch, self.table.known
                self._room[key] = sum(batch[copy] == mixing and not known[copy] & self._bit for copy in self.deck.copies(face))
        return self._room[key]

    def _has_room(self, mixing: int, face: Face, *, ever: bool = False) -> bool:
        """Tell whether a mixing may have (or have had) a card with a face that has not been shown: on a plain table each batch is known."""
        if mixing >= 0 and not self._is_plain:
            return True
        if (self._had if ever else self._room_for)(mixing, face) > 0:
            return True
        open_in = self._open_in[-1 - mixing] if mixing < 0 else ()
        return any(token == LOST or (self.face(token) is None and self._has_room(self._mixing(token), face)) for token in open_in)

    def claim(self, token: int, face: Face) -> None:
        """Note that a token has a face."""
        if token < 0 or self.face(token) is not None:
            return
        count, mixing = len(self.deck), self._mixing(token)
        if not self._has_room(mixing, face):
            self._suspect({mixing}, face)
            return
        if token < count:
            self.needs[token] = face
        else:
            shuffle, place = self._born[token - count]
            self._wanted[shuffle][place] = face
            if not self._room_for(mixing, face):
                source = self.one(self._open_in[shuffle], face)
                if source in self._open_in[shuffle]:
                    self._open_in[shuffle].remove(source)
                return
        if mixing < 0 or self._is_plain:
            self._shown[mixing, face] = self._shown.get((mixing, face), 0) + 1

    def one(self, tokens: Sequence[int], face: Face) -> int:
        """Return one of some tokens that has a face, or may have it, and then has it; LOST if there is none."""
        able = []
        for token in tokens:
            known = self.face(token)
            if known == face:
                return token
            if known is None and token >= 0:
                able.append(token)
        mixings = {mixing for mixing in set(map(self._mixing, able)) if self._has_room(mixing, face, ever=True)}
        if len(mixings) > 1 and len(self.deck.copies(face)) > 1:
            able = self._picked(able, mixings, face)
        else:
            able = [token for token in able if self._mixing(token) in mixings and self._has_room(self._mixing(token), face)]
        if not able:
            if LOST not in tokens and self.suspects is None:
                self._suspect(mixings, face)
            return LOST
        faces = self.deck.faces
        token = next((token for token in able if token < len(faces) and faces[token] == face), LOST)
        if token == LOST:
            token = able[0] if self._is_plain else self._rng.choice(able)
        self.claim(token, face)
        return token

    def _suspect(self, mixings: Set[int], face: Face) -> None:
        """Note which picks may be wrong: those that took such cards for others of the same mixing, or what can be this card for another one."""
        self.suspects = [
            pick
            for pick in self.picks
            if (pick.face == face and pick.mixing in mixings)
            or (pick.zone == self.left and pick.mixing not in mixings and self._has_room(pick.mixing, face))
        ]

    def _picked(self, able: list[int], mixings: Set[int], face: Face) -> list[int]:
        """Return those that came from one mixing."""
        key = self.at, sum(pick.key[0] == self.at for pick in self.picks)
        mixing = self._chosen.get(key)
        if mixing is None or mixing not in mixings:
            mixing = self._likely(able, mixings, face)
        self.picks.append(Pick(key, self.left, face, mixing, tuple(sorted(mixings - {mixing}))))
        return [token for token in able if self._mixing(token) == mixing]

    def _likely(self, able: Sequence[int], mixings: Set[int], face: Face) -> int:
        """Return the mixing of the card that has the face as the table lies, or of any."""
        faces = self.deck.faces
        free = {mixing for mixing in mixings if self._has_room(mixing, face)} or mixings
        tokens = [token for token in able if self._mixing(token) in free]
        return self._mixing(next((one for one in tokens if one < len(faces) and faces[one] == face), self._rng.choice(tokens)))

    def mixed(self, tokens: Sequence[int] | None, size: int) -> list[int]:
        """Return the tokens of so many cards that were shuffled, by their places; None went in: the whole deck."""
        went_in = [(token, self.face(token)) for token in tokens or ()]
        self._went_in.append([*self.deck.faces] if tokens is None else [face for _, face in went_in if face is not None])
        self._open_in.append([token for token, face in went_in if face is None])
        first, wanted = len(self.deck) + len(self._born), dict[int, Face]()
        self._born += [(len(self._wanted), place) for place in range(size)]
        self._wanted.append(wanted)
        self.orders.append(Order(size, wanted))
        return [*range(first, first + size)]
