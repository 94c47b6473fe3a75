"""Runs the cases of RAGAMARU: `{"id": …, …, "expect": …}`, as section 7 of the rule book describes them.

A case with `deck` is about the cards, one with `options` alone about these, and any other about a table. What stands in no list is an error, never ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec

from pitboss import ConfigError
from pitboss_ragamaru.deck import COPIES, JOKERS, KICK_OFF, KINDS, NUMBER, STANDARD_FACES, kind_of, playing_cards, printed_deck

from .comparing import Found, differences
from .given import CaseError, renamed
from .ragamaru_table import SPELLINGS, TableGiven, table_found

NOTES: Final = {"id", "title", "note", "notes", "comment", "rule", "rules", "source", "expect"}


class DeckGiven(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards are played with."""

    conversion: bool = True
    loop: bool = True


def run(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return ["the case expects nothing"]
    try:
        return _compared(expected, _found(case))
    except ConfigError as wrong:
        error = expected.get("error", expected.get("valid") is False)
        return [] if error is True or (error and str(error) in str(wrong)) else [f"refused: {wrong}"]
    except CaseError as wrong:
        return [str(wrong)]


def _found(case: dict[str, object]) -> Found:
    given = {key: value for key, value in case.items() if key not in NOTES}
    if set(given) == {"deck"}:
        return deck_found(_read(given["deck"], DeckGiven))
    inner = given.pop("state", {})
    if not isinstance(inner, dict):
        raise CaseError(f"state must be an object; it is {inner!r}")
    own = set(TableGiven.__struct_fields__)
    return table_found(_read(renamed({**given, **inner}, own, SPELLINGS), TableGiven))


def _read(written: object, wanted: type[Any]) -> Any:  # noqa: ANN401 - a struct of the type that is asked for
    try:
        return msgspec.convert(written, wanted)
    except msgspec.ValidationError as wrong:
        raise CaseError(f"{wrong}; known here: {', '.join(wanted.__struct_fields__)}") from None


def _compared(expected: dict[str, object], found: Found) -> list[str]:
    """Compare; an action that was refused is wrong unless the case expects it. Legal actions and hands are sets."""
    wanted = {key: AS_SETS.get(key, _as_it_is)(value) for key, value in expected.items()}
    unasked = [str(found["refused"])] if found.get("refused") and not expected.get("illegal") else []
    return [*unasked, *differences(wanted, {"error": False, "valid": True, **found})]


def _sorted(members: object) -> object:
    return sorted(members, key=msgspec.json.encode) if isinstance(members, list) else members


def _sorted_hands(hands: object) -> object:
    return {seat: _sorted(hand) for seat, hand in hands.items()} if isinstance(hands, dict) else hands


def _as_it_is(value: object) -> object:
    return value


AS_SETS: Final[dict[str, Callable[[object], object]]] = {"legal": _sorted, "hand": _sorted_hands, "hands": _sorted_hands}


def deck_found(given: DeckGiven) -> Found:
    """Return what can be asked about a deck: its size, the cards of each kind, and what it is as a pack of ordinary cards."""
    faces = [str(face) for face in printed_deck(given.conversion, given.loop).faces]
    counts = Counter(map(kind_of, faces))
    return {
        "size": len(faces),
        "in_play": len(faces) - 1,
        "count": {kind: counts[kind] for kind in (NUMBER, *KINDS, *COPIES, KICK_OFF)},
        "playing_cards": len(STANDARD_FACES) + len(JOKERS),
        "map": playing_cards(),
        "cards": faces,
    }
