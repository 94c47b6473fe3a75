"""Climbing rounds: what beats what, whose turn it is, and sets of cards of which the ranks matter."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.parts.climbing import (
    RANK_BITS,
    ClimbingCombination,
    ClimbingRound,
    find_runs,
    has_cards,
    ranks_by_count,
)

COUNTS = st.lists(st.integers(0, 8), min_size=15, max_size=15)
PAIR, HIGHER_PAIR, TRIO = (
    ClimbingCombination("pair", 2, 3),
    ClimbingCombination("pair", 2, 5),
    ClimbingCombination("trio", 3, 9),
)
BOMB, HIGHER_BOMB = ClimbingCombination("bomb", 4, 0, 1), ClimbingCombination("bomb", 4, 1, 1)


def code(counts: list[int]) -> int:
    """Return how many cards there are of each rank as a set."""
    return sum(count << RANK_BITS * rank for rank, count in enumerate(counts))


def test_what_beats_what() -> None:
    """A combination is beaten by a higher one of the same kind and size, and by more power."""
    assert HIGHER_PAIR.beats(PAIR)
    assert not PAIR.beats(HIGHER_PAIR)
    assert not PAIR.beats(PAIR)
    assert not TRIO.beats(PAIR)
    assert BOMB.beats(TRIO)
    assert not TRIO.beats(BOMB)
    assert HIGHER_BOMB.beats(BOMB)
    assert not ClimbingCombination("chain", 6, 9).beats(ClimbingCombination("chain", 5, 3))


def test_a_round() -> None:
    """Turns go round; when all others have passed, who laid last leads, and may lay anything."""
    led = ClimbingRound(3, 1).lay(PAIR)
    assert (led.turn, led.top, led.owner) == (2, PAIR, 1)
    assert led.can_lay(HIGHER_PAIR)
    assert not led.can_lay(TRIO)

    beaten = led.lay(HIGHER_PAIR).add_pass()
    assert (beaten.turn, beaten.owner, beaten.passed) == (1, 2, frozenset({0}))
    again = beaten.lay(BOMB)
    assert (again.turn, again.passed) == (2, frozenset())
    over = again.add_pass().add_pass()
    assert over == ClimbingRound(3, 1)
    assert over.can_lay(TRIO)


def test_a_round_in_which_a_pass_locks() -> None:
    """Who has passed is passed over until the round ends, also when somebody lays in between."""
    led = ClimbingRound(4, 0, passes_lock=True).lay(PAIR)
    later = led.add_pass().lay(HIGHER_PAIR).add_pass()
    assert (later.turn, later.owner, later.passed) == (0, 2, frozenset({1, 3}))
    back = later.lay(BOMB)
    assert (back.turn, back.passed) == (2, frozenset({1, 3}))

    assert back.add_pass() == ClimbingRound(4, 0, passes_lock=True)


@pytest.mark.parametrize("passes_lock", [False, True])
def test_who_has_finished_is_passed_over(passes_lock: bool) -> None:
    """A seat without cards has no turn; if nobody beats its last cards, the seat after it leads."""
    last = ClimbingRound(3, 1, passes_lock=passes_lock).lay(PAIR, is_last=True)
    assert (last.turn, last.finished) == (2, frozenset({1}))
    over = last.add_pass().add_pass()
    assert over == ClimbingRound(3, 2, finished=frozenset({1}), passes_lock=passes_lock)
    two_left = over.lay(PAIR)
    assert two_left.turn == 0

    assert two_left.add_pass().turn == 2
    assert two_left.lay(HIGHER_PAIR, is_last=True).add_pass().turn == 2


@given(COUNTS, COUNTS)
def test_sets_of_ranks(held: list[int], part: list[int]) -> None:
    """A set holds another if it has as many of each rank; ranks are sorted by how many there are."""
    assert has_cards(code(held), code(part)) == all(one >= other for one, other in zip(held, part, strict=True))
    for least, ranks in enumerate(ranks_by_count(code(held)), 1):
        assert ranks == code([int(count >= least) for count in held])


@given(COUNTS, st.integers(1, 6))
def test_runs(held: list[int], length: int) -> None:
    """Every place at which so many ranks in a row begin is found, the lowest first."""
    ranks = ranks_by_count(code(held))[0]
    starts = [start for start in range(16 - length) if all(held[start : start + length])]

    assert find_runs(ranks, length) == tuple(
        code([0] * start + [1] * length) for start in starts if len(held[start : start + length]) == length
    )
