"""The deals of Rack-O: what they depend on, and what not."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.racko_states import deal_game
from tests.games.random_play import observation_bytes, play_randomly

FEW: Final = settings(max_examples=20)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


def deal_rounds(game_seed: str, play_seed: str, seats: int, **options: object) -> list[object]:
    """Return dealer, racks and piles of each round of a game of three, as they were dealt."""
    deals: list[object] = []
    for state in play_randomly(deal_game(game_seed, seats, max_rounds=3, **options), play_seed):
        if state.round_no > len(deals):
            deals.append((state.dealer, [zone[:] for zone in state.table.zones]))
    return deals


@FEW
@given(SEEDS, st.integers(2, 4))
def test_same_seed_twice(seed: str, seats: int) -> None:
    """The same seed gives the same game to each seat, so whoever sits there in another rotation gets the same cards."""
    one, other = deal_game(seed, seats), deal_game(seed, seats)

    assert [observation_bytes(one, seat) for seat in range(seats + 1)] == [
        observation_bytes(other, seat) for seat in range(seats + 1)
    ]


@FEW
@given(SEEDS, st.integers(2, 4))
def test_another_first_dealer(seed: str, seats: int) -> None:
    """The deck does not depend on who deals.

    A seat has, by its distance from the dealer, the same rack and the same piles.
    """
    tables = [deal_game(seed, seats, first_dealer=dealer) for dealer in range(seats)]

    rows = [
        [state.table.zones[state.board.racks[(state.dealer + i) % seats]] for i in range(seats)] for state in tables
    ]
    stocks = [state.table.zones[state.board.stock] for state in tables]
    assert rows == [rows[0]] * seats
    assert stocks == [stocks[0]] * seats


@pytest.mark.parametrize("restock_shuffle", [False, True])
@FEW
@given(SEEDS, st.integers(2, 4), st.integers(1, 15))
def test_later_round(restock_shuffle: bool, seed: str, seats: int, max_turns: int) -> None:
    """Round k's deal follows from the seed and k alone.

    Not from what was played, how long it took or whether the discards were shuffled.
    """
    short = {"deck_size": 10 * seats + 4}  # so that the discards come back soon
    one = deal_rounds(seed, "one", seats, max_turns=3, **short)
    other = deal_rounds(seed, "other", seats, max_turns=max_turns, restock_shuffle=restock_shuffle, **short)

    assert len(one) == 3
    assert one == other


@FEW
@given(SEEDS)
def test_seeds_that_differ(seed: str) -> None:
    """Another seed, or another round, is another deal."""
    first, second, _ = deal_rounds(seed, "one", 3, max_turns=1)

    assert first != second
    assert first != deal_rounds(f"{seed}x", "one", 3, max_turns=1)[0]
