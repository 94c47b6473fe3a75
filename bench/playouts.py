"""Random play-outs of each installed game in this process: decisions a second, and the cost of `copy` and `imagine`.

    python bench/playouts.py [GAME …] [--decisions N] [--runs N] [--search N]

Medians of several runs. "bare": events off, the complete legal list at each decision; "view": also the view of the seat
on turn; "events": also the log, and what the seat on turn sees of what is new in it. `copy` and `imagine` are timed on
states from the middle of random games. With `--search` only: simulations of `house:search`, of so many worlds each on
these states, per second of processor time.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Mapping
from functools import partial
from statistics import median
from time import process_time
from typing import Final

import msgspec

from pitboss import AnyGame, AnyState, Random, solo_sides
from pitboss.action_range import RANGE_TYPES, draw_action
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss_house_bots.search import TreeSearch

STATES = 20  # states from the middle of games, for `copy` and `imagine`


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*")
    parser.add_argument("--decisions", type=int, default=100_000, help="for each figure and run")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--search", type=int, metavar="N", help="measure the search of the house in N worlds instead")
    given = parser.parse_args()
    registry = Registry()
    if given.search:
        for name in given.games or registry.games:
            for seats in registry.find_game(name).seats:
                speed = median_of(given.runs, partial(measure_search, registry.find_game(name), seats, given.search))
                print(f"{name:14}{seats:>6}{speed:>12,.0f} simulations a second", flush=True)
        return
    print(f"medians of {given.runs} runs; decisions a second, then microseconds")
    print(f"{'game':14}{'seats':>6}{'bare':>12}{'view':>12}{'events':>12}{'copy':>9}{'imagine':>9}{'view':>8}")
    for name in given.games or registry.games:
        game = registry.find_game(name)
        for seats in game.seats:
            print(measure_row(game, seats, given.decisions, given.runs))


def measure_row(game: AnyGame, seats: int, decisions: int, runs: int) -> str:
    """Measure a game at a number of seats and return its line of the table."""
    rng = Random("bench/worlds")
    states = [play_to_middle(game, seats, number) for number in range(STATES)]
    speeds = [
        median_of(runs, partial(measure_speed, game, seats, decisions, how)) for how in ("bare", "view", "events")
    ]
    calls: list[Callable[[AnyState], object]] = [
        lambda state: state.copy(),
        lambda state: state.imagine(state.turn.seat, rng),  # type: ignore[union-attr]
        lambda state: state.view(state.turn.seat),  # type: ignore[union-attr]
    ]
    costs = [median_of(runs, partial(time_call, call, states)) for call in calls]
    figures = "".join(f"{figure:>12,.0f}" for figure in speeds)
    return f"{game.name:14}{seats:>6}{figures}{costs[0]:>9.1f}{costs[1]:>9.1f}{costs[2]:>8.1f}"


def median_of(runs: int, measure: Callable[[], float]) -> float:
    """Return the median of several measurements."""
    return median(measure() for _ in range(runs))


def measure_speed(game: AnyGame, seats: int, decisions: int, how: str) -> float:
    """Return the decisions a second of random play-outs; "json" is "view" with the view written as JSON."""
    options, chance, look = resolve_options(game, seats), random.Random(1).random, OBSERVERS[how]
    draw = partial(draw_number, chance)
    done, deal = 0, 0
    began = process_time()
    while done < decisions:
        state = game.deal(seats, options, Random(f"bench/{deal}"))
        deal += 1
        if how != "events":
            state.table.stop_logging()
        while state.turn is not None and done < decisions:
            if look is not None:
                look(state)
            legal = state.legal()
            chosen = legal[int(chance() * len(legal))]
            state.play(draw_action(chosen, draw) if type(chosen) in RANGE_TYPES else chosen)
            done += 1
    return done / (process_time() - began)


def measure_search(game: AnyGame, seats: int, worlds: int) -> float:
    """Return the simulations of the house's search per second of processor time."""
    searches = [
        TreeSearch(state, state.turn.seat, Random("bench/search"), solo_sides(seats))
        for state in (play_to_middle(game, seats, number) for number in range(STATES))
        if state.turn is not None
    ]
    began = process_time()
    for search in searches:
        for _ in range(worlds):
            search.search_world()
    return len(searches) * worlds / (process_time() - began)


def draw_number(chance: Callable[[], float], below: int) -> int:
    """Return a random number from 0 on."""
    return int(chance() * below)


def make_view(state: AnyState) -> object:
    """Make the view of the seat on turn."""
    return state.view(state.turn.seat)  # type: ignore[union-attr]


def encode_view(state: AnyState) -> object:
    """Make the view of the seat on turn, and write it as JSON."""
    return msgspec.json.encode(make_view(state))


def make_events(state: AnyState) -> object:
    """Make the view of the seat on turn, and the events since the last decision."""
    make_view(state)
    events = state.table.events(state.turn.seat)  # type: ignore[union-attr]
    state.table.log = []
    return events


OBSERVERS: Final[Mapping[str, Callable[[AnyState], object] | None]] = {
    "bare": None,
    "view": make_view,
    "json": encode_view,
    "events": make_events,
}


def play_to_middle(game: AnyGame, seats: int, number: int) -> AnyState:
    """Return a state after some random decisions."""
    draw = partial(draw_number, random.Random(number).random)
    state = game.deal(seats, resolve_options(game, seats), Random(f"bench/middle-{number}"))
    state.table.stop_logging()
    for _ in range(5 + 3 * number):
        legal = state.legal()
        before = state.copy()
        state.play(draw_action(legal[draw(len(legal))], draw))
        if state.turn is None:
            return before
    return state


def time_call(call: Callable[[AnyState], object], states: list[AnyState], rounds: int = 100) -> float:
    """Return the mean time of a call over some states."""
    began = process_time()
    for _ in range(rounds):
        for state in states:
            call(state)
    return (process_time() - began) / rounds / len(states) * 1e6


if __name__ == "__main__":
    main()
