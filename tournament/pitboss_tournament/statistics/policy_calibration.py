"""Calibration of policies: whether a bot draws its actions with the probabilities that it states.

A policy gives probabilities to events before the bot draws: that it plays its first action, a raise, an action that is
unlikely. Over all decisions of a bot that draws as it says, an event happens as often as its probabilities add up to,
but for chance: the difference is a martingale. Freedman's inequality (1975) bounds it: a sum of differences that are
at most 1 reaches x while the sum of their variances is at most v with a probability of at most
exp(-x² / (2 (v + x/3))). The bound holds over all events, over both directions and over a grid of variances together,
and after any number of decisions: of 1,000 bots that draw as they say, at most one is accused.

Whoever can evaluate a game adds the values of the actions, so that a bot is found whose draws are better or worse than
it says: this is what would bias its results when the luck of its draws is taken out of them. A bot that plays something
else than it says, but each event as often as it says and for the same value, is not found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import ceil, fsum, log, sqrt
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss.protocol.policy import Policy

WRONG_VERDICTS: Final = 1 / 1000  # of bots that draw as they say
CERTAIN: Final = 1 - 1e-9  # a sum of probabilities that is no less is 1
MAX_POLICY_EVENTS: Final = 64  # of one bot; later ones are not looked at
MAX_PLACES: Final = 8  # of an action within its policy
MAX_EVENT_LENGTH: Final = 60  # characters of an action that is no object
GRID_RATIO: Final = 1.25  # of a variance to the next one of the grid
MIN_SPREAD: Final = 1e-9  # of the values of actions: below it they differ by rounding errors
WORTH: Final = "worth"  # the event of values; no other event has this name, as words of actions are quoted
PROBABILITY_BOUNDS: Final = (0.01, 0.1, 0.5)


class PolicyEvent(Struct):
    """An event, over the decisions in which its probability was neither 0 nor 1."""

    decisions: int = 0
    happened: float = 0.0
    expected: float = 0.0
    variance: float = 0.0  # by the stated probabilities


class PolicyCalibration:
    """How often the events of one bot's policies have happened, and how often they were expected."""

    def __init__(self) -> None:
        self._events: dict[str, PolicyEvent] = {}  # in the order in which the first policies named them

    def add(self, policy: Policy, action: Any) -> None:  # noqa: ANN401 - plain data, as the actions of the policy are
        """Count a decision: a stated policy, and the action that was played."""
        total = fsum(probability for _, probability in policy)
        for name, members in _list_events(policy):
            probability = fsum(policy[at][1] for at in members) / total
            if not 0 < probability < CERTAIN or (name not in self._events and len(self._events) == MAX_POLICY_EVENTS):
                continue
            event = self._events.setdefault(name, PolicyEvent())
            event.decisions += 1
            event.happened += any(policy[at][0] == action for at in members)
            event.expected += probability
            event.variance += probability * (1 - probability)

    def add_values(self, policy: Policy, values: Sequence[float], action: Any) -> None:  # noqa: ANN401
        """Count what the actions of a policy are worth to the bot, and which one was played.

        In each decision the best action counts 1, the worst one 0.
        """
        least, most = min(values), max(values)
        if most - least < MIN_SPREAD:
            return
        worths = [(value - least) / (most - least) for value in values]
        total = fsum(probability for _, probability in policy)
        weighed = [(probability / total, worth) for (_, probability), worth in zip(policy, worths, strict=True)]
        mean = fsum(share * worth for share, worth in weighed)
        event = self._events.setdefault(WORTH, PolicyEvent())
        event.decisions += 1
        event.happened += fsum(worth for (one, _), worth in zip(policy, worths, strict=True) if one == action)
        event.expected += mean
        event.variance += fsum(share * (worth - mean) ** 2 for share, worth in weighed)

    def find_fault(self) -> str:
        """Return how the bot plays otherwise than it says, a clause; "" if that can be chance."""
        worst, largest = "", 1.0
        for number, (name, event) in enumerate(self._events.items(), 1):
            excess = abs(event.happened - event.expected) / _bound_difference(event.variance, number)
            if excess > largest:
                largest = excess
                worst = f"{_tell_event(name, event)}; of 1,000 bots that draw as they say, at most one is so far off"
        return worst


def _tell_event(name: str, event: PolicyEvent) -> str:
    if name == WORTH:
        return (
            f"by the game's evaluation its policies are worth {event.expected:,.1f}, its draws {event.happened:,.1f}, "
            f"if the best action in each of {event.decisions:,} decisions counts 1 and the worst 0"
        )
    return (
        f"its policies gave {name} {event.expected:,.1f} of {event.decisions:,} decisions, and it played that in "
        f"{event.happened:,.0f}"
    )


def _list_events(policy: Policy) -> Iterator[tuple[str, list[int]]]:
    """Yield the events that a policy gives probabilities: their names, and the places of their actions in it."""
    events = defaultdict[str, list[int]](list)
    for at, (action, probability) in enumerate(policy):
        if at < MAX_PLACES:
            events[f"action {at + 1} of those that it names"].append(at)
        events[_name_action(action)].append(at)
        events[_name_probability(probability)].append(at)
    yield from events.items()


def _name_action(action: Any) -> str:  # noqa: ANN401 - plain data of any action
    if isinstance(action, Mapping) and isinstance(action.get("do"), str):
        return repr(action["do"][:MAX_EVENT_LENGTH])
    return msgspec.json.encode(action).decode()[:MAX_EVENT_LENGTH]


def _name_probability(probability: float) -> str:
    upper = next((bound for bound in PROBABILITY_BOUNDS if probability < bound), None)
    if upper is None:
        return f"actions of a probability of {PROBABILITY_BOUNDS[-1]} or more"
    return f"actions of a probability below {upper}"


def _bound_difference(variance: float, number: int) -> float:
    """Return by how much an event that happens as it is said differs at most, but in WRONG_VERDICTS of all bots.

    `number` of the event, from 1, and the number of a variance in the grid share the probability of an error.
    """
    step = max(0, ceil(log(variance, GRID_RATIO))) if variance > 0 else 0
    shares = 2 * number * (number + 1) * (step + 1) * (step + 2)
    confidence = log(shares / WRONG_VERDICTS)
    return confidence / 3 + sqrt((confidence / 3) ** 2 + 2 * GRID_RATIO**step * confidence)
