"""How the value of a view's field becomes numbers: a writer for each kind of value, up to structs and lists of them.

The place of a value in a list is written as `1 - place / (2 * places)`: 1 for the first, more than 0.5 for all, so that
a list of cards takes one number for each card of the deck, and shows its order.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Any, Final, NamedTuple

from pitboss.table.cards import Face

HALF_VALUE: Final = 10  # the whole number that becomes 0.5: n becomes n / (HALF_VALUE + |n|)
LINEAR_VALUES: Final = 1 << 16  # of a wide number: n becomes, besides, what is left of it divided by these
MAX_ONE_HOT: Final = 1 << 10  # numbers for a list of words, with 1 at the place of each; longer ones are codes
MAX_KEPT_PHRASES: Final = 1 << 14


class FieldWriter(ABC):
    """Writes the value of a field, as a seat sees it, into a row of zeros."""

    shape: tuple[int, ...]
    is_seen: bool = True  # whether each value writes a number that is not 0, so that a missing one is noticed

    @cached_property
    def size(self) -> int:
        """How many numbers it writes."""
        return prod(self.shape)

    @abstractmethod
    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write a value from `at` on."""


class NumberWriter(FieldWriter):
    """A number: n / (HALF_VALUE + |n|) and 1; of a wide one also what is left of n divided by `LINEAR_VALUES`."""

    def __init__(self, *, is_optional: bool, is_wide: bool = False) -> None:
        self.is_optional = is_optional
        self.is_seen = not is_optional
        self.is_wide = is_wide
        self.shape = (3,) if is_wide else (2,)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the number; nothing for None."""
        if value is not None:
            size = value if value >= 0 else -value
            row[at] = value / (HALF_VALUE + size)
            row[at + 1] = 1.0
            if self.is_wide:
                row[at + 2] = size % LINEAR_VALUES / LINEAR_VALUES * (1 if value >= 0 else -1)


class WordWriter(FieldWriter):
    """A word, or another of few values: 1 at its place."""

    def __init__(self, words: Sequence[Any], *, is_optional: bool = False) -> None:
        self.places = {word: place for place, word in enumerate(words)}
        self.shape = (len(words),)
        self.is_seen = not is_optional

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write 1 at the place of the word; nothing for another value."""
        place = self.places.get(value)
        if place is not None:
            row[at + place] = 1.0


class SeatWriter(FieldWriter):
    """The number of a seat: 1 at its distance to the left."""

    def __init__(self, seats: int, *, is_optional: bool = False) -> None:
        self.shape = (seats,)
        self.is_seen = not is_optional

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write 1 at the distance; nothing for None."""
        if value is not None:
            row[at + (value - seat) % self.shape[0]] = 1.0


class LettersWriter(FieldWriter):
    """A text in which each letter has a meaning of its own: 1 for each letter that it has."""

    is_seen = False

    def __init__(self, letters: str) -> None:
        self.places = {letter: place for place, letter in enumerate(letters)}
        self.shape = (len(letters),)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write 1 for each letter; nothing for None or another letter."""
        for letter in value or "":
            if letter in self.places:
                row[at + self.places[letter]] = 1.0


class DeckCells:
    """The places of the cards of a deck among numbers: one for each copy of a face, in the order of the deck."""

    def __init__(self, faces: Sequence[Face]) -> None:
        self.count = len(faces)
        self.copies = Counter(faces)
        self.first_of: dict[Any, int] = {}
        at = 0
        for face, count in self.copies.items():
            self.first_of[face] = at
            at += count
        self.has_copies = len(self.copies) < len(faces)
        numbers = [face for face in faces if isinstance(face, int)]
        self.highest = max(numbers) if numbers and len(numbers) == len(faces) else None
        self.has_texts = any(isinstance(face, str) for face in faces)


class CardWriter(FieldWriter):
    """A card: 1 at the place of its face; where all faces are numbers, 1 and its share of the highest."""

    is_seen = False

    def __init__(self, deck: DeckCells) -> None:
        self.highest = deck.highest
        self.places = {face: place for place, face in enumerate(deck.copies)}
        self.shape = (len(deck.copies),) if deck.highest is None else (2,)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the card; nothing for None or a text that is no card."""
        place = self.places.get(value)
        if place is None:
            return
        if self.highest is None:
            row[at + place] = 1.0
        else:
            row[at] = 1.0
            row[at + 1] = value / self.highest


class CardEntries(NamedTuple):
    """The cards of a list, in their order: the place of each in it, and the seat that it belongs to."""

    places: Sequence[int]
    seats: Sequence[int] | None  # None: they belong to none
    faces: Sequence[Any]


class CardListWriter(FieldWriter):
    """A list of cards, or of cards with seats: at each card (at the distance of its seat) its place in the list.

    `list_entries` takes the value apart, with the place of its first item in a longer list; `places` is how many there
    are at the most.
    """

    is_seen = False

    def __init__(
        self,
        deck: DeckCells,
        list_entries: Callable[[Any, int], CardEntries],
        places: int,
        seats: int | None = None,
        *,
        has_length: bool = False,
    ) -> None:
        self.deck = deck
        self.list_entries = list_entries
        self.seats = seats
        self.length_at = deck.count * (seats or 1) if has_length else None
        self.values = [1 - place / (2 * places) for place in range(places)]
        if self.length_at is not None:
            self.shape: tuple[int, ...] = (self.length_at + 1,)
        else:
            self.shape = (deck.count,) if seats is None else (seats, deck.count)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write each card; nothing for None in place of one."""
        deck, values, first_of = self.deck, self.values, self.deck.first_of
        last = len(values) - 1
        places, owners, faces = self.list_entries(value, 0)
        met: dict[Any, int] = {}
        for number, face in enumerate(faces):
            cell = first_of.get(face)
            if cell is None:
                continue
            if deck.has_copies:
                copy = met.get(face, 0)
                if copy >= deck.copies[face]:
                    continue
                met[face] = copy + 1
                cell += copy
            if owners is not None:
                cell += (owners[number] - seat) % (self.seats or 1) * deck.count
            row[at + cell] = values[min(places[number], last)]
        if self.length_at is not None and value:
            row[at + self.length_at] = len(value) / (HALF_VALUE + len(value))


class SeatListWriter(FieldWriter):
    """A list of different seats: at the distance of each its place in the list."""

    is_seen = False

    def __init__(self, seats: int) -> None:
        self.shape = (seats,)
        self._values = [1 - place / (2 * seats) for place in range(seats)]

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the place of each seat."""
        seats = self.shape[0]
        for other, number in zip(value, self._values, strict=False):
            row[at + (other - seat) % seats] = number


class NumbersWriter(FieldWriter):
    """A list with a number for each seat, as `NumberWriter` writes it: the own one, then that of the next seat."""

    def __init__(self, seats: int, item: NumberWriter) -> None:
        self.item = item
        self.is_wide = item.is_wide
        self.shape = (seats, *item.shape)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write each number."""
        seats, width = self.shape
        for other, number in enumerate(value[:seats]):
            self.item.write(number, seat, row, at + (other - seat) % seats * width)


class BySeatWriter(FieldWriter):
    """A list with a value for each seat: the own one first, then that of the next seat."""

    def __init__(self, seats: int, item: FieldWriter) -> None:
        self.item = item
        self.shape = (seats, *item.shape)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write each value."""
        seats, width = self.shape[0], self.item.size
        for other, one in enumerate(value[:seats]):
            self.item.write(one, seat, row, at + (other - seat) % seats * width)


class SlotsWriter(FieldWriter):
    """A list of at most `count` values, one after another; then its length, if its values do not show it."""

    is_seen = False

    def __init__(self, count: int, item: FieldWriter) -> None:
        self.item = item
        self.count = count
        self.length_at = None if item.is_seen else count * item.size
        self.shape = (count, *item.shape) if item.is_seen else (count * item.size + 1,)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the values; those after the last place are left out."""
        width = self.item.size
        if self.length_at is not None and value:
            row[at + self.length_at] = len(value) / (HALF_VALUE + len(value))
        for one in value[: self.count]:
            self.item.write(one, seat, row, at)
            at += width


class WordListWriter(FieldWriter):
    """A long list of words: of each place the number of its word, then for each word how late it came last."""

    is_seen = False

    def __init__(self, count: int, words: Sequence[Any]) -> None:
        self.count = count
        self.places = {word: place for place, word in enumerate(words)}
        self.shape = (count + len(words),)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the words; those after the last place are left out."""
        count, places = self.count, self.places
        for number, word in enumerate(value[:count]):
            place = places[word]
            row[at + number] = (place + 1) / len(places)
            row[at + count + place] = 0.5 + (number + 1) / (2 * count)


class StructWriter(FieldWriter):
    """A struct or a tuple: its fields one after another; if it may be None, first whether there is one."""

    def __init__(self, fields: Sequence[tuple[Callable[[Any], Any], FieldWriter]], *, is_optional: bool) -> None:
        self.fields = fields
        self.is_seen = is_optional or any(writer.is_seen for _, writer in fields)
        self._has_flag = is_optional
        self.shape = (sum(writer.size for _, writer in fields) + is_optional,)
        if is_optional:
            self.is_seen = False

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the fields; nothing for None."""
        if value is None:
            return
        if self._has_flag:
            row[at] = 1.0
            at += 1
        for read, writer in self.fields:
            writer.write(read(value), seat, row, at)
            at += writer.size


class ColumnsWriter(FieldWriter):
    """A list of structs, field by field: a list for each."""

    is_seen = False

    def __init__(self, columns: Sequence[tuple[Callable[[Any], Any], FieldWriter]]) -> None:
        self.columns = columns
        self.shape = (sum(writer.size for _, writer in columns),)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write each field of all structs."""
        for read, writer in self.columns:
            writer.write(read(value), seat, row, at)
            at += writer.size


class KindsWriter(FieldWriter):
    """A struct of one of several kinds: 1 at its kind, and its fields, in places of their own."""

    def __init__(self, kinds: Mapping[type[Any], StructWriter], *, is_optional: bool) -> None:
        self.is_seen = not is_optional
        self._places: dict[type[Any], tuple[int, int, StructWriter]] = {}
        at = len(kinds)
        for number, (kind, writer) in enumerate(kinds.items()):
            self._places[kind] = (number, at, writer)
            at += writer.size
        self.shape = (at,)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write kind and fields; nothing for None."""
        found = self._places.get(type(value))
        if found is not None:
            number, start, writer = found
            row[at + number] = 1.0
            writer.write(value, seat, row, at + start)


class KeysWriter(FieldWriter):
    """A mapping whose keys are always the same: the value of each."""

    is_seen = False

    def __init__(self, keys: Sequence[Any], item: FieldWriter) -> None:
        self.keys = keys
        self.item = item
        self.shape = (len(keys), *item.shape)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the value of each key; nothing for a missing one."""
        width = self.item.size
        for key in self.keys:
            if key in value:
                self.item.write(value[key], seat, row, at)
            at += width


class PhrasesWriter(FieldWriter):
    """A text of phrases with blanks between: each one is taken apart by a pattern, and its parts are written.

    `parts` has the name of each group of the pattern, what it is read by, and its writer. What phrases wrote is kept:
    they recur.
    """

    is_seen = False

    def __init__(
        self, count: int, pattern: str, parts: Sequence[tuple[str, Callable[[str], Any], FieldWriter]]
    ) -> None:
        self._count = count
        self._pattern = re.compile(pattern)
        self._parts = parts
        self._width = sum(writer.size for _, _, writer in parts)
        self.shape = (count, self._width)
        self._kept: dict[tuple[str, int], list[tuple[int, float]]] = {}

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write the phrases; those after the last place are left out."""
        if not value:
            return
        kept = self._kept
        for phrase in value.split()[: self._count]:
            written = kept.get((phrase, seat))
            if written is None:
                written = self._read(phrase, seat)
                if len(kept) < MAX_KEPT_PHRASES:
                    kept[phrase, seat] = written
            for place, number in written:
                row[at + place] = number
            at += self._width

    def _read(self, phrase: str, seat: int) -> list[tuple[int, float]]:
        """Return what a phrase writes: places and numbers."""
        row, at = memoryview(bytearray(4 * self._width)).cast("f"), 0
        found = self._pattern.fullmatch(phrase)
        for name, read, writer in self._parts:
            if found is not None and found[name]:
                writer.write(read(found[name]), seat, row, at)
            at += writer.size
        return [(place, number) for place, number in enumerate(row) if number]
