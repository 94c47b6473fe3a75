"""The proof of the conformance suite: a healthy game passes every check, and each of its mutants is caught."""

from __future__ import annotations

import pytest

from pitboss.testing import check_game
from pitboss_magpie.magpie import Magpie
from tests.core.mutants import Mutant, list_mutants
from tests.core.mutants.catch_table import MAX_DECISIONS, check_mutant
from tests.core.mutants.dice import Bluff

pytestmark = pytest.mark.once

MUTANTS = list_mutants()
KINDS = {mutant.name.partition(".")[0] for mutant in MUTANTS}
OTHER_GAMES = {
    "choices-are-blind",
    "worlds-do-not-hold-choices",  # nobody does in Magpie: see `test_secrets`
    "outcome-so-far-is-one",  # it has an outcome at its end only
    "zone-hints-name-zones",  # it has none
    "without-chance-nothing-is-drawn",  # it has chance: see Goofspiel, an example
    "draws-are-points",  # it has no `evaluate_draws`: see the conformance of Rack-O
}
SLOW = {"endings.NeverEnds", "persistence.PositionForgetsTakenCard"}
QUICK = {next(mutant.name for mutant in MUTANTS if mutant.name.startswith(f"{kind}.")) for kind in KINDS} - SLOW


@pytest.mark.long
@pytest.mark.parametrize(("seats", "games"), [(3, 2), (4, 1)])
def test_the_healthy_game_passes_every_check(seats: int, games: int) -> None:
    """The game that the mutants are made from keeps every promise, and every check has something to look at."""
    report = check_game(Magpie(), seats=[seats], games=games, max_decisions=MAX_DECISIONS)

    assert [
        verdict for verdict in report.checks if verdict.outcome != "passed" and verdict.name not in OTHER_GAMES
    ] == []


@pytest.mark.parametrize("seats", [2, 3])
def test_the_healthy_dice_game_passes_every_check(seats: int) -> None:
    """A game without a card keeps every promise, though each player is told its dice in secret at the deal."""
    report = check_game(Bluff(), seats=[seats], games=4, max_decisions=MAX_DECISIONS)
    verdicts = {verdict.name: verdict.outcome for verdict in report.checks}

    assert report.failures == []
    assert verdicts["past-is-legal-in-worlds"] == "passed"


@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=mutant.name, marks=() if mutant.name in QUICK else pytest.mark.long)
        for mutant in MUTANTS
    ],
)
def test_mutant(mutant: Mutant) -> None:
    """A game broken in one way fails a check."""
    assert check_mutant(mutant).failures != [], mutant.fault


def test_there_are_enough_mutants_and_each_names_its_fault() -> None:
    """At least forty different mutants exist, each with a sentence."""
    assert len({mutant.name for mutant in MUTANTS}) >= 40
    assert all(mutant.fault.endswith(".") for mutant in MUTANTS)
    assert len({mutant.fault for mutant in MUTANTS}) == len(MUTANTS)
