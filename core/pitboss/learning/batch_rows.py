"""Observations of many games at once: the numbers that `ObservationEncoder.write` writes, for all rows together.

What the games give is gathered as it is, and becomes numbers in numpy. A row takes two thirds of the time so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from pitboss.game import AnyState
from pitboss.learning.observation import ObservationEncoder
from pitboss.learning.view_fields import HALF_VALUE, NumbersWriter, NumberWriter, PlacedField
from pitboss.table.table import Table
from pitboss.table.turns import Turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

NOWHERE: Final = -1  # instead of the place of a value that is not written
BYTE_VALUES: Final = 256
BYTE_BITS: Final = 8


class ShownRow(NamedTuple):
    """What a row shows: what a seat on turn knows, with the letters so far of its decision."""

    row: int
    state: AnyState
    turn: Turn
    spelled: Sequence[int]


class BatchRows:
    """Writes what the seats on turn of many games know into the rows of `array`."""

    def __init__(self, encoder: ObservationEncoder, rows: int) -> None:
        """Make rows of zeros for games of the encoder's layout."""
        self.array = np.zeros((rows, encoder.size), np.float32)
        self._flat = self.array.reshape(-1)
        self._encoder = encoder
        self._views: list[memoryview[Any]] = [row.data for row in self.array]
        self._zones = _ZoneRows(encoder, self._flat) if _ZoneRows.can_write(encoder) else None
        self._fields = _FieldRows(encoder, self._flat) if encoder.fields else None

    def write(self, shown: Sequence[ShownRow]) -> None:
        """Write some rows; what they showed before is gone."""
        if not shown:
            return
        encoder, views = self._encoder, [self._views[one.row] for one in shown]
        seats, rows = np.array([one.turn.seat for one in shown]), np.array([one.row for one in shown])
        offsets = rows * encoder.size
        self.array[rows] = 0.0
        if self._zones is not None:
            self._zones.write([one.state.table for one in shown], seats, offsets[:, None])
        else:
            for one, view in zip(shown, views, strict=True):
                encoder.write_zones(one.state.table, one.turn.seat, view)
        odd = self._fields.write(shown, seats, offsets[:, None], views) if self._fields is not None else ()
        self._flat[encoder.seat_at + seats + offsets] = 1.0
        find_phase = encoder.phase_places.get
        phases = np.array([find_phase(one.turn.phase, NOWHERE) for one in shown])
        self._flat[(phases + offsets)[phases != NOWHERE]] = 1.0
        for one in odd:
            encoder.write(one.state, one.turn.seat, self._views[one.row])
        for one in shown:
            if one.spelled:
                self.add_letters(one.row, one.spelled)

    def add_letters(self, row: int, spelled: Sequence[int]) -> None:
        """Add letters of the decision to a row; all else stays."""
        at, view = self._encoder.spelled_at, self._views[row]
        for letter in spelled:
            view[at + letter] = 1.0


class _ZoneRows:
    """Writes the zones of many tables."""

    def __init__(self, encoder: ObservationEncoder, flat: Numbers) -> None:
        layout, plans = encoder.layout, encoder.zone_plans
        self._flat = flat
        self._cards = len(layout.deck)
        self._starts = np.array([[plan.cards for plan in seen] for seen in plans])  # by seat, by zone
        self._sizes = np.array([[plan.size for plan in seen] for seen in plans])
        self._tops = np.array([[NOWHERE if plan.top is None else plan.top for plan in seen] for seen in plans])
        self._faces = np.array(encoder.face_of)
        self._parts = np.array(encoder.size_parts, np.float32)
        self._sums = _add_shares(encoder) if layout.deck.has_copies else None

    @staticmethod
    def can_write(encoder: ObservationEncoder) -> bool:
        """Return whether cards and seats fit into bytes, and no zone has slots."""
        layout = encoder.layout
        return (
            0 < len(layout.deck) < BYTE_VALUES
            and layout.seats < BYTE_BITS
            and not any(zone.has_slots for zone in layout.zones)
            and encoder.numbers is None
        )

    def write(self, tables: Sequence[Table], seats: Numbers, offsets: Numbers) -> None:
        """Write what a seat of each table knows of its zones."""
        flat = self._flat
        zones = [*chain.from_iterable([table.zones for table in tables])]
        sizes = np.frombuffer(bytes(map(len, zones)), np.uint8).reshape(len(tables), -1)
        cards = np.frombuffer(bytes(chain.from_iterable(zones)), np.uint8).reshape(-1, self._cards)  # zone by zone
        masks = np.frombuffer(b"".join([bytes(table.known_by) for table in tables]), np.uint8)
        places = np.arange(len(tables))[:, None] * self._cards  # where the cards of a table begin
        is_known = masks.reshape(-1, self._cards) & (1 << seats).astype(np.uint8)[:, None] != 0
        is_known = is_known.reshape(-1)[places + cards]
        faces = self._faces[cards]
        starts = np.repeat((self._starts[seats] + offsets).reshape(-1), sizes.reshape(-1))
        known_faces = faces[is_known]
        at = starts[is_known.reshape(-1)] + known_faces
        flat[at] = 1.0 if self._sums is None else self._sums[known_faces, np.bincount(at)[at]]
        flat[self._sizes[seats] + offsets] = self._parts[sizes]
        tops = self._tops[seats]
        last = sizes.cumsum(axis=1, dtype=np.int64) - 1 + places
        has_top = (tops != NOWHERE) & (sizes > 0)
        last, at = last[has_top], (tops + offsets)[has_top]
        is_seen = is_known.reshape(-1)[last]
        flat[at[is_seen] + faces.reshape(-1)[last[is_seen]]] = 1.0


def _add_shares(encoder: ObservationEncoder) -> Numbers:
    """Return, by face, what its copies add up to, by their number, added one by one."""
    copies = encoder.layout.deck.copies_of
    sums = np.zeros((max(encoder.face_of) + 1, 1 + max(map(len, copies))), np.float32)
    for face, cards in zip(encoder.face_of, copies, strict=True):
        for count in range(len(cards)):
            sums[face, count + 1] = float(sums[face, count]) + 1 / len(cards)
    return sums


class _FieldRows:
    """Writes the fields of the views of many seats."""

    def __init__(self, encoder: ObservationEncoder, flat: Numbers) -> None:
        seats = encoder.layout.seats
        self._flat = flat
        singles = [one for one in encoder.fields if isinstance(one.writer, NumberWriter)]
        lists = [one for one in encoder.fields if isinstance(one.writer, NumbersWriter)]
        self._get_singles, self._get_lists = _make_getter(singles), _make_getter(lists)
        self._others = [one for one in encoder.fields if one not in singles and one not in lists]
        self._lengths = [seats] * len(lists)
        self._number_places = np.array(  # by seat
            [
                [one.start for one in singles]
                + [one.start + (other - seat) % seats * 2 for one in lists for other in range(seats)]
                for seat in range(seats)
            ],
            np.int64,
        )

    def write(
        self, shown: Sequence[ShownRow], seats: Numbers, offsets: Numbers, views: Sequence[memoryview[Any]]
    ) -> list[ShownRow]:
        """Write the fields of the view of each seat.

        Returns the rows that are left out: of lists with a number for each seat one has more or fewer.
        """
        numbers: list[float | None] = []
        odd = []
        for one, row in zip(shown, views, strict=True):
            seat = one.turn.seat
            view = one.state.view(seat)
            lists = self._get_lists(view)
            if [*map(len, lists)] != self._lengths:
                odd.append(one)
                numbers += [None] * self._number_places.shape[1]
                continue
            numbers += self._get_singles(view)
            numbers += chain.from_iterable(lists)
            for name, writer, start in self._others:
                writer.write(getattr(view, name), seat, row, start)
        given = np.array(numbers, np.float64).reshape(len(shown), -1)  # NaN for None
        is_given = ~np.isnan(given)
        at, given = (self._number_places[seats] + offsets)[is_given], given[is_given]
        self._flat[at] = given / (HALF_VALUE + np.abs(given))
        self._flat[at + 1] = 1.0
        return odd


def _make_getter(fields: Sequence[PlacedField]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of some fields of a view."""
    names = [field.name for field in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda view: tuple([getattr(view, name) for name in names])
