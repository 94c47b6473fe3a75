"""Runs the cases of Rack-O: `{"id": …, "fn": …, "in": {…}, "expect": …}`, as section 7 of the rule book describes them.

Each `fn` is a function from what the case gives to everything that a case can ask about it. A key that it does not know
is an error, never ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from tests.rules.case_input import CaseError, judge_case, name_expectation, read_case_input
from tests.rules.comparison import CaseFacts
from tests.rules.racko_case_options import RackoCaseOptions
from tests.rules.racko_dealer import DealerInput, find_dealer
from tests.rules.racko_play import RackoPlayInput, play_case
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


class RackoCaseFunction(NamedTuple):
    """How the cases of one `fn` are run."""

    input_type: type[msgspec.Struct]
    evaluate: Callable[[Any, RackoCaseOptions], CaseFacts]
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
        name = case.get("fn")
        if not isinstance(name, str) or name not in FUNCTIONS:
            raise CaseError(f"fn is {name!r}; it must be one of: {', '.join(FUNCTIONS)}")
        function = FUNCTIONS[name]
        expected = name_expectation(case.get("expect", {}), function.main_fact)
        given, preset, options = read_case_input(case, function.input_type)
        return judge_case(expected, lambda: function.evaluate(given, RackoCaseOptions(preset, options)))
    except ValueError as wrong:  # a `CaseError`, or an order in `shuffles` that does not fit
        return [str(wrong)]
