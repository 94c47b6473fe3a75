"""The games of OpenSpiel as games of Pitboss."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyspiel
import pytest

from pitboss import OptionError, Random
from pitboss.foreign.engine_game import EngineGame
from pitboss.foreign.engine_state import EngineState
from pitboss.game import resolve_options
from pitboss_from_openspiel.plugin import pitboss_games
from pitboss_from_openspiel.spiel_engine import explain_refusal

GAMES = {game.name: game for game in pitboss_games()}
MOST_DECISIONS = 150
PAGE = Path(__file__).parents[3] / "docs" / "from-openspiel.md"
FINDINGS = sorted((Path(__file__).parents[1] / "findings").glob("*.py"))


def deal(name: str, seed: str = "s", **options: Any) -> EngineState:  # noqa: ANN401 - parameters of OpenSpiel
    """Begin a game for the smallest number of seats."""
    game = GAMES[name]
    return game.deal(game.seats[0], resolve_options(game, game.seats[0], overrides=options), Random(seed))


def test_each_game_is_offered_or_refused_with_a_reason() -> None:
    """Each registered game is one or the other; at least 95 are offered."""
    kinds = pyspiel.registered_games()
    refused = [kind.short_name for kind in kinds if explain_refusal(kind)]

    assert len(GAMES) + len(refused) == len(kinds)
    assert len(GAMES) >= 95
    assert {"2048", "mfg_garnet", "efg_game"} <= {*refused}


def test_the_table_of_the_page() -> None:
    """The page has a row for each registered game, and says which are offered; a game of at least 95 was played."""
    rows = [
        line.split(" | ")
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if re.match(r"\| \S+ \| (yes|no)", line)
    ]
    if version("open_spiel") != "2.0.2":
        pytest.skip("the table is of OpenSpiel 2.0.2")
    offered = [row[0].removeprefix("| ") for row in rows if row[1] == "yes"]

    assert sorted(offered) == sorted(GAMES)
    assert len(rows) == len(pyspiel.registered_games())
    assert sum(row[2] == "yes" for row in rows) >= 95


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played(name: str) -> None:
    """Random moves are legal to the end, or for many decisions; a record's steps give the same game again."""
    states = [deal(name) for _ in range(2)]
    state, twin = states
    rng = Random("moves")
    for _ in range(MOST_DECISIONS):
        if state.turn is None:
            break
        action = rng.choice(state.legal())
        for one in states:
            one.play(action)
        assert state.turn == twin.turn
    seats = range(state.seats)
    assert [state.view(seat) for seat in seats] == [twin.view(seat) for seat in seats]
    if state.turn is None:
        assert len(state.outcome().points) == state.seats


@pytest.mark.parametrize("name", ["spiel-kuhn-poker", "spiel-leduc-poker", "spiel-backgammon", "spiel-liars-dice"])
def test_worlds_show_a_seat_the_same(name: str) -> None:
    """What a seat sees is the same in each of its worlds, whether OpenSpiel samples them or they are searched for."""
    state, rng = deal(name), Random("moves")
    while state.turn is not None:
        for seat in range(state.seats):
            for number in range(5):
                world = state.imagine(seat, Random(f"world {number}"))
                assert (world.view(seat), world.turn) == (state.view(seat), state.turn)
        state.play(rng.choice(state.legal()))


def test_open_games_show_a_board() -> None:
    """Where everything is open a seat is shown the board, not the numbers of the moves, and no code of a terminal."""
    state = deal("spiel-tic-tac-toe")
    state.play(state.legal()[4])

    assert state.view(0).text == "...\n.x.\n..."
    assert "\x1b" not in deal("spiel-twixt").view(0).text
    hidden = deal("spiel-goofspiel", imp_info=True)
    assert not hidden.facts.is_open
    assert hidden.view(0) != hidden.view(1)


@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("spiel-battleship", "place ship horizontally with top-left corner in (0, 0)"),
        ("spiel-first-sealed-auction", "bid: 0"),
        ("spiel-gin-rummy", "Draw upcard"),
        ("spiel-goofspiel", "Bid: 1"),
        ("spiel-maedn", "passes"),
        ("spiel-snake", "North"),
        ("spiel-universal-poker", "Call"),
    ],
)
def test_a_move_does_not_name_its_player(name: str, move: str) -> None:
    """A move is OpenSpiel's text, without the player and the number of the action in front of it."""
    state = deal(name)
    for _ in range(MOST_DECISIONS):
        if move in [action.move for action in state.legal()]:
            return
        state.play(state.legal()[0])
    raise AssertionError(state.legal())


@pytest.mark.parametrize(
    ("name", "seats"), [("spiel-chinese-checkers", [2, 3, 4, 6]), ("spiel-snake", [2, 4]), ("spiel-tiny-hanabi", [2])]
)
def test_numbers_of_players(name: str, seats: list[int]) -> None:
    """A game is offered for the numbers of players that its defaults allow."""
    assert [*GAMES[name].seats] == seats


def test_parameters_are_options() -> None:
    """A parameter has its name and its default, and changes the game."""
    game: EngineGame = GAMES["spiel-hex"]

    assert game.Options().board_size == 11
    assert len(deal("spiel-hex", board_size=3).legal()) == 9


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("spiel-gin-rummy", {"hand_size": -1}, "hand_size_ >= 1"),
        ("spiel-hex", {"board_size": 999}, "utf-8"),
        ("spiel-hex", {"bord_size": 3}, "board_size"),
        ("spiel-gin-rummy", {"players": 2}, "players"),
    ],
)
def test_a_wrong_parameter_is_an_error(name: str, options: dict[str, object], said: str) -> None:
    """What OpenSpiel does not allow, or breaks at, is an error of the options with OpenSpiel's own words."""
    with pytest.raises(OptionError, match=said):
        deal(name, "s", **options)


def test_a_crash_of_native_code_is_an_error() -> None:
    """Parameters at which OpenSpiel ends the process that calls it are refused; this process goes on."""
    with pytest.raises(OptionError, match="OpenSpiel's own code crashes"):
        deal("spiel-go-fish", initial_cards=0)


def test_a_tournament_on_workers_of_dask(tmp_path: Path) -> None:
    """Options that OpenSpiel has travel to other processes, and the games played there replay here."""
    pytest.importorskip("distributed")
    match = "match spiel-backgammon house:random house:first --deals 2 -o hyper_backgammon=true"
    for words in (f"{match} --on local:2 --store there.pitboss", "replay there.pitboss --check"):
        command = [sys.executable, "-m", "pitboss_tournament.cli", *words.split()]
        ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("program", FINDINGS, ids=lambda program: program.stem)
def test_a_finding(program: Path) -> None:
    """A small program shows what the suite has found in OpenSpiel; the status is 1 as long as it is so."""
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=300, check=False)

    assert ran.stdout
    assert "Traceback" not in ran.stderr
    if version("open_spiel") == "2.0.2":
        assert ran.returncode == 1
