"""The picture of a Rack-O table, as a person sees it."""

from __future__ import annotations

import pytest

from pitboss_racko.messages import Discard, Draw, Position, Swap, Wait
from tests.games.racko_states import deal_game, set_up_game
from tests.games.random_play import play_randomly

UP = list(range(1, 30, 3))  # ten cards that go up
DOWN = [[card + by for card in UP[::-1]] for by in (1, 2)]
NAMES = ("ann", "bob", "a-bot-with-a-long-name")


def first_position(first: list[int], top: int = 32) -> Position:
    """Return a position in which seat 0 holds these cards and is to draw that one."""
    rows: list[list[int | None]] = [list(rack) for rack in (first, *DOWN)]
    return Position(dealer=2, racks=rows, discard=[31], stock=[top, *range(33, 50)])


def test_racks_stand_in_one_table() -> None:
    """Slots head the columns; a drawn card stands beside the rack, long names are cut, who is to play is marked."""
    state = set_up_game(3, first_position(UP))
    state.play(Draw())

    assert list(state.render(0, NAMES)) == [
        "  round 1, turn 1 of up to 300, dealer 2 a-bot-with-a-…",
        "  stock     17 cards",
        "  discard   31",
        "                    5 10 15 20 25 30 35 40 45 50 drawn score",
        "> 0 ann             1  4  7 10 13 16 19 22 25 28    32     0",
        "  1 bob             ·  ·  ·  ·  ·  ·  ·  ·  ·  ·           0",
        "  2 a-bot-with-a-…  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·           0",
    ]


def test_every_card_of_a_rack_o_table() -> None:
    """For None all racks are open, and the stock with its top card last."""
    state = set_up_game(3, first_position(UP))

    lines = list(state.render(None, NAMES))
    assert lines[1] == "  stock     (7 beneath) 42 41 40 39 38 37 36 35 34 33 32"
    assert "·" not in "".join(lines)


def test_a_player_who_is_asked_to_declare_in_secret() -> None:
    """D8: to the others it looks as if the turn were over, before the player waits and after."""
    asked, unasked = (set_up_game(3, first_position(rack), declare="choice") for rack in (UP, UP[::-1]))
    for state in (asked, unasked):
        state.play(Draw())
        state.play(Discard())
    assert asked.turn == (0, "declare")

    for _ in range(2):
        for seat in (1, 2, 3):
            assert list(asked.render(seat, NAMES)) == list(unasked.render(seat, NAMES))
        if asked.turn == (0, "declare"):
            assert [line[:3] for line in asked.render(0, NAMES) if line[0] == ">"] == ["> 0"]
            asked.play(Wait())


def test_how_the_last_round_ended() -> None:
    """Who declared, or that it stalled, and everybody's points: also when the game is over."""
    one_to_go = [50, *UP[1:]]
    state = set_up_game(3, first_position(one_to_go, 1), max_rounds=1)
    state.play(Draw())
    state.play(Swap(5))

    assert state.turn is None
    assert list(state.render(3, NAMES))[1] == "  it ended: RACK-O by 0 ann: 75 5 5"
    *_, stalled = play_randomly(deal_game("stalled", 2, max_rounds=1, max_turns=1), "random")
    assert list(stalled.render(3, NAMES))[1].startswith("  it ended: stalled: ")


@pytest.mark.parametrize("seat", [None, 0, 4])
def test_no_line_is_longer_than_sixty_columns(seat: int | None) -> None:
    """The picture fits a narrow terminal all through a game of four with long names."""
    for state in play_randomly(deal_game("narrow", 4, max_rounds=2, max_turns=30), "random"):
        assert max(len(line) for line in state.render(seat, ["long-names" * 5] * 4)) <= 60
