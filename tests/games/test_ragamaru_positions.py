"""Positions of RAGAMARU: what is refused, and what is dealt."""

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
HANDS: Final = [["R1", "B2"], ["K1", "K2"]]
TRY: Final = {"attack": "TRY", "draw": 5, "converted": False}


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"hands": [["R1"], ["R1"]]}, ["'R1'", "2 times"]),
        ({"hands": [["R16"], ["R1"]]}, ["'R16'"]),
        ({"hands": [["KO"], ["R1"]]}, ["'KO'"]),
        ({"hands": [["R1"]]}, ["hands", "1", "2 play"]),
        ({"hands": [["R1"], []]}, ["seat 1", "empty"]),
        ({"hands": [[None] * 60, [None] * 60]}, ["cannot fill"]),
        ({"turn": 2}, ["turn", "2", "2 play"]),
        ({"seating": [0, 0]}, ["seating", "[0, 0]"]),
        ({"sin": [1, 0]}, ["seat 0", "1 turns to rest"]),
        ({"sin": [0]}, ["sin", "2 play"]),
        ({"passed": [0, 1]}, ["all have passed"]),
        ({"passed": [1, 1]}, ["twice"]),
        ({"passed": [4]}, ["passed", "4"]),
        ({"turn_no": 2001}, ["turn_no", "2001", "2000"]),
        ({"starter": 1}, ["starter", "first_colour"]),
        ({"drawn": "R1"}, ["drawn", "'play'"]),
        ({"discards_left": 1}, ["discards_left", "it is 0"]),
        ({"pending": TRY, "field": {"card": "R-TRY"}}, ["nothing is pending"]),
        ({"pending": {"attack": "TRY"}, "field": {"card": "R-TRY"}}, ["pending", "`draw`"]),
        ({"pending": {**TRY, "sin": 2}, "field": {"card": "R-TRY"}}, ["pending", "`sin`"]),
        ({"field": {"card": "X1"}}, ["'X1'"]),
        ({"field": {"card": "R5", "colour": "B"}}, ["colour", "'B'", "'R'"]),
        ({"field": {"card": "R5", "number": 4}}, ["number", "4", "5"]),
        ({"field": {"card": "R5", "kind": "CUT"}}, ["kind", "'CUT'"]),
        ({"field": {"card": "R5", "free": True}}, ["free", "RAG"]),
        ({"field": {"card": "SIN"}}, ["colour", "must be given"]),
        ({"field": {"card": "RES", "colour": "B"}}, ["number", "must be given"]),
        ({"field": {"card": "KO", "colour": "B"}, "pile": ["R2"]}, ["kick-off"]),
        ({"phase": "defend", "field": {"card": "R-TRY"}}, ["defend", "pending", "None"]),
        ({"phase": "defend", "field": {"card": "R-PG"}, "pending": TRY}, ["R-PG", "pending"]),
        ({"phase": "defend", "field": {"card": "CV", "colour": "R"}, "pending": TRY}, ["CV", "pending"]),
        ({"phase": "defend", "field": {"card": "R5"}, "pending": TRY}, ["TRY or PG or DG or CV", "R5"]),
        ({"phase": "bin", "field": {"card": "SIN", "colour": "R"}}, ["bin", "rests"]),
        ({"phase": "colour", "field": {"card": "R5"}}, ["RES or TMO or SIN"]),
        ({"phase": "colour", "field": {"card": "SIN"}}, ["rests"]),
        ({"phase": "number", "field": {"card": "SIN", "colour": "R"}}, ["RES"]),
        ({"phase": "discard", "field": {"card": "R-ADV"}}, ["discards_left", "1 to 1"]),
        ({"phase": "discard", "field": {"card": "R-ADV"}, "discards_left": 2}, ["discards_left", "1 to 1"]),
        ({"phase": "discard", "field": {"card": "R5"}, "discards_left": 1}, ["ADV"]),
        ({"phase": "drawn", "drawn": "R1", "field": {"card": "R5"}}, ["drawn", "'R1'", "'B2'"]),
        ({"phase": "drawn", "passed": [1], "field": {"card": "R5"}}, ["passed"]),
        ({"phase": "first_colour", "starter": 0}, ["seat 0", "starter"]),
        ({"phase": "first_colour", "field": {"card": "R5"}}, ["KO", "R5"]),
        ({"result": "out"}, ["'out'", "0 hands"]),
        ({"result": "limit", "hands": [[], ["R1"]]}, ["'limit'", "1 hands"]),
        ({"result": "limit", "turn": 1}, ["over", "nobody is on turn"]),
    ],
)
def test_position_that_cannot_be(written: dict[str, object], said: list[str]) -> None:
    """It is refused with a line that names what is wrong."""
    with pytest.raises(PositionError) as caught:
        set_up_game({"hands": HANDS, **written})

    assert "\n" not in str(caught.value)
    assert [word for word in said if word not in str(caught.value)] == []


def test_card_that_the_deck_lacks() -> None:
    """Without Loop and Conversion cards there are none in any position."""
    for card in ("R-LOOP", "CV"):
        with pytest.raises(PositionError, match=card):
            set_up_game({"hands": [[card], ["R1"]]}, loop=False, conversion=False)


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
