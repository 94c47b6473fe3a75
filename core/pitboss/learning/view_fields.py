"""The fields of a view that can be numbers: which they are, and by which writer, read off their types.

A field is a number, a word (`Literal`), a seat (`pitboss.SeatIndex`), a card (`pitboss.CardFace`; so is any text), a
text of letters (`letters_of`) or of phrases (`phrases_of`), a struct, a tuple or a union of structs of these, or None
in place of them. A list of them

* has a value for each seat, if it has as many at the deal as there are seats, and no `max_length`;
* is written value by value, up to its `max_length`: so are cards only if they are `IN_ORDER`;
* has at each card its place otherwise, if it is one of cards, of [seat, card], or of lists of them; a list of structs
  is a list for each of their fields.

Fields marked `IN_ZONES` are left to the zones of the table. What has no bound has no writer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, Final, NamedTuple

from msgspec import UNSET, inspect

from pitboss.learning.field_writers import (
    MAX_ONE_HOT,
    BySeatWriter,
    CardEntries,
    CardListWriter,
    CardWriter,
    ColumnsWriter,
    DeckCells,
    FieldWriter,
    KeysWriter,
    KindsWriter,
    LettersWriter,
    NumbersWriter,
    NumberWriter,
    PhrasesWriter,
    SeatListWriter,
    SeatWriter,
    SlotsWriter,
    StructWriter,
    WordListWriter,
    WordWriter,
)
from pitboss.options import is_marked, read_mark, strip_metadata
from pitboss.table.cards import Face

WIDE_BOUND: Final = 10_000  # a number that may be greater, by its type, has a third number


class ViewField(NamedTuple):
    """A field of a view that is written."""

    name: str
    writer: FieldWriter


class PlacedField(NamedTuple):
    """A field of the view, and where it starts in a row."""

    name: str
    writer: FieldWriter
    start: int


class ViewFields(NamedTuple):
    """The fields of a view."""

    written: list[ViewField]
    unwritten: list[str]  # whose type has no bound, or is none of those that can be numbers
    in_zones: list[str]  # cards that the zones of the table show


def read_view_fields(
    view: Any,  # noqa: ANN401
    seats: int,
    faces: Sequence[Face],
    bounds: Mapping[str, Sequence[int]] | None = None,
) -> ViewFields:
    """Return the fields of a view, of a table with a deck of these faces.

    A list counts as one by seat if this view has as many values as there are seats. `bounds` has, by field, the most
    values of its lists, the outermost first, where the types do not say it.
    """
    (kind,) = inspect.multi_type_info([type(view)])
    assert isinstance(kind, inspect.StructType)
    found, deck = ViewFields([], [], []), DeckCells(faces)
    for field in kind.fields:
        if is_marked(field.type, "in_zones"):
            found.in_zones.append(field.name)
            continue
        reader = _TypeReader(seats, deck, (bounds or {}).get(field.name, ()))
        writer = reader.find(field.type, getattr(view, field.name))
        if writer is None:
            found.unwritten.append(field.name)
        else:
            found.written.append(ViewField(field.name, writer))
    return found


class _TypeReader:
    """Finds the writer of a type, at a table; `bounds` are those of the lists of one field, the outermost first."""

    def __init__(self, seats: int, deck: DeckCells, bounds: Sequence[int] = ()) -> None:
        self._seats = seats
        self._deck = deck
        self._bounds = bounds

    def find(self, kind: inspect.Type, sample: Any = None, depth: int = 0) -> FieldWriter | None:  # noqa: ANN401
        """Return the writer of a type; `sample` is a value. None: it cannot be numbers, or has no bound."""
        kinds, is_optional = _list_kinds(kind)
        if not kinds:
            return None
        plain = [strip_metadata(one) for one in kinds]
        if all(is_marked(one, "seat") for one in kinds):
            return SeatWriter(self._seats, is_optional=is_optional)
        if all(isinstance(one, inspect.LiteralType) for one in plain):
            words = [value for one in plain for value in one.values]  # type: ignore[attr-defined]
            return WordWriter(words, is_optional=is_optional)
        if all(isinstance(one, inspect.StructType) for one in plain) and len(kinds) > 1:
            return self._find_kinds(plain, is_optional=is_optional, depth=depth)
        if not any(map(_is_card, kinds)) and all(isinstance(one, _NUMBERS) for one in plain):
            return NumberWriter(is_optional=is_optional, is_wide=any(map(_is_wide, kinds)))
        if len(kinds) > 1:
            return None
        return self._find_one(kinds[0], sample, is_optional=is_optional, depth=depth)

    def _find_one(self, kind: inspect.Type, sample: Any, *, is_optional: bool, depth: int) -> FieldWriter | None:  # noqa: ANN401
        """Return the writer of a type that is no union, and no number, word or seat."""
        plain = strip_metadata(kind)
        if letters := read_mark(kind, "letters"):
            return LettersWriter(letters)
        if pattern := read_mark(kind, "phrases"):
            return self._find_phrases(pattern, read_mark(kind, "kind"), depth)
        if _is_card(kind):
            return CardWriter(self._deck) if self._deck.has_texts or self._deck.highest is not None else None
        if fields := _list_fields(plain):
            return self._find_struct(fields, sample, is_optional=is_optional, depth=depth)
        if isinstance(plain, inspect.DictType) and isinstance(sample, dict) and sample:
            item = self.find(plain.value_type, next(iter(sample.values())), depth)
            return KeysWriter([*sample], item) if item is not None else None
        if isinstance(plain, _LISTS):
            return self._find_list(kind, plain, sample, depth)
        return None

    def _find_struct(
        self,
        fields: Sequence[tuple[_Getter, inspect.Type]],
        sample: Any,  # noqa: ANN401
        *,
        is_optional: bool,
        depth: int,
    ) -> StructWriter | None:
        found = []
        for read, kind in fields:
            writer = self.find(kind, None if sample is None else _read_set(read)(sample), depth)
            if writer is None:
                return None
            found.append((_read_set(read), writer))
        return StructWriter(found, is_optional=is_optional)

    def _find_kinds(self, kinds: Sequence[Any], *, is_optional: bool, depth: int) -> KindsWriter | None:
        writers = {
            kind.cls: self._find_struct(_list_fields(kind), None, is_optional=False, depth=depth) for kind in kinds
        }
        found = {kind: writer for kind, writer in writers.items() if writer is not None}
        return KindsWriter(found, is_optional=is_optional) if len(found) == len(kinds) else None

    def _find_phrases(self, pattern: str, struct: Any, depth: int) -> FieldWriter | None:  # noqa: ANN401
        """Return the writer of a text of phrases, each with the fields of a struct."""
        if depth >= len(self._bounds):
            return None
        (kind,) = inspect.multi_type_info([struct])
        assert isinstance(kind, inspect.StructType)
        parts: list[tuple[str, Callable[[str], Any], FieldWriter]] = []
        for field in kind.fields:
            writer = self.find(field.type)
            assert writer is not None
            parts.append((field.name, str if isinstance(writer, WordWriter) else int, writer))
        return PhrasesWriter(self._bounds[depth], pattern, parts)

    def _find_list(self, kind: inspect.Type, plain: Any, sample: Any, depth: int) -> FieldWriter | None:  # noqa: ANN401
        item, inner = plain.item_type, next(iter(sample or ()), None)
        bound = self._bounds[depth] if depth < len(self._bounds) else plain.max_length
        is_by_seat = bound is None and isinstance(sample, list | tuple) and len(sample) == self._seats
        if is_by_seat and not _holds_cards(item):
            one = self.find(item, inner, depth + 1)
            if one is not None:
                return (
                    NumbersWriter(self._seats, one) if isinstance(one, NumberWriter) else BySeatWriter(self._seats, one)
                )
        if bound is None or not is_marked(kind, "in_order"):
            cards = self._find_cards(item, bound)
            if cards is not None:
                return cards
            kinds, is_optional = _list_kinds(item)
            if kinds and not is_optional and all(is_marked(one, "seat") for one in kinds):
                return SeatListWriter(self._seats)
            if len(kinds) == 1 and not is_optional and (fields := _list_fields(strip_metadata(kinds[0]))):
                return self._find_columns(fields, bound, depth)
        if bound is None:
            return None
        one = self.find(item, inner, depth + 1)
        if isinstance(one, WordWriter) and one.is_seen and bound * one.size > MAX_ONE_HOT:
            return WordListWriter(bound, [*one.places])
        return SlotsWriter(bound, one) if one is not None else None

    def _find_cards(self, item: inspect.Type, bound: int | None) -> CardListWriter | None:
        """Return the writer of a list with such items that is written card by card; None if it is no such list."""
        deck, seats = self._deck, self._seats
        places = bound or deck.count or 1
        kinds, is_optional = _list_kinds(item)
        if len(kinds) != 1 or not deck.count:
            return None
        plain = strip_metadata(kinds[0])
        if _is_card(kinds[0]):
            return CardListWriter(deck, _list_cards, places, has_length=is_optional)
        if is_optional:
            return None
        if _is_pair(plain):
            return CardListWriter(deck, _list_pairs, places, seats)
        if isinstance(plain, _LISTS):
            inside = strip_metadata(plain.item_type)
            width = plain.max_length or deck.count
            if _is_pair(inside):
                return CardListWriter(
                    deck, _GroupEntries(width, has_seats=True), places * width, seats, has_length=True
                )
            if _is_card(plain.item_type):
                return CardListWriter(deck, _GroupEntries(width), places * width, has_length=True)
        return None

    def _find_columns(
        self, fields: Sequence[tuple[_Getter, inspect.Type]], bound: int | None, depth: int
    ) -> ColumnsWriter | CardListWriter | None:
        """Return the writer of a list of structs: those of their fields that have a bound, a list for each."""
        deck, places = self._deck, bound or self._deck.count or 1
        owned = [read for read, kind in fields if is_marked(kind, "seat")]
        packs: list[tuple[_Getter, Any]] = [
            (read, strip_metadata(kind)) for read, kind in fields if _is_card_list(kind)
        ]
        if len(fields) == len(owned) + len(packs) == 2 and len(owned) == len(packs) == 1:
            read, plain = packs[0]
            width = plain.max_length or deck.count
            entries = _OwnedEntries(owned[0], read, width)
            return CardListWriter(deck, entries, places * width, self._seats, has_length=True)
        columns: list[tuple[Callable[[Any], Any], FieldWriter]] = []
        for read, kind in fields:
            writer: FieldWriter | None = self._find_cards(kind, bound)
            if writer is None and bound is not None:
                one = self.find(kind, None, depth + 1)
                writer = SlotsWriter(bound, one) if one is not None else None
            if writer is not None:
                columns.append((_Column(read), writer))
        return ColumnsWriter(columns) if columns else None


_Getter = Callable[[Any], Any]
_NUMBERS: Final = (inspect.IntType, inspect.BoolType, inspect.FloatType)
_LISTS: Final = (inspect.ListType, inspect.VarTupleType)


class _Column:
    """Reads one field of each struct of a list."""

    def __init__(self, read: _Getter) -> None:
        self._read = read

    def __call__(self, structs: Sequence[Any]) -> list[Any]:
        return [*map(self._read, structs)]


class _GroupEntries:
    """Lists the cards of lists of cards, or of [seat, card]; each list has `width` places."""

    def __init__(self, width: int, *, has_seats: bool = False) -> None:
        self._width = width
        self._has_seats = has_seats

    def __call__(self, groups: Sequence[Sequence[Any]], first: int) -> CardEntries:
        places = _number_places(groups, first, self._width)
        entries = [*chain.from_iterable(groups)]
        if not self._has_seats:
            return CardEntries(places, None, entries)
        return CardEntries(places, [seat for seat, _ in entries], [face for _, face in entries])


class _OwnedEntries:
    """Lists the cards of structs with a seat and cards."""

    def __init__(self, read_seat: _Getter, read_cards: _Getter, width: int) -> None:
        self._read_seat, self._read_cards, self._width = read_seat, read_cards, width

    def __call__(self, structs: Sequence[Any], first: int) -> CardEntries:
        groups = [*map(self._read_cards, structs)]
        owners = [owner for owner, group in zip(map(self._read_seat, structs), groups, strict=True) for _ in group]
        return CardEntries(_number_places(groups, first, self._width), owners, [*chain.from_iterable(groups)])


def _number_places(groups: Sequence[Sequence[Any]], first: int, width: int) -> list[int]:
    """Return the places of the items of all groups, the first of which is number `first`."""
    starts = range(first * width, (first + len(groups)) * width, width)
    return [
        *chain.from_iterable([range(start, start + len(group)) for start, group in zip(starts, groups, strict=True)])
    ]


def _list_cards(cards: Sequence[Any], first: int) -> CardEntries:
    return CardEntries(range(first, first + len(cards)), None, cards)


def _list_pairs(pairs: Sequence[tuple[int, Any]], first: int) -> CardEntries:
    places = range(first, first + len(pairs))
    return CardEntries(places, [seat for seat, _ in pairs], [face for _, face in pairs])


def _list_kinds(kind: inspect.Type) -> tuple[list[inspect.Type], bool]:
    """Return the types of a union, or the one type, without None; and whether it may be None."""
    plain = strip_metadata(kind)
    if not isinstance(plain, inspect.UnionType):
        return [kind], isinstance(plain, inspect.NoneType)
    kinds: list[inspect.Type] = []
    is_optional = False
    for one in plain.types:
        if _is_nothing(one):
            is_optional = True
        else:
            kinds.append(one)
    return kinds, is_optional


def _is_nothing(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.NoneType) or (isinstance(kind, inspect.CustomType) and kind.cls is type(UNSET))


def _is_card(kind: inspect.Type) -> bool:
    """Tell whether a type is a card, or a text without a meaning of its own."""
    if is_marked(kind, "card"):
        return True
    is_text = isinstance(strip_metadata(kind), inspect.StrType)
    return is_text and not read_mark(kind, "letters") and not read_mark(kind, "phrases")


def _is_pair(plain: inspect.Type) -> bool:
    """Tell whether a type is [seat, card]."""
    if not isinstance(plain, inspect.TupleType) or len(plain.item_types) != 2:
        return False
    seat, card = plain.item_types
    return is_marked(seat, "seat") and _is_card(card)


def _holds_cards(item: inspect.Type) -> bool:
    """Tell whether the items of a list are cards, or [seat, card]."""
    kinds, _ = _list_kinds(item)
    return any(_is_card(one) or _is_pair(strip_metadata(one)) for one in kinds)


def _is_card_list(kind: inspect.Type) -> bool:
    plain = strip_metadata(kind)
    return isinstance(plain, _LISTS) and _is_card(plain.item_type)


def _is_wide(kind: inspect.Type) -> bool:
    if is_marked(kind, "large"):
        return True
    plain = strip_metadata(kind)
    bounds = [bound for name in ("ge", "gt", "le", "lt") if (bound := getattr(plain, name, None)) is not None]
    return any(abs(bound) > WIDE_BOUND for bound in bounds)


def _list_fields(plain: inspect.Type) -> list[tuple[_Getter, inspect.Type]]:
    """Return how the fields of a struct or a tuple are read, and their types; [] for another type."""
    if isinstance(plain, inspect.StructType):
        return [(attrgetter(field.name), field.type) for field in plain.fields]
    if isinstance(plain, inspect.TupleType):
        return [(itemgetter(number), one) for number, one in enumerate(plain.item_types)]
    return []


def _read_set(read: _Getter) -> _Getter:
    """Return a getter that returns None for a field that is not set."""

    def read_value(struct: Any) -> Any:  # noqa: ANN401
        value = read(struct)
        return None if value is UNSET else value

    return read_value
