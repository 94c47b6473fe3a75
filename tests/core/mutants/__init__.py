"""Mutants: a small healthy game, broken in many ways, one at a time. The conformance suite has to catch them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from tests.core.mutants import chance, contract, copying, drawing, endings, handling, imagining, judging, keeping, leaks, legality
from tests.core.mutants.magpie import Magpie, MagpieState

FAMILIES: Final = (leaks, imagining, copying, legality, handling, chance, keeping, endings, contract, drawing, judging)


class Mutant(NamedTuple):
    """A broken game."""

    name: str  # its family and its class: `leaks.ShowsHands`
    fault: str
    game: Magpie
    preset: str | None  # that it has to be played with
    players: int
    games: int


def mutants() -> list[Mutant]:
    """Return every mutant."""
    return [_mutant(family.__name__.rpartition(".")[2], one) for family in FAMILIES for one in family.MUTANTS]


def _mutant(family: str, one: Any) -> Mutant:  # noqa: ANN401 - a broken game, a broken state, or a state and the game that it needs
    if isinstance(one, tuple):
        game, broken = one[0](one[1]), one[1]
    else:
        game, broken = (Magpie(one) if issubclass(one, MagpieState) else one()), one
    fault = " ".join((broken.__doc__ or "").split())
    return Mutant(f"{family}.{broken.__name__}", fault, game, broken.preset, broken.players, broken.games)
