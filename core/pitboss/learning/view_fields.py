"""The fields of a view that can be numbers: which they are, how many numbers each takes, and how they are written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import inspect

from pitboss.options import is_marked, strip_metadata
from pitboss.table.cards import Face

HALF_VALUE: Final = 10  # the whole number that becomes 0.5: n becomes n / (HALF_VALUE + |n|)


class FieldWriter(ABC):
    """Writes the value of a field, as a seat sees it, into a row of zeros."""

    shape: tuple[int, ...]

    @abstractmethod
    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write a value from `at` on."""


class NumberWriter(FieldWriter):
    """A number, between -1 and 1, and whether there is one."""

    shape = (2,)

    def __init__(self, *, is_optional: bool) -> None:
        self.is_optional = is_optional

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write n / (HALF_VALUE + |n|), and 1."""
        if value is not None:
            row[at] = value / (HALF_VALUE + abs(value))
            row[at + 1] = 1.0


class WordWriter(FieldWriter):
    """A word, or another of few values: 1 at its place."""

    def __init__(self, words: Sequence[Any]) -> None:
        self.places = {word: place for place, word in enumerate(words)}
        self.shape = (len(words),)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write 1 at the place of the word; nothing for another value."""
        place = self.places.get(value)
        if place is not None:
            row[at + place] = 1.0


class SeatWriter(FieldWriter):
    """The number of a seat: 1 at its distance to the left."""

    def __init__(self, seats: int) -> None:
        self.shape = (seats,)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write 1 at the distance; nothing for None."""
        if value is not None:
            row[at + (value - seat) % self.shape[0]] = 1.0


class NumbersWriter(FieldWriter):
    """A list with a number for each seat, as `NumberWriter` writes it: the own one, then that of the next seat."""

    def __init__(self, seats: int) -> None:
        self.shape = (seats, 2)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write each number."""
        seats = self.shape[0]
        for other, number in enumerate(value[:seats]):
            if number is not None:
                place = at + (other - seat) % seats * 2
                row[place] = number / (HALF_VALUE + (number if number >= 0 else -number))
                row[place + 1] = 1.0


class BySeatWriter(FieldWriter):
    """A list with a value for each seat: the own one first, then that of the next seat."""

    def __init__(self, seats: int, item: FieldWriter) -> None:
        self.item = item
        self.shape = (seats, *item.shape)

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write each value."""
        seats, width = self.shape[0], self.item.shape[0]
        for other, one in enumerate(value[:seats]):
            self.item.write(one, seat, row, at + (other - seat) % seats * width)


class SeatCardsWriter(FieldWriter):
    """A list of [seat, card]: 1 at the distance of the seat and the face of the card."""

    def __init__(self, seats: int, faces: Sequence[Face]) -> None:
        self._places = {face: place for place, face in enumerate(faces)}
        self.shape = (seats, len(faces))

    def write(self, value: Any, seat: int, row: memoryview[float], at: int) -> None:  # noqa: ANN401
        """Write 1 for each entry."""
        seats, faces = self.shape
        for other, face in value:
            row[at + (other - seat) % seats * faces + self._places[face]] = 1.0


class ViewField(NamedTuple):
    """A field of a view that is written."""

    name: str
    writer: FieldWriter


class PlacedField(NamedTuple):
    """A field of the view, and where it starts in a row."""

    name: str
    writer: FieldWriter
    start: int


def read_view_fields(view: Any, seats: int, faces: Sequence[Face]) -> Iterator[ViewField]:  # noqa: ANN401
    """Yield the fields of a view that can be numbers; the cards of all others are in the zones.

    A list of numbers counts as one by seat if this view has as many as there are seats.
    """
    (kind,) = inspect.multi_type_info([type(view)])
    assert isinstance(kind, inspect.StructType)
    for field in kind.fields:
        writer = _find_writer(field.type, seats, faces, getattr(view, field.name))
        if writer is not None:
            yield ViewField(field.name, writer)


def _find_writer(kind: inspect.Type, seats: int, faces: Sequence[Face], sample: object) -> FieldWriter | None:
    """Return the writer of a field; `sample` is one of its values. None: it cannot be numbers."""
    single = _find_single_writer(kind, seats)
    if single is not None:
        return single
    plain = strip_metadata(kind)
    if not isinstance(plain, inspect.ListType | inspect.VarTupleType):
        return None
    item = plain.item_type
    if isinstance(pair := strip_metadata(item), inspect.TupleType):
        is_seat_card = len(pair.item_types) == 2 and all(
            is_marked(one, mark) for one, mark in zip(pair.item_types, ("seat", "card"), strict=True)
        )
        return SeatCardsWriter(seats, faces) if is_seat_card else None
    one = _find_single_writer(item, seats)
    if one is None or not isinstance(sample, list | tuple) or len(sample) != seats:
        return None
    return NumbersWriter(seats) if isinstance(one, NumberWriter) else BySeatWriter(seats, one)


def _find_single_writer(kind: inspect.Type, seats: int) -> FieldWriter | None:
    """Return the writer of a value that is no list; None if the type is no number, word or seat."""
    if is_marked(kind, "card"):
        return None
    if is_marked(kind, "seat"):
        return SeatWriter(seats)
    plain = strip_metadata(kind)
    declared = plain.types if isinstance(plain, inspect.UnionType) else (plain,)
    kinds = tuple(one for one in declared if not isinstance(one, inspect.NoneType))
    if any(is_marked(one, "card") for one in kinds):
        return None
    if kinds and all(is_marked(one, "seat") for one in kinds):
        return SeatWriter(seats)
    stripped = [strip_metadata(one) for one in kinds]
    if stripped and all(isinstance(one, inspect.IntType | inspect.BoolType | inspect.FloatType) for one in stripped):
        return NumberWriter(is_optional=len(kinds) < len(declared))
    if stripped and all(isinstance(one, inspect.LiteralType) for one in stripped):
        return WordWriter([value for one in stripped for value in one.values])  # type: ignore[attr-defined]
    return None
