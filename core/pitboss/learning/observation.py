"""Observations: what a seat knows of a game as numbers, made of its zones, its knowledge and its view.

All parts are seen from the seat: its own zones come first, then those of the next seat. Numbers lie from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, ClassVar, Final, NamedTuple

from pitboss.game import AnyState
from pitboss.learning.view_fields import PlacedField, read_view_fields
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY, Layout, Zone

ENCODING: Final = 2  # how values become numbers: it belongs to a fingerprint


class ObservationPart(NamedTuple):
    """Numbers of an observation that belong together."""

    name: str  # "cards of hand, 1 to the left"
    start: int  # the index of the first one
    shape: tuple[int, ...]

    @property
    def stop(self) -> int:
        """The index after the last one."""
        return self.start + prod(self.shape)


class ZonePlan(NamedTuple):
    """The places of a zone, as one seat sees it, in a row; None: the zone has no such part."""

    cards: int
    size: int
    top: int | None
    slots: int | None


class ObservationEncoder:
    """Writes what a seat knows into a row of `size` numbers; `parts` says what stands where.

    * `cards of ZONE`: for each face the share of its copies that the seat knows to lie there.
    * `size of ZONE`: how many cards lie there, as a share of the deck.
    * `top of ZONE`: of a pile, the face of the top card if the seat knows it.
    * `slots of ZONE`: of a rack, for each slot the card if the seat knows it.
    * `view FIELD`: a field of the game's view (`read_view_fields`), unless it is in `in_zones`, whose cards the zones
      show, or in `unwritten`: its type has no bound.
    * `phase`, if the seat is on turn; `seat`, its number; and `spelled`, the letters so far of its decision.

    A card is 1 at the place of its face. Where all faces are numbers it is 1 and its share of the highest.
    """

    greatest: ClassVar[float] = 1.0  # no number is above it, or below its negative

    def __init__(
        self,
        layout: Layout,
        view: Any,  # noqa: ANN401
        letters: int,
        phases: Sequence[str],
        bounds: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        """Make an encoder for tables of a layout.

        `view` is a view of a seat of such a table at the deal, `bounds` are those of the game (`find_view_bounds`).
        """
        faces = list(dict.fromkeys(layout.deck.faces))
        self.parts: list[ObservationPart] = []
        self.size = 0
        self.layout = layout
        self._faces = len(faces)
        self.face_of = [faces.index(face) for face in layout.deck.faces]
        self._shares = [1 / len(copies) for copies in layout.deck.copies_of]
        self._has_copies = len(faces) < len(layout.deck)
        self.size_parts = [count / (len(layout.deck) or 1) for count in range(len(layout.deck) + 1)]
        numbers = [face for face in layout.deck.faces if isinstance(face, int)]
        self.numbers = [number / max(numbers) for number in numbers] if len(numbers) == len(layout.deck) > 0 else None
        self._card_width = 2 if self.numbers else self._faces
        self.zone_plans = self._plan_zones(layout)
        fields = read_view_fields(view, layout.seats, layout.deck.faces, bounds)
        self.fields = [
            PlacedField(field.name, field.writer, self._add(f"view {field.name}", *field.writer.shape))
            for field in fields.written
        ]
        self.unwritten = fields.unwritten
        self.in_zones = fields.in_zones
        phase_at = self._add("phase", len(phases))
        self.phase_places = {phase: phase_at + number for number, phase in enumerate(phases)}
        self.seat_at = self._add("seat", layout.seats)
        self.spelled_at = self._add("spelled", letters)
        self._zeros = memoryview(bytes(4 * self.size)).cast("f")

    def _add(self, name: str, *shape: int) -> int:
        """Add a part; return where it starts."""
        part = ObservationPart(name, self.size, shape)
        self.parts.append(part)
        self.size = part.stop
        return part.start

    def _plan_zones(self, layout: Layout) -> list[list[ZonePlan]]:
        """Add the parts of all zones; return by seat, by zone, where they are."""
        ordered = sorted(layout.zones, key=lambda zone: (zone.owner or 0, zone))  # as seat 0 sees them
        plans = {_name_zone(zone, 0, layout.seats): self._plan_zone(zone, layout.seats) for zone in ordered}
        return [[plans[_name_zone(zone, seat, layout.seats)] for zone in layout.zones] for seat in range(layout.seats)]

    def _plan_zone(self, zone: Zone, seats: int) -> ZonePlan:
        name = _name_zone(zone, 0, seats)
        return ZonePlan(
            cards=self._add(f"cards of {name}", self._faces),
            size=self._add(f"size of {name}", 1),
            top=self._add(f"top of {name}", self._card_width) if zone.is_stacked else None,
            slots=self._add(f"slots of {name}", len(zone.labels), self._card_width) if zone.has_slots else None,
        )

    def write(self, state: AnyState, seat: int, row: memoryview[float], spelled: Sequence[int] = ()) -> None:
        """Write what a seat knows into a row, which is a memoryview of `size` float32 numbers."""
        row[:] = self._zeros
        self.write_zones(state.table, seat, row)
        if self.fields:
            view = state.view(seat)
            for name, writer, at in self.fields:
                writer.write(getattr(view, name), seat, row, at)
        turn = state.turn
        if turn is not None and turn.seat == seat and turn.phase in self.phase_places:
            row[self.phase_places[turn.phase]] = 1.0
        row[self.seat_at + seat] = 1.0
        for letter in spelled:
            row[self.spelled_at + letter] = 1.0

    def write_zones(self, table: Table, seat: int, row: memoryview[float]) -> None:
        """Write what a seat knows of the zones of a table into a row of zeros."""
        known, bit, parts, has_copies = table.known_by, 1 << seat, self.size_parts, self._has_copies
        face_of, shares = self.face_of, self._shares
        for (start, size, top, slots), cards in zip(self.zone_plans[seat], table.zones, strict=True):
            if not cards:
                continue
            if slots is not None:
                self._write_slots(cards, known, bit, row, slots)
                cards = [card for card in cards if card != EMPTY]
            if has_copies:
                for card in cards:
                    if known[card] & bit:
                        row[start + face_of[card]] += shares[card]
            else:
                for card in cards:
                    if known[card] & bit:
                        row[start + card] = 1.0
            row[size] = parts[len(cards)]
            if top is not None and known[cards[-1]] & bit:
                self._write_card(cards[-1], row, top)

    def _write_slots(
        self, cards: Sequence[int], known: Sequence[int], bit: int, row: memoryview[float], at: int
    ) -> None:
        for card in cards:
            if known[card] & bit and card != EMPTY:
                self._write_card(card, row, at)
            at += self._card_width

    def _write_card(self, card: int, row: memoryview[float], at: int) -> None:
        if self.numbers:
            row[at] = 1.0
            row[at + 1] = self.numbers[card]
        else:
            row[at + self.face_of[card]] = 1.0


def _name_zone(zone: Zone, seat: int, seats: int) -> str:
    """Return the name of a zone as a seat sees it: "stock", "own hand", "hand, 1 to the left"."""
    if zone.owner is None:
        return zone.name
    distance = (zone.owner - seat) % seats
    name = zone.name.removesuffix(f" {zone.owner}")
    return f"{name}, {distance} to the left" if distance else f"own {name}"
