"""Runs the cases of Hearts, in the form of section 8 of its rule book: a count of a deal, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.game import resolve_options
from pitboss_hearts.game import Hearts
from pitboss_hearts.state import DECKS, count_points, find_scoring_cards
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = Hearts()


class TakenCaseInput(CaseInput, frozen=True):
    """By seat, the cards that it has taken in a deal."""

    taken: list[str]
    options: dict[str, object] = msgspec.field(default_factory=dict)


def count_taken(given: TakenCaseInput) -> CaseFacts:
    """H7 to H9: return the points by seat."""
    seats = len(given.taken)
    taken = [DECKS[seats].find_cards(faces.split()) for faces in given.taken]
    options = resolve_options(GAME, seats, None, given.options)
    return {"points": count_points(taken, find_scoring_cards(DECKS[seats]), options)}


run_case: Final = make_trick_runner(GAME, CountCases("taken", TakenCaseInput, count_taken))
