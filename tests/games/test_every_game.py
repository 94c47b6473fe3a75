"""Promises of every installed game: conformance, presets, positions, pictures, estimates, and what errors say.

The rows of each game stand in `every_game/NAME.toml`, which `game_tables` describes. A game that an author has
installed beside these is tested too, with or without a file.
"""

from __future__ import annotations

from statistics import correlation
from typing import Any

import pytest

from pitboss import AnyGame, OptionError, PositionError, Random
from pitboss.game import Evaluable, render_state, resolve_options
from pitboss.options import convert_value
from pitboss.simulation.random_play import play_on
from pitboss.testing import check_game
from pitboss.testing.framework.expectations import require_positions
from pitboss.testing.framework.snapshot import describe_public_difference, take_public_snapshot, write_position
from tests.core.betting_game import load_betting_module
from tests.games.game_tables import (
    GAMES,
    ConformanceRow,
    EstimateRow,
    MistakesRow,
    MomentsRow,
    PictureRow,
    WidthRow,
    each_mistake_of_games,
    each_row,
    list_onlookers,
    read_action,
    read_tables,
)
from tests.mistakes import read_json

MAX_WIDTH = 60
each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@pytest.mark.once
@each_row("conformance")
def test_conformance(game: AnyGame, row: ConformanceRow) -> None:
    """Every promise of the conformance suite is kept, but for the checks that the row names."""
    report = check_game(
        game,
        seats=row.seats,
        presets=row.presets,
        options=row.options,
        games=row.games,
        player=row.chosen_player,
    )

    assert report.games > 0
    assert [check.name for check in report.failures] == row.fails, "\n".join(map(str, report.causes))


@each_game
def test_presets(game: AnyGame) -> None:
    """Every preset can be played at some table, and options that are resolved stay the same when resolved again."""
    for preset in game.presets:
        playable = []
        for seats in game.seats:
            try:
                options = resolve_options(game, seats, preset)
            except OptionError:
                continue
            playable.append(options.resolve(seats) == options if hasattr(options, "resolve") else True)
        assert playable and all(playable), preset


@each_row("positions")
def test_a_position_is_set_up_again(game: AnyGame, row: MomentsRow) -> None:
    """A position that is written and set up shows everybody the same as before, after the end of the game too."""
    positioned = require_positions(game)
    for decisions in row.decisions:
        state = row.open(game, "again")
        play_on(state, row.choose("again/choices"), decisions)
        again = positioned.setup(row.seats, row.resolve(game), write_position(state), Random("other"))

        assert write_position(again) == write_position(state)
        assert not describe_public_difference(take_public_snapshot(state), take_public_snapshot(again)), decisions
        if state.turn is None:
            assert again.outcome() == state.outcome()


@each_row("estimates")
def test_the_estimate(game: AnyGame, row: EstimateRow) -> None:
    """The estimate for a seat agrees better and better with the points that the seat has in the end."""
    found = []
    for decisions in row.decisions:
        pairs = []
        for number in range(row.deals):
            state, choose = row.open(game, f"deal/{number}"), row.choose(f"choices/{number}")
            play_on(state, choose, decisions)
            assert isinstance(state, Evaluable)
            estimate = state.evaluate()
            assert not row.is_zero_sum or sum(estimate) == pytest.approx(0)
            play_on(state, choose)
            pairs.append((estimate[0], state.outcome().signed_points()[0]))
        found.append(correlation(*zip(*pairs, strict=True)))

    assert found == sorted(found)
    assert found[0] > row.at_first and found[-1] > row.at_last


@each_row("widths")
def test_the_width_of_pictures(game: AnyGame, row: WidthRow) -> None:
    """A picture is at most sixty columns wide for every onlooker, all through a game, whatever the names."""
    state, choose = row.deal(game, "picture"), row.choose("picture")
    names = ["a-long-name" * 3] * row.seats
    while True:
        for seat in list_onlookers(row.seats):
            wide = [line for line in render_state(state, seat, names) if len(line) > MAX_WIDTH]
            assert [line for line in wide if row.but is None or row.but not in line] == []
        if state.turn is None:
            return
        play_on(state, choose, 1)


@each_row("pictures")
def test_the_picture(game: AnyGame, row: PictureRow) -> None:
    """The picture of a position shows what it is to show, and nothing that is to be hidden."""
    positioned = require_positions(game)
    position = convert_value(read_json(row.position), positioned.Position, "position", PositionError)
    state = positioned.setup(row.seats, row.resolve(game), position, Random("picture"))
    for action in row.actions:
        state.play(read_action(game, action))
    lines = [line.rstrip() for line in render_state(state, row.seat, row.names[: row.seats])]

    assert row.lines is None or lines == row.lines.splitlines()
    assert [part for part in row.has if not any(part in line for line in lines)] == []
    assert [part for part in row.lacks if any(part in line for line in lines)] == []


@each_mistake_of_games("wrong_positions")
def test_a_wrong_position(game: AnyGame, row: MistakesRow, written: dict[str, Any], said: list[str]) -> None:
    """A position that cannot have come about is refused in one line, which says what is wrong."""
    positioned = require_positions(game)

    with pytest.raises(PositionError) as caught:
        position = convert_value(written, positioned.Position, "position", PositionError)
        positioned.setup(row.seats, row.resolve(game), position, Random("position"))

    assert "\n" not in str(caught.value)
    assert [part for part in said if part not in str(caught.value)] == []


@each_mistake_of_games("wrong_options")
def test_wrong_options(game: AnyGame, row: MistakesRow, written: dict[str, Any], said: list[str]) -> None:
    """Options that a table cannot have are refused in one line, which names the game and says what is wrong."""
    with pytest.raises(OptionError) as caught:
        resolve_options(game, row.seats, row.preset, written)

    message = str(caught.value)
    assert message.startswith(game.name) and "\n" not in message
    assert [part for part in said if part not in message] == []


def test_a_game_without_a_file() -> None:
    """A game of an author, installed without a file of rows, is tested at its smallest table."""
    game = load_betting_module().NewGame()
    tables = read_tables(game)

    assert [row.seats for row in tables.conformance] == [[min(game.seats)]]
    for moments in tables.positions:
        test_a_position_is_set_up_again(game, moments)
    for width in tables.widths:
        test_the_width_of_pictures(game, width)
