"""The house's bots: how they enter, and how they choose."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Final

import pytest

from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Act, Start
from tests.bots.blocking_runner import BlockingBot, BotProgram, make_question
from tests.bots.conftest import ProgramFinder

pytestmark = pytest.mark.once

MODULE: Final = "pitboss_house_bots"
GOLDEN: Final = [5, 2, 5, 1, 2, 4, 5, 4, 1, 1, 5, 1]


def collect_choices(program: BotProgram, seed: str, asked: int, legal: int) -> list[int | None]:
    """Return a bot's choices in a game of so many questions, all with so many legal actions."""
    with BlockingBot(program) as bot:
        bot.greet(0, 2)
        bot.send_message(Start(game_id=1, seat=0, players=["A", "B"], seed=seed))
        made = []
        for number in range(1, asked + 1):
            bot.send_message(make_question(number, 0, "any", list(range(legal))))
            act = bot.read_message()
            assert isinstance(act, Act)
            made.append(act.choose)
        return made


def test_they_enter_by_the_hook() -> None:
    """The plugin offers all house bots to the registry, for all games, with a sentence about each."""
    bots = Registry().bots

    for name in ("house:first", "house:random", "house:search"):
        assert bots[name].games is None
        assert bots[name].summary.endswith(".")


def test_first(program: ProgramFinder) -> None:
    """`house:first` always plays the first legal action."""
    assert collect_choices(program("house:first"), "s", 20, 5) == [0] * 20


@pytest.mark.parametrize("name", ["house:random", "new:awk"])
def test_random_is_uniform(name: str, program: ProgramFinder) -> None:
    """`house:random`, and a new bot in awk, play every legal action about equally often, the first and the last too."""
    counts = Counter(collect_choices(program(name), "s", 2000, 4))

    assert counts.keys() == {0, 1, 2, 3}
    assert min(counts.values()) > 430


def test_random_and_its_seed(program: ProgramFinder) -> None:
    """The seed of the game, and nothing else, decides how `house:random` plays: this is its play on every Python."""
    bot = program("house:random")

    assert collect_choices(bot, "friday/1", 12, 11) == GOLDEN
    assert collect_choices(bot, "friday/2", 12, 11) != GOLDEN


def test_the_choice_among_one(program: ProgramFinder) -> None:
    """With a single legal action there is nothing to choose."""
    assert collect_choices(program("house:random"), "s", 5, 1) == [0] * 5


def test_nothing_is_imported_that_costs_time() -> None:
    """A bot of the house starts without the framework, so that it is ready in a third of the time."""
    started = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", MODULE, "random"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )

    imported = {line.rpartition("|")[2].strip() for line in started.stderr.splitlines()}
    assert MODULE in imported
    assert not {"pitboss", "msgspec", "pluggy", "trio"} & imported


def test_a_name_that_the_house_does_not_know() -> None:
    """A wrong name is answered with the right ones and a status that is not 0."""
    started = subprocess.run(
        [sys.executable, "-m", MODULE, "lucky"], stdin=subprocess.DEVNULL, capture_output=True, text=True
    )

    assert started.returncode == 1
    assert started.stderr == "the house has no bot 'lucky'; it has first, random, search, handicap, rollout\n"
