"""Runs the cases of Rummy: `{"id": …, "fn": …, "in": {…}, "expect": …}`, as section 7 of the rule book describes them.

Each `fn` is a function from what the case gives to everything that a case can ask about it. A key that it does not know
is an error, never ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from tests.rules.case_input import CaseError, judge_case, name_expectation, read_case_input
from tests.rules.comparison import CaseFacts
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
from tests.rules.rummy_table import RummyCaseOptions, RummyPlayInput, play_case


class RummyCaseFunction(NamedTuple):
    """How the cases of one `fn` are run."""

    input_type: type[msgspec.Struct]
    evaluate: Callable[[Any, RummyCaseOptions], CaseFacts]
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
        name = case.get("fn")
        if not isinstance(name, str) or name not in FUNCTIONS:
            raise CaseError(f"fn is {name!r}; it must be one of: {', '.join(FUNCTIONS)}")
        function = FUNCTIONS[name]
        expected = _sort_sets(name_expectation(case.get("expect", {}), function.main_fact))
        given, preset, options = read_case_input(case, function.input_type)
        return judge_case(expected, lambda: function.evaluate(given, RummyCaseOptions(preset, options)))
    except ValueError as wrong:  # a `CaseError`, or an order in `shuffles` that does not fit
        return [str(wrong)]


def _sort_sets(expected: dict[str, object]) -> dict[str, object]:
    """Return what is expected with the legal actions, also those of an observation, and the melds of a hand sorted."""
    return {
        key: sorted(value, key=json.dumps)
        if isinstance(value, list) and (key == "legal" or (key == "melds" and all(type(one) is list for one in value)))
        else _sort_sets(value)
        if key.startswith("obs") and isinstance(value, dict)
        else value
        for key, value in expected.items()
    }
