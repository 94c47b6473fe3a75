"""The alphabet of a game's actions: every action of any game as one or a few letters with fixed numbers.

An action type with few values (`swap 5`, `discard H10`) has a letter for each of them. One with lists of cards
(`meld S9 S10 SJ`), or with too many values, is spelled: a letter for its word, then its fields, value by value, and a
stop after a list, and after each list in a list of lists. The number of a range (a bet) is one of a few letters from
the smallest to the largest number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from itertools import product
from math import prod
from operator import itemgetter
from typing import Any, Final, NamedTuple

from pitboss.action_range import RANGE_TYPES, SAMPLED_NUMBERS, ActionRange
from pitboss.learning.action_fields import ActionField, ActionType, read_action_types
from pitboss.table.cards import Deck

MAX_VALUES: Final = 1024  # of an action type: one with more is spelled
RANGE_LETTERS: Final = SAMPLED_NUMBERS  # from the smallest number of a range to the largest, in equal ratios
_MAX_CACHED: Final = 1 << 18  # spelled actions

STOP: Final = 0  # the letter after a list


class Alphabet:
    """The letters of a game: `letters[number]` is what a letter means, in words."""

    def __init__(self, action: Any, deck: Deck, seats: int = 0) -> None:  # noqa: ANN401 - `Game.Action`
        """Give the actions of a game with `seats` players their numbers.

        Raises:
            UnboundedAction: the values of a field cannot be listed.
        """
        self.letters: list[str] = []
        self._numbers: dict[Any, int] = {}
        self._spelled: dict[Any, tuple[int, ...]] = {}
        self._ranged: dict[tuple[Any, ...], list[tuple[int, ...]]] = {}  # by what actions have in common, by letter
        self._types: dict[type[Any], ActionType] = {}
        self._whole: set[type[Any]] = set()  # the types that have a letter for each action
        self._common_fields: dict[type[Any], list[str] | None] = {}  # beside the ranged one; None: there is none
        self._add_letter("stop", "(end)")
        for kind in read_action_types(action, deck, seats):
            self._types[kind.struct] = kind
            names = [field.name for field in kind.fields if not field.is_ranged]
            self._common_fields[kind.struct] = names if kind.ranged_field is not None else None
            self._add_type(kind)
        self.digest = blake2b("\n".join(self.letters).encode(), digest_size=8).hexdigest()

    def __len__(self) -> int:
        return len(self.letters)

    @property
    def has_single_letters(self) -> bool:
        """Whether each action is one letter, so that a decision is one choice."""
        return self._whole == self._types.keys()

    def _add_letter(self, key: object, text: str) -> None:
        if key not in self._numbers:
            self._numbers[key] = len(self.letters)
            self.letters.append(text)

    def _add_type(self, kind: ActionType) -> None:
        sizes = [RANGE_LETTERS if field.is_ranged else len(field.values) for field in kind.fields]
        if not any(field.is_list for field in kind.fields) and prod(sizes) <= MAX_VALUES:
            self._whole.add(kind.struct)
            for values in product(*map(_list_letters, kind.fields)):
                self._add_letter((kind.struct, *map(_key_of, values)), " ".join([kind.word, *map(_word_of, values)]))
            return
        self._add_letter(kind.struct, kind.word)
        for field in kind.fields:
            for value in _list_letters(field):
                self._add_letter(("value", _key_of(value)), f"… {_word_of(value)}")

    def spell_legal(self, legal: Iterable[Any]) -> list[tuple[tuple[int, ...], Any]]:
        """Return the words of a legal list: the letters of each action, and the action.

        A range has a word for each of its letters, with the `RangeNumber` that this letter stands for.
        """
        words, cached = [], self._spelled
        ranged: dict[Any, list[Any]] = {}  # by what the entries have in common: they differ in one number
        for entry in legal:
            word = cached.get(entry)
            if word is not None:
                words.append((word, entry))
                continue
            struct = entry.action_type if type(entry) in RANGE_TYPES else type(entry)
            common = self._common_fields[struct]
            if common is None:
                word = self._spell(self._types[struct], entry)
                if len(cached) < _MAX_CACHED:
                    cached[entry] = word
                words.append((word, entry))
            else:
                shared = (struct, *[getattr(entry, name) for name in common]) if common else (struct,)
                ranged.setdefault(shared, []).append(entry)
        for shared, entries in ranged.items():
            words += self._spell_numbers(shared, entries)
        return words

    def _spell_numbers(self, common: tuple[Any, ...], entries: Sequence[Any]) -> list[tuple[tuple[int, ...], Any]]:
        """Return words for entries that differ in one number, at most one for each letter of a range."""
        spelled = self._ranged.get(common)
        if spelled is None:
            kind = self._types[common[0]]
            spelled = [self._spell(kind, entries[0], letter) for letter in range(RANGE_LETTERS)]
            self._ranged[common] = spelled
        if len(entries) == 1 and type(entries[0]) not in RANGE_TYPES:
            return [(spelled[0], entries[0])]
        field = self._types[common[0]].ranged_field
        assert field
        choices = _list_choices(entries, field.name)
        count = min(len(choices), RANGE_LETTERS)
        if count == RANGE_LETTERS == len(choices):
            return [*zip(spelled, choices, strict=True)]
        places = [
            (_spread(number, count, RANGE_LETTERS), _spread(number, count, len(choices))) for number in range(count)
        ]
        return [(spelled[letter], choices[place]) for letter, place in places]

    def _spell(self, kind: ActionType, action: Any, range_letter: int = 0) -> tuple[int, ...]:  # noqa: ANN401
        numbers = self._numbers
        values: list[Any] = [
            _RangeLetter(range_letter) if one.is_ranged else getattr(action, one.name) for one in kind.fields
        ]
        if kind.struct in self._whole:
            return (numbers[kind.struct, *map(_key_of, values)],)
        word = [numbers[kind.struct]]
        for field, value in zip(kind.fields, values, strict=True):
            if field.is_list:
                for part in value if field.is_nested else (value,):
                    word += [numbers["value", _key_of(one)] for one in part]
                    word.append(STOP)
                if field.is_nested:
                    word.append(STOP)
            else:
                word.append(numbers["value", _key_of(value)])
        return tuple(word)


class RangeNumber(NamedTuple):
    """An action of a range: to make it takes longer than all else, and most are not chosen."""

    entry: ActionRange
    number: int

    @property
    def action(self) -> Any:  # noqa: ANN401 - an action of any game
        """The action."""
        return self.entry.action_with(self.number)


class _RangeLetter(int):
    """The number of a letter that stands for a number of a range: 0 is the smallest."""


def _list_letters(field: ActionField) -> Sequence[Any]:
    return [_RangeLetter(number) for number in range(RANGE_LETTERS)] if field.is_ranged else field.values


def _key_of(value: object) -> tuple[type, object]:
    return type(value), value  # True is not 1


def _word_of(value: object) -> str:
    if isinstance(value, _RangeLetter):
        return ("least", "most")[value == RANGE_LETTERS - 1] if value in (0, RANGE_LETTERS - 1) else f"size {value}"
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


@cache
def _spread(number: int, count: int, places: int) -> int:
    """Return the place of number 0 … count - 1 among the places, the first in the first and the last in the last."""
    return round(number * (places - 1) / (count - 1)) if count > 1 else 0


def _list_choices(entries: Sequence[Any], field: str) -> list[Any]:
    """Return the actions and the numbers of ranges among some entries, which differ in one field, by that field."""
    if len(entries) == 1 and type(entries[0]) in RANGE_TYPES:
        return [RangeNumber(entries[0], number) for number in entries[0].sample_numbers(RANGE_LETTERS)]
    choices = []
    for entry in entries:
        if type(entry) in RANGE_TYPES:
            choices += [(number, RangeNumber(entry, number)) for number in entry.sample_numbers(RANGE_LETTERS)]
        else:
            choices.append((getattr(entry, field), entry))
    return [choice for _, choice in sorted(choices, key=itemgetter(0))]
