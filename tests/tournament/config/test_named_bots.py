"""Named bots with options: what people write becomes a command, or an error that says what they can write."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.plugins.hookspec import BotOption, NamedBot
from pitboss.plugins.registry import Registry
from pitboss.plugins.rungs import GameRungs, MeasuredRung
from pitboss.protocol.messages import Clock
from pitboss_tournament.bot_checks.bot_under_test import make_entrant, resolve_bot
from pitboss_tournament.config.entrants import check_bot_setup, resolve_entrant, resolve_named_bot
from tests.mistakes import each_mistake
from tests.plugins import load_registry

OPTIONS: Final = {
    "ms": BotOption(summary="Time.", default=50, least=1, most=1000),
    "risk": BotOption(summary="Courage.", default=0.5, least=0.0, most=1.0),
}
CLOCK: Final = Clock(start_ms=1000, decision_ms=1000)
BOTS: Final = {
    "mine:deep": NamedBot(name="mine:deep", summary="Deep.", command=("deep",), options=OPTIONS),
    "mine:flat": NamedBot(name="mine:flat", summary="Flat.", command=("flat", "-x")),
}


@pytest.mark.parametrize(
    ("spec", "name", "command"),
    [
        ("mine:flat", "mine:flat", ("flat", "-x")),
        ("mine:deep", "mine:deep", ("deep",)),
        ("mine:deep?ms=7", "mine:deep?ms=7", ("deep", "ms=7")),
        ("mine:deep?risk=1&ms=007", "mine:deep?risk=1.0&ms=7", ("deep", "risk=1.0", "ms=7")),
    ],
)
def test_what_is_chosen(spec: str, name: str, command: tuple[str, ...]) -> None:
    """Options are added to the command as numbers, in the order in which they were given; they are part of the name."""
    named = resolve_named_bot(spec, BOTS)

    assert named is not None
    assert (named.name, named.command) == (name, command)


@pytest.mark.parametrize("spec", ["mine", "mine:dee", "mine:dee?ms=7", "./mine:deep", "deep -x"])
def test_other_bots(spec: str) -> None:
    """A text that does not begin with a bot's name is no named bot."""
    assert resolve_named_bot(spec, BOTS) is None


@each_mistake(__file__)
def test_what_is_not_allowed(written: str, said: str) -> None:
    """An error names the bot, what was given and what is allowed, and the nearest option."""
    with pytest.raises(ConfigError) as caught:
        resolve_named_bot(written, BOTS)

    assert str(caught.value) == said


def test_a_bot_with_options_enters_a_tournament(tmp_path: Path) -> None:
    """The entrant is called as it was written, and its command carries the options; a check starts the same."""
    registry = load_registry()
    spec = "house:search?ms=20&worlds=5"

    entrant = resolve_entrant(spec, registry, tmp_path, "magpie")
    checked = resolve_bot(spec, registry, tmp_path, (registry.find_game("magpie"),), CLOCK)

    assert entrant.name == spec
    assert entrant.command[-3:] == ("search", "ms=20", "worlds=5")
    assert make_entrant(checked, registry).command == entrant.command


def load_rungs(*bots: str) -> Registry:
    """Return the registry of the tests, with a plugin that offers these bots as the rungs of magpie."""
    rungs = tuple(
        MeasuredRung(bot=bot, strength=100.0 * place, half_width=9.0, deals=7) for place, bot in enumerate(bots)
    )
    registry = load_registry()
    table = GameRungs(name="magpie", seats=2, preset=None, unit="rating", deals=50, rungs=rungs)
    vars(registry)["rungs"] = {"magpie": table}  # as a plugin's hook would have filled it
    return registry


def test_a_rung_enters_a_tournament(tmp_path: Path) -> None:
    """A rung is named by its number, in a tournament and in a check, and plays as the bot on it."""
    registry = load_rungs("house:random", "house:search?worlds=5")

    entrant = resolve_entrant("rung:2", registry, tmp_path, "magpie")
    checked = resolve_bot("rung:2", registry, tmp_path, (registry.find_game("magpie"),), CLOCK)

    assert (entrant.name, checked.name) == ("rung:2", "rung:2")
    assert entrant.command[-2:] == ("search", "worlds=5")
    assert make_entrant(checked, registry).command == entrant.command


@pytest.mark.parametrize(
    ("spec", "game", "complaint"),
    [
        ("rung:3", "magpie", "there is no bot 'rung:3': the rungs of magpie are rung:1 to rung:2"),
        ("rung:0", "magpie", "the rungs of magpie are rung:1 to rung:2"),
        ("rung:high", "magpie", "the rungs of magpie are rung:1 to rung:2"),
        ("rung:2", "magpie", "rung:2 of magpie is the bot 'mine:gone', which is not installed"),
        ("rung:1", "racko-of-mine", "there is no bot 'rung:1': racko-of-mine has no rungs"),
    ],
)
def test_a_rung_that_is_not_there(spec: str, game: str, complaint: str, tmp_path: Path) -> None:
    """The error names the rungs that there are, or says what is missing."""
    with pytest.raises(ConfigError, match=complaint):
        resolve_entrant(spec, load_rungs("house:random", "mine:gone"), tmp_path, game)


def test_a_misspelt_bot_with_options(tmp_path: Path) -> None:
    """The nearest bot is named although options follow."""
    with pytest.raises(ConfigError, match="did you mean 'house:search'"):
        resolve_entrant("house:serch?ms=20", load_registry(), tmp_path, "magpie")


def test_a_named_bot_that_plays_with_two(tmp_path: Path) -> None:
    """The presets and numbers of players of a named bot hold for the entrant and for the tables of a check, as those of
    a bot.toml.
    """
    registry = load_registry()
    poker = registry.find_game("poker")

    entrant = resolve_entrant("house:poker-equilibrium", registry, tmp_path, "poker")
    checked = resolve_bot("house:poker-equilibrium", registry, tmp_path, (poker,), CLOCK)

    assert (entrant.presets, entrant.seats) == (("kuhn", "leduc"), (2,))
    assert [(table.seats, table.variant.preset) for table in checked.tables()] == [(2, "kuhn"), (2, "leduc")]
    with pytest.raises(ConfigError, match="the bot 'house:poker-equilibrium' plays with 2 players, not with 3"):
        check_bot_setup(entrant, poker, 3, resolve_options(poker, 3, "kuhn"), "kuhn")
