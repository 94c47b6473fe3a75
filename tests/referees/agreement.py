"""Plays a match of a plugin by random choices, and compares each decision with a referee that judges the same match."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import json, structs, to_builtins

from pitboss import OptionError, Random
from pitboss.game import AnyGame, resolve_options

Choice: TypeAlias = tuple[object, ...]  # what a player does, as plain data: ("bid", 3)


class Ruling(NamedTuple):
    """What a referee says before a choice."""

    seat: int
    legal: set[Choice]
    totals: list[int]  # by seat, so far


class FinalRuling(NamedTuple):
    """What a referee says at the end of a match, by seat."""

    totals: list[int]
    points: list[float]
    places: list[int]


Referee: TypeAlias = Generator[Ruling, Choice, FinalRuling]  # it is sent each choice that was made


def draw_options(game: AnyGame, seats: int, rng: Random) -> dict[str, Any]:
    """Return random values for all options of a game, as drawn from their whole ranges, with which `seats` can play."""
    kinds = json.schema(game.Options)["$defs"][game.Options.__name__]["properties"]
    assert kinds.keys() == {field.name for field in structs.fields(game.Options)}
    while True:
        drawn = {name: draw_value(kind, rng) for name, kind in kinds.items()}
        try:
            resolve_options(game, seats, None, drawn)
        except OptionError:
            continue
        return drawn


def draw_value(kind: Mapping[str, Any], rng: Random) -> Any:  # noqa: ANN401 - an option of any type
    """Return a random value of a type that a JSON schema describes."""
    if "anyOf" in kind:
        return draw_value(rng.choice(kind["anyOf"]), rng)
    if "enum" in kind:
        return rng.choice(kind["enum"])
    if kind["type"] == "integer":
        return kind["minimum"] + rng.randbelow(kind["maximum"] - kind["minimum"] + 1)
    return {"boolean": bool(rng.randbelow(2)), "null": None}[kind["type"]]


def compare_match(state: Any, referee: Referee, rng: Random) -> int:  # noqa: ANN401 - a state of any game
    """Play a match to its end by random choices; return the number of decisions that were compared.

    Raises:
        AssertionError: the plugin and the referee differ.
    """
    compared, said = 0, next(referee)
    while True:
        legal = state.legal()
        actions = {name_choice(action): action for action in legal}
        assert len(actions) == len(legal), f"decision {compared}: some of {legal} are one choice"
        found = Ruling(state.turn.seat if state.turn else -1, {*actions}, list(state.totals))
        assert found == said, f"decision {compared}: the plugin says {found}, the referee {said}"
        choice = rng.choice([*actions])
        state.play(actions[choice])
        compared += 1
        try:
            said = referee.send(choice)
        except StopIteration as end:
            compare_ends(state, end.value)
            return compared


def compare_ends(state: Any, verdict: FinalRuling) -> None:  # noqa: ANN401
    """Compare totals, points and places at the end of a match."""
    assert state.turn is None, f"the referee ends the match; in the plugin {state.turn} is on turn"
    outcome = state.outcome()
    found = FinalRuling(list(state.totals), list(outcome.points), list(outcome.places))
    assert found == verdict, f"at the end the plugin says {found}, the referee {verdict}"


def name_choice(action: object) -> Choice:
    """Return an action of a plugin as plain data: its kind, and its values; cards that have no order are a set."""
    kind, *values = to_builtins(action).values()
    return (kind, *[frozenset(value) if isinstance(value, list | tuple) else value for value in values])


def rank_totals(totals: Sequence[float]) -> list[int]:
    """Return the places of totals, of which more is better; equal totals share a place."""
    return [1 + sum(other > total for other in totals) for total in totals]


def is_pack(cards: Sequence[str], suits: str = "SHDC", ranks: str = "2 3 4 5 6 7 8 9 10 J Q K A") -> bool:
    """Return whether cards are one pack, each card once."""
    return sorted(cards) == sorted(suit + rank for suit in suits for rank in ranks.split())


ReadDeal: TypeAlias = Callable[[], Mapping[str, Any]]  # the cards of the deal that has just been dealt
