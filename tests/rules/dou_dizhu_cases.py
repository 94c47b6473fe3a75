"""Runs the cases of Dou Dizhu, in the form of section 9 of its rule book: combinations, or play from a position."""

from __future__ import annotations

from typing import Final

import msgspec

from pitboss.game import resolve_options
from pitboss.parts.climbing import ClimbingCombination
from pitboss_dou_dizhu.combinations import Rules, code_faces, list_beating, list_leads, read_play
from pitboss_dou_dizhu.game import DouDizhu
from pitboss_dou_dizhu.messages import RANKS
from pitboss_dou_dizhu.state import rules_of
from tests.rules.case_input import CaseInput
from tests.rules.comparison import CaseFacts
from tests.rules.trick_cases import CountCases, make_trick_runner

GAME: Final = DouDizhu()


class CardsToRead(CaseInput, frozen=True):
    """Sets of cards to be read: "3 3 3 4"."""

    read: list[str]
    seats: int = 3
    preset: str | None = None
    options: dict[str, object] = msgspec.field(default_factory=dict)


class HandToLayFrom(CaseInput, frozen=True):
    """A hand, and what is to be beaten, if anything."""

    hand: str
    top: str | None = None
    seats: int = 3
    preset: str | None = None
    options: dict[str, object] = msgspec.field(default_factory=dict)


def find_rules(given: CardsToRead | HandToLayFrom) -> Rules:
    """Return what the options of a case say about combinations."""
    return rules_of(resolve_options(GAME, given.seats, given.preset, given.options), given.seats)


def read_cards(cards: str, rules: Rules) -> tuple[ClimbingCombination, ...]:
    """Return what cards can be read as."""
    return read_play(code_faces(cards.split()), rules)


def judge_reading(given: CardsToRead) -> CaseFacts:
    """Section 3: return kind and rank of each set, None for one that is no combination, and all readings."""
    rules = find_rules(given)
    found = [read_cards(cards, rules) for cards in given.read]
    return {
        "kinds": [one[0].kind if one else None for one in found],
        "ranks": [[*RANKS, "rocket"][one[0].rank] if one else None for one in found],
        "readings": [[reading.kind for reading in one] for one in found],
    }


def judge_hand(given: HandToLayFrom) -> CaseFacts:
    """L9: return all that can be laid from a hand."""
    rules, held = find_rules(given), code_faces(given.hand.split())
    top = given.top and read_cards(given.top, rules)
    listed = list_beating(held, top[0], rules) if top else list_leads(held, rules)
    return {"plays": [" ".join(play.cards) for play in listed]}


run_case: Final = make_trick_runner(
    GAME, CountCases("read", CardsToRead, judge_reading), CountCases("hand", HandToLayFrom, judge_hand)
)
