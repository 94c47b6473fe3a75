"""The proof of the conformance suite: a healthy game passes every check, and each of its mutants is caught."""

from __future__ import annotations

import pytest

from pitboss.testing import check_game
from pitboss.testing.checks import open_actions
from pitboss.testing.framework.check import collect_checks
from pitboss_magpie.magpie import Magpie
from tests.core.mutants import Mutant, list_mutants
from tests.core.mutants.catch_table import MAX_DECISIONS, check_mutant
from tests.core.mutants.dice import Bluff
from tests.core.mutants.melding import Laydown
from tests.core.mutants.open_actions import Bargain, BargainedState
from tests.marks import first_rows

pytestmark = pytest.mark.once

MUTANTS = list_mutants()
KINDS = {mutant.name.partition(".")[0] for mutant in MUTANTS}
OTHER_GAMES = {
    "choices-are-blind",
    "rule-book-names-actions",  # it is in no project: see test_rule_book_check
    "worlds-do-not-hold-choices",  # nobody does in Magpie: see `test_secrets`
    "matches-have-their-deals",  # it says nowhere how many deals it has: see `test_playouts`
    "outcome-so-far-is-one",  # it has an outcome at its end only
    "presentation-names-zones",  # it has none
    "next-deal-is-the-same-however-one-plays",  # it has one deal: see `test_playouts`
    "ties-are-not-broken-by-seat",  # its ties share a place: see `test_playouts`
    "without-chance-nothing-is-drawn",  # it has chance: see Goofspiel, an example
    "choices-share-no-key",  # no action of it has a list of cards: see Laydown
    "actions-read-apart",  # it has no words of its own: see Laydown
    "loadouts-are-legal",  # it takes none: see `test_loadout_checks`
    "loadouts-leak-nothing",  # the same
    "draws-are-points",  # it has no `evaluate_draws`: see the conformance of Rack-O
    *(one.name for one in collect_checks([open_actions])),  # all its actions are listed: see Bargain
}
QUICK = {
    next(one.name for one in MUTANTS if one.name.startswith(f"{kind}."))
    for kind in ("leaks", "legality", "dice", "open_actions")
}


@pytest.mark.long
@pytest.mark.parametrize(("seats", "games"), [(3, 6), (4, 1)])
def test_the_healthy_game_passes_every_check(seats: int, games: int) -> None:
    """The game that the mutants are made from keeps every promise, and every check has something to look at."""
    report = check_game(Magpie(), seats=[seats], games=games, max_decisions=MAX_DECISIONS)
    unseen = {*OTHER_GAMES, "random-play-scores"}  # which looks at four random games or more

    assert [verdict for verdict in report.checks if verdict.outcome != "passed" and verdict.name not in unseen] == []


@first_rows(1)("seats", [2, 3])
def test_the_healthy_dice_game_passes_every_check(seats: int) -> None:
    """A game without a card keeps every promise, though each player is told its dice in secret at the deal."""
    report = check_game(Bluff(), seats=[seats], games=4, max_decisions=MAX_DECISIONS)
    verdicts = {verdict.name: verdict.outcome for verdict in report.checks}

    assert report.failures == []
    assert verdicts["past-is-legal-in-worlds"] == "passed"


@pytest.mark.long
def test_the_healthy_game_of_melds_passes_every_check() -> None:
    """A list of cards for each meld says which is which, to a bot and to a person."""
    report = check_game(Laydown(), seats=[2], games=1)
    verdicts = {verdict.name: verdict.outcome for verdict in report.checks}

    assert report.failures == []
    assert verdicts["choices-share-no-key"] == verdicts["actions-read-apart"] == "passed"


def test_the_healthy_game_of_offers_passes_every_check() -> None:
    """Offers that are checked and not listed are seen by all checks of open actions, and pass."""
    report = check_game(Bargain(BargainedState), games=4)
    verdicts = {verdict.name: verdict.outcome for verdict in report.checks}

    assert report.failures == []
    assert {verdicts[one.name] for one in collect_checks([open_actions])} == {"passed"}


@pytest.mark.long
def test_melds_in_one_list_are_found_by_the_keys() -> None:
    """A flat list of cards that can be read as two ways to lay them out is what that check is for."""
    mutant = next(mutant for mutant in MUTANTS if mutant.name == "melding.KeysByFlatCards")

    assert [verdict.name for verdict in check_mutant(mutant).failures] == ["choices-share-no-key"]


@first_rows(1)(
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
