"""Simulation of a game by random play: length, balance of the seats, speed."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from statistics import fmean, median, stdev
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from pitboss.game import AnyGame
from pitboss_tournament.simulation.random_games import RandomGame, play_random_game, replay_uncounted
from pitboss_tournament.statistics.student_t import student_t_quantile

SPEED_DECISIONS: Final = 50_000  # decisions, about, that are played again for the speed


class CountSummary(Struct, frozen=True, kw_only=True):
    """Distribution of a count over games."""

    mean: float
    min: int
    median: float
    p95: Annotated[int, Meta(description="95 of 100 games have at most this number.")]
    max: int


class PhaseLength(Struct, frozen=True, kw_only=True):
    """Decisions of one phase, per game."""

    phase: str
    decisions: CountSummary
    choices: Annotated[float, Meta(description="The mean number of legal actions.")]


class MeanInterval(Struct, frozen=True, kw_only=True):
    """Mean and 95 % interval; null for a single game."""

    mean: float
    low: float | None
    high: float | None


class SeatBalance(Struct, frozen=True, kw_only=True):
    """Results of a seat, per game."""

    seat: int
    points: MeanInterval
    wins: Annotated[MeanInterval, Meta(description="Share of the win, 0 to 1: a shared win counts in part.")]


class Speed(Struct, frozen=True, kw_only=True):
    """Decisions a second, on this machine and in one process."""

    without_events: float
    with_events: float


class Simulation(Struct, frozen=True, kw_only=True):
    """Random play-outs of a game. Everything but `speed` follows from the other fields down to `games`."""

    game: str
    game_version: str
    seats: int
    preset: str | None
    options: Annotated[Any, Meta(description="As resolved for the table.")]
    seed: str
    games: int
    decisions: CountSummary
    lengths: Annotated[dict[int, int], Meta(description="Games by their number of decisions.")]
    choices: Annotated[float, Meta(description="The mean number of legal actions.")]
    forced: Annotated[float, Meta(description="The share of decisions with one legal action, 0 to 1.")]
    log10_paths: Annotated[
        float,
        Meta(
            description="The size of the game tree: the mean decimal logarithm of the product of the numbers of legal "
            "actions of a game."
        ),
    ]
    phases: list[PhaseLength]
    balance: list[SeatBalance]
    speed: Speed


def simulate_games(
    game: AnyGame,
    seats: int,
    preset: str | None,
    options: Any,  # noqa: ANN401 - the game's own, resolved
    games: int,
    seed: str,
    on_game: Callable[[], None] = lambda: None,
) -> Simulation:
    """Play random games; `on_game` is called after each.

    Raises:
        RandomGameError: the game raised something, or found no end.
    """
    seeds = [f"{seed}/game-{number}" for number in range(1, games + 1)]
    playouts = []
    for one in seeds:
        playouts.append(play_random_game(game, seats, options, one))
        on_game()
    again = _seeds_for_speed(seeds, playouts)
    decisions = [sum(playout.decisions.values()) for playout in playouts]
    return Simulation(
        game=game.name,
        game_version=game.version,
        seats=seats,
        preset=preset,
        options=options,
        seed=seed,
        games=games,
        decisions=summarize_counts(decisions),
        lengths=dict(sorted(Counter(decisions).items())),
        choices=sum(sum(playout.choices.values()) for playout in playouts) / max(1, sum(decisions)),
        forced=sum(playout.forced for playout in playouts) / max(1, sum(decisions)),
        log10_paths=fmean(playout.log10_paths for playout in playouts),
        phases=_phase_lengths(playouts),
        balance=[_seat_balance(seat, playouts) for seat in range(seats)],
        speed=Speed(
            without_events=_measure_speed(game, seats, options, again, with_log=False),
            with_events=_measure_speed(game, seats, options, again, with_log=True),
        ),
    )


def summarize_counts(counts: Sequence[int]) -> CountSummary:
    """Return the distribution of counts."""
    ranked = sorted(counts)
    p95 = ranked[math.ceil(0.95 * len(ranked)) - 1]
    return CountSummary(mean=fmean(ranked), min=ranked[0], median=median(ranked), p95=p95, max=ranked[-1])


def estimate_mean(values: Sequence[float]) -> MeanInterval:
    """Return the mean of some independent values with Student's interval."""
    mean = fmean(values)
    if len(values) < 2:
        return MeanInterval(mean=mean, low=None, high=None)
    half = student_t_quantile(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return MeanInterval(mean=mean, low=mean - half, high=mean + half)


def estimate_share(shares: Sequence[float]) -> MeanInterval:
    """Return the mean of some independent shares, 0 to 1, with Wilson's interval: it is honest for few games, too."""
    mean, count, z = fmean(shares), len(shares), 1.96
    centre = (mean + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(mean * (1 - mean) / count + z * z / (4 * count * count))
    return MeanInterval(mean=mean, low=max(0.0, centre - half), high=min(1.0, centre + half))


def _phase_lengths(playouts: Sequence[RandomGame]) -> list[PhaseLength]:
    names = dict.fromkeys(phase for playout in playouts for phase in playout.decisions)
    result = []
    for name in names:
        counts = [playout.decisions.get(name, 0) for playout in playouts]
        choices = sum(playout.choices.get(name, 0) for playout in playouts)
        result.append(PhaseLength(phase=name, decisions=summarize_counts(counts), choices=choices / sum(counts)))
    return result


def _seat_balance(seat: int, playouts: Sequence[RandomGame]) -> SeatBalance:
    points = estimate_mean([playout.outcome.points[seat] for playout in playouts])
    wins = estimate_share([playout.outcome.win_shares()[seat] for playout in playouts])
    return SeatBalance(seat=seat, points=points, wins=wins)


def _seeds_for_speed(seeds: Sequence[str], playouts: Sequence[RandomGame]) -> list[str]:
    """Return the seeds of the first games with SPEED_DECISIONS decisions in total, or of all games."""
    so_far = accumulate(sum(playout.decisions.values()) for playout in playouts)
    needed = sum(decisions < SPEED_DECISIONS for decisions in so_far) + 1
    return list(seeds[:needed])


def _measure_speed(
    game: AnyGame,
    seats: int,
    options: Any,  # noqa: ANN401
    seeds: Sequence[str],
    *,
    with_log: bool,
) -> float:
    began = time.perf_counter()
    decisions = sum(replay_uncounted(game, seats, options, seed, with_log=with_log) for seed in seeds)
    return decisions / (time.perf_counter() - began)
