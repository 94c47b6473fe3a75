"""Games of every installed game are written in notation, read again and replayed."""

from __future__ import annotations

import msgspec
import pytest

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.records.notation import NotedGame, format_notation, parse_notation
from pitboss.records.record import Decision, Record, dumps, loads, verify
from pitboss.simulation.random_play import choose_from_words

REGISTRY = Registry()
GAMES = ["racko", "rummy", "ragamaru", "lucky-maker"]


@pytest.mark.parametrize("name", GAMES)
def test_some_games(name: str) -> None:
    """A game at each table, with the shortest preset, is written in the notation and read again."""
    check_games(name, 1)


@pytest.mark.once
@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_thousand_games(name: str) -> None:
    """A thousand games and more, at all tables, are written in the notation and read again."""
    seats = len(REGISTRY.find_game(name).seats)
    check_games(name, -(-1000 // seats))


def check_games(name: str, count: int) -> None:
    """Play random games at each table, and check that notation holds all of them."""
    for seats in REGISTRY.find_game(name).seats:
        games = [NotedGame(play_game(name, seats, f"{seats}/{number}"), number) for number in range(count)]
        for game in games:
            assert list(parse_notation(format_notation(game).splitlines())) == [game]
        assert verify(games[0].record, REGISTRY.find_game(name)) > 0


def play_game(name: str, seats: int, seed: str) -> Record:
    """Return the record of a random game."""
    game = REGISTRY.find_game(name)
    options = resolve_options(game, seats, "short" if "short" in game.presets else None)
    state = game.deal(seats, options, Random(seed))
    choose = choose_from_words(seed)
    decisions: list[Decision] = []
    while state.turn is not None:
        action = choose(state, state.legal())
        decisions.append(Decision(seat=state.turn.seat, action=msgspec.to_builtins(action), us=len(decisions)))
        state.play(action)
    record = Record(
        game=name,
        game_version=game.version,
        options=msgspec.to_builtins(options),
        seed=seed,
        players=[f"bot {seat}" for seat in range(seats)],
        decisions=decisions,
        outcome=state.outcome(),
    )
    return loads(dumps(record))  # with lists for tuples, as records are read
