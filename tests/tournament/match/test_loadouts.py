"""Matches with loadouts: what is on the wire, what is kept, and what can be asked again."""

from __future__ import annotations

import json
import textwrap
from contextlib import closing
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.duel_plugin import install_duel
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MINE = '{"cards": {"fox": 2, "hare": 2, "wolf": 2, "ram": 2, "stag": 2}}'
STATION = """
[logs]
keep = "all"
[[bots]]
bot = "house:search?ms=10"
name = "seeker"
loadout = "*.json"
[[bots]]
bot = "duel:aggressive"
loadout = "aggro"
"""


def play(folder: Path, options: str = "") -> tuple[Path, dict[str, str]]:
    """Play a tournament of one deal; return its store and the environment in which the game is installed."""
    env = install_duel(folder / "site")
    (folder / "mine.json").write_text(MINE)
    head = f'game = "duel"\nseed = "x"\ndeals = 1\nworkers = 1\nstore = "t.pitboss"\n{options}\n'
    (folder / "t.toml").write_text(head + STATION)
    ran = run_pitboss("run", "t.toml", cwd=folder, env=env)
    assert ran.status == 0, ran.err
    return folder / "t.pitboss", env


def read_starts(path: Path) -> list[dict[str, Any]]:
    """Return what the bots of a store were told at the start of their games, with their seats."""
    found = []
    with closing(Store(path)) as store:
        for number in store.game_ids():
            for log in store.logs(number):
                lines = [line.partition("> ")[2] for line in decode_text(log.wire).splitlines()]
                told = [json.loads(line) for line in lines if line.startswith('{"type":')]
                assert all(one["options"]["loadouts"] is None for one in told if one["type"] == "hello")
                found += [{**one, "own": log.seat} for one in told if one["type"] == "start"]
    return found


@pytest.mark.parametrize(("sight", "name"), [("hidden", "duel:aggressive"), ("public", "duel:aggressive+aggro")])
def test_the_start_of_a_game_tells_loadouts(tmp_path: Path, sight: str, name: str) -> None:
    """A bot is told its own deck. It is told the deck of the other, and its name, only if decks are public."""
    path, _ = play(tmp_path, f'options = {{sight = "{sight}"}}')

    starts = read_starts(path)

    assert {start["own"] for start in starts} == {0, 1}
    for start in starts:
        own, other = start["own"], 1 - start["own"]
        assert start["loadouts"][own]["cards"]
        assert (start["loadouts"][other] is None) == (sight == "hidden")
        is_seeker = start["players"][own] == "seeker"
        assert start["players"][other] == (name if is_seeker else "seeker")
        assert start["players"][own] == ("seeker" if is_seeker else "duel:aggressive+aggro")


def test_records_keep_loadouts_and_are_whole(tmp_path: Path) -> None:
    """Each record has the decks of its seats; the store is whole, its games replay, and a bot answers as then."""
    path, env = play(tmp_path)

    with closing(Store(path)) as store:
        assert store.header.options["loadouts"] is None
        assert [entry.own.loadout and entry.own.loadout.name for entry in store.header.entries] == ["mine", "aggro"]
        for _, record in store.records():
            seat = record.players.index("seeker")
            assert record.options["loadouts"][seat] == json.loads(MINE)
            assert record.options["loadouts"][1 - seat]["cards"]["spark"] == 2
    checked = run_pitboss("integrity", "t.pitboss", "--replay", cwd=tmp_path, env=env)
    assert (checked.status, "is whole" in checked.out) == (0, True), checked.out
    asked = run_pitboss(
        "ask", "t.pitboss", "1", "--bot", "duel:aggressive", "--seat", "0", "--json", cwd=tmp_path, env=env
    )
    assert asked.status == 0, asked.err


def test_a_record_with_another_deck_is_found(tmp_path: Path) -> None:
    """Where an entry brings another deck than a record has, the store is not whole."""
    path, env = play(tmp_path)
    with closing(Store(path)) as store:
        entry = store.header.entries[0]
    assert entry.own.loadout is not None
    other = entry.own.loadout.text.replace('"stag":2', '"bear":2')
    with closing(connect(path)) as database:
        database.execute(
            "update entries set own = replace(own, ?, ?)", (json.dumps(entry.own.loadout.text), json.dumps(other))
        )
        database.commit()

    checked = run_pitboss("integrity", "t.pitboss", cwd=tmp_path, env=env)

    assert checked.status != 0
    assert "another loadout in seat" in checked.out + checked.err


def test_exported_games_are_imported(tmp_path: Path) -> None:
    """Games in notation, whose decks differ, come back as one store, whose players have the decks that they brought."""
    path, env = play(tmp_path)
    assert run_pitboss("export", "t.pitboss", "-w", "notation", "-o", "t.txt", cwd=tmp_path, env=env).status == 0

    ran = run_pitboss("import", "t.txt", "-o", "again.pitboss", cwd=tmp_path, env=env)

    assert ran.status == 0, ran.err
    with closing(Store(path)) as one, closing(Store(tmp_path / "again.pitboss")) as other:
        assert {e.name: e.own.loadout and e.own.loadout.content for e in one.header.entries} == {
            e.name: e.own.loadout and e.own.loadout.content for e in other.header.entries
        }


def test_a_bot_with_a_wrong_deck_is_checked(tmp_path: Path) -> None:
    """`pitboss check` says the faults of a bot's loadout, and has a status that is not 0."""
    env = install_duel(tmp_path / "site")
    bot = tmp_path / "bee"
    bot.mkdir()
    (bot / "deck.toml").write_text("[cards]\nfox = 3\n")
    program = "from pitboss.bot import run\nrun(lambda question: 0)\n"
    (bot / "bot.py").write_text(program)
    (bot / "bot.toml").write_text('command = ["{python}", "bot.py"]\ngames = ["duel"]\nloadout = "deck.toml"\n')

    checked = run_pitboss("check", "bee", cwd=tmp_path, env=env)

    assert checked.status == 1
    assert "it has 3 cards 'fox'; 1 to 2 are allowed" in " ".join(checked.out.split())


def test_a_bot_that_reads_its_deck_is_checked(tmp_path: Path) -> None:
    """In all checks a bot is told its own deck at the start of a game, and not the deck of the other."""
    env = install_duel(tmp_path / "site")
    bot = tmp_path / "bee"
    bot.mkdir()
    (bot / "deck.json").write_text(MINE)
    program = """
        from pitboss.bot import run

        def choose(question):
            told = question.start.loadouts
            assert told[question.seat] == DECK and told[1 - question.seat] is None
            assert {"fox", "hare", "wolf", "ram", "stag"} >= set(question.view["hand"])
            return 0

        run(choose)
    """
    (bot / "bot.py").write_text(textwrap.dedent(program).replace("DECK", MINE))
    (bot / "bot.toml").write_text('command = ["{python}", "bot.py"]\ngames = ["duel"]\nloadout = "deck.json"\n')

    checked = run_pitboss("check", "bee", cwd=tmp_path, env=env)

    assert checked.status == 0, checked.out + checked.err
