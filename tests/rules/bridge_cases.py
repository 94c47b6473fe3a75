"""Runs the cases of Bridge, in the form of section 8 of its rule book: counts of deals, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss import Random
from pitboss.game import resolve_options
from pitboss_bridge.game import Bridge
from pitboss_bridge.messages import CALLS, Bid
from pitboss_bridge.scoring import ContractResult, count_honours, count_imps
from tests.rules.case_input import CaseError, CaseInput, judge_case
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import TrickCaseInput, play_trick_case

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


def run_case(case: dict[str, object]) -> list[str]:
    """Run a case and return what is wrong with it, or with the game: nothing if the case holds."""
    given = {key: value for key, value in case.items() if key not in ("id", "expect")}
    expected = case.get("expect")
    if not isinstance(expected, dict) or not expected:
        raise CaseError("the case expects nothing")
    try:
        if "count" in given:
            counted = msgspec.convert(given, ContractCaseInput)
            return judge_case(expected, lambda: count_contracts(counted))
        if "honours" in given:
            held = msgspec.convert(given, HonoursCaseInput).honours
            return judge_case(expected, lambda: {"points": count_honours(held.hand, held.trump)})
        if "imps" in given:
            differences = msgspec.convert(given, ImpCaseInput).imps
            return judge_case(expected, lambda: {"imps": [*map(count_imps, differences)]})
        play = msgspec.convert(given, TrickCaseInput)
    except msgspec.ValidationError as wrong:
        raise CaseError(str(wrong)) from None
    return judge_case(expected, lambda: play_trick_case(GAME, play))


def count_contracts(given: ContractCaseInput) -> CaseFacts:
    """B8 to B17: return points by side after the deals, and what the next deal begins with."""
    state = GAME.deal(4, resolve_options(GAME, 4, None, given.options), Random("case"))
    for deal in given.count:
        if deal is None:
            state.count(None)
            continue
        contract, side = CALLS[deal.contract], deal.declarer % 2
        assert isinstance(contract, Bid)
        state.count(ContractResult(contract, deal.doubled, side, deal.tricks, state.vulnerable()[side]))
    return {
        "totals": state.totals[:2],
        "part_scores": [*state.sheet.part_scores],
        "games": [*state.sheet.games],
        "vulnerable": state.vulnerable(),
        "dealer": state.dealer,
        "deal_no": state.deal_no,
        "over": state.turn is None,
    }
