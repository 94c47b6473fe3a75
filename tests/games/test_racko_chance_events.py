"""Chance: Rack-O, replayed with the shuffles that an imagined table tells, gets to that table."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pitboss import Random, StackedRandom, Table
from pitboss.game import resolve_options
from pitboss_racko.game import Racko
from pitboss_racko.state import RackoState


def replay_stream(table: Table) -> StackedRandom:
    """Return a stream that gives exactly the shuffles and lots that a table says have happened."""
    chance = table.chance_events or []
    orders = [one for one in chance if isinstance(one, tuple)]
    return StackedRandom("", orders, [one for one in chance if isinstance(one, int)], strict=True)


def play_random_game(
    seed: str, seats: int, options: Mapping[str, object], decisions: int
) -> tuple[RackoState, list[int]]:
    """Play Rack-O at random for so many decisions; return the state and what was chosen."""
    game, rng = Racko(), Random(f"{seed}/choices")
    state = game.deal(seats, resolve_options(game, seats, overrides=options), Random(seed))
    chosen: list[int] = []
    while state.turn is not None and len(chosen) < decisions:
        chosen.append(rng.randbelow(len(state.legal())) * rng.randbelow(2))  # half of the time the first one: to draw
        state.play(state.legal()[chosen[-1]])
    return state, chosen


@pytest.mark.parametrize("options", [{}, {"restock_shuffle": True}, {"max_turns": 3}, {"bonus_runs": True}], ids=str)
@pytest.mark.parametrize("decisions", [0, 7, 60, 180])
def test_the_public_past_leads_to_an_imagined_world(options: Mapping[str, object], decisions: int) -> None:
    """The same choices after the shuffles of a world are legal, and end with every card where the world has it."""
    for seats in (2, 3):
        state, chosen = play_random_game(f"past/{decisions}", seats, options, decisions)
        for seat in range(seats + 1):
            world = state.imagine(seat, Random(f"world/{seat}"))

            again = Racko().deal(seats, state.options, replay_stream(world.table))
            for index in chosen:
                again.play(again.legal()[index])

            assert again.table.zones == world.table.zones
            assert again.table.events(seat) == state.table.events(seat)
            assert again.table.known_by == world.table.known_by


def test_a_reshuffled_stock() -> None:
    """The games above come to it: the past of their worlds is made of more shuffles than one."""
    state, _ = play_random_game("past/180", 2, {"restock_shuffle": True}, 180)

    assert len(state.table.shuffle_groups) > 1


def test_the_past_of_an_imagined_past() -> None:
    """The public past leads to a world that was imagined within a world within a world."""
    state, chosen = play_random_game("nested", 2, {"restock_shuffle": True}, 90)
    world = state.imagine(0, Random("a")).imagine(2, Random("b")).imagine(1, Random("c"))

    again = Racko().deal(2, state.options, replay_stream(world.table))
    for index in chosen:
        again.play(again.legal()[index])

    assert again.table.zones == world.table.zones
