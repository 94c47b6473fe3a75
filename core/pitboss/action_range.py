"""Ranges of actions: legal actions that differ in one whole number, as bets do, are one entry of the legal list.

On the wire the field with the number has the bounds, both included: `{"do": "raise", "to": [20, 9000]}` stands for
`{"do": "raise", "to": 20}` to `{"do": "raise", "to": 9000}`. A player answers with one of these actions. The index of
the entry chooses the one with the smallest number. Records hold actions, never ranges.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, ClassVar, Final

import msgspec
from msgspec import NODEFAULT, Meta, Struct

SAMPLED_NUMBERS: Final = 6  # of a range, where its actions are tried one by one


class RangedEntry(Struct, frozen=True):
    """An entry of a legal list that is a range."""

    index: Annotated[int, Meta(description="Of the entry in `legal`.")]
    field: Annotated[str, Meta(description="The key whose value is [lowest, highest].")]


class ActionRange(Struct, frozen=True):
    """Legal actions that differ in one whole number. It is made by `make`; its types are made for each action type."""

    action_type: ClassVar[type[Struct]]
    ranged_field: ClassVar[str]

    @staticmethod
    def make(action_type: type[Struct], /, **values: Any) -> ActionRange:  # noqa: ANN401 - the fields of any action
        """Return a range: `ActionRange.make(Raise, to=(20, 9000))`. One of the values is (lowest, highest).

        Raises:
            ValueError: not one field alone has bounds, or no number lies between them.
        """
        ranged = [name for name, value in values.items() if isinstance(value, tuple)]
        if len(ranged) != 1:
            raise ValueError(f"a range has bounds in one field, not in {ranged}: {values!r}")
        lowest, highest = values[ranged[0]]
        if lowest > highest:
            raise ValueError(f"there is no number from {lowest} to {highest}: {values!r}")
        return _make_range_type(action_type, ranged[0])(**values)

    @property
    def bounds(self) -> tuple[int, int]:
        """The smallest and the largest number."""
        return getattr(self, self.ranged_field)  # type: ignore[no-any-return]

    @property
    def lowest(self) -> Any:  # noqa: ANN401 - an action of any game
        """The action with the smallest number, which the index of the range chooses."""
        return self.action_with(self.bounds[0])

    def action_with(self, number: int) -> Any:  # noqa: ANN401
        """Return the action with a number, which need not be within the bounds."""
        values = {name: getattr(self, name) for name in self.__struct_fields__}
        values[self.ranged_field] = number
        return self.action_type(**values)

    def __contains__(self, action: object) -> bool:
        """Whether an action is one of the range."""
        if type(action) is not self.action_type:
            return False
        number, (lowest, highest) = getattr(action, self.ranged_field), self.bounds
        return bool(lowest <= number <= highest and action == self.action_with(number))

    def sample_numbers(self, count: int) -> list[int]:
        """Return at most `count` numbers, ascending: both bounds, and between them such that ratios are equal.

        People choose the sizes of bets so.
        """
        lowest, highest = self.bounds
        if highest - lowest < count:
            return list(range(lowest, highest + 1))
        base, numbers = max(lowest, 1), [lowest]
        for step in range(1, count - 1):
            number = round(base * (highest / base) ** (step / (count - 1)))
            if numbers[-1] < number < highest:
                numbers.append(number)
        return [*numbers, highest]


RANGE_TYPES: Final[set[type[ActionRange]]] = set()  # all that were made: a look into it is the quickest test


def find_entry(action: object, legal: Sequence[Any]) -> int | None:
    """Return the index of a legal action, or of the range that it is in; None if it is not legal."""
    if action in legal:
        return legal.index(action)
    return next((one.index for one in locate_ranges(legal) if action in legal[one.index]), None)


def find_legal_action(value: object, legal: Sequence[Any], action_type: Any) -> Any:  # noqa: ANN401 - any game's
    """Return the legal action that a value of JSON describes, as the game writes it; None if it describes none."""
    try:
        action = msgspec.convert(value, action_type)
    except msgspec.ValidationError:
        return None
    index = find_entry(action, legal)
    if index is None:
        return None
    return action if type(legal[index]) in RANGE_TYPES else legal[index]


def lowest_action(entry: Any) -> Any:  # noqa: ANN401
    """Return the action that the index of an entry of a legal list chooses."""
    return entry.lowest if type(entry) in RANGE_TYPES else entry


def draw_action(entry: Any, draw: Callable[[int], int]) -> Any:  # noqa: ANN401
    """Return the action of an entry of a legal list; of a range a random one: `draw(n)` returns 0 to n - 1."""
    if type(entry) not in RANGE_TYPES:
        return entry
    lowest, highest = entry.bounds
    return entry.action_with(lowest + draw(highest - lowest + 1))


def sample_actions(legal: Sequence[Any], count: int = SAMPLED_NUMBERS, more: Iterable[int] = ()) -> Sequence[Any]:
    """Return the actions of a legal list.

    Of each range there are at most `count` (`ActionRange.sample_numbers`), and those with the numbers in `more`.
    """
    if not RANGE_TYPES:
        return legal
    extra = tuple(more)
    return [action for entry in legal for action in _sample_entry(entry, count, extra)]


def _sample_entry(entry: Any, count: int, more: Sequence[int]) -> Iterator[Any]:  # noqa: ANN401
    if type(entry) not in RANGE_TYPES:
        yield entry
        return
    lowest, highest = entry.bounds
    numbers = {*entry.sample_numbers(count), *(number for number in more if lowest <= number <= highest)}
    yield from map(entry.action_with, sorted(numbers))


def count_actions(legal: Sequence[Any]) -> int:
    """Return the number of actions of a legal list, those of ranges included."""
    if not RANGE_TYPES:
        return len(legal)
    return sum(entry.bounds[1] - entry.bounds[0] + 1 if type(entry) in RANGE_TYPES else 1 for entry in legal)


def is_within(action: object, entry: Mapping[str, Any], field: str) -> bool:
    """Tell whether an action is one of a range, both as plain data: like it, but with one whole number in the field."""
    if not isinstance(action, Mapping) or type(number := action.get(field)) is not int:
        return False
    lowest, highest = entry[field]
    return bool(lowest <= number <= highest and {**entry, field: number} == action)


def explain_beyond(action: object, legal: Sequence[Any]) -> str | None:
    """Return why an action, as plain data, is in no range: its number. None if it differs in more from each range."""
    for one in locate_ranges(legal):
        entry = msgspec.to_builtins(legal[one.index])
        if isinstance(action, Mapping) and one.field in action and {**entry, one.field: action[one.field]} == action:
            lowest, highest = entry[one.field]
            return f"{one.field!r} may be any whole number from {lowest} to {highest}, not {action[one.field]!r}"
    return None


def locate_ranges(legal: Sequence[Any]) -> list[RangedEntry]:
    """Return where the ranges of a legal list stand."""
    if not RANGE_TYPES:
        return []
    return [RangedEntry(index, entry.ranged_field) for index, entry in enumerate(legal) if type(entry) in RANGE_TYPES]


@cache
def _make_range_type(action_type: type[Struct], ranged_field: str) -> type[ActionRange]:
    """Return the type of ranges of an action type: the same fields and tag, but a pair of numbers in one field."""
    config = action_type.__struct_config__
    fields: list[Any] = [
        (one.name, tuple[int, int] if one.name == ranged_field else one.type)
        + (() if one.default is NODEFAULT or one.name == ranged_field else (one.default,))
        for one in msgspec.structs.fields(action_type)
    ]
    made: Any = msgspec.defstruct(
        f"{action_type.__name__}Range",
        fields,
        bases=(ActionRange,),
        namespace={"action_type": action_type, "ranged_field": ranged_field},
        frozen=True,
        kw_only=True,
        tag_field=config.tag_field,
        tag=config.tag,
    )
    RANGE_TYPES.add(made)
    return made  # type: ignore[no-any-return]
