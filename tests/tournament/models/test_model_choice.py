"""What the answer of a language model chooses, and what it may cost."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pitboss.action_range import RangedEntry
from pitboss_tournament.models.choice import Verdict, find_last_object, judge_answer, make_choice_schema
from pitboss_tournament.models.purse import CallCost, Purse

LEGAL: Final[list[Any]] = [{"do": "fold"}, {"do": "call"}, {"do": "raise", "to": [20, 90]}]
RANGES: Final = [RangedEntry(2, "to")]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"choose": 1}', Verdict("chosen", choose=1)),
        ('I might {"choose": 0}. No: {"reason": "odds {good}", "choose": 1} is better.', Verdict("chosen", choose=1)),
        ('{"choose": 2}', Verdict("chosen", choose=2)),
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


@pytest.mark.parametrize(
    ("text", "outcome", "reason"),
    [
        ('{"choose": 3}', "illegal", '"choose" is 3; there are 3 legal actions, 0 to 2'),
        ('{"choose": -1}', "illegal", '"choose" is -1; there are 3 legal actions, 0 to 2'),
        ('{"choose": 2, "number": 91}', "illegal", '"number" is 91; at 2 it may be 20 to 90'),
        ('{"do": "raise", "to": 91}', "illegal", '{"do": "raise", "to": 91} is not legal'),
        ('{"choose": true}', "unparsable", '"choose" is true; it must be a whole number'),
        ('{"choose": "1"}', "unparsable", '"choose" is "1"; it must be a whole number'),
        ('{"move": "call"}', "unparsable", 'the last JSON object is {"move": "call"}'),
        ("I call", "unparsable", "the answer has no JSON object"),
        ('{"choose": 1', "unparsable", "the answer has no JSON object"),
    ],
)
def test_an_answer_that_chooses_nothing_has_a_reason(text: str, outcome: str, reason: str) -> None:
    """An answer that chooses nothing has a reason, which the model may be told. Nothing is taken for what it only
    resembles.
    """
    verdict = judge_answer(text, LEGAL, RANGES)

    assert (verdict.outcome, verdict.choose, verdict.action) == (outcome, None, None)
    assert verdict.reason.startswith(reason)


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
