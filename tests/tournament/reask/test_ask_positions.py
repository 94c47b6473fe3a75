"""Positions from elsewhere: a bot is asked what it would do where a game of a file stops, and a person plays on."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.store.store import Store
from tests.foreign_files import list_foreign_files, write_cut_auctions, write_untold
from tests.mistakes import each_mistake
from tests.tournament.command_line import CommandResult, run_pitboss
from tests.tournament.play_terminal import play_piped

pytestmark = pytest.mark.once

FILES: Final = {file.name: file.data for file in list_foreign_files()}
BRIDGE_BOTS: Final = ("--against", "house:bridge") * 3
FIRST: Final = "1\n" * 60


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file for each habit, and the first game of a file that has an end."""
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def ask(folder: Path, *words: str) -> CommandResult:
    """Ask a bot."""
    return run_pitboss("ask", *words, "--sandbox", "none", cwd=folder)


def test_a_board_with_one_hand(folder: Path) -> None:
    """A bot is asked for the next call of an auction of which its hand alone is told; a search has worlds to try."""
    (folder / "cut.pbn").write_text(write_untold(write_cut_auctions(), "S"))

    ran = ask(folder, "cut.pbn", "1", "--bot", "house:search?ms=20", "--json")
    shown = ask(folder, "cut.pbn", "1", "--bot", "house:bridge")
    seat = ask(folder, "cut.pbn", "6", "--bot", "house:bridge")

    assert ran.status == 0, ran.err
    found = ran.json_value
    assert (found["seat"], found["phase"], found["then"]) == (2, "call", None)
    assert " worlds: " in found["answers"][0]["note"]
    assert "(not a whole game: the auction does not end with three passes; the hands of N, E and W are not told)" in (
        " ".join(shown.out.split())
    )
    assert "\nnow: " in shown.out
    assert "then:" not in shown.out.partition("It was asked")[0]
    assert (seat.status, seat.err) == (2, "pitboss: cut.pbn: there is no game 6; its games are numbered 0 to 1\n")


def test_a_hand_of_poker_at_a_street(folder: Path) -> None:
    """A bot is asked on the street at which a hand stops; of a player whose cards are not told a sentence says so."""
    ran = ask(folder, "street.phh", "--bot", "house:poker", "--json")
    message = ask(folder, "seen.log", "--bot", "house:poker", "--json")
    unknown = ask(folder, "street.phh", "--seat", "1", "--bot", "house:poker")
    imported = run_pitboss("import", "street.phh", "--what", "phh", cwd=folder)

    assert (ran.status, ran.json_value["seat"], ran.json_value["phase"]) == (0, 0, "turn"), ran.err
    assert (message.status, message.json_value["seat"], message.json_value["phase"]) == (0, 0, "flop"), message.err
    assert "the cards of seat 1 are not known, so that its bot cannot be asked" in unknown.err
    assert "line 1: the hand ends with seat 1 on turn, turn" in imported.err
    assert (unknown.status, imported.status) == (2, 1)


def test_a_person_plays_on(folder: Path) -> None:
    """A person begins where a board stops, with hints, stops, and carries on by the same command to the end."""
    words = ("--resume", "auction-cut.pbn:1", *BRIDGE_BOTS, "--hint", "house:bridge", "--sandbox", "none", "--quick")

    begun = play_piped("?\n1\nq\n", *words, cwd=folder)
    ended = play_piped(FIRST, *words, cwd=folder)
    again = play_piped("q\n", *words, cwd=folder)

    assert (begun.status, ended.status, again.status) == (0, 0, 0), begun.err
    assert "Carried on after 8 decisions." in begun.out
    assert "house:bridge would choose" in begun.out
    assert "auction-cut.pbn: the auction does not end with three passes" in begun.err
    assert "The game is over." in ended.out
    assert "Carried on after 8 decisions." in again.out
    store = folder / "bridge-You-house_bridge-house_bridge-2-house_bridge-3.pitboss"
    with closing(Store(store)) as kept:
        [(_, record)] = kept.records()
        assert kept.header.given_deals is not None
        assert kept.header.given_deals.seeds == (record.seed,)
    assert record.players[2] == "You"
    assert run_pitboss("integrity", "--replay", str(store)).status == 0


def test_a_decision_of_a_stored_game(folder: Path) -> None:
    """A person takes over a game of a store at any decision: those before are as they were."""
    words = ("magpie", "house:first", "house:random", "-o", "turns=4", "--deals", "1", "--sandbox", "none")
    assert run_pitboss("match", *words, "--store", "x.pitboss", cwd=folder).status == 0
    with closing(Store(folder / "x.pitboss")) as store:
        before = store.record(1).decisions

    ran = play_piped(FIRST, "--resume", "x.pitboss:1:4", "--against", "house:first", "--store", "y.pitboss", cwd=folder)

    assert ran.status == 0, ran.err
    with closing(Store(folder / "y.pitboss")) as store:
        [(_, record)] = store.records()
    assert [(one.seat, one.action) for one in record.decisions[:3]] == [(one.seat, one.action) for one in before[:3]]
    assert record.players[before[3].seat] == "You"


@each_mistake(__file__)
def test_positions_that_are_refused(folder: Path, written: str, said: str) -> None:
    """What is no position, or does not fit the command line, is refused in a sentence; nothing is written."""
    before = sorted(folder.iterdir())

    ran = run_pitboss("play", *written.split(), cwd=folder)

    assert ran.status == 2
    assert said in ran.err
    assert sorted(folder.iterdir()) == before
