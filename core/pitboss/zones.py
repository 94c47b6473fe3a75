"""Zones: the places of a table where cards lie, and who may see the faces there."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from pitboss.cards import Deck

EMPTY = -1  # stands in a slot that holds no card


class Kind(Enum):
    """How cards lie in a zone."""

    PILE = "pile"  # one on another; the end of the list is the top
    HAND = "hand"  # held by a player: nobody else can tell the cards apart by their places
    SLOTS = "slots"  # fixed places that everybody can point at, as in a rack
    SPREAD = "spread"  # side by side on the table: melds, a trick


class Sight(Enum):
    """Who sees the face of a card that arrives in a zone. What was once seen stays known (perfect recall)."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYBODY = "everybody"
    TOP = "top"  # everybody sees the top card, and the next one when the top leaves


class Zone(int):
    """A zone of a layout. It *is* its index in `Layout.zones` and in every table's `zones`."""

    name: str
    kind: Kind
    sight: Sight
    owner: int | None
    labels: tuple[int, ...]  # of a zone of slots: what is printed at each slot
    sees: int  # the mask of those who see the face of a card that arrives
    uncovers: bool  # does the card beneath become visible when the top leaves?
    is_open: bool  # does everybody see the face of a card that arrives?
    is_slotted: bool
    stirs: bool  # does a card that leaves change what is known of those that stay? (so in a hand too)

    def __new__(
        cls, index: int, name: str, kind: Kind, sight: Sight, everybody: int, owner: int | None, labels: Sequence[int]
    ) -> Zone:
        """Make the zone with this index."""
        if sight is Sight.OWNER and owner is None:
            raise ValueError(f"zone {name!r} is seen by its owner, but nobody owns it")
        zone = super().__new__(cls, index)
        zone.name, zone.kind, zone.sight, zone.owner, zone.labels = name, kind, sight, owner, tuple(labels)
        zone.sees = {Sight.NOBODY: 0, Sight.OWNER: 1 << (owner or 0)}.get(sight, everybody)
        zone.is_open, zone.is_slotted = zone.sees == everybody, kind is Kind.SLOTS
        zone.uncovers = sight is Sight.TOP
        zone.stirs = zone.uncovers or kind is Kind.HAND
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

    def pile(self, name: str, sight: Sight, owner: int | None = None) -> Zone:
        """Add a pile."""
        return self._add(name, Kind.PILE, sight, owner)

    def spread(self, name: str, sight: Sight = Sight.EVERYBODY, owner: int | None = None) -> Zone:
        """Add a place where cards lie side by side."""
        return self._add(name, Kind.SPREAD, sight, owner)

    def hands(self, name: str = "hand", sight: Sight = Sight.OWNER) -> tuple[Zone, ...]:
        """Add a hand for each seat, named `hand 0`, `hand 1`, …."""
        return tuple(self._add(f"{name} {seat}", Kind.HAND, sight, seat) for seat in range(self.seats))

    def racks(self, name: str, labels: Sequence[int], sight: Sight = Sight.OWNER) -> tuple[Zone, ...]:
        """Add a zone of slots for each seat; `labels` are what is printed at the slots, in order."""
        return tuple(self._add(f"{name} {seat}", Kind.SLOTS, sight, seat, labels) for seat in range(self.seats))

    def _add(self, name: str, kind: Kind, sight: Sight, owner: int | None, labels: Sequence[int] = ()) -> Zone:
        zone = Zone(len(self.zones), name, kind, sight, self.everybody, owner, labels)
        self.zones.append(zone)
        return zone
