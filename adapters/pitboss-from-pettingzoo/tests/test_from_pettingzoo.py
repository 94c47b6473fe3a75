"""PettingZoo's games as games of Pitboss."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pettingzoo import aec_registry

from pitboss import OptionError, Random
from pitboss.errors import NoWorldFound
from pitboss.foreign.engine_state import EngineState
from pitboss.game import resolve_options
from pitboss_from_pettingzoo.plugin import pitboss_games
from pitboss_from_pettingzoo.zoo_engine import (
    OWN_FAMILY,
    SCREENS,
    ZooEngine,
    ZooPosition,
    describe_all,
    explain_refusal,
)

GAMES = {game.name: game for game in pitboss_games()}
LONG = ("zoo-chess", "zoo-go")  # seldom end at random
MOST_DECISIONS = 150


def deal(name: str, seed: str = "s", seats: int = 0, **options: Any) -> EngineState:  # noqa: ANN401 - PettingZoo's own
    """Begin a game, for the smallest number of seats unless one is given."""
    game = GAMES[name]
    seats = seats or game.seats[0]
    return game.deal(seats, resolve_options(game, seats, overrides=options), Random(seed))


def test_each_environment_is_offered_or_refused_with_a_reason() -> None:
    """All classic games that load are offered; video games and agents in a plane are not."""
    refused = {env_id: why for env_id in aec_registry if (why := explain_refusal(env_id))}

    assert len(GAMES) + len(refused) == len(aec_registry)
    assert {"zoo-chess", "zoo-connect-four", "zoo-go", "zoo-leduc-holdem", "zoo-rps", "zoo-texas-holdem"} <= {*GAMES}
    assert {env_id.partition("/")[0] for env_id in refused} <= {*SCREENS, OWN_FAMILY, "classic"}
    assert refused["atari/pong-v3"] == "it is a video game"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_played(name: str) -> None:
    """Random moves are legal to the end; the same seed and moves, and copies, give the same turns, views and points."""
    seats = GAMES[name].seats[-1]
    options = {"board_size": 5} if name == "zoo-go" else {}
    state, twin = (deal(name, "s", seats, **options) for _ in range(2))
    rng = Random("moves")
    for _ in range(MOST_DECISIONS):
        if state.turn is None:
            break
        action = rng.choice(state.legal())
        twin = twin.copy()
        for one in (state, twin):
            one.play(action)
        assert state.turn == twin.turn
        assert [state.view(seat) for seat in range(seats)] == [twin.view(seat) for seat in range(seats)]

    assert state.turn is None or name in LONG
    if state.turn is None:
        assert state.outcome() == twin.outcome()


def test_rewards_are_added_up() -> None:
    """Points are the rewards of the whole game: who wins two of two rounds has two points."""
    state = deal("zoo-rps", max_cycles=2)
    for move in ("rock", "scissors", "paper", "rock"):
        state.play(next(action for action in state.legal() if action.move == move))

    assert state.outcome().points == (2.0, -2.0)


def test_a_choice_of_the_same_round_is_hidden() -> None:
    """Seat 1 sees what seat 0 has thrown only once it has thrown too."""
    rock, paper = (deal("zoo-rps") for _ in range(2))
    for state, move in ((rock, 0), (paper, 1)):
        state.play(state.legal()[move])

    assert rock.view(1) == paper.view(1)
    for state in (rock, paper):
        state.play(state.legal()[0])
    assert rock.view(1) != paper.view(1)


@pytest.mark.parametrize("name", ["zoo-leduc-holdem", "zoo-rps", "zoo-tictactoe", "zoo-connect-four"])
def test_worlds_show_a_seat_the_same(name: str) -> None:
    """What a seat sees is the same in each of its worlds."""
    state, rng = deal(name), Random("moves")
    for _ in range(6):
        if state.turn is None:
            break
        for seat in range(state.seats):
            for number in range(3):
                world = state.imagine(seat, Random(f"world {number}"))
                assert (world.view(seat), world.turn) == (state.view(seat), state.turn)
        state.play(rng.choice(state.legal()))


def test_cards_that_the_environment_deals_have_no_worlds() -> None:
    """The game says why it samples no worlds."""
    with pytest.raises(NoWorldFound, match="cannot be asked for a deal"):
        deal("zoo-texas-holdem").imagine(0, Random("world"))


def test_boards_of_two_sizes_do_not_touch() -> None:
    """PettingZoo's Go has one board size for a process; games of two sizes, played in turn, go on all the same."""
    small, large = deal("zoo-go", board_size=5), deal("zoo-go", board_size=9)
    rng = Random("moves")
    for _ in range(10):
        for state, size in ((small, 5), (large, 9)):
            assert len(state.legal()) <= size * size + 1
            state.play(rng.choice(state.legal()))
            assert len(state.view(0).text.splitlines()) >= size
    assert len(large.legal()) > 26


def test_copies_and_replays_are_the_same() -> None:
    """Where the attributes of an environment can be copied, the copy is what the moves from the seed lead to."""
    engine = ZooEngine("classic/connect_four-v3")
    position = ZooPosition(engine, 2, engine.Options(), 1)
    for _ in range(5):
        position.play([position.list_moves(position.list_turns()[0])[0].number])
    replayed = ZooPosition(engine, 2, engine.Options(), 1, position.steps)

    assert engine.can_copy
    assert describe_all(position.copy(), 2) == describe_all(replayed, 2)


def test_parameters_are_options() -> None:
    """A parameter has its name and its default, and changes the game; one that is not allowed is an error."""
    assert GAMES["zoo-go"].Options().board_size == 19
    assert len(deal("zoo-go", board_size=5).legal()) == 26
    with pytest.raises(OptionError, match="num_actions"):
        deal("zoo-rps", num_action=5)
    with pytest.raises(OptionError, match="odd number"):
        deal("zoo-rps", num_actions=4)


def test_the_finding() -> None:
    """A small program shows what the suite has found in PettingZoo; the adapter does not offer the parameter."""
    program = Path(__file__).parents[1] / "findings" / "hanabi_start_player.py"
    ran = subprocess.run([sys.executable, program], capture_output=True, text=True, timeout=300, check=False)

    assert re.search(r"in \d+ of 20 games", ran.stdout), ran.stderr
    assert "random_start_player" not in GAMES["zoo-hanabi"].Options.__struct_fields__
