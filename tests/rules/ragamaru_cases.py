"""Runs the cases of RAGAMARU: `{"id": …, …, "expect": …}`, as section 7 of the rule book describes them.

A case with `deck` is about the cards, one with `options` alone about these, and any other about a table. What stands in
no list is an error, never ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import msgspec

from pitboss_ragamaru.cards import (
    BOX,
    COPIES,
    JOKERS,
    KICK_OFF,
    KINDS,
    NUMBER,
    STANDARD_FACES,
    kind_of,
    places_in,
    playing_card,
)
from tests.rules.case_input import CaseError, judge_case
from tests.rules.comparison import CaseFacts
from tests.rules.ragamaru_table import RagamaruTableInput, play_case

NOTES: Final = {"id", "title", "expect"}


class RagamaruDeckInput(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards are played with."""

    conversion: bool = True
    loop: bool = True


def run_case(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        return ["the case expects nothing"]
    wanted = {key: SET_ORDERINGS.get(key, _unchanged)(value) for key, value in expected.items()}
    try:
        return judge_case(wanted, lambda: _evaluate_case(case))
    except CaseError as wrong:
        return [str(wrong)]


def _evaluate_case(case: dict[str, object]) -> CaseFacts:
    given = {key: value for key, value in case.items() if key not in NOTES}
    if set(given) == {"deck"}:
        return describe_deck(_read_input(given["deck"], RagamaruDeckInput))
    return play_case(_read_input(given, RagamaruTableInput))


def _read_input(written: object, wanted: type[Any]) -> Any:  # noqa: ANN401 - a struct of the type that is asked for
    try:
        return msgspec.convert(written, wanted)
    except msgspec.ValidationError as wrong:
        raise CaseError(f"{wrong}; known here: {', '.join(wanted.__struct_fields__)}") from None


def _sort_members(members: object) -> object:
    return sorted(members, key=msgspec.json.encode) if isinstance(members, list) else members


def _sort_hands(hands: object) -> object:
    return {seat: _sort_members(hand) for seat, hand in hands.items()} if isinstance(hands, dict) else hands


def _unchanged(value: object) -> object:
    return value


SET_ORDERINGS: Final[dict[str, Callable[[object], object]]] = {
    "legal": _sort_members,
    "hand": _sort_hands,
    "hands": _sort_hands,
}


def describe_deck(given: RagamaruDeckInput) -> CaseFacts:
    """Return what can be asked about a deck.

    Its size, the cards of each kind, and what it is as a pack of ordinary cards.
    """
    faces = [*(BOX[place] for place in places_in(given.conversion, given.loop)), KICK_OFF]
    counts = Counter(map(kind_of, faces))
    return {
        "size": len(faces),
        "in_play": len(faces) - 1,
        "count": {kind: counts[kind] for kind in (NUMBER, *KINDS, *COPIES, KICK_OFF)},
        "playing_cards": len(STANDARD_FACES) + len(JOKERS),
        "map": {face: playing_card(face) for face in (*BOX, KICK_OFF)},
        "cards": faces,
    }
