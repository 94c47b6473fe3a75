"""`pitboss settings` and `pitboss help`: what there is to set, and what a word means."""

from __future__ import annotations

import pytest

from pitboss_tournament.plan.setting_keys import list_setting_keys
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once


def test_the_list_has_every_key() -> None:
    """The list has a line for each key but those of a bot, and all of them as JSON; with --run those that change no
    game.
    """
    lines = run_pitboss("settings").out.splitlines()
    listed = [line.split()[0] for line in lines[1 : lines.index("")]]
    values = run_pitboss("settings", "--json").json_value
    of_run = {one["key"] for one in run_pitboss("settings", "--run", "--json").json_value}

    keys = [one.key for one in list_setting_keys()]
    assert listed == [key for key in keys if not key.startswith("bots.")]
    assert [one["key"] for one in values] == keys
    assert all(one["meaning"].endswith(".") and one["allowed"] for one in values)
    assert {"title", "workers", "stop.delta", "budget.usd"} <= of_run
    assert not of_run & {"deals", "seed", "clock.game_ms", "options.NAME", "format"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("clock.game_ms", "clock.game_ms = an integer from 1 to 86400000"),
        ("clock.decision_ms", "Default: 1000."),
        ("deals", "-s deals=VALUE, or --deals VALUE."),
        ("faults", "faults.substitutions = an integer of at least 1"),
        ("options.target", "-s options.target=VALUE, or -o target=VALUE."),
        ("models.gpt-4.1.url", "models.gpt-4.1.url = an address with http:// or https://"),
        ("bots.memory", "[[bots]] with their own keys."),
    ],
)
def test_all_about_a_key(word: str, said: str) -> None:
    """The page of a key has its type, default and meaning, and how to type it; a table has each of its keys; names of
    one's own choice count.
    """
    assert said in " ".join(run_pitboss("settings", word).out.split())


@pytest.mark.parametrize(
    ("words", "said"), [(("clok",), "(did you mean 'clock'?)"), (("deals", "--run"), "games depend")]
)
def test_there_is_no_such_key(words: tuple[str, ...], said: str) -> None:
    """The error about an unknown key names the nearest one, with status 2."""
    ran = run_pitboss("settings", *words)

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


def test_help_of_a_command_is_what_its_option_says() -> None:
    """`help` of a command, also of one of a group, prints what its --help prints; `help` alone prints that of
    `pitboss`.
    """
    for words in (("match",), ("league", "init"), ()):
        assert run_pitboss("help", *words).out == run_pitboss(*words, "--help").out


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("magpie", "magpie, version "),
        ("swiss", "swiss: "),
        ("game_ms", "clock.game_ms = "),
        ("clock", "clock.start_ms = "),
        ("format.rounds", "format.rounds = anything"),
    ],
)
def test_help_of_a_word(word: str, said: str) -> None:
    """A game, a format, or a key or a table of the settings is explained."""
    assert said in run_pitboss("help", word).out


def test_one_format_and_the_bots_of_a_game() -> None:
    """`formats NAME` explains its options, `bots GAME` leaves out bots of other games, `rules --json` is data."""
    assert "rounds" in run_pitboss("formats", "swiss").out
    [swiss] = run_pitboss("formats", "swiss", "--json").json_value
    named = [bot["name"] for bot in run_pitboss("bots", "magpie", "--json").json_value]
    every = [bot["name"] for bot in run_pitboss("bots", "--json").json_value]

    assert swiss["name"] == "swiss"
    assert "house:random" in named
    assert "house:bridge" in set(every) - set(named)
    assert run_pitboss("rules", "racko", "--json").json_value["rules"].startswith("# ")
