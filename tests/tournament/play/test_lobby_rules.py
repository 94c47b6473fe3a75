"""Who may sit down in a lobby, by which name; and what it says of bots is what was measured."""

from __future__ import annotations

import re
from typing import Final

import pytest

from pitboss.errors import PitbossError
from pitboss.plugins.registry import Registry
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.play.lobby.bot_strength import read_measured, word_strength
from pitboss_tournament.play.lobby.lobby import MAX_LOBBY_TABLES, Lobby, LobbyRules
from pitboss_tournament.play.lobby.lobby_table import LobbySeat, LobbyTable, TableSetup
from pitboss_tournament.play.play_terminal import PlayTerminal
from tests import ROOT

NOBODY: Final = ""  # a token that is of no guest


def make_lobby() -> Lobby:
    """Return a lobby."""

    def make_settings(game: str, preset: str | None) -> TournamentFile:
        return TournamentFile(game=game, preset=preset, deals=1, workers=1, sandbox="none")

    return Lobby(Registry(), LobbyRules(make_settings, lambda *_: None, None), PlayTerminal(is_plain=True))


def open_racko(lobby: Lobby, *seats: LobbySeat) -> LobbyTable:
    """Open a table for Rack-O."""
    return lobby.open_table(TableSetup(lobby.registry.find_game("racko"), None, len(seats)), seats)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ann", "Somebody at this table is called Ann"),
        ("ann", "Somebody at this table is called Ann"),
        ("\u0410nn", "Somebody at this table is called Ann"),  # a Cyrillic letter
        ("house:first", "Somebody at this table is called house:first"),
        ("Bob", "Seat 3 is kept for you, Bob"),
        ("Eve", "Somebody at another table is called Eve"),
        ("", "'' is no name here"),
        ("<b>", "is no name here"),
        ("x" * 41, "is no name here"),
    ],
)
def test_names_that_are_refused(name: str, told: str) -> None:
    """A sentence refuses an empty name, and a name that people would take for that of another guest."""
    lobby = make_lobby()
    open_table = open_racko(lobby, LobbySeat(), LobbySeat())
    lobby.sit_down(open_table, 0, NOBODY, "Eve")
    table = open_racko(lobby, LobbySeat(), LobbySeat("house:first"), LobbySeat(kept_for="Bob"), LobbySeat())
    lobby.sit_down(table, 0, NOBODY, "Ann")

    with pytest.raises(PitbossError, match=re.escape(told)):
        lobby.sit_down(table, 3, NOBODY, name)
    assert table.missing == 2


def test_a_guest_has_one_name() -> None:
    """A guest keeps the name at another table, whatever is typed there, and takes a seat that is kept for it."""
    lobby = make_lobby()
    first, second = (open_racko(lobby, LobbySeat(kept_for=name), LobbySeat()) for name in ("Ann", ""))
    guest = lobby.sit_down(first, 0, NOBODY, " Ann ")
    again = lobby.sit_down(second, 1, guest.token, "Eve")
    lobby.stand_up(second, guest.token)

    assert (guest.name, again) == ("Ann", guest)
    assert (first.find_seat(guest.token), second.find_seat(guest.token)) == (0, None)


def test_the_bounds_of_a_lobby() -> None:
    """The number of tables is bounded; a command in place of a bot is refused, and so is a table without a person."""
    lobby = make_lobby()
    for seats in (
        [LobbySeat(), LobbySeat("sh -c id")],
        [LobbySeat("house:first")] * 2,
        [LobbySeat(kept_for="Ann")] * 2,
    ):
        with pytest.raises(PitbossError):
            open_racko(lobby, *seats)
    for _ in range(MAX_LOBBY_TABLES):
        open_racko(lobby, LobbySeat(), LobbySeat())
    with pytest.raises(PitbossError, match="close one first"):
        open_racko(lobby, LobbySeat(), LobbySeat())


def test_strength_is_what_was_measured() -> None:
    """The lobby says of a bot what docs/strength.md has; of a bot that was not measured it says nothing."""
    lines = [line for line in (ROOT / "docs/strength.md").read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    told = [(row[0], int(row[1]), int(row[4]), row[5].partition(" ")[0], row[7].partition(" ")[0]) for row in cells]
    kept = [
        (row.game, row.seats, row.games, "–" if row.score is None else f"{row.score:.2f}", f"{row.ahead:.1f}")
        for row in read_measured()
    ]

    assert kept == told
    assert all(row.bot in cell[2] and row.other in cell[3] for row, cell in zip(read_measured(), cells, strict=True))
    assert word_strength("hearts", 4, "house:hearts") == "97 % against house:random, 98 % against house:search"
    assert [word_strength("hearts", 4, bot) for bot in ("house:random", "house:first")] == ["", ""]
