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

# Of the seed "friday/deal-12", computed by hand from the two shuffles of a game (the cut, and "/round-1").
DEALS: Final = {
    2: [
        [1, 34, 3, 14, 6, 40, 2, 25, 32, 4],
        [21, 29, 15, 22, 39, 23, 12, 27, 9, 20],
        [11],
        [5, 36, 37, 31, 33, 7, 28, 17, 10, 18, 24, 38, 19, 30, 8, 26, 35, 16, 13],
    ],
    3: [
        [24, 7, 41, 27, 8, 13, 42, 47, 29, 31],
        [5, 45, 16, 1, 39, 49, 3, 6, 17, 46],
        [35, 23, 50, 19, 10, 4, 37, 32, 12, 44],
        [9],
        [15, 43, 22, 40, 14, 28, 2, 36, 20, 25, 11, 38, 30, 48, 18, 26, 33, 34, 21],
    ],
    4: [
        [51, 58, 36, 31, 23, 1, 15, 54, 52, 22],
        [13, 35, 29, 46, 44, 6, 40, 33, 18, 34],
        [38, 60, 9, 19, 11, 2, 10, 16, 37, 24],
        [47, 5, 12, 32, 43, 41, 26, 48, 42, 39],
        [17],
        [55, 50, 59, 20, 7, 45, 27, 14, 4, 57, 56, 53, 21, 3, 30, 25, 28, 8, 49],
    ],
}


@pytest.mark.parametrize("seats", DEALS)
def test_a_whole_deal(seats: int) -> None:
    """A deal from a seed is the same on every Python: racks, discard and the stock from its top."""
    position = deal_game("friday/deal-12", seats).position()

    assert [*(position.racks or []), position.discard, position.stock] == DEALS[seats]
    assert position.dealer == 1


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
