"""The deals of Rack-O: what they depend on, and what not."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .plays import played, shown
from .racko_plays import dealt

FEW: Final = settings(max_examples=20, deadline=None, derandomize=True)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


def rounds_dealt(game_seed: str, play_seed: str, seats: int, **options: object) -> list[object]:
    """Return dealer, racks and piles of each round of a game of three, as they were dealt."""
    deals: list[object] = []
    for state in played(dealt(game_seed, seats, max_rounds=3, **options), play_seed):
        if state.round > len(deals):
            deals.append((state.dealer, [zone[:] for zone in state.table.zones]))
    return deals


@FEW
@given(SEEDS, st.integers(2, 4))
def test_same_seed_twice(seed: str, seats: int) -> None:
    """The same seed gives the same game to each seat, so whoever sits there in another rotation gets the same cards."""
    one, other = dealt(seed, seats), dealt(seed, seats)

    assert [shown(one, seat) for seat in range(seats + 1)] == [shown(other, seat) for seat in range(seats + 1)]


@FEW
@given(SEEDS, st.integers(2, 4))
def test_another_first_dealer(seed: str, seats: int) -> None:
    """The deck does not depend on who deals: a seat has, by its distance from the dealer, the same rack and the same piles."""
    tables = [dealt(seed, seats, first_dealer=dealer) for dealer in range(seats)]

    rows = [[state.table.zones[state.board.racks[(state.dealer + i) % seats]] for i in range(seats)] for state in tables]
    stocks = [state.table.zones[state.board.stock] for state in tables]
    assert rows == [rows[0]] * seats
    assert stocks == [stocks[0]] * seats


@pytest.mark.parametrize("restock_shuffle", [False, True])
@FEW
@given(SEEDS, st.integers(2, 4), st.integers(1, 15))
def test_later_round(restock_shuffle: bool, seed: str, seats: int, max_turns: int) -> None:
    """Round k's deal follows from the seed and k alone: not from what was played, how long it took or whether the discards were shuffled."""
    short = {"deck_size": 10 * seats + 4}  # so that the discards come back soon
    one = rounds_dealt(seed, "one", seats, max_turns=3, **short)
    other = rounds_dealt(seed, "other", seats, max_turns=max_turns, restock_shuffle=restock_shuffle, **short)

    assert len(one) == 3
    assert one == other


@FEW
@given(SEEDS)
def test_seeds_that_differ(seed: str) -> None:
    """Another seed, or another round, is another deal."""
    first, second, _ = rounds_dealt(seed, "one", 3, max_turns=1)

    assert first != second
    assert first != rounds_dealt(f"{seed}x", "one", 3, max_turns=1)[0]
