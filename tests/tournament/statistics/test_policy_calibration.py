"""Calibration of policies: liars are found, and bots that draw as they say are not."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from pitboss.protocol.policy import Policy
from pitboss_tournament.statistics.policy_calibration import PolicyCalibration

DECISIONS: Final = 300
HONEST_BOTS: Final = 1_000


def make_policy(rng: random.Random) -> Policy:
    """Return any policy over two to five actions."""
    weights = [rng.random() ** 3 for _ in range(rng.randint(2, 5))]
    words = ["fold", "call", "raise", "raise", "raise"]
    return [({"do": words[at], "to": at}, weight / sum(weights)) for at, weight in enumerate(weights)]


def draw(rng: random.Random, policy: Policy) -> Any:  # noqa: ANN401 - an action
    """Draw an action with the probabilities of a policy."""
    return rng.choices([action for action, _ in policy], [chance for _, chance in policy])[0]


def calibrate(play: Callable[[random.Random, Policy], Any], seed: int, decisions: int = DECISIONS) -> str:
    """Return what is said of a bot that states any policies and plays in its own way."""
    rng, calibration = random.Random(seed), PolicyCalibration()
    for _ in range(decisions):
        policy = make_policy(rng)
        calibration.add(policy, play(rng, policy))
    return calibration.find_fault()


def test_bots_that_draw_as_they_say() -> None:
    """A bot that draws as it says is blamed in at most one of a thousand, however long it has played."""
    blamed = sum(bool(calibrate(draw, seed, 40 + seed % 100)) for seed in range(HONEST_BOTS))

    assert blamed <= 1
    assert not calibrate(draw, 1, 20_000)


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (lambda rng, policy: max(policy, key=lambda pair: pair[1])[0], "probability"),
        (lambda rng, policy: policy[0][0], "action 1 of those that it names|'fold'"),
        (lambda rng, policy: rng.choice(policy)[0], "probability"),
        (lambda rng, policy: draw(rng, policy[1:] if rng.random() < 0.6 else policy), "fold|action 1"),
    ],
    ids=["the likeliest", "always the first", "uniformly", "too seldom"],
)
def test_liars(play: Callable[[random.Random, Policy], Any], said: str) -> None:
    """A bot that plays otherwise than its policies say is found, with the event that tells it."""
    found = [calibrate(play, seed) for seed in range(5)]

    assert all(found)
    assert any(word in found[0] for word in said.split("|"))
    assert found[0].startswith("its policies gave ")


@pytest.mark.parametrize(("lies", "said"), [(True, "by the game's evaluation its policies are worth "), (False, "")])
def test_draws_that_are_better_than_the_policy(lies: bool, said: str) -> None:
    """A bot that plays the better of two actions and says either is found by their values, and not by how often it
    plays.
    """
    rng, by_values, by_events = random.Random(1), PolicyCalibration(), PolicyCalibration()
    for _ in range(DECISIONS):
        policy: Policy = [({"do": "play", "card": at}, 0.5) for at in range(2)]
        values = [rng.gauss(0, 10), rng.gauss(0, 10)]
        action = policy[values.index(max(values)) if lies else rng.randrange(2)][0]
        by_events.add(policy, action)
        by_values.add(policy, action)
        by_values.add_values(policy, values, action)

    assert by_events.find_fault() == ""
    assert by_values.find_fault().startswith(said) and bool(by_values.find_fault()) is lies


def test_policies_without_a_draw() -> None:
    """Policies without a draw tell nothing: their actions are certain."""
    calibration = PolicyCalibration()
    for _ in range(1_000):
        calibration.add([({"do": "draw"}, 1.0)], {"do": "draw"})

    assert calibration.find_fault() == ""
