"""The deals of Lucky Maker: what they depend on, who starts, and that no deal comes twice."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.game import resolve_options
from pitboss_lucky_maker.game import LuckyMaker
from tests.games.lucky_maker_states import deal_game
from tests.games.random_play import observation_bytes, play_randomly

FEW: Final = settings(max_examples=30)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)
SEATS: Final = st.integers(3, 5)


def deal_series(seed: str, play_seed: str, seats: int, **options: object) -> tuple[list[object], list[int]]:
    """Return how the cards of each game of a series were dealt, and who led first."""
    deals, leads = list[object](), list[int]()
    for state in play_randomly(deal_game(seed, seats, **options), play_seed):
        if state.game_no > len(deals):
            deals.append([zone[:] for zone in state.table.zones])
            leads.append(state.lead)
    return deals, leads


@FEW
@given(SEEDS, SEATS)
def test_same_seed_twice(seed: str, seats: int) -> None:
    """The same seed gives the same game to each seat."""
    one, other = deal_game(seed, seats), deal_game(seed, seats)

    assert [observation_bytes(one, seat) for seat in range(seats + 1)] == [
        observation_bytes(other, seat) for seat in range(seats + 1)
    ]


@FEW
@given(SEEDS, SEATS)
def test_later_game(seed: str, seats: int) -> None:
    """Game k's deal follows from the seed and k alone.

    Not from what was played, nor from who starts or how leads pass.
    """
    one, _ = deal_series(seed, "one", seats)
    other, _ = deal_series(seed, "other", seats, start="seat0", tie_lead="winner", games=seats + 1)

    assert one == other[:seats]


@FEW
@given(SEEDS, SEATS)
def test_no_deal_twice(seed: str, seats: int) -> None:
    """D13: all deals of a series differ, and those of another seed are others."""
    deals, _ = deal_series(seed, "one", seats)
    others, _ = deal_series(f"{seed}x", "one", seats)

    assert all(deal not in deals[:number] and deal not in others for number, deal in enumerate(deals))


@FEW
@given(SEEDS, SEATS)
def test_start_that_rotates(seed: str, seats: int) -> None:
    """D1: after a first lead by lot everybody starts once in a series of as many games as players, clockwise."""
    _, leads = deal_series(seed, "one", seats)

    assert leads == [(leads[0] + game) % seats for game in range(seats)]


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_start_by_the_options(seats: int) -> None:
    """Section 4: `seat0` starts with seat 0 and rotates.

    With `random` and `rotate` every seat comes first in some game 1.
    """
    assert deal_series("seed", "one", seats, start="seat0")[1] == list(range(seats))
    for start in ("rotate", "random"):
        assert {deal_game(f"seed-{number}", seats, start=start).lead for number in range(60)} == set(range(seats))
    leads = deal_series("seed", "one", seats, start="random", games=20)[1]
    assert {(after - before) % seats for before, after in pairwise(leads)} == set(range(seats))


@pytest.mark.parametrize(("seats", "games"), [(3, 3), (4, 4), (5, 5)])
def test_as_many_games_as_players(seats: int, games: int) -> None:
    """D12: 0 games are as many as players; any other number stays as it is, and resolving twice changes nothing."""
    assert resolve_options(LuckyMaker(), seats).games == games
    assert resolve_options(LuckyMaker(), seats, "single").games == 1
    assert resolve_options(LuckyMaker(), seats).resolve(seats) == resolve_options(LuckyMaker(), seats)
