"""The fields of the views of many games at once, as numbers: what `FieldWriter.write` writes, for all rows together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from operator import attrgetter
from struct import error as struct_error
from struct import pack
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from pitboss.game import AnyState
from pitboss.learning.field_writers import (
    HALF_VALUE,
    LINEAR_VALUES,
    BySeatWriter,
    CardListWriter,
    CardWriter,
    ColumnsWriter,
    FieldWriter,
    LettersWriter,
    NumbersWriter,
    NumberWriter,
    PhrasesWriter,
    SeatWriter,
    SlotsWriter,
    WordListWriter,
    WordWriter,
)
from pitboss.learning.observation import ObservationEncoder
from pitboss.learning.view_fields import PlacedField
from pitboss.table.turns import Turn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers: TypeAlias = NDArray[Any]

NOWHERE: Final = -1  # instead of the place of a value that is not written
NOTHING: Final = -(1 << 63)  # instead of a number that there is not
MAX_KEPT: Final = 1 << 12  # values of a field, of which it is known what they write


class ShownRow(NamedTuple):
    """What a row shows: what a seat on turn knows, with the letters so far of its decision."""

    row: int
    state: AnyState
    turn: Turn
    spelled: Sequence[int]


class FieldRows:
    """Writes the fields of the views of many seats, each field for all views at once.

    A field becomes whole numbers: those that it has, or the places of its words or seats, and `NOTHING` for what is not
    written. Lists of cards are written together too; fields of other kinds are written one by one.
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
                case CardWriter(highest=None, places=places):
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
        self._others = [_OtherColumn(field, flat) for field in others]
        self._find_words, self._find_listed = [find for _, find in words], [find for _, find in word_lists]
        self._lists = slice(len(numbers) + len(spots), len(numbers) + len(spots) + len(lists))
        self._number_places = self._find_places(numbers, number_lists)
        self._spot_places = self._find_places(spots, spot_lists)
        counted = [*numbers, *[field for field in number_lists for _ in range(self._seats)]]
        self._wide = np.array([getattr(field.writer, "is_wide", False) for field in counted], np.bool_)

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
        rows = [one for at, one in enumerate(shown) if at not in odd] if odd else shown
        for other, column in zip(self._others, columns[self._lists.stop :], strict=not odd):
            other.write(column, rows, seats, offsets, views)
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
            if self._wide.any():
                self._write_rest(given[:, self._wide], is_given[:, self._wide], at[:, self._wide])
        if spots:
            given = self._arrange_rows(spots, len(self._find_words) + self._chosen, len(seats)).astype(np.int64)
            at = self._spot_places[seats] + offsets + given
            self._flat[at[given != NOTHING]] = 1.0

    def _write_rest(self, given: Numbers, is_given: Numbers, at: Numbers) -> None:
        """Write what is left of wide numbers."""
        rest = np.abs(given) % LINEAR_VALUES / LINEAR_VALUES
        self._flat[at + 2] = np.where(is_given, np.where(given < 0, -rest, rest), 0.0)

    def _turn_seats(self, column: Sequence[int | None], seats: Numbers) -> list[int]:
        """Return how far to the left of the seats the seats of a column are."""
        pairs = zip(column, seats.tolist(), strict=True)
        return [NOTHING if other is None else (other - seat) % self._seats for other, seat in pairs]

    def _arrange_rows(self, values: Sequence[Any], singles: int, rows: int) -> Numbers:
        """Return values as an array by row: some columns of single values, then columns of lists."""
        packed, end = _pack_numbers(values), singles * rows
        lists = packed[end:].reshape(-1, rows, self._seats).transpose(1, 0, 2).reshape(rows, -1)
        return np.concatenate([packed[:end].reshape(singles, rows).T, lists], axis=1)


class _OtherColumn:
    """Writes the values of one field in many views."""

    def __init__(self, field: PlacedField, flat: Numbers) -> None:
        at, writer = field.start, field.writer
        columns = writer.columns if isinstance(writer, ColumnsWriter) else [(None, writer)]
        self._parts: list[_CardLists | _WordLists | _LeafLists | _OtherValues] = []
        for read, one in columns:
            if isinstance(one, CardListWriter):
                self._parts.append(_CardLists(one, flat, at, read))
            elif isinstance(one, WordListWriter):
                self._parts.append(_WordLists(one, flat, at))
            elif read is None and _LeafLists.can_write(one):
                self._parts.append(_LeafLists(one, flat, at))
            else:
                self._parts.append(_OtherValues(one, flat, at, read))
            at += one.size

    def write(
        self,
        values: Sequence[Any],
        shown: Sequence[ShownRow],
        seats: Numbers,
        offsets: Numbers,
        views: Sequence[memoryview[Any]],
    ) -> None:
        """Write a value for each row that is shown."""
        starts = offsets.reshape(-1)
        for part in self._parts:
            if isinstance(part, _OtherValues):
                part.write(values, shown, views)
            else:
                part.write(values, seats, starts)


class _OtherValues:
    """Writes values one by one; what a value wrote is kept from the second time on, as many come again."""

    def __init__(self, writer: FieldWriter, flat: Numbers, at: int, read: Callable[[Any], Any] | None) -> None:
        self._writer, self._at, self._read = writer, at, read
        self._has_texts = isinstance(writer, SlotsWriter) and isinstance(writer.item, PhrasesWriter)
        self._kept: dict[tuple[Any, int], tuple[Any, Sequence[tuple[int, float]] | None]] = {}

    def write(self, values: Sequence[Any], shown: Sequence[ShownRow], views: Sequence[memoryview[Any]]) -> None:
        """Write a value for each row."""
        at, write, read, has_texts, find = self._at, self._writer.write, self._read, self._has_texts, self._kept.get
        for one, value in zip(shown, values, strict=True):
            if value is None or value == ():
                continue
            seat, view = one.turn.seat, views[one.row]
            key: tuple[Any, int]
            if has_texts:
                key = (tuple(value), seat)
            elif type(value) is tuple:
                key = (id(value), seat)
            else:
                write(value if read is None else read(value), seat, view, at)
                continue
            found = find(key)
            if found is None or not (has_texts or found[0] is value):
                write(value if read is None else read(value), seat, view, at)
                self._keep(key, value, None)
                continue
            written = found[1]
            if written is None:
                write(value if read is None else read(value), seat, view, at)
                written = [(place, view[place]) for place in range(at, at + self._writer.size) if view[place]]
                self._keep(key, value, written)
            else:
                for place, number in written:
                    view[place] = number

    def _keep(self, key: tuple[Any, int], value: Any, written: Sequence[tuple[int, float]] | None) -> None:  # noqa: ANN401
        if len(self._kept) >= MAX_KEPT:
            self._kept.clear()
        self._kept[key] = (value, written)


class _ListedCards(NamedTuple):
    """The cards of a list: of each its place in the list, the seat it belongs to, and its cell."""

    places: Sequence[int]
    seats: Sequence[int]  # empty: they belong to none
    cells: Sequence[int]


NO_CARDS: Final = _ListedCards((), (), ())


class _CardLists:
    """Writes a list of cards of many views."""

    def __init__(
        self, writer: CardListWriter, flat: Numbers, at: int, read: Callable[[Any], Any] | None = None
    ) -> None:
        self._writer, self._flat, self._at, self._read = writer, flat, at, read
        self._values = np.array(writer.values, np.float32)
        deck = writer.deck
        self._copies = np.array([deck.copies[face] for face in deck.copies for _ in range(deck.copies[face])])
        self._kept: dict[int, tuple[tuple[Any, ...], _ListedCards]] = {}  # by the last item of a list

    def write(self, values: Sequence[Any], seats: Numbers, offsets: Numbers) -> None:
        """Write a list for each row."""
        writer, deck, starts = self._writer, self._writer.deck, offsets + self._at
        listed = [self._list(value) for value in values]
        lengths = [len(one.cells) for one in listed]
        total = sum(lengths)
        if total:
            cells = np.fromiter(chain.from_iterable([one.cells for one in listed]), np.int64, total)
            places = np.fromiter(chain.from_iterable([one.places for one in listed]), np.int64, total)
            rows = np.repeat(np.arange(len(listed)), lengths)
            at = cells + starts[rows]
            if writer.seats is not None:
                owners = np.fromiter(chain.from_iterable([one.seats for one in listed]), np.int64, total)
                at += (owners - seats[rows]) % writer.seats * deck.count
            numbers = self._values[np.minimum(places, len(self._values) - 1)]
            is_card = cells != NOWHERE
            if deck.has_copies:
                copies = _count_before(np.where(is_card, rows * deck.count + cells, NOWHERE))
                at += copies
                is_card &= copies < self._copies[cells]
            self._flat[at[is_card]] = numbers[is_card]
        if writer.length_at is not None:
            sizes = np.fromiter(map(len, values), np.int64, len(listed))
            self._flat[starts + writer.length_at] = sizes / (HALF_VALUE + sizes)

    def _list(self, value: Any) -> _ListedCards:  # noqa: ANN401
        """Return the cards of a list; those of a tuple are kept, as later ones have the same items and one more."""
        if not value:
            return NO_CARDS
        if type(value) is not tuple:
            return self._read_cards(value, 0)
        found = self._kept.get(id(value[-1]))
        if found is not None and found[0] == value:
            return found[1]
        before = self._kept.get(id(value[-2])) if len(value) > 1 else None
        if before is not None and before[0] == value[:-1]:
            known, last = before[1], self._read_cards(value[-1:], len(value) - 1)
            listed = _ListedCards(
                [*known.places, *last.places], [*known.seats, *last.seats], [*known.cells, *last.cells]
            )
        else:
            listed = self._read_cards(value, 0)
        if len(self._kept) >= MAX_KEPT:
            self._kept.clear()
        self._kept[id(value[-1])] = (value, listed)
        return listed

    def _read_cards(self, value: Any, first: int) -> _ListedCards:  # noqa: ANN401
        """Return the cards of a list whose first item is number `first`."""
        places, seats, faces = self._writer.list_entries(value if self._read is None else self._read(value), first)
        return _ListedCards(places, seats or (), [*map(self._writer.deck.first_of.get, faces, repeat(NOWHERE))])


class _WordLists:
    """Writes a long list of words of many views."""

    def __init__(self, writer: WordListWriter, flat: Numbers, at: int) -> None:
        self._writer, self._flat, self._at = writer, flat, at

    def write(self, values: Sequence[Any], seats: Numbers, offsets: Numbers) -> None:
        """Write a list for each row."""
        writer, starts = self._writer, offsets + self._at
        lengths = [min(len(value), writer.count) for value in values]
        words = chain.from_iterable([value[: writer.count] for value in values])
        places = np.fromiter(map(writer.places.__getitem__, words), np.int64, sum(lengths))
        numbers = np.fromiter(chain.from_iterable(map(range, lengths)), np.int64, len(places))
        at = np.repeat(starts, lengths)
        self._flat[at + numbers] = (places + 1) / len(writer.places)
        self._flat[at + writer.count + places] = 0.5 + (numbers + 1) / (2 * writer.count)  # the last one stays


class _LeafLists:
    """Writes lists of lists, by seat, of values that recur: what each of them writes is kept."""

    def __init__(self, writer: Any, flat: Numbers, at: int) -> None:  # noqa: ANN401 - see `can_write`
        self._flat, self._at = flat, at
        self._seats, self._slots = writer.shape[0], writer.item
        self._leaf: FieldWriter = writer.item.item
        self._numbers: dict[Any, int] = {}
        self._written = np.zeros((0, self._leaf.size), np.float32)

    @staticmethod
    def can_write(writer: FieldWriter) -> bool:
        """Return whether these are lists of letters or cards."""
        return (
            isinstance(writer, BySeatWriter)
            and isinstance(writer.item, SlotsWriter)
            and isinstance(writer.item.item, LettersWriter | CardWriter)
        )

    def write(self, values: Sequence[Any], seats: Numbers, offsets: Numbers) -> None:
        """Write a list of lists for each row."""
        count, slots, leaf = self._seats, self._slots, self._leaf
        lists = [one for value in values for one in value[:count]]
        owners = np.fromiter(chain.from_iterable([range(min(len(value), count)) for value in values]), np.int64)
        rows = np.repeat(np.arange(len(values)), [min(len(value), count) for value in values])
        starts = offsets[rows] + self._at + (owners - seats[rows]) % count * slots.size
        lengths = [min(len(one), slots.count) for one in lists]
        leaves = [*chain.from_iterable([one[: slots.count] for one in lists])]
        find = self._numbers.get
        numbers = [find(one, NOWHERE) for one in leaves]
        if NOWHERE in numbers:
            self._learn(leaves)
            numbers = [self._numbers[one] for one in leaves]
        places = np.fromiter(chain.from_iterable(map(range, lengths)), np.int64, len(leaves))
        at = np.repeat(starts, lengths) + places * leaf.size
        self._flat[at[:, None] + np.arange(leaf.size)] = self._written[numbers]
        if slots.length_at is not None:
            sizes = np.fromiter(map(len, lists), np.int64, len(lists))
            self._flat[starts + slots.length_at] = sizes / (HALF_VALUE + sizes)

    def _learn(self, leaves: Sequence[Any]) -> None:
        """Write values that were not met before."""
        new = [one for one in dict.fromkeys(leaves) if one not in self._numbers]
        rows = np.zeros((len(new), self._leaf.size), np.float32)
        for row, value in zip(rows, new, strict=True):
            view: memoryview[Any] = row.data
            self._leaf.write(value, 0, view, 0)
            self._numbers[value] = len(self._numbers)
        self._written = np.concatenate([self._written, rows])


def _count_before(keys: Numbers) -> Numbers:
    """Return how often each key came before."""
    order = np.argsort(keys, kind="stable")
    ordered, numbers = keys[order], np.arange(len(keys))
    is_first = np.ones(len(keys), np.bool_)
    is_first[1:] = ordered[1:] != ordered[:-1]
    counts = np.empty(len(keys), np.int64)
    counts[order] = numbers - np.maximum.accumulate(np.where(is_first, numbers, 0))
    return counts


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
