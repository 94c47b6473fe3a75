"""Coverage of rating differences where places tie in many ways, by seats and deals: 95 % intervals that hold the truth.

The truth of a world is what its ratings come to in a very long tournament: odds of being placed ahead, ties aside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Final

from msgspec.structs import replace

from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT, Ratings, rate_rankings
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings

APART: Final = 300.0  # points between the best bot and the worst
SEATS: Final = (2, 3, 4, 6, 10)
DEALS: Final = (50, 200, 1000)
TRIALS: Final = 300
MIN_TRUTH_DEALS: Final = 40_000  # so that its own error is small beside that of the longest tournaments
TRUTH_SEAT_GAMES: Final = 1_600_000
PROMISED: Final = (0.93, 0.97)
TIE_WORLDS: Final = (
    "no ties",
    "only the winner told",
    "only the loser told",
    "winner or all",
    "rounded",
    "80 % draws",
    "rounded, seats",
)


def make_world(kind: str, seats: int) -> SyntheticTournament:
    """Return as many bots as seats, with half of their luck in the cards."""
    strengths = tuple((APART / 2 - APART * bot / (seats - 1)) / POINTS_PER_LOG_UNIT for bot in range(seats))
    advantage = tuple((APART / 2 - APART * seat / (seats - 1)) / POINTS_PER_LOG_UNIT for seat in range(seats))
    world = SyntheticTournament(strengths=strengths, seats=seats, card_share=0.5)
    return {
        "no ties": world,
        "only the winner told": replace(world, told="winner"),
        "only the loser told": replace(world, told="loser"),
        "winner or all": replace(world, told="either"),
        "rounded": replace(world, step=12),
        "80 % draws": replace(world, draw_share=0.8),
        "rounded, seats": replace(world, step=12, advantage=advantage),
    }[kind]


def print_tie_coverage(kind: str, seats: Sequence[int], deals: Sequence[int], trials: int) -> bool:
    """Print the coverage in a world by seats and deals; return whether none is below the promise."""
    are_kept = []
    for count in seats:
        world = make_world(kind, count)
        truth = _differences(_rate(world, max(MIN_TRUTH_DEALS, TRUTH_SEAT_GAMES // count**2), Random("truth")))
        cells = []
        for length in deals:
            share, width = measure_tie_coverage(world, truth, length, trials)
            are_kept.append(is_kept(share, PROMISED[0], 1.0))
            mark = "!" if not are_kept[-1] else " " if is_kept(share, *PROMISED) else "~"
            cells.append(f"{100 * share.share:5.1f} ± {200 * share.error:.1f}{mark} {width:5.0f}")
        print(f"{kind:22}{count:3} seats  {'   '.join(cells)}", flush=True)
    return all(are_kept)


def measure_tie_coverage(
    world: SyntheticTournament, truth: Mapping[tuple[int, int], float], deals: int, trials: int
) -> tuple[RunningShare, float]:
    """Return the share of differences within their intervals, and the median half-width in points.

    Differences with one bound hold the truth if it is on the right side of it.
    """
    share, widths = RunningShare(), []
    for number in range(trials):
        rated = _rate(world, deals, Random(f"{deals}/{number}"))
        held = []
        for (one, other), value in truth.items():
            found = rated.difference(one, other)
            if found.mean is None or found.half_width is None:
                continue
            bounds = {rated.rating_of(bot).bound for bot in (one, other)} - {None}
            held.append(
                found.mean - found.half_width <= value and (bool(bounds) or value <= found.mean + found.half_width)
            )
            widths.append(found.half_width)
        share.add(held)
    return share, sorted(widths)[len(widths) // 2] if widths else 0.0


def _rate(world: SyntheticTournament, deals: int, rng: Random) -> Ratings:
    return rate_rankings(count_rankings(world.games(deals, rng)), world.names)


def _differences(rated: Ratings) -> dict[tuple[int, int], float]:
    pairs = combinations(range(len(rated.lines)), 2)
    return {(one, other): rated.difference(one, other).mean or 0.0 for one, other in pairs}
