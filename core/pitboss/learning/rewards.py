"""Rewards: what a finished game was worth to each seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from pitboss.outcome import Outcome, Sides

Reward: TypeAlias = Callable[[Outcome], Sequence[float]]  # by seat; more is better


def reward_wins(outcome: Outcome) -> list[float]:
    """Return, by seat, its share of the win less the mean of all seats: the sum is 0, and each is from -1 to 1."""
    shares = outcome.win_shares()
    mean = sum(shares) / len(shares)
    return [share - mean for share in shares]


def reward_places(outcome: Outcome) -> list[float]:
    """Return, by seat, the share of its opponents' seats with a worse place, less the share with a better one.

    The first has 1, the last -1; all have 0 if there is one side.
    """
    places = outcome.places
    side_of = {seat: number for number, side in enumerate(outcome.sides) for seat in side}
    rewards = []
    for seat, place in enumerate(places):
        others = [at for other, at in enumerate(places) if side_of[other] != side_of[seat]]
        rewards.append(sum((at > place) - (at < place) for at in others) / len(others) if others else 0.0)
    return rewards


def reward_points(outcome: Outcome) -> list[float]:
    """Return the points of the game, by seat, negated where less is better."""
    return [float(point) for point in outcome.signed_points()]


def subtract_opponents(points: Sequence[float], sides: Sides) -> list[float]:
    """Return, by seat, its points less the mean of the seats of other sides; its points where there is one side."""
    total, leads = sum(points), [0.0] * len(points)
    for side in sides:
        others = len(points) - len(side)
        mean = (total - sum(points[seat] for seat in side)) / others if others else 0.0
        for seat in side:
            leads[seat] = points[seat] - mean
    return leads


REWARDS: Final[Mapping[str, Reward]] = {"wins": reward_wins, "places": reward_places, "points": reward_points}
