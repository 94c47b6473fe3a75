"""Written positions of RAGAMARU: what they leave open, and what comes back."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import PositionError, Random
from pitboss_ragamaru.messages import Position
from tests.games.ragamaru_states import GAME, deal_game, hand_cards, make_options, set_up_game
from tests.games.random_play import play_randomly

FEW: Final = settings(max_examples=30)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


@FEW
@given(SEEDS, st.integers(2, 10), st.integers(0, 400))
def test_any_moment_of_a_game(seed: str, seats: int, decisions: int) -> None:
    """Written down and set up again it is the same position, which shows everybody the same; the end of a game too."""
    *_, state = play_randomly(deal_game(seed, seats, max_turns=100), seed, decisions)

    position = state.position()
    again = GAME.setup(seats, make_options(seats, max_turns=100), position, Random("another"))

    assert again.position() == position
    assert again.turn == state.turn
    assert [again.view(seat) for seat in range(seats + 1)] == [state.view(seat) for seat in range(seats + 1)]
    if state.turn is None:
        assert again.outcome() == state.outcome()


def test_nothing_given() -> None:
    """An empty position is a game that has begun: all are dealt seven cards, and the kick-off card has a colour."""
    state = set_up_game({}, 4)

    assert state.view(0).counts == [7, 7, 7, 7]
    assert state.view(0).stock == 108 - 28
    assert state.top.field.card == "KO"
    assert state.top.field.colour is not None


def test_open_places() -> None:
    """A null is any card; with a stock given, what is left lies in the box, for all to see."""
    state = set_up_game({"hands": [["R1", None], [None]], "stock": ["B3", None], "field": {"card": "R5"}})

    assert hand_cards(state, 0)[0] == "R1"
    assert state.table.faces(state.board.stock)[-1] == "B3"
    assert len(state.table.zones[state.board.box]) == 108 - 6


def test_starter_of_a_team_game() -> None:
    """D2: the namer is an opponent of the starter."""
    with pytest.raises(PositionError, match="starter"):
        set_up_game({"phase": "first_colour", "turn": 0, "starter": 2}, 4, teams=2)
    assert set_up_game({"phase": "first_colour", "turn": 0}, 4, teams=2).starter in (1, 3)
    assert GAME.setup(4, make_options(4, teams=2), Position(phase="first_colour", starter=3), Random("x")).starter == 3
