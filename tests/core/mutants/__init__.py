"""Mutants: a small healthy game, broken in many ways, one at a time. The conformance suite has to catch them."""

from __future__ import annotations

from typing import Final

from tests.core.mutants import chance, contract, copying, endings, handling, imagining, keeping, leaks, legality
from tests.core.mutants.magpie import Magpie, MagpieState

FAMILIES: Final = (leaks, imagining, copying, legality, handling, chance, keeping, endings, contract)


def mutants() -> dict[str, tuple[Magpie, str]]:
    """Return every mutant by its name, with the sentence that tells its fault."""
    found = {}
    for family in FAMILIES:
        for one in family.MUTANTS:
            game, broken = _built(one)
            found[f"{family.__name__.rpartition('.')[2]}.{broken.__name__}"] = (game, " ".join((broken.__doc__ or "").split()))
    return found


def _built(one: type | tuple[type[Magpie], type[MagpieState]]) -> tuple[Magpie, type]:
    """Return the game of a broken game, of a broken state, or of a state that needs a game of its own."""
    if isinstance(one, tuple):
        return one[0](one[1]), one[1]
    return (Magpie(one) if issubclass(one, MagpieState) else one()), one
