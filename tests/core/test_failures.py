"""Failures of the conformance suite, folded by their cause."""

from __future__ import annotations

from typing import Final

import pytest

from pitboss.simulation.game_setup import GameSetup, OptionVariant, make_setup
from pitboss.testing.framework.failures import FailureCause, fold_failures, make_failure, put_in_game
from pitboss_magpie.magpie import Magpie

DEFAULTS: Final = OptionVariant()


def lay_table(seats: int, variant: OptionVariant = DEFAULTS) -> GameSetup:
    """Return a setup of the game of the tests."""
    setup = make_setup(Magpie(), seats, variant)
    assert setup is not None
    return setup


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('view(0) tells …{"hand":[1,2]}… against …[3]…', 'view(1) tells …7]…, not …{"x":…'),
        (
            "action Play(card='H2') was accepted; legal: [Play(card='H3')]",
            "action Play(card='CA') was accepted; legal: []",
        ),
        ("of the deck ['H2', \"x\"] lie nowhere", "of the deck [] lie nowhere"),
        ("KeyError: 'H2' (game.py:7, in apply), at decision 3", "played it gives KeyError: 'H3' (game.py:7, in apply)"),
        ("by last actions: OddError: (1) (game.py:7, in <lambda>)", "OddError: gone (game.py:7, in <lambda>)"),
    ],
)
def test_one_cause(one: str, other: str) -> None:
    """One cause unites errors whose cards, numbers and texts differ, and leaves out what a check says about
    an error.
    """
    failures = [make_failure("a-check", detail, "; game x") for detail in (one, other.replace(", not ", " against "))]

    assert len(fold_failures(failures)) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("view(0) tells", "legal(0) tells"),
        ("KeyError: 'H2' (game.py:7, in apply)", "KeyError: 'H2' (game.py:8, in apply)"),
        ("KeyError: 'H2' (game.py:7, in apply)", "IndexError: 'H2' (game.py:7, in apply)"),
    ],
)
def test_two_causes(one: str, other: str) -> None:
    """Errors with other words, lines or types are other causes."""
    assert len(fold_failures(make_failure("a-check", detail, "") for detail in (one, other))) == 2


def test_the_same_words_of_two_checks() -> None:
    """An error in the game is one cause for all checks; else each check has causes of its own."""
    told = ["it is 3", "KeyError: 3 (game.py:7, in apply)"]
    failures = [make_failure(name, detail, "") for detail in told for name in ("one", "other")]

    assert [[one.name for one in cause.failures] for cause in fold_failures(failures)] == [
        ["one"],
        ["other"],
        ["one", "other"],
    ]


def test_what_a_cause_tells() -> None:
    """A cause tells the first failure that was seen in a game, in full; the other games by seats and options; and the
    other checks.
    """
    error = "KeyError: 3 (game.py:7, in apply)"
    graves, turns = OptionVariant("graves"), OptionVariant(None, {"turns": 2})
    cause = FailureCause(
        [
            make_failure("options", error, ""),
            put_in_game(make_failure("copies", error, "; seed 's/0'"), 0, lay_table(2)),
            put_in_game(make_failure("playing", error, "; seed 's/0'", is_exact=True), 0, lay_table(2)),
            put_in_game(make_failure("playing", error, "; seed 's/1'", is_exact=True), 1, lay_table(3, graves)),
            put_in_game(make_failure("copies", error, "; seed 's/2'"), 2, lay_table(2, graves)),
            put_in_game(make_failure("copies", error, "; seed 's/3'"), 3, lay_table(2)),
            put_in_game(make_failure("copies", error, "; seed 's/4'"), 4, lay_table(2, turns)),
        ]
    )

    assert str(cause).splitlines() == [
        "playing failed: KeyError: 3 (game.py:7, in apply); seed 's/0'",
        "    and in 4 more games (seats 2, 3; presets default, graves; options turns=2)",
        "    and 2 more checks: options, copies",
    ]
