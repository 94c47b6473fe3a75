"""Coverage of the intervals of ratings in the formats, whose bots may have few blocks or be paired by their results.

The true ratings are known: single games follow the model exactly. Each trial lists the bots in another order. Newcomers
join a ladder in which the others have many blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import inf, sqrt
from random import Random
from statistics import fmean, median
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.statistics.ratings import (
    POINTS_PER_LOG_UNIT,
    BoundKind,
    Ratings,
    rate_rankings,
    widen_intervals,
)
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.scoring import GameResult
from tests.soak.running_share import RunningShare, is_kept
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.statistics.sample_results import count_rankings
from tests.tournament.statistics.versioned_leagues import LADDER, VersionStep, rate_step

MIN_COVERAGE: Final = 0.93
MAX_EVER_MISSED: Final = 0.05
TRIALS: Final = 400
VERSION_CHANGES: Final = (0.0, 300.0, 600.0)  # points from a version to the next
VERSION_BLOCKS: Final = (2, 5, 10, 30)
RATING_KINDS: Final = ("ratings", "best bot", "last bot", "differences", "comparison intervals")


class Design(Struct, frozen=True, kw_only=True):
    """A format, and the ratings of its bots, best first."""

    ratings: tuple[float, ...]
    deals: int
    format: str = "round-robin"
    options: Mapping[str, object] = {}
    seats: int = 2
    seats_apart: float = 0.0  # points between the first seat and the last
    neighbour: float = 0.0  # share of a bot's rating below 0 that the bot after it gains
    seating: Seating = "balanced"

    @property
    def world(self) -> SyntheticTournament:
        """The bots, half of whose luck is in the cards."""
        strengths = tuple(rating / POINTS_PER_LOG_UNIT for rating in self.ratings)
        apart, last = self.seats_apart / POINTS_PER_LOG_UNIT, self.seats - 1
        advantage = tuple(apart * (last / 2 - seat) / last for seat in range(self.seats))
        return SyntheticTournament(
            strengths=strengths,
            seats=self.seats,
            card_share=0.5,
            advantage=advantage,
            neighbour=self.neighbour,
            seating=self.seating,
        )


def _steps(bots: int, step: float) -> tuple[float, ...]:
    return tuple(-step * number for number in range(bots))


_GAUNTLET: Final = {"challengers": ["bot0"]}

DESIGNS: Final = {
    "one table of 4, 10 deals": Design(ratings=_steps(4, 70), deals=10, seats=4),
    "gauntlet of 20, 5 deals": Design(ratings=(-380, *_steps(19, 40)), deals=5, format="gauntlet"),
    "gauntlet of 20, 10 deals": Design(ratings=(-380, *_steps(19, 40)), deals=10, format="gauntlet"),
    "gauntlet of 20, 20 deals": Design(ratings=(-380, *_steps(19, 40)), deals=20, format="gauntlet"),
    "gauntlet of 20, 5 deals, the challenger on top": Design(ratings=_steps(20, 40), deals=5, format="gauntlet"),
    "gauntlet of 4, 10 deals, 450 points apart": Design(ratings=(450, 0, 0, 0), deals=10, format="gauntlet"),
    "round-robin of 6, 10 deals, 250 points apart": Design(ratings=_steps(6, 250), deals=10),
    "round-robin of 20, 1 deal, 40 points apart": Design(ratings=_steps(20, 40), deals=1),
    "round-robin of 6, 10 deals, clones and one far": Design(ratings=(0, 0, 0, 0, 0, -600), deals=10),
    "round-robin of 6 at tables of 4, 2 deals": Design(ratings=_steps(6, 60), deals=2, seats=4),
    "round-robin of 4, 10 deals, seats 400 points apart": Design(ratings=_steps(4, 70), deals=10, seats_apart=400),
    "round-robin of 4, 100 deals, seats 200 points apart": Design(ratings=_steps(4, 70), deals=100, seats_apart=200),
    "one table of 4, 100 deals, seats 400 points apart": Design(
        ratings=_steps(4, 70), deals=100, seats=4, seats_apart=400
    ),
    "one table of 6, 100 deals, seats 200 points apart": Design(
        ratings=_steps(6, 40), deals=100, seats=6, seats_apart=200
    ),
    "swiss of 16, 2 deals, equal": Design(ratings=_steps(16, 0), deals=2, format="swiss"),
    "swiss of 16, 10 deals, equal": Design(ratings=_steps(16, 0), deals=10, format="swiss"),
    "swiss of 16, 10 deals, 10 points apart": Design(ratings=_steps(16, 10), deals=10, format="swiss"),
    "swiss of 16, 2 deals, 40 points apart": Design(ratings=_steps(16, 40), deals=2, format="swiss"),
    "swiss of 32, 10 deals, equal": Design(ratings=_steps(32, 0), deals=10, format="swiss"),
    "knockout of 8, 10 deals, equal": Design(ratings=_steps(8, 0), deals=10, format="knockout"),
    "knockout of 8, 10 deals, 60 points apart": Design(ratings=_steps(8, 60), deals=10, format="knockout"),
    "settle of 6, equal": Design(ratings=_steps(6, 0), deals=5, format="settle", options={"games": 600}),
    "settle of 4, 20 points apart": Design(ratings=_steps(4, 20), deals=10, format="settle", options={"games": 1200}),
}

NEWCOMER_TRIALS: Final = 8
NEWCOMERS: Final = 40  # in one ladder
NEWCOMER_LOOKS: Final = (2, 3, 4, 5, 6, 8, 10, 13, 16, 20)  # blocks of each, when ratings are looked at
NEWCOMER_BLOCKS: Final = (5, 6, 10, 20)  # of those, for which the intervals for a fixed number are shown
LADDER_SPREAD: Final = 250.0  # standard deviation of its ratings
NEWCOMER_PAIRINGS: Final = 1_000_000  # more than the others have
NEWCOMER_WORLDS: Final = {  # seats, rounds, and the share of a newcomer's luck that lies in how a deal suits it
    "newcomers in a ladder of 200, 2 seats": (2, 40, 0.0),
    "newcomers in a ladder of 200, 4 seats": (4, 20, 0.0),
    "newcomers whom deals suit, and no others, 2 seats": (2, 40, 0.4),
    "newcomers whom deals suit, and no others, 4 seats": (4, 20, 0.4),
}


def print_rating_coverage(name: str, trials: int) -> bool:
    """Print the coverage of the intervals of ratings in a design; return whether no kind is below the promise."""
    shares = measure_rating_coverage(DESIGNS[name], trials)
    cells = "".join(
        f"{f'{100 * share.share:.1f} ± {200 * share.error:.1f}'}{' ' if is_kept(share, MIN_COVERAGE, 1.0) else '!':3}"
        for share in shares.values()
    )
    print(f"{name:52}{trials:5}  {cells}", flush=True)
    return all(is_kept(share, MIN_COVERAGE, 1.0) for share in shares.values())


def measure_rating_coverage(design: Design, trials: int) -> dict[str, RunningShare]:
    """Return by kind the share of 95 % intervals that contain the true value."""
    shares = {kind: RunningShare() for kind in RATING_KINDS}
    for number in range(trials):
        for kind, is_held in _check_trial(design, Random(f"design/{number}")):
            shares[kind].add(is_held)
    return shares


def print_version_coverage(change: float, trials: int) -> bool:
    """Print how many intervals of a new version hold the truth, and how wide they are, by the number of its blocks.

    It is up to `change` points better or worse than the one before. Return whether at least MIN_COVERAGE of them hold.
    """
    are_kept = []
    print(f"{f'versions ± {change:g}':20}", end="")
    for blocks in VERSION_BLOCKS:
        shares, widths = RunningShare(), []
        for number in range(trials):
            step = VersionStep(change=change if number % 2 else -change, blocks=blocks)
            rated, (new, old) = rate_step(step, Random(f"version/{change}/{blocks}/{number}")), step.versions
            true = list(step.strengths)
            shares.add(
                [_contains_difference(rated, new, bot, rated.difference(new, bot), true) for bot in range(len(LADDER))]
            )
            widths.append(rated.difference(new, old).half_width or 0.0)
        are_kept.append(is_kept(shares, MIN_COVERAGE, 1.0))
        found = f"{100 * shares.share:.1f} ± {200 * shares.error:.1f}{'' if are_kept[-1] else '!'}"
        print(f"{found:>14} ({median(widths):.0f})", end="", flush=True)
    print()
    return all(are_kept)


def _check_trial(design: Design, rng: Random) -> Iterator[tuple[str, list[bool]]]:
    first = [0] if design.format == "gauntlet" else []
    rest = list(range(len(first), len(design.ratings)))
    listed = [*first, *rng.sample(rest, len(rest))]
    world = replace(design.world, strengths=tuple(design.world.strengths[bot] for bot in listed))
    rated = rate_rankings(
        count_rankings(world.play_format(design.format, design.options, design.deals, rng)),
        world.names,
        is_paired_by_results=not find_format(design.format).is_static,
    )
    true = [design.ratings[bot] for bot in listed]
    zero = rated.zeros[0]
    middle = sum(true[number] for number in zero) / len(zero)
    own = [_contains_rating(rated, number, value - middle) for number, value in enumerate(true)]
    yield "ratings", [is_held for number, is_held in enumerate(own) if (number,) != zero]
    yield "best bot", [own[true.index(max(true))]]
    yield "last bot", [own[true.index(min(true))]]
    pairs = list(combinations(range(len(true)), 2))
    yield (
        "differences",
        [_contains_difference(rated, one, other, rated.difference(one, other), true) for one, other in pairs],
    )
    yield (
        "comparison intervals",
        [_contains_difference(rated, one, other, _compare(rated, one, other), true) for one, other in pairs],
    )


def _compare(rated: Ratings, one: int, other: int) -> Estimate:
    """Return the difference of two bots, which is not sure as long as their comparison intervals overlap."""
    first, second = rated.rating_of(one).comparison, rated.rating_of(other).comparison
    half_width = None if first is None or second is None else first + second
    return Estimate(rated.difference(one, other).mean, half_width)


def _contains_rating(rated: Ratings, entrant: int, value: float) -> bool:
    zero = {rated.rating_of(other).bound for other in rated.zeros[0]}
    kinds = rated.rating_of(entrant).bound, zero.pop() if len(zero) == 1 else None
    return _contains(rated.rating_of(entrant).points, value, kinds)


def _contains_difference(rated: Ratings, one: int, other: int, estimate: Estimate, true: list[float]) -> bool:
    return _contains(estimate, true[one] - true[other], (rated.rating_of(one).bound, rated.rating_of(other).bound))


def _contains(estimate: Estimate, value: float, kinds: tuple[BoundKind | None, BoundKind | None]) -> bool:
    """Return whether an interval contains the true difference of two bots, whose ratings may have one bound only."""
    if estimate.mean is None or estimate.half_width is None:
        return True
    is_above, is_below = estimate.mean - estimate.half_width > value, estimate.mean + estimate.half_width < value
    if kinds[0] != kinds[1] and (kinds[0] == "at least" or kinds[1] == "at most"):
        return not is_above
    if kinds[0] != kinds[1] and (kinds[0] == "at most" or kinds[1] == "at least"):
        return not is_below
    return not is_above and not is_below


class NewcomerRating(NamedTuple):
    """A newcomer's rating: how far off it is, and the half-widths of its intervals, for a fixed number and any time."""

    newcomer: int
    error: float
    fixed: float
    anytime: float | None


def print_newcomers(name: str, trials: int) -> bool:
    """Print by blocks how far off newcomers' ratings are, and how often their intervals hold the truth; return whether
    that is often enough, and whether intervals at any time ever miss it seldom enough.
    """
    print(name)
    ratings: dict[int, list[NewcomerRating]] = {blocks: [] for blocks in NEWCOMER_LOOKS}
    ever = RunningShare()
    for number in range(trials):
        missed = [False] * NEWCOMERS
        for blocks, found in _rate_newcomers(*NEWCOMER_WORLDS[name], Random(f"newcomers/{number}")):
            ratings[blocks] += found
            for one in found:
                missed[one.newcomer] |= one.anytime is not None and abs(one.error) > one.anytime
        ever.add(missed)
    shares = []
    for blocks in NEWCOMER_BLOCKS:
        held = RunningShare()
        for one in ratings[blocks]:
            held.add([abs(one.error) <= one.fixed])
        shares.append(held)
        off = sqrt(fmean(one.error**2 for one in ratings[blocks]))
        fixed = median(one.fixed for one in ratings[blocks])
        anytime = median(inf if one.anytime is None else one.anytime for one in ratings[blocks])
        print(
            f"{blocks:5} blocks, {len(ratings[blocks])} ratings: off by {off:4.0f}; ± {fixed:4.0f}, held "
            f"{100 * held.share:.1f} ± {200 * held.error:.1f}; at any time ± {anytime:4.0f}",
            flush=True,
        )
    print(f"      at any time: ever missed {100 * ever.share:.1f} ± {200 * ever.error:.1f}", flush=True)
    return all(is_kept(held, MIN_COVERAGE, 1.0) for held in shares) and is_kept(ever, 0.0, MAX_EVER_MISSED)


def _rate_newcomers(
    seats: int, rounds: int, affinity: float, rng: Random
) -> Iterator[tuple[int, list[NewcomerRating]]]:
    """Yield how many blocks each newcomer has, and their ratings; without those that have one bound.

    The others play a ladder; then newcomers sit down with some of them in turn, far ones and near ones.
    """
    bots = 200
    strengths = [rng.gauss(0, LADDER_SPREAD / POINTS_PER_LOG_UNIT) for _ in range(bots + NEWCOMERS)]
    names = [f"b{number}" for number in range(len(strengths))]
    world = SyntheticTournament(strengths=tuple(strengths[:bots]), seats=seats, card_share=0.5)
    rankings = count_rankings(world.play_format("ladder", {"rounds": rounds}, 1, rng))
    order = sorted(range(bots), key=lambda bot: -strengths[bot])
    for block in range(1, max(NEWCOMER_LOOKS) + 1):
        for newcomer in range(bots, len(strengths)):
            place = sum(strengths[bot] > strengths[newcomer] for bot in order)
            first = rng.randrange(bots) if block % 2 else place - rng.randrange(seats)
            first = max(0, min(first, bots - seats + 1))
            entrants = (newcomer, *order[first : first + seats - 1])
            for game in _play_table(world, [strengths[bot] for bot in entrants], entrants, affinity, block, rng):
                rankings.add(game)
        if block in NEWCOMER_LOOKS:
            rated = rate_rankings(rankings, names, is_paired_by_results=True)
            yield block, list(_check_newcomers(rated, strengths, bots))


def _check_newcomers(rated: Ratings, strengths: Sequence[float], first: int) -> Iterator[NewcomerRating]:
    wide, middle = widen_intervals(rated), fmean(strengths[bot] for bot in rated.zeros[0])
    for number in range(NEWCOMERS):
        line = rated.rating_of(first + number)
        if line.bound is None and line.points.mean is not None and line.points.half_width is not None:
            error = line.points.mean - POINTS_PER_LOG_UNIT * (strengths[first + number] - middle)
            anytime = wide.rating_of(first + number).points.half_width
            yield NewcomerRating(number, error, line.points.half_width, anytime)


def _play_table(
    world: SyntheticTournament,
    strengths: Sequence[float],
    entrants: Sequence[int],
    affinity: float,
    deal: int,
    rng: Random,
) -> Iterator[GameResult]:
    """Yield the games of a block of these entrants, the first of whom is a newcomer."""
    table = replace(world, strengths=tuple(strengths), affinity=affinity)
    for game in table.games(1, rng):
        seated = tuple(replace(seat, entrant=entrants[seat.entrant]) for seat in game.seats)
        yield replace(game, pairing=NEWCOMER_PAIRINGS + entrants[0], deal=deal, seats=seated)
