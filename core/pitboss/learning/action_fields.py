"""The fields of a game's actions, and the values that each can have: read off their types.

A field is a `Literal`, a bool, None, a whole number with a least and a greatest value, a card (`pitboss.CardFace`), a
seat (`pitboss.SeatIndex`), a union of these, a tuple of them, or a tuple of such tuples, none of them empty: melds,
each of several cards. One field of an action may be a whole number without bounds: it is the number of a range, such as
the size of a bet. Open actions have no numbers: learners choose among those that are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec import inspect

from pitboss.errors import PitbossError
from pitboss.open_actions import OpenAction
from pitboss.options import is_marked, strip_metadata
from pitboss.table.cards import Deck


class UnboundedAction(PitbossError):
    """A field of an action has no bounds, so that the actions of the game cannot be numbered."""


class ActionField(NamedTuple):
    """A field of an action type."""

    name: str
    values: tuple[Any, ...]  # that it can have, or that each of its items can have; () where it is ranged
    is_list: bool = False
    is_nested: bool = False  # a list of lists
    is_ranged: bool = False  # a whole number without bounds


class ActionType(NamedTuple):
    """A kind of action, with its fields in their order."""

    struct: type[Any]
    word: str  # its tag: "draw"
    fields: tuple[ActionField, ...]

    @property
    def ranged_field(self) -> ActionField | None:
        """The field with the number of a range; None if there is none."""
        return next((field for field in self.fields if field.is_ranged), None)


def read_action_types(action: Any, deck: Deck, seats: int = 0) -> list[ActionType]:  # noqa: ANN401 - `Game.Action`
    """Return the action types of a game in the order in which they are declared, without those of open actions.

    `deck` has the faces of its cards; a seat without bounds of its own is one of `seats`.

    Raises:
        UnboundedAction: a field has no bounds; the message names it and the cure.
    """
    (kind,) = inspect.multi_type_info([action])
    kinds = kind.types if isinstance(kind, inspect.UnionType) else (kind,)
    named = _NamedValues(tuple(dict.fromkeys(deck.faces)), range(seats))
    found = []
    for one in kinds:
        assert isinstance(one, inspect.StructType)
        if issubclass(one.cls, OpenAction):
            continue
        word = str(one.tag if one.tag is not None else one.cls.__name__)
        fields = tuple(_read_field(word, field.name, field.type, named) for field in one.fields)
        if sum(field.is_ranged for field in fields) > 1:
            names = [field.name for field in fields if field.is_ranged]
            raise UnboundedAction(f"action {word!r}: of its fields {names} one at most may be without bounds")
        found.append(ActionType(one.cls, word, fields))
    return found


class _NamedValues(NamedTuple):
    """What a card and a seat can be."""

    faces: Sequence[Any]
    seats: Sequence[int]


def _read_field(word: str, name: str, kind: inspect.Type, named: _NamedValues) -> ActionField:
    plain = strip_metadata(kind)
    where = f"action {word!r}, field {name!r}"
    match plain:
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            inner = strip_metadata(item)
            if isinstance(inner, inspect.VarTupleType | inspect.ListType):
                members = tuple(_list_values(inner.item_type, named, where))
                return ActionField(name, members, is_list=True, is_nested=True)
            return ActionField(name, tuple(_list_values(item, named, where)), is_list=True)
        case inspect.TupleType(item_types=items):
            values = dict.fromkeys(value for item in items for value in _list_values(item, named, where))
            return ActionField(name, tuple(values), is_list=True)
        case inspect.IntType() if _find_game_bounds(plain) is None and not _is_any_seat(kind, named):
            return ActionField(name, (), is_ranged=True)
    return ActionField(name, tuple(dict.fromkeys(_list_values(kind, named, where))))


def _list_values(kind: inspect.Type, named: _NamedValues, where: str) -> Iterator[Any]:
    plain = strip_metadata(kind)
    match plain:
        case _ if is_marked(kind, "card"):
            yield from named.faces
        case inspect.IntType() if _find_game_bounds(plain) is None and _is_any_seat(kind, named):
            yield from named.seats
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.NoneType():
            yield None
        case inspect.IntType() if (bounds := _find_game_bounds(plain)) is not None:
            yield from bounds
        case inspect.UnionType(types=types):
            for one in types:
                yield from _list_values(one, named, where)
        case _:
            raise UnboundedAction(
                f"{where}: its values cannot be listed; it may be a Literal, a bool, a whole number with `ge` and "
                "`le`, a card (`pitboss.CardFace`), a seat (`pitboss.SeatIndex`), a tuple of these, or a tuple of "
                "such tuples"
            )


def _is_any_seat(kind: inspect.Type, named: _NamedValues) -> bool:
    return is_marked(kind, "seat") and len(named.seats) > 0


def _find_game_bounds(kind: inspect.IntType) -> range | None:
    """Return the whole numbers that a type allows; None if there is no end of them."""
    least = kind.ge if kind.ge is not None else None if kind.gt is None else kind.gt + 1
    most = kind.le if kind.le is not None else None if kind.lt is None else kind.lt - 1
    if least is None or most is None:
        return None
    step = kind.multiple_of or 1
    return range(-(-least // step) * step, most + 1, step)
