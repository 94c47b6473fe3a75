"""A set of games, in bits."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.rounds.game_numbers import CHUNK_GAMES, GameNumbers


@given(st.sets(st.integers(0, 3 * CHUNK_GAMES)), st.integers(0, 3 * CHUNK_GAMES))
def test_it_is_a_set(games: set[int], other: int) -> None:
    """A set of game numbers holds what was added, and no neighbour of it."""
    numbers = GameNumbers(games)

    for game in (*games, *(game + 1 for game in games), other):
        assert (game in numbers) == (game in games)
