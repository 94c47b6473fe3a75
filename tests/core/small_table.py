"""A tiny table for the tests of its verbs: twelve cards, faces "A" to "L", and a zone of every kind and sight."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss import Deck, Layout, Random, Table, Visibility, Zone


class SmallTable:
    """Two players and a spectator (seats 0, 1, 2); the deck lies in the stock, "A" on top and "L" at the bottom."""

    def __init__(self) -> None:
        self.layout = Layout(Deck("ABCDEFGHIJKL"), 2)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)
        self.well = self.layout.add_pile("well", Visibility.TOP)
        self.trick = self.layout.add_spread("trick")
        self.hands = self.layout.add_hands()
        self.racks = self.layout.add_racks("rack", (5, 10, 15))
        self.table = Table(self.layout, Random("tiny"), self.stock)
        self.table.shuffle(self.stock, order=range(11, -1, -1))
        assert self.table.log is not None
        self.table.log.clear()

    def face_string(self, zone: Zone) -> str:
        """Return the faces of a zone, the top of a pile last, "." for an empty slot."""
        return "".join("ABCDEFGHIJKL."[card] for card in self.table.zones[zone])

    def visible_string(self, zone: Zone, seat: int) -> str:
        """Return the faces of a zone that a seat knows, "?" for the others."""
        return "".join(str(face or "?") for face in self.table.faces_known_to(zone, seat))

    def deal_cards(self, *targets: Zone, rounds: int = 1, slots: Sequence[int] = ()) -> None:
        """Deal from the stock."""
        self.table.deal(self.stock, targets, rounds, slots)

    def seats_knowing(self, face: str) -> set[int]:
        """Return the seats that know where a card is."""
        [card] = self.layout.deck.copies(face)
        return {seat for seat in range(3) if self.table.known_by[card] >> seat & 1}

    def snapshot(self) -> object:
        """Return all that a verb could change, to be compared."""
        table = self.table
        log = list(table.log or []), list(table.chance_events or [])
        return (
            [cards[:] for cards in table.zones],
            table.known_by[:],
            table.shuffle_group_of[:],
            table.shuffle_groups[:],
            table.constraints,
            log,
        )
