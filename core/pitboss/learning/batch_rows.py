"""Observations of many games at once: the numbers that `ObservationEncoder.write` writes, for all rows together.

What the games give is gathered as it is, and becomes numbers in numpy. A row takes two thirds of the time so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from pitboss.learning.batch_fields import NOWHERE, FieldRows, ShownRow
from pitboss.learning.given_numbers import GivenEncoder
from pitboss.learning.observation import ObservationEncoder
from pitboss.table.table import Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

BYTE_VALUES: Final = 256
BYTE_BITS: Final = 8


class BatchRows:
    """Writes what the seats on turn of many games know into the rows of `array`."""

    def __init__(self, encoder: ObservationEncoder, rows: int) -> None:
        """Make rows of zeros for games of the encoder's layout."""
        self.array = np.zeros((rows, encoder.size), np.float32)
        self._flat = self.array.reshape(-1)
        self._encoder = encoder
        self._views: list[memoryview[Any]] = [row.data for row in self.array]
        self._is_given = isinstance(encoder, GivenEncoder)
        if self._is_given:
            return
        self._zones = _ZoneRows(encoder, self._flat) if _ZoneRows.can_write(encoder) else None
        self._fields = FieldRows(encoder, self._flat) if encoder.fields else None

    def write(self, shown: Sequence[ShownRow]) -> None:
        """Write some rows; what they showed before is gone."""
        if not shown:
            return
        if self._is_given:
            for one in shown:
                self._encoder.write(one.state, one.turn.seat, self._views[one.row])
            return
        encoder, count = self._encoder, len(shown)
        rows = np.fromiter([one.row for one in shown], np.int64, count)
        seats = np.fromiter([one.turn.seat for one in shown], np.int64, count)
        offsets = rows * encoder.size
        if count < len(self.array):
            self.array[rows] = 0.0
        else:
            self.array.fill(0.0)
        if self._zones is not None:
            self._zones.write([one.state.table for one in shown], seats, offsets[:, None])
        else:
            for one in shown:
                encoder.write_zones(one.state.table, one.turn.seat, self._views[one.row])
        odd = self._fields.write(shown, seats, offsets[:, None], self._views) if self._fields is not None else ()
        self._flat[encoder.seat_at + seats + offsets] = 1.0
        find_phase = encoder.phase_places.get
        phases = np.fromiter([find_phase(one.turn.phase, NOWHERE) for one in shown], np.int64, count)
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
