"""The picture of a Rack-O table: what it hides, and how the last round ended."""

from __future__ import annotations

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
    """The picture says who declared or that the round stalled, with everybody's points, also after the game."""
    one_to_go = [50, *UP[1:]]
    state = set_up_game(3, first_position(one_to_go, 1), max_rounds=1)
    state.play(Draw())
    state.play(Swap(5))

    assert state.turn is None
    assert list(state.render(3, NAMES))[1] == "  it ended: RACK-O by 0 ann: 75 5 5"
    *_, stalled = play_randomly(deal_game("stalled", 2, max_rounds=1, max_turns=1), "random")
    assert list(stalled.render(3, NAMES))[1].startswith("  it ended: stalled: ")
