"""The runner of Rummy's golden cases: what a case may say, and what fails."""

from __future__ import annotations

from typing import Final

import pytest

from tests.rules.rummy_cases import FUNCTIONS, run_case

STATE: Final[dict[str, object]] = {
    "hands": [["S5", "S6"], ["HK", "D4"]],
    "stock": ["C2", "C3"],
    "discard": ["H3"],
    "turn": 0,
}
GIVEN: Final[dict[str, dict[str, object]]] = {
    "meld": {"cards": ["S5", "S6", "S7"]},
    "layoff": {"meld": ["S5", "S6", "S7"], "card": "S8"},
    "points": {"hand": ["S5"]},
    "melds": {"hand": ["S5"]},
    "scores": {"hands": [[], ["S5"]], "winner": 0},
    "game": {"players": 2, "scores": [1, 2], "deals_played": 1},
    "options": {"players": 2},
    "play": {"players": 2, "state": STATE, "dealer": 1},
}
TURN: Final[list[object]] = [{"do": "draw"}, {"do": "discard", "card": "C2"}]


def make_case(fn: str, given: object, expect: object) -> dict[str, object]:
    """Return a case."""
    return {"id": "X", "fn": fn, "in": given, "expect": expect}


def check_play(expect: object, *actions: object, **more: object) -> list[str]:
    """Return what is wrong with a case that plays from `STATE`."""
    return run_case(make_case("play", {**GIVEN["play"], "actions": list(actions), **more}, expect))


@pytest.mark.parametrize("fn", list(FUNCTIONS))
def test_key_that_no_function_knows(fn: str) -> None:
    """An unknown key, given or expected, fails the case and is named."""
    assert any("colour" in wrong for wrong in run_case(make_case(fn, {**GIVEN[fn], "colour": 1}, {"error": False})))
    assert any("colour" in wrong for wrong in run_case(make_case(fn, GIVEN[fn], {"colour": 1})))


@pytest.mark.parametrize(
    ("fn", "expect"),
    [
        ("meld", "group"),
        ("meld", None),
        ("layoff", False),
        ("points", 6),
        ("melds", {"count": 1}),
        ("scores", [6, 0]),
        ("game", {"over": True}),
        ("game", {"winners": [1]}),
        ("options", {"deals": 5}),
        ("options", "error"),
        ("play", {"turn": 1}),
        ("play", {"legal": [{"do": "draw"}]}),
        ("play", {"legal": {"has": [{"do": "discard", "card": "S5"}]}}),
        ("play", {"stock": ["C3", "C2"]}),
        ("play", {"melds": [{"cards": ["S5", "S6", "S7"]}]}),
        ("play", {"obs0": {"legal": []}}),
        ("play", {"obs1": {"hand": ["D4", "HK"]}}),
        ("play", {"illegal": True}),
    ],
)
def test_expectation_that_does_not_hold(fn: str, expect: object) -> None:
    """An expectation that does not hold fails the case."""
    assert run_case(make_case(fn, GIVEN[fn], expect)) != []


def test_action_that_is_refused() -> None:
    """A refused action fails the case unless the case expects the refusal; so does a shuffle of other cards."""
    assert any("was refused" in wrong for wrong in check_play({"turn": 0}, {"do": "discard", "card": "S5"}))
    assert check_play({"illegal": True}, {"do": "discard", "card": "S5"}) == []
    assert check_play({"illegal": True}, {"do": "draw"}) != []
    short = {**STATE, "stock": ["C2"]}
    [wrong] = check_play({"turn": 1}, *TURN, state=short, options={"stock_out": "reshuffle"}, shuffles=[["S5", "H3"]])
    assert "is not an order of" in wrong


def test_legal_actions_are_a_set() -> None:
    """The legal actions are a set: a case may list them in any order."""
    assert check_play({"legal": [{"do": "take"}, {"do": "draw"}]}) == []
