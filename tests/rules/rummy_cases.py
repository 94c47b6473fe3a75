"""Runs the cases of Rummy: `{"id": …, "fn": …, "in": {…}, "expect": …}`, as section 7 of the rule book describes them.

Each `fn` is a function from what the case gives to everything that a case can ask about it. An option may stand in `options` or beside it.
What stands in no list is an error, never ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from pitboss import ConfigError

from .comparing import Found, differences
from .given import CaseError, renamed
from .rummy_numbers import (
    GameGiven,
    LayoffGiven,
    MeldGiven,
    MeldsGiven,
    OptionsGiven,
    PointsGiven,
    ScoresGiven,
    game_found,
    layoff_found,
    meld_found,
    melds_found,
    options_found,
    points_found,
    scores_found,
)
from .rummy_table import OPTION_NAMES, POSITION_SPELLINGS, Asked, PlayGiven, play_found

NOTES: Final = {"id", "fn", "in", "expect", "title", "note", "notes", "comment", "rule", "rules", "source"}
SPELLINGS: Final = {
    **POSITION_SPELLINGS,
    **dict.fromkeys(("seats", "n"), "players"),
    **dict.fromkeys(("shuffle", "reshuffles", "orders"), "shuffles"),
    **dict.fromkeys(("out", "went_out"), "winner"),
    **dict.fromkeys(("deals_done", "deal"), "deals_played"),
}


class Function(NamedTuple):
    """How the cases of one `fn` are run."""

    given: type[msgspec.Struct]
    found: Callable[[Any, Asked], list[Found]]  # each reading of what happened; any of them may be the one meant
    main: str  # what an expectation is that is not an object


FUNCTIONS: Final = {
    "meld": Function(MeldGiven, meld_found, "kind"),
    "layoff": Function(LayoffGiven, layoff_found, "fits"),
    "points": Function(PointsGiven, points_found, "points"),
    "melds": Function(MeldsGiven, melds_found, "melds"),
    "scores": Function(ScoresGiven, scores_found, "scores"),
    "game": Function(GameGiven, game_found, "over"),
    "options": Function(OptionsGiven, options_found, "valid"),
    "play": Function(PlayGiven, play_found, "legal"),
}


def run(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    try:
        return _run(case)
    except ValueError as wrong:  # a `CaseError`, or an order in `shuffles` that does not fit
        return [str(wrong)]


def _run(case: dict[str, object]) -> list[str]:
    name = case.get("fn")
    if not isinstance(name, str) or name not in FUNCTIONS:
        raise CaseError(f"fn is {name!r}; it must be one of: {', '.join(FUNCTIONS)}")
    if "expect" not in case or case["expect"] == {}:
        raise CaseError("the case expects nothing")
    function = FUNCTIONS[name]
    expected = _expected(case["expect"], function.main)
    error = expected.get("error", expected.get("valid") is False)
    given, asked = _given(case, function)
    try:
        readings = function.found(given, asked)
    except ConfigError as wrong:
        return [] if error is True or (error and str(error) in str(wrong)) else [f"refused: {wrong}"]
    return min((_compared(expected, reading) for reading in readings), key=len)


def _compared(expected: dict[str, object], reading: Found) -> list[str]:
    """Compare a reading; an action that was refused is wrong unless the case expects it."""
    unasked = [str(reading["refused"])] if reading.get("refused") and not expected.get("illegal") else []
    return [*unasked, *differences(expected, {"error": False, **reading})]


def _expected(expected: object, main: str) -> dict[str, object]:
    """Return what is expected by name. What is a set, as the legal actions, is sorted."""
    if expected == "error":
        return {"error": True}
    named = expected if isinstance(expected, dict) else {main: expected}
    return {key: _sorted(key, value) for key, value in named.items()}


def _sorted(key: str, value: object) -> object:
    if key in ("legal", "melds") and isinstance(value, list) and not any("owner" in one or "id" in one for one in value):
        return sorted(value, key=json.dumps) if key == "legal" or all(isinstance(one, list) for one in value) else value
    if key.startswith("obs") and isinstance(value, dict):
        return {inner: _sorted(inner, one) for inner, one in value.items()}
    return value


def _given(case: dict[str, object], function: Function) -> tuple[msgspec.Struct, Asked]:
    """Return the input of a case as a struct, and the options that it asks for."""
    inner, own = case.get("in", {}), set(function.given.__struct_fields__)
    if not isinstance(inner, dict):
        raise CaseError(f"in must be an object; it is {inner!r}")
    beside = {key: value for key, value in case.items() if key not in NOTES}
    written = renamed({**beside, **inner}, own | {"options", "preset"}, SPELLINGS)
    options, preset = written.pop("options", None) or {}, written.pop("preset", None)
    if not isinstance(options, dict):
        raise CaseError(f"in.options must be an object; it is {options!r}")
    options = {**options, **{key: written.pop(key) for key in OPTION_NAMES & (written.keys() - own)}}
    preset = options.pop("preset", preset)
    if preset is not None and not isinstance(preset, str):
        raise CaseError(f"the preset is {preset!r}, not a name")
    try:
        return msgspec.convert(written, function.given), Asked(preset, options)
    except msgspec.ValidationError as wrong:
        raise CaseError(f"in: {wrong}; known here: options, preset, {', '.join(sorted(own))}") from None
