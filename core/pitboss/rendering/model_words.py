"""What language models are told of a moment: what a seat sees and what it may do, in words.

A game may have a method `tell_model`, which tells its views in words of its own. What the story of the deal tells as
well, the game names by `retold` in its presentation, so that a model is not told it twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Any, Final, Protocol, runtime_checkable

import msgspec

from pitboss.rendering.presentation import Speech, find_presentation

PROMPT_WORDS: Final = 2
"""The number of these words, a part of the digest of every prompt: words that change have another number."""

_NUMBER: Final = "N"  # in the words of an action, the number of a range
_SUITS: Final = "SHDC"


@runtime_checkable
class ModelTeller(Protocol):
    """A game with `tell_model`, which writes a view in the game's own words."""

    @property
    def View(self) -> Any:  # noqa: ANN401, N802 - a struct
        """The type of an observation."""

    def tell_model(self, view: Any, seat: int, speech: Speech) -> Iterable[str]:  # noqa: ANN401 - the game's own
        """Return in lines what a seat sees: all that a view has, but for the fields that are `retold`.

        Each field has to be told, so that no two views that differ beside those fields read alike.
        """


def tell_view(
    game: object,
    view: Mapping[str, Any],
    seat: int,
    speech: Speech,
    *,
    is_story_told: bool,
) -> str:
    """Return what a seat sees, in the words of a game, else field by field; `view` is plain data.

    `is_story_told`: the whole story of the deal is told beside it, so that the fields that are `retold` are left out.
    """
    retold = {name: value for name, value in view.items() if name in find_presentation(game).retold}
    rest = {name: value for name, value in view.items() if name not in retold}
    lines: Iterable[str] = tell_fields(rest)
    if isinstance(game, ModelTeller):
        with suppress(msgspec.ValidationError):  # another version of the game is installed here
            lines = list(game.tell_model(msgspec.convert(view, game.View), seat, speech))
    return "\n".join([*lines, *(() if is_story_told else tell_fields(retold))])


def tell_fields(fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each field of plain data: "hand: S5 S6", "stock: 26"."""
    for name, value in fields.items():
        yield f"{name.replace('_', ' ')}: {_tell_value(value)}"


def tell_cards(cards: Sequence[Any]) -> str:
    """Return cards in words, those of each suit together: "S5 SK, H3 HK"; "none" if there are none.

    Cards without a suit stand in their order.
    """
    faces = list(map(str, cards))
    if not all(face[:1] in _SUITS and len(face) > 1 for face in faces):
        return " ".join(faces) or "none"
    by_suit = sorted(faces, key=lambda face: _SUITS.index(face[0]))
    return ", ".join(" ".join(suit) for _, suit in groupby(by_suit, key=lambda face: face[0])) or "none"


def tell_by_seat(values: Sequence[object], speech: Speech) -> str:
    """Return a value for each seat: "seat 0 12, you -3"; "0 each" if all have the same."""
    if len(values) > 1 and all(value == values[0] for value in values):
        return f"{speech.word('', values[0])} each"
    return ", ".join(f"{speech.name(seat)} {speech.word('', value)}" for seat, value in enumerate(values))


def tell_known(hands: Sequence[Sequence[Any]], seat: int, speech: Speech) -> str:
    """Return the cards that a seat knows in the hands of others: "seat 1 C10 S4; seat 3 H2"; "none" if none."""
    told = [f"{speech.name(other)} {tell_cards(cards)}" for other, cards in enumerate(hands) if cards and other != seat]
    return "; ".join(told) or "none"


def tell_legal(legal: Sequence[Any], ranges: Mapping[int, str], speech: Speech) -> list[str]:
    """Return the words of each legal action; actions that would read alike are written as data.

    `ranges`: by the index of an action that stands for several, the field that differs.
    """
    told = [_tell_action(action, ranges.get(index), speech) for index, action in enumerate(legal)]
    times = Counter(told)
    return [words if times[words] == 1 else _encode(action) for words, action in zip(told, legal, strict=True)]


def _tell_action(action: Any, field: str | None, speech: Speech) -> str:  # noqa: ANN401 - plain data
    if not isinstance(action, Mapping):
        return _encode(action)
    fields = action if field is None else {**action, field: _NUMBER}
    words = speech.tell_action(fields) or _tell_plain(fields)
    if field is None:
        return words
    lowest, highest = action[field]
    number = f'where {_NUMBER} is any whole number from {lowest} to {highest}: add "number" to your answer'
    return f"{words}, {number}"


def _tell_plain(fields: Mapping[str, Any]) -> str:
    """Return an action for which a game has no words: "raise to 40"."""
    others = [f"{name.replace('_', ' ')} {_tell_value(value)}" for name, value in fields.items() if name != "do"]
    return " ".join(filter(None, (str(fields.get("do", "")).replace("_", " "), ", ".join(others))))


def _tell_value(value: object) -> str:
    """Return plain data: a list of plain values with blanks, what is nested as JSON."""
    if isinstance(value, list | tuple):
        if value and all(isinstance(one, str | int | float) and not isinstance(one, bool) for one in value):
            return " ".join(map(str, value))
        return _encode(value) if value else "empty"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return value if isinstance(value, str) and value else _encode(value)


def _encode(value: object) -> str:
    return msgspec.json.encode(value).decode()
