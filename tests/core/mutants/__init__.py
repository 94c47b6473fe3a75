"""Mutants: a small healthy game, broken in many ways, one at a time. The conformance suite has to catch them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pitboss.game import AnyGame
from pitboss_magpie.magpie import Magpie, MagpieState
from tests.core.mutants import (
    card_handling,
    contract,
    copies,
    counts,
    determinization,
    dice,
    endings,
    equal_cards,
    evaluation,
    leaks,
    learning,
    legality,
    melding,
    open_actions,
    persistence,
    randomness,
    rendering,
)

FAMILIES: Final = (
    leaks,
    dice,
    determinization,
    copies,
    legality,
    open_actions,
    melding,
    card_handling,
    randomness,
    persistence,
    endings,
    contract,
    rendering,
    counts,
    evaluation,
    learning,
    equal_cards,
)


class Mutant(NamedTuple):
    """A broken game."""

    name: str  # its family and its class: `leaks.ShowsHands`
    fault: str
    game: AnyGame
    preset: str | None  # that it has to be played with
    players: int
    games: int


def list_mutants() -> list[Mutant]:
    """Return every mutant."""
    return [_make_mutant(family.__name__.rpartition(".")[2], one) for family in FAMILIES for one in family.MUTANTS]


def _make_mutant(family: str, one: Any) -> Mutant:  # noqa: ANN401 - a broken game, a broken state, or a state and the game that it needs
    if isinstance(one, tuple):
        game, broken = one[0](one[1]), one[1]
    else:
        game, broken = (Magpie(one) if issubclass(one, MagpieState) else one()), one
    fault = " ".join((broken.__doc__ or "").split())
    return Mutant(f"{family}.{broken.__name__}", fault, game, broken.preset, broken.players, broken.games)
