"""Observations of many games at once: the numbers that `ObservationEncoder.write` writes, for all rows together.

What the games give is gathered as it is, and becomes numbers in numpy. A row takes two thirds of the time so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from operator import attrgetter
from struct import error as struct_error
from struct import pack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from pitboss.game import AnyState
from pitboss.learning.observation import ObservationEncoder
from pitboss.learning.view_fields import (
    HALF_VALUE,
    BySeatWriter,
    NumbersWriter,
    NumberWriter,
    PlacedField,
    SeatWriter,
    WordWriter,
)
from pitboss.table.table import Table
from pitboss.table.turns import Turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

NOWHERE: Final = -1  # instead of the place of a value that is not written
NOTHING: Final = -(1 << 63)  # instead of a number that there is not
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


class _FieldRows:
    """Writes the fields of the views of many seats, each field for all views at once.

    A field becomes whole numbers: those that it has, or the places of its words or seats, and `NOTHING` for what is not
    written. Fields of other kinds are written one by one.
    """

    def __init__(self, encoder: ObservationEncoder, flat: Numbers) -> None:
        self._flat = flat
        self._seats = encoder.layout.seats
        sure, unsure, words, chosen, number_lists, word_lists, others = [], [], [], [], [], [], []
        for field in encoder.fields:
            match field.writer:
                case NumberWriter(is_optional=False):
                    sure.append(field)
                case NumberWriter():
                    unsure.append(field)
                case WordWriter(places=places):
                    words.append((field, places.get))
                case SeatWriter():
                    chosen.append(field)
                case NumbersWriter():
                    number_lists.append(field)
                case BySeatWriter(item=WordWriter(places=places)):
                    word_lists.append((field, places.get))
                case _:
                    others.append(field)
        spots, spot_lists = [*[field for field, _ in words], *chosen], [field for field, _ in word_lists]
        numbers, lists = [*sure, *unsure], [*number_lists, *spot_lists]
        self._get_values = _make_getter([*numbers, *spots, *lists, *others])
        self._sure, self._unsure, self._chosen, self._number_lists = map(len, (sure, unsure, chosen, number_lists))
        self._others = others
        self._find_words, self._find_listed = [find for _, find in words], [find for _, find in word_lists]
        self._lists = slice(len(numbers) + len(spots), len(numbers) + len(spots) + len(lists))
        self._number_places = self._find_places(numbers, number_lists)
        self._spot_places = self._find_places(spots, spot_lists)

    def _find_places(self, singles: Sequence[PlacedField], lists: Sequence[PlacedField]) -> Numbers:
        """Return, by seat, where the values of fields begin: one of each single, and of each list one for each seat."""
        seats = range(self._seats)
        places = [
            [field.start for field in singles]
            + [field.start + (at - seat) % self._seats * field.writer.shape[1] for field in lists for at in seats]
            for seat in seats
        ]
        return np.array(places, np.int64).reshape(self._seats, -1)

    def write(
        self, shown: Sequence[ShownRow], seats: Numbers, offsets: Numbers, views: Sequence[memoryview[Any]]
    ) -> list[ShownRow]:
        """Write the fields of the view of each seat; `views` has the rows of all games.

        Returns the rows that are left out: of lists with a value for each seat one has more or fewer.
        """
        read = self._get_values
        values = [read(one.state.view(one.turn.seat)) for one in shown]
        columns = [*zip(*values, strict=True)]
        odd: list[int] = []
        if any([*map(len, column)].count(self._seats) < len(shown) for column in columns[self._lists]):
            odd = [at for at, row in enumerate(values) if any(len(one) != self._seats for one in row[self._lists])]
            kept = [at for at in range(len(shown)) if at not in odd]
            columns = [*zip(*[values[at] for at in kept], strict=True)]
            seats, offsets = seats[kept], offsets[kept]
        if columns:
            self._write_columns(columns[: self._lists.stop], seats, offsets)
        for (_, writer, start), column in zip(self._others, columns[self._lists.stop :], strict=not odd):
            for one, value in zip([one for at, one in enumerate(shown) if at not in odd], column, strict=True):
                writer.write(value, one.turn.seat, views[one.row], start)
        return [shown[at] for at in odd]

    def _write_columns(self, columns: Sequence[Sequence[Any]], seats: Numbers, offsets: Numbers) -> None:
        """Write fields, given by field and row."""
        left = iter(columns)
        numbers = [*chain.from_iterable([next(left) for _ in range(self._sure)])]
        for _ in range(self._unsure):
            numbers += [NOTHING if value is None else value for value in next(left)]
        spots = [*chain.from_iterable([map(find, next(left), repeat(NOTHING)) for find in self._find_words])]
        for _ in range(self._chosen):
            spots += self._turn_seats(next(left), seats)
        numbers += chain.from_iterable(chain.from_iterable([next(left) for _ in range(self._number_lists)]))
        for find in self._find_listed:
            spots += map(find, chain.from_iterable(next(left)), repeat(NOTHING))
        if numbers:
            given = self._arrange_rows(numbers, self._sure + self._unsure, len(seats)).astype(np.float64)
            is_given, at = given != NOTHING, self._number_places[seats] + offsets
            self._flat[at] = np.where(is_given, given / (HALF_VALUE + np.abs(given)), 0.0)
            self._flat[at + 1] = is_given
        if spots:
            given = self._arrange_rows(spots, len(self._find_words) + self._chosen, len(seats)).astype(np.int64)
            at = self._spot_places[seats] + offsets + given
            self._flat[at[given != NOTHING]] = 1.0

    def _turn_seats(self, column: Sequence[int | None], seats: Numbers) -> list[int]:
        """Return how far to the left of the seats the seats of a column are."""
        pairs = zip(column, seats.tolist(), strict=True)
        return [NOTHING if other is None else (other - seat) % self._seats for other, seat in pairs]

    def _arrange_rows(self, values: Sequence[Any], singles: int, rows: int) -> Numbers:
        """Return values as an array by row: some columns of single values, then columns of lists."""
        packed, end = _pack_numbers(values), singles * rows
        lists = packed[end:].reshape(-1, rows, self._seats).transpose(1, 0, 2).reshape(rows, -1)
        return np.concatenate([packed[:end].reshape(singles, rows).T, lists], axis=1)


def _pack_numbers(values: Sequence[Any]) -> Numbers:
    """Return whole numbers as an array; with others among them, as one of fractions."""
    try:
        return np.frombuffer(pack(f"{len(values)}q", *values), np.int64)
    except struct_error:
        return np.array([NOTHING if value is None else value for value in values], np.float64)


def _make_getter(fields: Sequence[PlacedField]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of some fields of a view."""
    names = [field.name for field in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda view: tuple([getattr(view, name) for name in names])
