"""`pitboss games` and `pitboss bots`: what is installed, for people and for programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.authoring.game_reference import GameReference
from tests.tournament.command_line import OTHER_GAME_PLUGIN, install_plugin, run_pitboss

pytestmark = pytest.mark.once

TWO_BOTS = """
    from pitboss.plugins.hookspec import NamedBot, hookimpl

    @hookimpl
    def pitboss_bots():
        return [
            NamedBot(name="team:one", summary="Plays well.", command=["{python}", "one.py"], games=["racko", "rummy"]),
            NamedBot(name="team:two", summary="Plays badly.", command=["two"]),
        ]
"""


BOT_WITH_AN_OPTION = """
    from pitboss.plugins.hookspec import BotOption, NamedBot, hookimpl

    @hookimpl
    def pitboss_bots():
        plies = BotOption(summary="How deep.", default=3, least=1, most=9)
        return [NamedBot(name="team:deep", summary="Plays deep.", command=["deep"], options={"plies": plies})]
"""


def test_games_in_a_pipe() -> None:
    """A row is one line of plain text, its columns two blanks apart."""
    ran = run_pitboss("games")

    [header] = [line for line in ran.out.splitlines() if line.startswith("Name")]
    [racko] = [line for line in ran.out.splitlines() if line.startswith("racko")]
    assert header.split() == ["Name", "Title", "Seats", "Presets"]
    presets = "classic, bonus, duel_ja, duel_en, duel_en_bonus, partners, short"
    assert re.split("  +", racko) == ["racko", "Rack-O", "2 to 4", presets]
    assert "\x1b" not in ran.out


def test_games_as_json(tmp_path: Path) -> None:
    """Each game is an object with its name, title, version, plugin, seats and the names of its presets."""
    env = install_plugin(tmp_path, "other", OTHER_GAME_PLUGIN.format(deal="return super().deal(seats, options, rng)"))

    found = run_pitboss("games", "--json", env=env).json_value

    assert [game["name"] for game in found] == sorted(game["name"] for game in found)
    assert {
        "name": "other",
        "title": "The other one",
        "version": "1",
        "plugin": "pitboss-other 7.0",
        "seats": [2, 3, 4],
        "presets": ["graves", "pairs"],
    } in found


def test_a_game_for_people() -> None:
    """The page of a game has all that a tournament file needs: options with default, allowed values and meaning, seats,
    presets, actions; 80 columns.
    """
    out = run_pitboss("games", "racko").out

    assert "Seats: 2 to 4\n" in out
    assert "  target = 500  (an integer of at least 1)\n      Points that end the game.\n" in out
    assert '  declare = null  ("auto" or "choice", or null)\n' in out
    assert "  duel_en_bonus: bonus_runs = true, min_run = 3 (2 players)\n" in out
    assert '  {"do": "take", "slot": …}\n' in out
    assert "      slot: a multiple of 5 from 5 to 50. As printed on the rack" in out
    assert [line for line in out.splitlines() if len(line) > 80] == []


def test_a_game_as_json() -> None:
    """A game as JSON is the same as an object of a fixed shape."""
    found = run_pitboss("games", "racko", "--json").json_value

    assert tuple(found) == GameReference.__struct_encode_fields__
    assert found["options"][1] == {
        "name": "target",
        "allowed": "an integer of at least 1",
        "meaning": "Points that end the game.",
        "default": 500,
    }
    assert {"name": "partners", "sets": {"partners": True}, "seats": [4]} in found["presets"]
    assert found["actions"][0] == {
        "tag_field": "do",
        "tag": "draw",
        "meaning": "Take the top card of the draw pile.",
        "fields": [],
        "is_open": False,
    }


def test_phases_of_options_that_no_preset_sets() -> None:
    """The actions of a phase are found with every option tried: `pass` is an action of none of the presets."""
    phases = {
        phase["phase"]: phase["actions"] for phase in run_pitboss("games", "racko", "--json").json_value["phases"]
    }

    assert phases["draw"] == ["draw", "take", "pass"]
    assert phases["place"] == ["swap", "discard"]
    assert "declare" in phases


def test_a_game_that_is_not_installed() -> None:
    """The nearest name is offered."""
    assert run_pitboss("games", "rako").err.startswith(
        "pitboss: no game 'rako' is installed (did you mean 'racko'?); there are: "
    )


def test_bots(tmp_path: Path) -> None:
    """A bot is listed with the games that it plays and a sentence."""
    env = install_plugin(tmp_path, "team", TWO_BOTS)

    lines = run_pitboss("bots", env=env).out.splitlines()

    assert lines[0].split() == ["Name", "Games", "What", "it", "does"]
    assert [line.split() for line in lines if line.startswith("team:")] == [
        ["team:one", "racko,", "rummy", "Plays", "well."],
        ["team:two", "all", "Plays", "badly."],
    ]


def test_bots_as_json(tmp_path: Path) -> None:
    """Each bot is an object with its name, summary, command, games and plugin."""
    env = install_plugin(tmp_path, "team", TWO_BOTS)

    found = run_pitboss("bots", "--json", env=env).json_value

    assert {
        "name": "team:two",
        "summary": "Plays badly.",
        "command": ["two"],
        "games": None,
        "presets": None,
        "seats": None,
        "options": {},
        "plugin": "pitboss-team 7.0",
    } in found


def test_options_of_bots(tmp_path: Path) -> None:
    """The options of a bot are listed below it, as they are typed, and are part of the JSON."""
    env = install_plugin(tmp_path, "team", BOT_WITH_AN_OPTION)

    [line] = [line for line in run_pitboss("bots", env=env).out.splitlines() if line.startswith("team:deep?")]
    [found] = [bot for bot in run_pitboss("bots", "--json", env=env).json_value if bot["name"] == "team:deep"]

    assert re.split("  +", line) == ["team:deep?plies=", "3", "a whole number from 1 to 9", "How deep."]
    assert found["options"] == {"plies": {"summary": "How deep.", "default": 3, "least": 1, "most": 9}}


def test_the_page_of_a_game() -> None:
    """`--page` prints what `pitboss new bot --game` puts beside a bot: a real question of each phase."""
    page = run_pitboss("games", "magpie", "--page").out

    assert page.startswith("# Magpie: what your bot sees, and what it may do\n")
    assert '"type":"decide"' in page.replace('": "', '":"')


NO_PAGE: Final = "--page shows one game, without --json: name the game"
NO_PAGE_HINT: Final = "`pitboss games --help` tells what is allowed"
NO_PAGE_JSON: Final = f'{{"errors":[{{"message":"{NO_PAGE}","hint":"{NO_PAGE_HINT}"}}]}}\n'


@pytest.mark.parametrize(("words", "more"), [(["--page"], ""), (["magpie", "--page", "--json"], NO_PAGE_JSON)])
def test_the_page_of_no_game(words: list[str], more: str) -> None:
    """`--page` without a game, or as JSON, is refused."""
    ran = run_pitboss("games", *words)

    assert (ran.status, ran.err) == (2, f"pitboss: {NO_PAGE}\n{more}")
