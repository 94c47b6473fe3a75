"""Runs the cases of Oh Hell, in the form of section 8 of its rule book: play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss_oh_hell.game import OhHell
from tests.rules.case_input import CaseError, judge_case
from tests.rules.trick_cases import TrickCaseInput, play_trick_case

GAME: Final = OhHell()


def run_case(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    given = {key: value for key, value in case.items() if key not in ("id", "expect")}
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        raise CaseError("the case expects nothing")
    try:
        play = msgspec.convert(given, TrickCaseInput)
    except msgspec.ValidationError as wrong:
        raise CaseError(str(wrong)) from None
    return judge_case(expected, lambda: play_trick_case(GAME, play))
