"""Policies: the probabilities that a bot gave to its legal actions before it drew one of them.

A bot states a policy as pairs of an action, or its index in `legal`, and a probability. What is not named has the
probability 0. With a policy the luck of the bot's own draw can be taken out of its results
(`records/policy_corrections`), as long as the policy is true (`CalibrationTest` of the runner).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta

from pitboss.action_range import find_entry, find_legal_action, lowest_action
from pitboss.errors import WrongPolicy

MAX_POLICY_ACTIONS: Final = 256
SUM_TOLERANCE: Final = 1e-3  # probabilities that were written with three or four digits are accepted
MAX_QUOTED_LENGTH: Final = 200

Probability: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
Policy: TypeAlias = Annotated[list[tuple[Any, Probability]], Meta(min_length=1, max_length=MAX_POLICY_ACTIONS)]


def resolve_policy(
    stated: Policy,
    legal: Sequence[Any],
    action_type: Any,  # noqa: ANN401 - a type, or a union of types
    chosen: Any,  # noqa: ANN401 - an action of any game
) -> Policy:
    """Return a stated policy with the actions of a game in place of indexes, in the order of `legal`, without zeros.

    Raises:
        WrongPolicy: an action is not legal or is named twice, the probabilities do not sum to 1, or the chosen action
            has none.
    """
    weighted: list[tuple[int, Any, float]] = []
    named = set[bytes]()
    for name, probability in stated:
        action = _find_action(name, legal, action_type)
        encoded = msgspec.json.encode(action)
        if encoded in named:
            raise WrongPolicy(f"its policy names {_quote(action)} twice")
        named.add(encoded)
        entry = find_entry(action, legal)
        assert entry is not None
        weighted.append((entry, action, probability))
    total = fsum(probability for _, _, probability in weighted)
    if abs(total - 1) > SUM_TOLERANCE:
        raise WrongPolicy(f"the probabilities of its policy sum to {total:.6g}; they have to sum to 1")
    policy = [(action, chance) for _, action, chance in sorted(weighted, key=lambda one: one[0]) if chance > 0]
    if all(action != chosen for action, _ in policy):
        raise WrongPolicy(f"it chose {_quote(chosen)}, to which its policy gives no probability above 0")
    return policy


def _find_action(name: Any, legal: Sequence[Any], action_type: Any) -> Any:  # noqa: ANN401
    if type(name) is int:
        if 0 <= name < len(legal):
            return lowest_action(legal[name])
        raise WrongPolicy(f"its policy names action {name}; there were {len(legal)} legal actions, 0..{len(legal) - 1}")
    action = find_legal_action(name, legal, action_type)
    if action is None:
        raise WrongPolicy(f"its policy names {_quote(name)}, which is not legal")
    return action


def _quote(action: object) -> str:
    return msgspec.json.encode(action).decode()[:MAX_QUOTED_LENGTH]
