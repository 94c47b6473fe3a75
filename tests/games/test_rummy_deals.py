"""The deals of Rummy: what they depend on, and what not."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.random_play import observation_bytes, play_randomly
from tests.games.rummy_states import deal_game

FEW: Final = settings(max_examples=20)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


def deal_games(game_seed: str, play_seed: str, seats: int, **options: object) -> list[object]:
    """Return dealer, hands and piles of each deal of a game of three, as they were dealt."""
    deals: list[object] = []
    for state in play_randomly(deal_game(game_seed, seats, deals=3, **options), play_seed):
        if state.deal_no > len(deals):
            deals.append((state.dealer, [zone[:] for zone in state.table.zones]))
    return deals


@FEW
@given(SEEDS, st.integers(2, 6))
def test_same_seed_twice(seed: str, seats: int) -> None:
    """The same seed gives the same game to each seat, so whoever sits there in another rotation gets the same cards."""
    one, other = deal_game(seed, seats), deal_game(seed, seats)

    assert [observation_bytes(one, seat) for seat in range(seats + 1)] == [
        observation_bytes(other, seat) for seat in range(seats + 1)
    ]


@FEW
@given(SEEDS, st.integers(2, 6))
def test_another_first_dealer(seed: str, seats: int) -> None:
    """The deck does not depend on who deals.

    A seat has, by its distance from the dealer, the same hand and the same piles.
    """
    tables = [deal_game(seed, seats, first_dealer=dealer) for dealer in range(seats)]

    rows = [
        [state.table.zones[state.board.hands[(state.dealer + i) % seats]] for i in range(seats)] for state in tables
    ]
    assert rows == [rows[0]] * seats
    assert len({tuple(state.table.zones[state.board.stock]) for state in tables}) == 1
    assert [state.turn and state.turn.seat for state in tables] == [(dealer + 1) % seats for dealer in range(seats)]


@pytest.mark.parametrize("stock_out", ["turn_over", "reshuffle"])
@FEW
@given(SEEDS, st.integers(2, 4), st.integers(2, 15))
def test_later_deal(stock_out: str, seed: str, seats: int, max_turns: int) -> None:
    """Deal k follows from the seed and k alone.

    Not from what was played, how long it took or what was shuffled meanwhile.
    """
    large = {
        "hand_size": 50 // seats,
        "stalled_deal": "block",
    }  # the stock is soon empty, and every deal scores something else
    one = deal_games(seed, "one", seats, max_turns=1, **large)
    other = deal_games(seed, "other", seats, max_turns=max_turns, stock_out=stock_out, **large)

    assert len(one) == 3
    assert one == other


@FEW
@given(SEEDS)
def test_seeds_that_differ(seed: str) -> None:
    """Another seed, or another deal, is another deck; the deal goes round clockwise (S3)."""
    deals = deal_games(seed, "one", 3, max_turns=1)

    assert len({str(deal) for deal in deals}) == 3
    assert deals[0] != deal_games(f"{seed}x", "one", 3, max_turns=1)[0]


def test_first_dealers() -> None:
    """S3: with "random" every seat deals first in some games."""
    assert {deal_game(f"seed-{number}", 6).dealer for number in range(60)} == set(range(6))
