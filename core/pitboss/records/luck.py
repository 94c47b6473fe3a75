"""Luck of the draw in a recorded game: what chance gave to each seat, measured with the game's own evaluation.

A decision may set off a chance event: a card that nobody had seen is drawn or turned up, or cards are shuffled. Its
luck is the value of what came of it, less the mean value over redraws of what nobody had seen (`pool_knowledge`). Of a
drawn card, a state that can tell what each card would have been worth (`DrawEvaluable`) is asked for all of them, which
leaves no error of redraws. If a state says that it `evaluates_unseen` cards, the value of what came is a mean over
what nobody has seen since, too: of a hand of poker with all chips in the pot, the equity.
Whatever the evaluation and whoever plays, its expectation is zero. So it is a control variate for the results: MIVAT
(White and Bowling 2009, *Learning a Value Analysis Tool for Agent Evaluation*), with the evaluation given.

The first deal has no luck here. Each bot of a block has each of its hands once, so that it cancels.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import not_
from typing import Final

from pitboss.action_range import sample_actions
from pitboss.determinization.pooled_knowledge import pool_knowledge
from pitboss.errors import ConfigError, ReplayDiffers
from pitboss.game import AnyGame, AnyState, DrawEvaluable, Evaluable
from pitboss.options import convert_value
from pitboss.records.record import Record, replay_states
from pitboss.table.randomness import Random

REDRAWS: Final = 8  # of each chance event; their error adds about an eighth to the variance of the luck


def check_evaluable(game: AnyGame, seats: int, options: object) -> None:
    """Check that a game can tell the luck of the draw.

    Raises:
        ConfigError: its states have no `evaluate`.
    """
    if not isinstance(game.deal(seats, options, Random("evaluable")), Evaluable):
        raise ConfigError(
            f"the luck of the draw cannot be told in {game.name}: it does not say how everybody stands "
            "(its states have no `evaluate`)"
        )


def estimate_luck(record: Record, game: AnyGame) -> list[float]:
    """Return by seat the luck of all chance events after the first deal, in points; more is better.

    Raises:
        RecordError: the options of the record are not an object.
        ReplayDiffers: the record is not one of this game.
    """
    total = [0.0] * len(record.players)
    states = replay_states(record, game)
    before = next(states).copy()
    for number, (state, decision) in enumerate(zip(states, record.decisions, strict=False)):
        if _is_chance_used(before, state):
            where = f"game {record.game}, seed {record.seed!r}, decision {number + 1}"
            action = convert_value(decision.action, game.Action, where, ReplayDiffers)
            luck = measure_luck(before, action, f"luck/{record.seed}/{number}")
            if luck is not None:
                total = [sum(pair) for pair in zip(total, luck, strict=True)]
        before = state.copy()
    return total


def measure_luck(state: AnyState, action: object, seed: str, redraws: int = REDRAWS) -> list[float] | None:
    """Return by seat the luck of what chance decides when `action` is played; None if it decides nothing.

    The state stays as it is; the redraws follow from `seed`.
    """
    assert state.turn is not None
    mover, before = state.turn.seat, state.copy()
    pool_knowledge(before.table)
    actual = before.copy()
    actual.play(action)
    if not _is_chance_used(before, actual):
        return None
    if isinstance(actual, DrawEvaluable) and (luck := _compare_draws(before, actual)) is not None:
        return luck
    drawn = [actual]
    for number in range(redraws):
        redraw = before.imagine(mover, Random(f"{seed}/{number}"))
        redraw.play(action)
        drawn.append(redraw)
    values = [_evaluate(world) for world in drawn]
    if getattr(actual, "evaluates_unseen", False):
        values[0] = _evaluate_on_average(actual, mover, seed, redraws)
    elif all(value == values[0] for value in values):  # this treats all worlds alike, so that the luck stays unbiased
        values = [_evaluate_best_reply(world, mover) for world in drawn]
    return [of_seat[0] - sum(of_seat[1:]) / redraws for of_seat in zip(*values, strict=True)]


def _compare_draws(before: AnyState, actual: AnyState) -> list[float] | None:
    """Return by seat the value of the card that was drawn, less the mean of all that might have been.

    None: it was not one card that was drawn, or the game cannot tell.
    """
    was, now = before.table, actual.table
    if (was.rng.seed, was.rng.draws) != (now.rng.seed, now.rng.draws):
        return None
    drawn = [card for card, seats in enumerate(now.known_by) if seats and not was.known_by[card]]
    if len(drawn) != 1:
        return None
    group = was.shuffle_group_of[drawn[0]]
    cards = [card for card, seats in enumerate(was.known_by) if not seats and was.shuffle_group_of[card] == group]
    values = actual.evaluate_draws(cards)  # type: ignore[attr-defined]
    if values is None:
        return None
    of_drawn = values[cards.index(drawn[0])]
    return [own - sum(of_seat) / len(cards) for own, of_seat in zip(of_drawn, zip(*values, strict=True), strict=True)]


def _evaluate_on_average(state: AnyState, seat: int, seed: str, redraws: int) -> Sequence[float]:
    """Return by seat the mean value of a state and of redraws of what nobody has seen; `seat` is any of them."""
    if state.turn is None:
        return _evaluate(state)
    pool_knowledge(state.table)
    worlds = [state, *(state.imagine(seat, Random(f"{seed}/unseen/{number}")) for number in range(redraws))]
    return [sum(of_seat) / len(worlds) for of_seat in zip(*map(_evaluate, worlds), strict=True)]


def _is_chance_used(before: AnyState, after: AnyState) -> bool:
    """Return whether a card that nobody had seen is known to somebody now, or something was drawn at random."""
    was, now = before.table, after.table
    if (was.rng.seed, was.rng.draws) != (now.rng.seed, now.rng.draws):
        return True
    if was.known_by == now.known_by:
        return False
    return any(compress(now.known_by, map(not_, was.known_by)))


def _evaluate_best_reply(state: AnyState, mover: int) -> Sequence[float]:
    """Return by seat the value of a state after the best next action of `mover`, if it is on turn.

    That counts a card that an evaluation ignores as long as it has not been placed.
    """
    if state.turn is None or state.turn.seat != mover:
        return _evaluate(state)
    replies = []
    for action in sample_actions(state.legal()):
        reply = state.copy()
        reply.play(action)
        replies.append(_evaluate(reply))
    return max(replies, key=lambda values: values[mover] - sum(values) / len(values))


def _evaluate(state: AnyState) -> Sequence[float]:
    """Return by seat the value of a state; more is better."""
    if state.turn is None:
        return state.outcome().signed_points()
    values: Sequence[float] = state.evaluate()  # type: ignore[attr-defined]
    return values
