"""Pictures on narrow screens: nothing is lost, and columns stay columns."""

from __future__ import annotations

import pytest

from pitboss import Random
from pitboss.action_range import lowest_action
from pitboss.game import render_state, resolve_options
from pitboss.plugins.registry import Registry
from pitboss_magpie.magpie import Magpie
from pitboss_tournament.play.terminal.terminal_person import narrow_lines, render_for_terminal

GAMES = Registry().games


def test_lines_that_fit() -> None:
    """Lines that fit stay as they are."""
    assert list(narrow_lines(["a    b", "", "c"], 10)) == ["a    b", "", "c"]


def test_gaps_are_closed() -> None:
    """Columns that are empty in all lines that are too wide are taken out, but for one."""
    assert list(narrow_lines(["   5    a", "> x  1  b"], 8)) == ["   5   a", "> x  1 b"]


def test_a_table_in_parts() -> None:
    """A table that is too wide is set in parts, each with the beginnings of its rows."""
    table = ["       10 20 30 40", "> You   1  2  3  4", "  bob   5  6  7  8"]

    assert list(narrow_lines(table, 13)) == [
        "      10 20",
        "> You  1  2",
        "  bob  5  6",
        "      30 40",
        "> You  3  4",
        "  bob  7  8",
    ]


def test_neighbours_that_are_no_table() -> None:
    """Lines that are too wide, one below the other, are each folded by themselves: nobody's cards get into another
    line.
    """
    lines = ["  pile     4: R1 R2 B3 B4 B5", "> 0 You    3  Y1 Y2 Y3 Y4 Y5"]

    assert list(narrow_lines(lines, 23)) == [
        "  pile     4: R1 R2 B3",
        "           B4 B5",
        "> 0 You    3  Y1 Y2 Y3",
        "    Y4 Y5",
    ]


def test_a_line_above_a_table() -> None:
    """A line above a table is folded, and the table is set in parts."""
    lines = ["  discard  1 2 3 4 5", "       10 20 30 40", "> You   1  2  3  4"]

    assert list(narrow_lines(lines, 15)) == [
        "  discard  1 2",
        "    3 4 5",
        "      10 20 30",
        "> You  1  2  3",
        "      40",
        "> You  4",
    ]


def test_a_deep_line() -> None:
    """A line that begins far to the right is moved to the left."""
    assert list(narrow_lines([f"{'':12}R1 R2 R3"], 16)) == ["    R1 R2 R3"]


@pytest.mark.parametrize("name", sorted({*GAMES} - {"racko"}))  # the one with a table that is too wide
def test_nothing_changes_places(name: str) -> None:
    """In 40 columns the words of a picture come in the same order."""
    game = GAMES[name]
    seats = max(game.seats)
    names = [f"p{seat}" for seat in range(seats)]
    state = game.deal(seats, resolve_options(game, seats), Random("s"))

    for _ in range(60):
        if state.turn is None:  # in Bridge all pass
            break
        state.play(state.legal()[0])
        for seat in range(seats):
            wide = render_state(state, seat, names, 40)
            assert " ".join(wide).split() == " ".join(render_for_terminal(state, seat, names, 40)).split()


@pytest.mark.parametrize("name", GAMES)
def test_every_game_in_40_columns(name: str) -> None:
    """Each word of each game's picture is there, whatever the width."""
    game = GAMES[name]
    seats = max(game.seats)
    names = [f"p{seat}" for seat in range(seats)]
    state = game.deal(seats, resolve_options(game, seats), Random("s"))

    for _ in range(30):
        state.play(lowest_action(state.legal()[-1]))
        wide = render_state(state, 0, names)
        assert set(" ".join(wide).split()) == set(" ".join(render_for_terminal(state, 0, names, 40)).split())


def test_a_comfortable_screen() -> None:
    """From 60 columns on the picture is the game's own."""
    game = Magpie()
    state = game.deal(2, resolve_options(game, 2), Random("s"))

    assert render_for_terminal(state, 0, ("a long name", "b"), 60) == render_state(state, 0, ("a long name", "b"), 60)
