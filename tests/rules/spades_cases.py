"""Runs the cases of Spades, in the form of section 8 of its rule book: a count of a deal, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.game import resolve_options
from pitboss_spades.game import Spades
from pitboss_spades.scoring import PlayerResult, count_side
from pitboss_spades.state import SIDES
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = Spades()


class DealCount(CaseInput, frozen=True):
    """Bids and tricks by seat, and the bags of the sides before the deal."""

    bids: list[int]
    won: list[int]
    bags: list[int] = msgspec.field(default_factory=lambda: [0, 0])
    blind: list[bool] = msgspec.field(default_factory=lambda: [False] * 4)


class CountCaseInput(CaseInput, frozen=True):
    """A deal to count."""

    count: DealCount
    options: dict[str, object] = msgspec.field(default_factory=dict)


def count_deal(given: CountCaseInput) -> CaseFacts:
    """S7 to S11: return points and bags by side."""
    options, deal = resolve_options(GAME, 4, None, given.options), given.count
    players = [PlayerResult(*one) for one in zip(deal.bids, deal.won, deal.blind, strict=True)]
    counted = [
        count_side([players[seat] for seat in side], deal.bags[number], options) for number, side in enumerate(SIDES)
    ]
    return {"points": [points for points, _ in counted], "bags": [bags for _, bags in counted]}


run_case: Final = make_trick_runner(GAME, CountCases("count", CountCaseInput, count_deal))
