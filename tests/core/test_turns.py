"""Turns and seating: the circle of seats, with the examples of RAGAMARU's rule book (D25; R29, R45a, R45b)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import Seating, Turn


def test_a_turn_is_a_seat_and_a_phase() -> None:
    """A turn unpacks like the pair that it is."""
    seat, phase = Turn(2, "draw")

    assert (seat, phase) == (2, "draw")


@pytest.mark.parametrize(("steps", "expected"), [(1, 0), (2, 1), (-1, 2), (4, 3), (0, 3), (9, 0)])
def test_steps_clockwise(steps: int, expected: int) -> None:
    """Every seat counts, and the circle closes."""
    assert Seating.clockwise(4).seat_after(3, steps) == expected


@pytest.mark.parametrize(("steps", "expected"), [(1, 2), (3, 0), (-1, 0)])
def test_steps_the_other_way(steps: int, expected: int) -> None:
    """When play is reversed a step goes to the other neighbour."""
    assert Seating.clockwise(4).reverse_direction().seat_after(3, steps) == expected


def test_reversed_twice() -> None:
    """A seating that is reversed twice is as it was."""
    assert Seating.clockwise(3).reverse_direction().reverse_direction() == Seating.clockwise(3)


def test_round_the_table() -> None:
    """The way round the table goes from the left neighbour round to oneself, in the direction of play."""
    assert Seating.clockwise(4).seats_from_left_of(1) == (2, 3, 0, 1)
    assert Seating.clockwise(4).reverse_direction().seats_from_left_of(1) == (0, 3, 2, 1)


def test_circle() -> None:
    """The circle lists, by seat, the way round the table, wherever the seats have moved to."""
    seating = Seating.clockwise(4).move_seat(0, 1).reverse_direction()

    assert seating.orders_from_left() == tuple(seating.seats_from_left_of(seat) for seat in range(4))
    assert seating.orders_from_left()[0] == (1, 3, 2, 0)


def test_r29_a_seat_moves_past_the_next() -> None:
    """R29: 0 moves beyond 1; 1 plays, then 0 again."""
    moved = Seating.clockwise(4).move_seat(0, 1)

    assert moved.order == (0, 2, 3, 1)
    assert moved.seat_after(1) == 0


def test_r45a_two_players() -> None:
    """R45: with two players nothing changes."""
    assert Seating.clockwise(2).move_seat(0, 1).order == (0, 1)


def test_r45b_three_players() -> None:
    """R45: with three a single move reverses the cyclic order, and D25, a double changes nothing."""
    assert Seating.clockwise(3).move_seat(0, 1).order == (0, 2, 1)
    assert Seating.clockwise(3).move_seat(0, 2).order == (0, 1, 2)


def test_moved_while_play_is_reversed() -> None:
    """D25: the turn order p, o1, o2, o3 becomes o1, p, o2, o3 in the direction of play: 0 3 2 1 becomes 3 0 2 1."""
    moved = Seating.clockwise(4).reverse_direction().move_seat(0, 1)

    assert moved.direction == -1
    assert moved.seats_from_left_of(1) == (3, 0, 2, 1)
    assert moved.order == (0, 3, 1, 2)


@given(st.integers(1, 7), st.data())
def test_any_move_is_the_turn_order_of_d25(seats: int, draw: st.DataObject) -> None:
    """D25: p, o1, o2, … becomes o1, …, ok, p, …, in either direction, as often as one likes."""
    seating = Seating.clockwise(seats)
    if draw.draw(st.booleans()):
        seating = seating.reverse_direction()
    for _ in range(draw.draw(st.integers(1, 4))):
        seat, places = draw.draw(st.integers(0, seats - 1)), draw.draw(st.integers(0, seats + 1))
        others = list(seating.seats_from_left_of(seat)[:-1])
        past = min(places, len(others))
        expected = [*others[:past], seat, *others[past:]]

        seating = seating.move_seat(seat, places)

        assert list(seating.seats_from_left_of(expected[-1])) == expected
        assert seating.order[0] == 0
