"""Luck of a bot's own draw in a decision: what it drew from its policy, measured with the game's own evaluation.

A bot that mixes draws one of its actions by the probabilities of its policy (`protocol/policy`). The luck of that is
the value of the state after the action that it drew, less the mean value over the policy. If the policy is true, the
expectation is zero, whatever the evaluation and whatever the cards. So it is a control variate, as the luck of the
draw is (`luck`): the corrections of AIVAT (Burch, Schmid, Moravčík, Morrill and Bowling 2018) without those for chance.
"""

from __future__ import annotations

from math import fsum
from statistics import fmean
from typing import Final

from pitboss.errors import IllegalAction, ReplayDiffers
from pitboss.game import AnyGame, AnyState
from pitboss.options import convert_value
from pitboss.records.luck_features import Values, evaluate_position
from pitboss.records.record import Decision

MAX_WEIGHED_ACTIONS: Final = 8  # of a policy: each one costs an evaluation


def measure_own_draw(state: AnyState, decision: Decision, game: AnyGame, where: str) -> list[float] | None:
    """Return by seat the luck of what a bot drew from its policy in a state, above the mean of the table.

    The state stays as it is.

    None: there is no policy, or it names one action, or more than MAX_WEIGHED_ACTIONS.

    Raises:
        ReplayDiffers: an action of the policy is not legal, or the one that was played is not in it; the text begins
            with `where`.
    """
    policy, values = decision.policy, weigh_policy(state, decision, game, where)
    if policy is None or values is None:
        return None
    drawn = next((value for value, (action, _) in zip(values, policy, strict=True) if action == decision.action), None)
    if drawn is None:
        raise ReplayDiffers(f"{where}: its policy does not name the action {decision.action!r} that was played")
    total = fsum(probability for _, probability in policy)
    shares = [probability / total for _, probability in policy]
    usual = (
        fsum(share * value for share, value in zip(shares, of_seat, strict=True))
        for of_seat in zip(*values, strict=True)
    )
    luck = [own - mean for own, mean in zip(drawn, usual, strict=True)]
    of_table = fmean(luck)
    return [own - of_table for own in luck]


def weigh_policy(state: AnyState, decision: Decision, game: AnyGame, where: str) -> list[Values] | None:
    """Return the value of a state after each action of a policy, by seat; None and errors as of `measure_own_draw`."""
    policy = decision.policy
    if policy is None or not 1 < len(policy) <= MAX_WEIGHED_ACTIONS:
        return None
    return [_evaluate_after(state, action, game, where) for action, _ in policy]


def _evaluate_after(state: AnyState, action: object, game: AnyGame, where: str) -> Values:
    after = state.copy()
    try:
        after.play(convert_value(action, game.Action, where, ReplayDiffers))
    except IllegalAction as error:
        raise ReplayDiffers(f"{where}: its policy names what is not legal: {error}") from None
    return evaluate_position(after)
