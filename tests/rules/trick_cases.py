"""Runs cases of games of tricks: a position is set up and played on from, and all can be asked that a seat sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import to_builtins

from pitboss import AnyGame, PositionError, Random
from pitboss.game import AnyPositionedGame, resolve_options
from pitboss.options import convert_value
from tests.rules.case_input import CaseError, CaseInput, judge_case
from tests.rules.case_play import play_case_action
from tests.rules.comparison import CaseFacts


class TrickCaseInput(CaseInput, frozen=True):
    """A position, and the actions from there, as bots send them."""

    position: dict[str, object]
    seats: int | None = None
    preset: str | None = None
    options: dict[str, object] = msgspec.field(default_factory=dict)
    actions: list[dict[str, object]] = msgspec.field(default_factory=list)


class CountCases(NamedTuple):
    """Cases of a game that count a deal: those that have a key, what they give, and the function that counts it."""

    key: str
    given: type[CaseInput]
    judge: Callable[[Any], CaseFacts]


CaseRunner: TypeAlias = Callable[[dict[str, object]], list[str]]


def make_trick_runner(game: AnyPositionedGame, *counts: CountCases, seats: int = 4) -> CaseRunner:
    """Return the function that runs a case of a game of tricks: a count of a deal, or play from a position.

    Cases that do not say it have `seats` players. It returns what is wrong with the case, or with the game: nothing if
    the case holds.
    """

    def run_case(case: dict[str, object]) -> list[str]:
        given = {key: value for key, value in case.items() if key not in ("id", "expect")}
        expected = case.get("expect")
        if not isinstance(expected, dict) or not expected:
            raise CaseError("the case expects nothing")
        try:
            for kind in counts:
                if kind.key in given:
                    return _judge_count(kind, msgspec.convert(given, kind.given), expected)
            play = msgspec.convert(given, TrickCaseInput)
        except msgspec.ValidationError as wrong:
            raise CaseError(str(wrong)) from None
        return judge_case(expected, lambda: play_trick_case(game, play, play.seats or seats))

    return run_case


def _judge_count(kind: CountCases, given: CaseInput, expected: dict[str, object]) -> list[str]:
    return judge_case(expected, lambda: kind.judge(given))


def play_trick_case(game: AnyPositionedGame, given: TrickCaseInput, seats: int) -> CaseFacts:
    """Return all that a case can ask: what the player on turn sees, what it may do, and the outcome."""
    options = resolve_options(game, seats, given.preset, given.options)
    position = convert_value(given.position, game.Position, "position", PositionError)
    state = game.setup(seats, options, position, Random("case"))
    refused, rules = "", as_any_game(game)
    for number, action in enumerate(given.actions, 1):
        refused = refused or play_case_action(rules, state, number, action)
    legal: list[dict[str, Any]] = to_builtins(list(state.legal()))
    seen: Mapping[str, object] = to_builtins(state.view(state.turn.seat if state.turn else seats))
    return {
        **seen,
        "turn": state.turn.seat if state.turn else None,
        "phase": state.turn.phase if state.turn else None,
        "legal": [action.get("card", action["do"]) for action in legal],
        "actions": legal,
        "bids_to_choose": [action["tricks"] for action in legal if "tricks" in action],
        "places": [*state.outcome().places],
        "scores": [int(points) for points in state.outcome().points],
        "illegal": bool(refused),
        "refused": refused or None,
    }


def as_any_game(game: AnyGame) -> AnyGame:
    """Return a game as the framework sees it."""
    return game
