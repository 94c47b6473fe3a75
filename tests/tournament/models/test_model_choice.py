"""What the answer of a language model chooses, and what it may cost."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pitboss.action_range import RangedEntry
from pitboss_tournament.models.choice import Verdict, find_last_object, judge_answer, make_choice_schema
from pitboss_tournament.models.purse import CallCost, Purse
from tests.mistakes import each_mistake

LEGAL: Final[list[Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": [20, 90]}]
RANGES: Final = [RangedEntry(2, "to")]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"choose": 1}', Verdict("chosen", choose=1)),
        ('I might {"choose": 0}. No: {"reason": "odds {good}", "choose": 1} is better.', Verdict("chosen", choose=1)),
        ('{"choose": 2}', Verdict("chosen", choose=2)),
        ('{"choose": 1} That is all. {}', Verdict("chosen", choose=1)),
        ('{"choose": "1"}', Verdict("chosen", choose=1)),
        ('{"choose": 1.0}', Verdict("chosen", choose=1)),
        ('{"choose": 2, "number": "40"}', Verdict("chosen", action={"do": "raise", "to": 40})),
        ('{"choose": 2, "number": 40.0}', Verdict("chosen", action={"do": "raise", "to": 40})),
        ('{"do": "raise", "to": "40"}', Verdict("chosen", action={"do": "raise", "to": 40})),
        ('{"choose": 2, "number": 40}', Verdict("chosen", action={"do": "raise", "to": 40})),
        ('{"choose": 1, "number": 0}', Verdict("chosen", choose=1)),
        ('{"action": {"do": "call"}}', Verdict("chosen", choose=1)),
        ('```json\n{"do": "raise", "to": 90}\n```', Verdict("chosen", action={"do": "raise", "to": 90})),
    ],
)
def test_the_last_object_of_an_answer_chooses(text: str, verdict: Verdict) -> None:
    """The last object of an answer chooses by an index, by an index and a number in a range, or by the
    action itself.
    """
    assert judge_answer(text, LEGAL, RANGES) == verdict


def test_cards_in_another_order_are_the_same_choice() -> None:
    """A list in another order chooses the one legal action that has the same entries; where both orders are legal,
    neither is chosen by a third.
    """
    passes: list[Any] = [{"do": "pass", "cards": ["SA", "D10", "D7"]}, {"do": "pass", "cards": ["SA", "D10", "C7"]}]
    slots: list[Any] = [{"do": "lay", "slots": order} for order in ([1, 2, 3], [2, 1, 3])]

    assert judge_answer('{"do": "pass", "cards": ["C7", "SA", "D10"]}', passes, []) == Verdict("chosen", choose=1)
    assert judge_answer('{"do": "pass", "cards": ["C7", "SA", "SA"]}', passes, []).outcome == "illegal"
    assert judge_answer('{"do": "lay", "slots": [2, 1, 3]}', slots, []) == Verdict("chosen", choose=1)
    assert judge_answer('{"do": "lay", "slots": [3, 2, 1]}', slots, []).outcome == "illegal"


@each_mistake(__file__)
def test_an_answer_that_chooses_nothing_has_a_reason(right: str, wrong: str, said: str) -> None:
    """An answer that chooses nothing has a reason, which the model may be told. Nothing is taken for what it only
    resembles.
    """
    verdict = judge_answer(wrong, LEGAL, RANGES)

    assert (verdict.outcome, verdict.choose, verdict.action) == (right, None, None)
    assert verdict.reason.startswith(said)


def test_an_answer_of_many_brackets_is_read_in_no_time() -> None:
    """An answer of many brackets is read at once: only its end is looked at."""
    assert find_last_object("{" * 1_000_000 + '{"choose": 1}') == {"choose": 1}


def test_the_schema_allows_the_legal_indexes_alone() -> None:
    """The schema allows the legal indexes alone, and asks for a number where there are ranges."""
    assert make_choice_schema(LEGAL, [])["properties"]["choose"] == {"type": "integer", "enum": [0, 1, 2]}
    assert make_choice_schema(LEGAL, [])["required"] == ["reason", "choose"]
    assert make_choice_schema(LEGAL, RANGES)["required"] == ["reason", "choose", "number"]


def test_a_purse_sets_aside_what_open_calls_may_cost() -> None:
    """A purse sets aside what open calls may cost, so that the budget is never exceeded, however many calls are open;
    the part that they did not cost can be spent again.
    """
    purse, most = Purse("ann", 1.0, None), CallCost(0.4, 100)

    purse.set_aside(most)
    purse.set_aside(most)
    assert not purse.can_pay(most)
    purse.settle(most, CallCost(0.1, 10))
    assert purse.can_pay(most)
    purse.set_aside(most)
    purse.settle(most, most)
    purse.settle(most, most)

    assert not purse.has_open_calls and not purse.can_pay(most)
    assert str(purse).startswith("the budget of ann (1 dollars) is used up: 0.9000 dollars, 210 tokens are spent")
