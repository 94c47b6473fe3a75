"""Zones: where cards lie on a table, and which seats see the face of a card that arrives."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TypeVar

from pitboss.table.cards import Deck
from pitboss.table.secrets import Secret

EMPTY = -1  # the content of a slot that holds no card

T = TypeVar("T")


class ZoneKind(Enum):
    """How cards lie in a zone. A zone has what follows from its kind as attributes of its own."""

    PILE = "pile"  # one on another; the end of the list is the top
    HAND = "hand"  # held by a player: nobody else can tell the cards apart by their places
    SLOTS = "slots"  # places with fixed positions that everybody can see, as in a rack
    SPREAD = "spread"  # side by side on the table: melds, a trick

    @property
    def is_stacked(self) -> bool:
        """Whether cards lie one on another, so that only the top one can be reached."""
        return self is ZoneKind.PILE

    @property
    def hides_places(self) -> bool:
        """Whether nobody but the owner can tell cards apart by their places."""
        return self is ZoneKind.HAND

    @property
    def has_slots(self) -> bool:
        """Whether there are places that may be empty."""
        return self is ZoneKind.SLOTS


class Visibility(Enum):
    """Who sees the face of a card that arrives in a zone. What was once seen stays known (perfect recall)."""

    NOBODY = "nobody"
    OWNER = "owner"
    OTHERS = "others"  # everybody but the owner: cards that are held with their backs to their holder
    EVERYBODY = "everybody"
    TOP = "top"  # everybody sees the top card, and the next one when the top leaves


class Zone(int):
    """A zone, made by its layout. It *is* its index in `Layout.zones` and in the `zones` of every table."""

    name: str
    kind: ZoneKind
    visibility: Visibility
    owner: int | None
    labels: tuple[int, ...]  # of a zone of slots: what is printed at each slot
    viewers: int  # mask of the seats that see the face of a card that arrives
    reveals_next: bool  # the card beneath the top becomes public when the top leaves
    is_face_up: bool  # every seat sees the face of a card that arrives
    is_stacked: bool  # this and the next two follow from the kind
    hides_places: bool
    has_slots: bool
    departures_change_knowledge: bool  # of the cards that stay when a card leaves (TOP visibility, hands)

    def __repr__(self) -> str:
        return f"<zone {self.name}>"

    def empty_cards(self) -> list[int]:
        """Return the card list of the empty zone: EMPTY in each slot."""
        return [EMPTY] * len(self.labels)

    def remove_card(self, cards: list[int], card: int) -> None:
        """Remove a card from the card list of this zone; a slot that it leaves is EMPTY.

        Raises:
            ValueError: the list does not hold the card.
        """
        if not self.has_slots:
            cards.remove(card)
        elif card == EMPTY:
            raise ValueError("an empty slot holds no card")
        else:
            cards[cards.index(card)] = EMPTY

    def from_the_top(self, cards: list[int]) -> list[int]:
        """Return the cards of this zone as one finds them: of a pile from the top, else from the first place."""
        return cards[::-1] if self.is_stacked else cards

    def as_others_tell_them(self, faces: list[T]) -> list[T]:
        """Return what is at the places of this zone, sorted if nobody else can tell the places apart."""
        return sorted(faces, key=repr) if self.hides_places else faces

    def visible_cards(self, cards: Sequence[int]) -> Sequence[int]:
        """Return those of the cards on top of the zone that its viewers see."""
        return cards[-1:] if self.reveals_next else cards


class Layout:
    """The deck, seats, zones and secrets of a table: all that never changes. All states of a game share one layout.

    Seats are numbered 0 .. seats - 1; the `spectator` is one more seat, which sees only what is public.
    A set of seats is a bit mask: bit s stands for seat s.
    """

    __slots__ = ("deck", "everybody", "seats", "secrets", "spectator", "zones")

    def __init__(self, deck: Deck, seats: int) -> None:
        self.deck = deck
        self.seats = self.spectator = seats
        self.everybody = (1 << (seats + 1)) - 1
        self.zones: list[Zone] = []
        self.secrets: list[Secret] = []

    def add_pile(self, name: str, visibility: Visibility, owner: int | None = None) -> Zone:
        """Add a pile."""
        return self._add_zone(name, ZoneKind.PILE, visibility, owner)

    def add_spread(self, name: str, visibility: Visibility = Visibility.EVERYBODY, owner: int | None = None) -> Zone:
        """Add a zone in which cards lie side by side."""
        return self._add_zone(name, ZoneKind.SPREAD, visibility, owner)

    def add_hands(self, name: str = "hand", visibility: Visibility = Visibility.OWNER) -> tuple[Zone, ...]:
        """Add a hand for each seat, named `hand 0`, `hand 1`, …."""
        return tuple(self._add_zone(f"{name} {seat}", ZoneKind.HAND, visibility, seat) for seat in range(self.seats))

    def add_racks(
        self, name: str, labels: Sequence[int], visibility: Visibility = Visibility.OWNER
    ) -> tuple[Zone, ...]:
        """Add a zone of slots for each seat; `labels` are the numbers printed at the slots, in order."""
        return tuple(
            self._add_zone(f"{name} {seat}", ZoneKind.SLOTS, visibility, seat, labels) for seat in range(self.seats)
        )

    def add_secret(self, name: str, visibility: Visibility = Visibility.EVERYBODY, owner: int | None = None) -> Secret:
        """Add a place for values that are rolled or chosen; `visibility` tells who sees them."""
        secret = Secret(len(self.secrets))
        secret.name, secret.owner, secret.viewers = name, owner, self._viewers(name, visibility, owner)
        self.secrets.append(secret)
        return secret

    def find_zone(self, name: str) -> Zone | None:
        """Return the zone of this name; None if there is none."""
        return next((zone for zone in self.zones if zone.name == name), None)

    def _viewers(self, name: str, visibility: Visibility, owner: int | None) -> int:
        if visibility not in (Visibility.OWNER, Visibility.OTHERS):
            return 0 if visibility is Visibility.NOBODY else self.everybody
        if owner is None:
            raise ValueError(f"who sees {name!r} depends on its owner, but nobody owns it")
        own = 1 << owner
        return own if visibility is Visibility.OWNER else self.everybody & ~own

    def _add_zone(
        self, name: str, kind: ZoneKind, visibility: Visibility, owner: int | None, labels: Sequence[int] = ()
    ) -> Zone:
        zone = Zone(len(self.zones))
        zone.name, zone.kind, zone.visibility, zone.owner, zone.labels = name, kind, visibility, owner, tuple(labels)
        zone.viewers = self._viewers(name, visibility, owner)
        zone.is_face_up, zone.reveals_next = zone.viewers == self.everybody, visibility is Visibility.TOP
        zone.is_stacked, zone.hides_places, zone.has_slots = kind.is_stacked, kind.hides_places, kind.has_slots
        zone.departures_change_knowledge = zone.reveals_next or zone.hides_places
        self.zones.append(zone)
        return zone
