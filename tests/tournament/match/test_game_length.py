"""Long games are announced before they are played."""

from __future__ import annotations

import re
from math import inf

import pytest

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss_tournament.match.game_length import describe_long_game
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import load_magpie


def test_a_short_game_is_not_mentioned() -> None:
    """A short game gets no announcement."""
    game = load_magpie()
    assert describe_long_game(game, 2, resolve_options(game, 2), inf) is None


def test_a_long_game() -> None:
    """The length of a long game is announced with two digits."""
    game = Registry().find_game("ragamaru")
    said = "One game takes about 760 decisions in random play."
    assert describe_long_game(game, 3, resolve_options(game, 3), inf) == said


@pytest.mark.parametrize("name", ["racko", "rummy"])
def test_the_short_preset(name: str) -> None:
    """A game with a preset `short` is announced with it, but not where options are chosen."""
    game = Registry().find_game(name)
    chosen = describe_long_game(game, 3, resolve_options(game, 3, None, {"first_dealer": 1}), inf)

    said = describe_long_game(game, 3, resolve_options(game, 3), inf)
    assert said is not None
    assert said.endswith("; with --preset short it takes about 330.")
    assert chosen is not None
    assert "preset" not in chosen


@pytest.mark.once
@pytest.mark.long
def test_the_announcement() -> None:
    """`match` announces a long game below what is played; with few games it does not."""
    words = ["match", "racko", "house:racko", "house:random", "--no-store", "--seed", "s", "-o", "max_rounds=4"]
    many, few = (run_pitboss(*words, "--deals", deals).out for deals in ("5", "1"))

    assert re.match(r"racko, .*\nOne game takes about \d+ decisions in random play\.\n", many)
    assert "One game takes" not in few
