"""Runs the cases of Euchre, in the form of section 8 of its rule book: counts of deals, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.game import resolve_options
from pitboss_euchre.game import Euchre
from pitboss_euchre.state import count_deal
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = Euchre()


class MakersCount(CaseInput, frozen=True):
    """How many tricks the makers took, in several deals, and who played alone."""

    tricks: list[int]
    alone: bool = False
    defended_alone: bool = False


class EuchreCountInput(CaseInput, frozen=True):
    """Deals to count."""

    count: MakersCount
    options: dict[str, object] = msgspec.field(default_factory=dict)


def count_makers(given: EuchreCountInput) -> CaseFacts:
    """E12, E13: return the points of makers and defenders in each of the deals."""
    options, deals = resolve_options(GAME, 4, None, given.options), given.count
    counted = [count_deal(tricks, deals.alone, deals.defended_alone, options) for tricks in deals.tricks]
    return {"makers": [makers for makers, _ in counted], "defenders": [defenders for _, defenders in counted]}


run_case: Final = make_trick_runner(GAME, CountCases("count", EuchreCountInput, count_makers))
