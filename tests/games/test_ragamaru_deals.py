"""How a game of RAGAMARU begins, the box as ordinary playing cards, and the stock made anew."""

from __future__ import annotations

from collections import Counter

import pytest

from pitboss_ragamaru.cards import BOX, JOKERS, STANDARD_FACES, playing_card
from pitboss_ragamaru.messages import NameColour, Take
from tests.games.ragamaru_states import deal_game, set_up_game


@pytest.mark.parametrize(
    ("conversion", "loop", "in_play"), [(True, True, 108), (False, True, 106), (True, False, 104), (False, False, 102)]
)
def test_deal(conversion: bool, loop: bool, in_play: int) -> None:
    """Section 1, D37: one card at a time clockwise from seat 0, from the top of the shuffled stock.

    The kick-off card is never dealt.
    """
    state = deal_game("deal", 3, conversion=conversion, loop=loop)
    [shuffle, *_] = state.table.log or []
    top_first = [state.book.faces[card] for card in reversed(shuffle.cards)]

    assert len(top_first) == in_play
    assert Counter(top_first) <= Counter(BOX)
    assert [state.table.faces(hand) for hand in state.board.hands] == [top_first[seat:21:3] for seat in range(3)]
    assert state.table.faces(state.board.stock)[::-1] == top_first[21:]
    assert state.view(0).field.card == "KO"


@pytest.mark.parametrize(("seats", "teams"), [(2, 0), (4, 0), (4, 2), (6, 3)])
def test_who_starts_and_who_names(seats: int, teams: int) -> None:
    """D1, D2: both by lot; the namer is another player, and no partner. The starter has the first turn."""
    met = set()
    for number in range(60):
        state = deal_game(f"lot-{number}", seats, teams=teams)
        assert state.turn is not None
        assert state.turn.phase == "first_colour"
        starter, namer = state.view(0).starter, state.turn.seat
        assert starter is not None
        met.add((starter, namer))
        state.play(NameColour("B"))
        assert state.turn == (starter, "play")
        assert (state.top.field.colour, state.turn_no, state.view(0).starter) == ("B", 1, None)

    rivals = {
        (one, other)
        for one in range(seats)
        for other in range(seats)
        if one != other and (not teams or (one - other) % teams)
    }
    assert met <= rivals
    assert len(met) > len(rivals) // 2


def test_first_colour_by_lot() -> None:
    """Section 4: with `first_colour` = `random` nobody is asked, and every colour comes up."""
    states = [deal_game(f"colour-{number}", 3, first_colour="random") for number in range(60)]

    assert {state.turn.phase for state in states if state.turn} == {"play"}
    assert {state.top.field.colour for state in states} == set("RYBK")


def test_stock_made_anew() -> None:
    """D31: all but the top card, discards too, is a new stock.

    Everybody knows which cards are in it, and nobody their order.
    """
    pending = {"attack": "PG", "draw": 3, "converted": False}
    written: dict[str, object] = {
        "phase": "defend",
        "hands": [["R1"], ["K1"]],
        "field": {"card": "R-PG"},
        "pending": pending,
        "stock": [],
        "pile": ["B1", "B2", "B3"],
        "discards": ["B4"],
    }
    left = set()
    for number in range(40):
        state = set_up_game(written, seed=f"reshuffle-{number}")
        state.play(Take())
        left |= set(state.table.faces(state.board.stock))
        assert state.view(1).pile == 0
        assert state.view(1).stock == 1
        assert state.top.field.card == "R-PG"
        assert not any(state.table.known_by[card] for card in state.table.zones[state.board.stock])

    assert left == {"B1", "B2", "B3", "B4"}


def test_nothing_left_to_draw() -> None:
    """D32: what is missing is waived, and the player goes on."""
    pending = {"attack": "PG", "draw": 3, "converted": False}
    state = set_up_game(
        {"phase": "defend", "hands": [["R1"], ["K1"]], "field": {"card": "R-PG"}, "pending": pending, "stock": ["K5"]}
    )

    state.play(Take())

    assert state.view(0).counts == [2, 1]
    assert state.turn == (0, "play")


def test_playing_cards() -> None:
    """D38: 52 different cards, spades first, each suit from the ace, and two jokers.

    14, 15 and all else are left out.
    """
    assert [playing_card(face) for face in STANDARD_FACES[:13]] == [
        f"{rank}S" for rank in ("A", *range(2, 11), "J", "Q", "K")
    ]
    assert [playing_card(face) for face in STANDARD_FACES[::13]] == ["AS", "AH", "AD", "AC"]
    assert (STANDARD_FACES[0], STANDARD_FACES[-1], JOKERS) == ("K1", "B13", ("RAG", "RAG"))
    assert sum(playing_card(face) is None for face in BOX) == 108 - 54
