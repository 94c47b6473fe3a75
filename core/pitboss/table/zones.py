"""Zones: the places of a table where cards lie, and who may see the faces there."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from pitboss.table.cards import Deck

EMPTY = -1  # stands in a slot that holds no card


class ZoneKind(Enum):
    """How cards lie in a zone."""

    PILE = "pile"  # one on another; the end of the list is the top
    HAND = "hand"  # held by a player: nobody else can tell the cards apart by their places
    SLOTS = "slots"  # fixed places that everybody can point at, as in a rack
    SPREAD = "spread"  # side by side on the table: melds, a trick


class Visibility(Enum):
    """Who sees the face of a card that arrives in a zone. What was once seen stays known (perfect recall)."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYBODY = "everybody"
    TOP = "top"  # everybody sees the top card, and the next one when the top leaves


class Zone(int):
    """A zone of a layout. It *is* its index in `Layout.zones` and in every table's `zones`."""

    name: str
    kind: ZoneKind
    visibility: Visibility
    owner: int | None
    labels: tuple[int, ...]  # of a zone of slots: what is printed at each slot
    viewers: int  # the mask of those who see the face of a card that arrives
    reveals_next: bool  # does the card beneath become visible when the top leaves?
    is_face_up: bool  # does everybody see the face of a card that arrives?
    has_slots: bool
    departures_change_knowledge: (
        bool  # does a card that leaves change what is known of those that stay? (so in a hand too)
    )

    def __new__(
        cls,
        index: int,
        name: str,
        kind: ZoneKind,
        visibility: Visibility,
        everybody: int,
        owner: int | None,
        labels: Sequence[int],
    ) -> Zone:
        """Make the zone with this index."""
        if visibility is Visibility.OWNER and owner is None:
            raise ValueError(f"zone {name!r} is seen by its owner, but nobody owns it")
        zone = super().__new__(cls, index)
        zone.name, zone.kind, zone.visibility, zone.owner, zone.labels = name, kind, visibility, owner, tuple(labels)
        zone.viewers = {Visibility.NOBODY: 0, Visibility.OWNER: 1 << (owner or 0)}.get(visibility, everybody)
        zone.is_face_up, zone.has_slots = zone.viewers == everybody, kind is ZoneKind.SLOTS
        zone.reveals_next = visibility is Visibility.TOP
        zone.departures_change_knowledge = zone.reveals_next or kind is ZoneKind.HAND
        return zone

    def __repr__(self) -> str:
        return f"<zone {self.name}>"


class Layout:
    """The deck, the seats and the zones of a table: everything about it that never changes, shared by all its states.

    Seats are numbered 0 .. seats - 1; the `spectator` is one more seat, which sees only what is public.
    A set of seats is a bit mask: bit s stands for seat s.
    """

    __slots__ = ("deck", "everybody", "spectator", "zones")

    def __init__(self, deck: Deck, seats: int) -> None:
        self.deck = deck
        self.spectator = seats
        self.everybody = (1 << (seats + 1)) - 1
        self.zones: list[Zone] = []

    @property
    def seats(self) -> int:
        """How many players sit at the table."""
        return self.spectator

    def add_pile(self, name: str, visibility: Visibility, owner: int | None = None) -> Zone:
        """Add a pile."""
        return self._add_zone(name, ZoneKind.PILE, visibility, owner)

    def add_spread(self, name: str, visibility: Visibility = Visibility.EVERYBODY, owner: int | None = None) -> Zone:
        """Add a place where cards lie side by side."""
        return self._add_zone(name, ZoneKind.SPREAD, visibility, owner)

    def add_hands(self, name: str = "hand", visibility: Visibility = Visibility.OWNER) -> tuple[Zone, ...]:
        """Add a hand for each seat, named `hand 0`, `hand 1`, …."""
        return tuple(self._add_zone(f"{name} {seat}", ZoneKind.HAND, visibility, seat) for seat in range(self.seats))

    def add_racks(
        self, name: str, labels: Sequence[int], visibility: Visibility = Visibility.OWNER
    ) -> tuple[Zone, ...]:
        """Add a zone of slots for each seat; `labels` are what is printed at the slots, in order."""
        return tuple(
            self._add_zone(f"{name} {seat}", ZoneKind.SLOTS, visibility, seat, labels) for seat in range(self.seats)
        )

    def _add_zone(
        self, name: str, kind: ZoneKind, visibility: Visibility, owner: int | None, labels: Sequence[int] = ()
    ) -> Zone:
        zone = Zone(len(self.zones), name, kind, visibility, self.everybody, owner, labels)
        self.zones.append(zone)
        return zone
