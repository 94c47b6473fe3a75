"""Runs the cases of Bridge, in the form of section 8 of its rule book: counts of deals, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALLS, Bid
from pitboss_bridge.scoring import ContractResult, count_honours, count_imps
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = Bridge()


class PlayedContract(CaseInput, frozen=True):
    """How a deal ended."""

    contract: str
    declarer: int
    tricks: int
    doubled: int = 1


class ContractCaseInput(CaseInput, frozen=True):
    """Deals to count, one after the other; null: passed out."""

    count: list[PlayedContract | None]
    options: dict[str, object] = msgspec.field(default_factory=dict)


class HonoursInHand(CaseInput, frozen=True):
    """A hand as it was dealt, and the trumps; null: none."""

    hand: list[str]
    trump: str | None


class HonoursCaseInput(CaseInput, frozen=True):
    """A hand whose honours are counted."""

    honours: HonoursInHand


class ImpCaseInput(CaseInput, frozen=True):
    """Differences of points."""

    imps: list[int]


def count_contracts(given: ContractCaseInput) -> CaseFacts:
    """B8 to B17: return points by side after the deals, and what the next deal begins with."""
    state = GAME.deal(4, resolve_options(GAME, 4, None, given.options), Random("case"))
    for deal in given.count:
        if deal is None:
            state.count_result(None)
            continue
        contract, side = CALLS[deal.contract], deal.declarer % 2
        assert isinstance(contract, Bid)
        state.count_result(ContractResult(contract, deal.doubled, side, deal.tricks, state.vulnerable()[side]))
    return {
        "totals": state.totals[:2],
        "part_scores": [*state.sheet.part_scores],
        "games": [*state.sheet.games],
        "vulnerable": state.vulnerable(),
        "dealer": state.dealer,
        "deal_no": state.deal_no,
        "over": state.turn is None,
    }


def count_hand(given: HonoursCaseInput) -> CaseFacts:
    """B16: return what the honours of a hand count."""
    return {"points": count_honours(given.honours.hand, given.honours.trump)}


def convert_differences(given: ImpCaseInput) -> CaseFacts:
    """B18: return the IMPs of some differences."""
    return {"imps": [*map(count_imps, given.imps)]}


run_case: Final = make_trick_runner(
    GAME,
    CountCases("count", ContractCaseInput, count_contracts),
    CountCases("honours", HonoursCaseInput, count_hand),
    CountCases("imps", ImpCaseInput, convert_differences),
)
