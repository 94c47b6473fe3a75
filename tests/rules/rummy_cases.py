"""Runs the cases of Rummy: `{"id": …, "fn": …, "in": {…}, "expect": …}`, as section 7 of the rule book describes them.

Each `fn` is a function from what the case gives to everything that a case can ask about it. An option may stand in
`options` or beside it. What stands in no list is an error, never ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import ConfigError
from tests.rules.case_input import CaseError, normalize_names
from tests.rules.comparison import CaseFacts, list_differences
from tests.rules.rummy_scoring import (
    LayoffInput,
    MeldInput,
    MeldsInput,
    PointsInput,
    RummyOptionsInput,
    RummyStandingInput,
    ScoresInput,
    check_layoff,
    classify_meld,
    count_points,
    list_hand_melds,
    resolve_case_options,
    score_deal,
    score_game,
)
from tests.rules.rummy_table import OPTION_NAMES, POSITION_SPELLINGS, RummyCaseOptions, RummyPlayInput, play_case

NOTES: Final = {"id", "fn", "in", "expect", "title", "note", "notes", "comment", "rule", "rules", "source"}
SPELLINGS: Final = {
    **POSITION_SPELLINGS,
    **dict.fromkeys(("seats", "n"), "players"),
    **dict.fromkeys(("shuffle", "reshuffles", "orders"), "shuffles"),
    **dict.fromkeys(("out", "went_out"), "winner"),
    **dict.fromkeys(("deals_done", "deal"), "deals_played"),
}


class RummyCaseFunction(NamedTuple):
    """How the cases of one `fn` are run."""

    input_type: type[msgspec.Struct]
    evaluate: Callable[
        [Any, RummyCaseOptions], list[CaseFacts]
    ]  # each reading of what happened; any of them may be the one meant
    main_fact: str  # what an expectation is that is not an object


FUNCTIONS: Final = {
    "meld": RummyCaseFunction(MeldInput, classify_meld, "kind"),
    "layoff": RummyCaseFunction(LayoffInput, check_layoff, "fits"),
    "points": RummyCaseFunction(PointsInput, count_points, "points"),
    "melds": RummyCaseFunction(MeldsInput, list_hand_melds, "melds"),
    "scores": RummyCaseFunction(ScoresInput, score_deal, "scores"),
    "game": RummyCaseFunction(RummyStandingInput, score_game, "over"),
    "options": RummyCaseFunction(RummyOptionsInput, resolve_case_options, "valid"),
    "play": RummyCaseFunction(RummyPlayInput, play_case, "legal"),
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
    if "expect" not in case or case["expect"] == {}:
        raise CaseError("the case expects nothing")
    function = FUNCTIONS[name]
    expected = _expected_facts(case["expect"], function.main_fact)
    error = expected.get("error", expected.get("valid") is False)
    given, asked = _read_input(case, function)
    try:
        readings = function.evaluate(given, asked)
    except ConfigError as wrong:
        return [] if error is True or (error and str(error) in str(wrong)) else [f"refused: {wrong}"]
    return min((_compare_reading(expected, reading) for reading in readings), key=len)


def _compare_reading(expected: dict[str, object], reading: CaseFacts) -> list[str]:
    """Compare a reading; an action that was refused is wrong unless the case expects it."""
    unasked = [str(reading["refused"])] if reading.get("refused") and not expected.get("illegal") else []
    return [*unasked, *list_differences(expected, {"error": False, **reading})]


def _expected_facts(expected: object, main: str) -> dict[str, object]:
    """Return what is expected by name. What is a set, as the legal actions, is sorted."""
    if expected == "error":
        return {"error": True}
    named = expected if isinstance(expected, dict) else {main: expected}
    return {key: _sort_if_set(key, value) for key, value in named.items()}


def _sort_if_set(key: str, value: object) -> object:
    if (
        key in ("legal", "melds")
        and isinstance(value, list)
        and not any("owner" in one or "id" in one for one in value)
    ):
        return sorted(value, key=json.dumps) if key == "legal" or all(isinstance(one, list) for one in value) else value
    if key.startswith("obs") and isinstance(value, dict):
        return {inner: _sort_if_set(inner, one) for inner, one in value.items()}
    return value


def _read_input(case: dict[str, object], function: RummyCaseFunction) -> tuple[msgspec.Struct, RummyCaseOptions]:
    """Return the input of a case as a struct, and the options that it asks for."""
    inner, own = case.get("in", {}), set(function.input_type.__struct_fields__)
    if not isinstance(inner, dict):
        raise CaseError(f"in must be an object; it is {inner!r}")
    beside = {key: value for key, value in case.items() if key not in NOTES}
    written = normalize_names({**beside, **inner}, own | {"options", "preset"}, SPELLINGS)
    options, preset = written.pop("options", None) or {}, written.pop("preset", None)
    if not isinstance(options, dict):
        raise CaseError(f"in.options must be an object; it is {options!r}")
    options = {**options, **{key: written.pop(key) for key in OPTION_NAMES & (written.keys() - own)}}
    preset = options.pop("preset", preset)
    if preset is not None and not isinstance(preset, str):
        raise CaseError(f"the preset is {preset!r}, not a name")
    try:
        return msgspec.convert(written, function.input_type), RummyCaseOptions(preset, options)
    except msgspec.ValidationError as wrong:
        raise CaseError(f"in: {wrong}; known here: options, preset, {', '.join(sorted(own))}") from None
