"""Runs the cases of Rack-O: `{"id": …, "fn": …, "in": {…}, "expect": …}`, as section 7 of the rule book describes them.

Each `fn` is a function from what the case gives to everything that a case can ask about it. What a case may write in
more than one way is listed in `SPELLINGS`; an option may stand in `options` or beside it. What stands in no list is an
error, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import ConfigError
from tests.rules.case_input import CaseError, normalize_names
from tests.rules.comparison import CaseFacts, list_differences
from tests.rules.racko_case_options import OPTION_NAMES, RackoCaseOptions
from tests.rules.racko_dealer import DealerInput, find_dealer
from tests.rules.racko_play import RackoPlayInput, play_case
from tests.rules.racko_position import POSITION_SPELLINGS
from tests.rules.racko_scoring import (
    RackInput,
    RackoOptionsInput,
    RackoStandingInput,
    RoundInput,
    resolve_case_options,
    score_game,
    score_rack,
    score_round,
)

NOTES: Final = {"id", "fn", "in", "expect", "title", "note", "notes", "comment", "rule", "rules", "source"}
SPELLINGS: Final = {  # what a case may write, and what it is called here
    **POSITION_SPELLINGS,
    **dict.fromkeys(("seats", "n"), "players"),
    **dict.fromkeys(("shuffle", "reshuffles", "reshuffle", "shuffled", "orders"), "shuffles"),
    **dict.fromkeys(("cards", "cards_drawn", "drawn", "drawn_cards", "draw", "cut"), "draws"),
    **dict.fromkeys(("dealer", "previous", "previous_dealer", "prev", "prev_dealer", "last"), "last_dealer"),
    **dict.fromkeys(("first",), "first_dealer"),
    **dict.fromkeys(("rounds", "round"), "rounds_played"),
}


class RackoCaseFunction(NamedTuple):
    """How the cases of one `fn` are run."""

    input_type: type[msgspec.Struct]
    evaluate: Callable[
        [Any, RackoCaseOptions], list[CaseFacts]
    ]  # each reading of what happened; any of them may be the one meant
    main_fact: str  # what a bare value after `expect` is


FUNCTIONS: Final = {
    "rack": RackoCaseFunction(RackInput, score_rack, "points"),
    "round": RackoCaseFunction(RoundInput, score_round, "points"),
    "game": RackoCaseFunction(RackoStandingInput, score_game, "over"),
    "options": RackoCaseFunction(RackoOptionsInput, resolve_case_options, "valid"),
    "dealer": RackoCaseFunction(DealerInput, find_dealer, "dealer"),
    "play": RackoCaseFunction(RackoPlayInput, play_case, "legal"),
}


def run_case(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    try:
        return _run_case(case)
    except ValueError as wrong:  # a `CaseError`, or an order in `shuffles` that does not fit
        return [str(wrong)]


def _run_case(case: dict[str, object]) -> list[str]:
    name = case.get("fn")
    if not isinstance(name, str) or name not in FUNCTIONS:
        raise CaseError(f"fn is {name!r}; it must be one of: {', '.join(FUNCTIONS)}")
    if case.get("expect") in (None, {}):
        raise CaseError("the case expects nothing")
    function = FUNCTIONS[name]
    expected = _expected_facts(case["expect"], function.main_fact)
    error = expected.get("error", expected.get("valid") is False)
    next_deal = not expected.keys().isdisjoint(("round", "dealer"))
    given, asked = _read_input(case, function, bool(error), next_deal)
    try:
        readings = function.evaluate(given, asked)
    except ConfigError as wrong:
        return _compare_error(expected, error, str(wrong))
    return min((_compare_reading(expected, reading) for reading in readings), key=len)


def _compare_reading(expected: dict[str, object], reading: CaseFacts) -> list[str]:
    """Compare a reading; an action that was refused is wrong unless the case expects it."""
    unasked = [str(reading["refused"])] if reading.get("refused") and not expected.get("illegal") else []
    return [*unasked, *list_differences(expected, {"error": False, **reading})]


def _expected_facts(expected: object, main: str) -> dict[str, object]:
    """Return what is expected by name.

    A bare `"error"` is one, any other bare value is the main thing of the function.
    """
    if isinstance(expected, dict):
        return expected
    return {"error": True} if expected == "error" else {main: expected}


def _compare_error(expected: dict[str, object], error: object, message: str) -> list[str]:
    """Compare an error: `true` is any, a text is a part of its message."""
    if not error:
        return [f"refused: {message}"]
    others = [f"expect.{key} cannot be told: {message}" for key in expected if key not in ("error", "valid")]
    if isinstance(error, str) and error not in message:
        return [f"expect.error is {error!r}; found {message!r}", *others]
    return others


def _read_input(
    case: dict[str, object], function: RackoCaseFunction, error: bool, next_deal: bool
) -> tuple[msgspec.Struct, RackoCaseOptions]:
    """Return the input of a case as a struct, and the options that it asks for."""
    inner, own = case.get("in", {}), set(function.input_type.__struct_fields__)
    if not isinstance(inner, dict):
        raise CaseError(f"in must be an object; it is {inner!r}")
    beside = {key: value for key, value in case.items() if key not in NOTES}
    written = normalize_names({**beside, **inner}, own | {"options", "preset"}, SPELLINGS)
    options, preset = written.pop("options", None) or {}, written.pop("preset", None)
    if not isinstance(options, dict):
        raise CaseError(f"in.options must be an object; it is {options!r}")
    options = {**options, **{key: written.pop(key) for key in OPTION_NAMES & written.keys()}}
    preset = options.pop("preset", preset)
    if preset is not None and not isinstance(preset, str):
        raise CaseError(f"the preset is {preset!r}, not a name")
    try:
        return msgspec.convert(written, function.input_type), RackoCaseOptions(preset, options, error, next_deal)
    except msgspec.ValidationError as wrong:
        raise CaseError(f"in: {wrong}; known here: options, preset, {', '.join(sorted(own))}") from None
