"""Runs the cases of Crazy Eights, in the form of section 8 of its rule book: counts, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.game import resolve_options
from pitboss_eights.game import Eights
from pitboss_eights.state import count_card, count_deal
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = Eights()


class HeldCountInput(CaseInput, frozen=True):
    """The hands at the end of a deal, and who went out."""

    held: list[list[str]]
    winner: int | None
    options: dict[str, object] = msgspec.field(default_factory=dict)


def count_held(given: HeldCountInput) -> CaseFacts:
    """E13 to E15: return the points of the hands, and what everybody scores."""
    options = resolve_options(GAME, len(given.held), None, given.options)
    points = [sum(count_card(face, options) for face in hand) for hand in given.held]
    return {"points": points, "scores": count_deal(points, given.winner, options)}


run_case: Final = make_trick_runner(GAME, CountCases("held", HeldCountInput, count_held), seats=2)
