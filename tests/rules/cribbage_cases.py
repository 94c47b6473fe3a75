"""Runs the cases of Cribbage, in the form of section 8 of its rule book: counts of cards, or play from a position."""

from __future__ import annotations

from typing import Final

from pitboss_cribbage.game import Cribbage
from pitboss_cribbage.scoring import DECK, VALUES, count_play, count_show
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner


class ShownCards(CaseInput, frozen=True):
    """A hand or crib, and the starter."""

    hand: str
    starter: str
    crib: bool = False


class ShowCaseInput(CaseInput, frozen=True):
    """Cards to count in the show."""

    show: ShownCards


class SeriesCaseInput(CaseInput, frozen=True):
    """Series, each with its cards in the order of play."""

    series: list[str]


def count_shown(given: ShowCaseInput) -> CaseFacts:
    """C9 to C11: return what the cards count."""
    [starter] = DECK.find_cards([given.show.starter])
    return {"points": count_show(DECK.find_cards(given.show.hand.split()), starter, given.show.crib)}


def count_series(given: SeriesCaseInput) -> CaseFacts:
    """C7: return what the last card of each series scores."""
    rows = [DECK.find_cards(faces.split()) for faces in given.series]
    return {"points": [count_play([card >> 2 for card in row], sum(VALUES[card] for card in row)) for row in rows]}


run_case: Final = make_trick_runner(
    Cribbage(), CountCases("show", ShowCaseInput, count_shown), CountCases("series", SeriesCaseInput, count_series)
)
