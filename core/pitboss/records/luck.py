"""Luck of the draw in a recorded game: what chance gave to each seat, measured with the game's own evaluation.

A decision may set off a chance event: a card that nobody had seen is drawn or turned up, or cards are shuffled. Its
luck is the value of the outcome minus the mean value over all possible outcomes (`pool_knowledge`).
Whatever the evaluation and whoever plays, the expectation of the luck is zero. So luck is a control variate for the
results: MIVAT (White and Bowling 2009, *Learning a Value Analysis Tool for Agent Evaluation*).

The evaluation of a game need not have the scale of its results, and it may miss what a card is worth. So the luck of a
seat has several features (`luck_features`). Each is a function of the outcome of the event, minus the mean of this
function over all possible outcomes: the expectation of each feature, and of every weighted sum of them, is zero.
The weights are learned from the results of a tournament (`pitboss_tournament.statistics.control_variate`).

What else might have come:
- Of a drawn card, a state that is `DrawEvaluable` tells what each card would have been worth.
- Of one card out of at most `MAX_DRAWS`, each is drawn in turn: the mean is exact.
- Else the unseen cards are redrawn `REDRAWS` times.

If a state says that it `evaluates_unseen` cards, the value of what came is a mean over what nobody has seen since, too:
of a hand of poker with all chips in the pot, the equity.

A deal has no luck here, neither the first nor a later one (`TableState.collect_and_shuffle`). It follows from the seed
of the game and its own name, so that all games of a block have the same deals: the bots have each of its hands once.
"""

from __future__ import annotations

from itertools import compress
from operator import add, not_
from typing import Final

from pitboss.action_range import sample_actions
from pitboss.determinization.pooled_knowledge import pool_knowledge
from pitboss.errors import ConfigError, ReplayDiffers
from pitboss.game import AnyGame, AnyState, DrawEvaluable, Evaluable
from pitboss.options import convert_value
from pitboss.records.luck_features import (
    DICE,
    FEATURES,
    TABLE,
    VALUE,
    ChanceEvent,
    SeatFeatures,
    Values,
    count_fits,
    count_fits_of,
    evaluate_position,
)
from pitboss.records.policy_corrections import measure_own_draw
from pitboss.records.record import Record, replay_states
from pitboss.table.randomness import Random
from pitboss.table.table import Table

REDRAWS: Final = 8  # of a chance event with many outcomes; their error adds about an eighth to the variance of the luck
MAX_DRAWS: Final = 12  # cards that may be drawn, up to which each of them is drawn


def check_evaluable(game: AnyGame, seats: int, options: object) -> None:
    """Check that a game can tell the luck of the draw.

    Raises:
        ConfigError: its states have no `evaluate`.
    """
    if not isinstance(game.deal(seats, options, Random("evaluable")), Evaluable):
        raise ConfigError(
            f"the luck of the draw cannot be measured in {game.name}: it does not evaluate its states "
            "(they have no `evaluate`)"
        )


def estimate_luck(record: Record, game: AnyGame) -> SeatFeatures:
    """Return by seat, by feature, the luck of all chance events of a game after the first deal, and of the bots' dice.

    Raises:
        RecordError: the options of the record are not an object.
        ReplayDiffers: the record is not one of this game.
    """
    total = [[0.0] * len(FEATURES) for _ in record.players]
    states = replay_states(record, game)
    before = next(states).copy()
    for number, (state, decision) in enumerate(zip(states, record.decisions, strict=False)):
        where = f"game {record.game}, seed {record.seed!r}, decision {number + 1}"
        for of_seat, own in zip(total, measure_own_draw(before, decision, game, where) or (), strict=False):
            of_seat[DICE] += own
        if _is_chance_used(before, state):
            was = before.table
            seed = f"luck/{was.rng.seed}/{was.rng.draws}/{was.known_by.count(0)}"  # the same in all games of a block
            action = convert_value(decision.action, game.Action, where, ReplayDiffers)
            for of_seat, luck in zip(total, measure_features(before, action, seed) or (), strict=False):
                of_seat[:] = map(add, of_seat, luck)
        before = state.copy()
    return total


def measure_luck(state: AnyState, action: object, seed: str, redraws: int = REDRAWS) -> list[float] | None:
    """Return by seat the luck of what chance decides when `action` is played, in points; None if it decides nothing.

    The state stays as it is; the redraws follow from `seed`.
    """
    luck = measure_features(state, action, seed, redraws)
    return None if luck is None else [features[VALUE] + features[TABLE] for features in luck]


def measure_features(state: AnyState, action: object, seed: str, redraws: int = REDRAWS) -> SeatFeatures | None:
    """Return by seat, by feature, the luck of what chance decides when `action` is played: see `measure_luck`."""
    event = _find_event(state, action, seed, redraws)
    if event is None:
        return None
    luck = [[0.0] * len(FEATURES) for _ in event.value]
    event.add_luck(luck)
    return luck


def _find_event(state: AnyState, action: object, seed: str, redraws: int) -> ChanceEvent | None:
    """Return what chance decides when an action is played; None if it decides nothing."""
    assert state.turn is not None
    mover, before = state.turn.seat, state.copy()
    pool_knowledge(before.table)
    actual = before.copy()
    actual.rng = witness = _DealWitness(before, actual)  # type: ignore[attr-defined]
    actual.play(action)
    if witness.is_only_deal or not _is_chance_used(before, actual):
        return None
    if isinstance(actual, DrawEvaluable) and (event := _compare_draws(before, actual)) is not None:
        return event
    worlds = _draw_each(before, actual, action)
    is_exact = worlds is not None
    if worlds is None:
        worlds = [actual, *(before.imagine(mover, Random(f"{seed}/{number}")) for number in range(redraws))]
        for redraw in worlds[1:]:
            redraw.rng = before.rng  # type: ignore[attr-defined] # the next deal is the same
            redraw.play(action)
    values = [evaluate_position(world) for world in worlds]
    is_averaged = getattr(actual, "evaluates_unseen", False)
    if not is_averaged and all(value == values[0] for value in values):  # this treats all worlds alike, too
        values = [_evaluate_best_reply(world, mover) for world in worlds]
    value = _evaluate_on_average(actual, mover, seed, redraws) if is_averaged else values[0]
    return ChanceEvent(values, [count_fits(before, world) for world in worlds], is_exact, value)


class _DealWitness(Random):
    """The stream of a state: `is_only_deal` says whether a new deal was the first thing that chance decided."""

    __slots__ = ("_after", "_before", "_stream", "is_only_deal")

    def __init__(self, before: AnyState, after: AnyState) -> None:
        """Watch `after`, a copy of `before`."""
        self._stream: Random = before.rng.copy()  # type: ignore[attr-defined]
        super().__init__(self._stream.seed, self._stream.draws)
        self._before, self._after = before, after
        self.is_only_deal = False

    def spawn(self, name: str) -> Random:
        """Return the stream of a deal, before whose shuffle everything is known that was seen in the last deal."""
        if not _is_chance_used(self._before, self._after):
            self.is_only_deal = True
        return self._stream.spawn(name)

    def draw_words(self, count: int) -> tuple[int, ...]:
        """Draw as the stream does that was there before."""
        return self._stream.draw_words(count)


def _compare_draws(before: AnyState, actual: AnyState) -> ChanceEvent | None:
    """Return the card that was drawn and all that might have been, as a game tells that can compare them at once.

    None: it was not one card that was drawn, or the game cannot tell.
    """
    drawn, now = _find_drawn_card(before, actual), actual.table
    if drawn is None:
        return None
    cards = _list_unseen(before.table, drawn)
    values = actual.evaluate_draws(cards)  # type: ignore[attr-defined]
    if values is None:
        return None
    zone = next(zone for zone, lying in zip(now.layout.zones, now.zones, strict=True) if drawn in lying)
    fits = [count_fits_of(now, now.layout.deck.faces[card], zone, {drawn}) for card in cards]
    at = cards.index(drawn)
    order = [at, *range(at), *range(at + 1, len(cards))]
    return ChanceEvent([values[one] for one in order], [fits[one] for one in order], True, values[at])


def _draw_each(before: AnyState, actual: AnyState, action: object) -> list[AnyState] | None:
    """Return a state for each card that might have been drawn, the actual one first.

    They are the rotations of the cards that nobody has seen: whichever of these states was the actual one, the others
    would be the same. None: more than MAX_DRAWS cards might have been drawn, or with some of them not one card is.
    """
    drawn = _find_drawn_card(before, actual)
    if drawn is None:
        return None
    unseen = frozenset(_list_unseen(before.table, drawn))
    if len(unseen) > MAX_DRAWS:
        return None
    order = [card for cards in before.table.zones for card in cards if card in unseen]
    worlds = [actual]
    for step in range(1, len(order)):
        world, taken = before.copy(), dict(zip(order, order[step:] + order[:step], strict=True))
        for cards in world.table.zones:
            cards[:] = [taken.get(card, card) for card in cards]
        pooled = world.copy()
        world.play(action)
        if _find_drawn_card(pooled, world) is None:
            return None
        worlds.append(world)
    return worlds


def _find_drawn_card(before: AnyState, actual: AnyState) -> int | None:
    """Return the one card that was seen for the first time; None if there are others, or something was random."""
    was, now = before.table, actual.table
    if (was.rng.seed, was.rng.draws) != (now.rng.seed, now.rng.draws):
        return None
    drawn = [card for card, seats in enumerate(now.known_by) if seats and not was.known_by[card]]
    return drawn[0] if len(drawn) == 1 else None


def _list_unseen(table: Table, drawn: int) -> list[int]:
    """Return the unseen cards of the shuffle group of `drawn`: each might have been drawn, `drawn` among them."""
    group = table.shuffle_group_of[drawn]
    return [card for card, seats in enumerate(table.known_by) if not seats and table.shuffle_group_of[card] == group]


def _evaluate_on_average(state: AnyState, seat: int, seed: str, redraws: int) -> Values:
    """Return by seat the mean value of a state and of redraws of what nobody has seen; `seat` is any of them."""
    if state.turn is None:
        return evaluate_position(state)
    pool_knowledge(state.table)
    worlds = [state, *(state.imagine(seat, Random(f"{seed}/unseen/{number}")) for number in range(redraws))]
    return [sum(of_seat) / len(worlds) for of_seat in zip(*map(evaluate_position, worlds), strict=True)]


def _is_chance_used(before: AnyState, after: AnyState) -> bool:
    """Return whether a card that nobody had seen is known to somebody now, or something was drawn at random."""
    was, now = before.table, after.table
    if (was.rng.seed, was.rng.draws) != (now.rng.seed, now.rng.draws):
        return True
    if was.known_by == now.known_by:
        return False
    return any(compress(now.known_by, map(not_, was.known_by)))


def _evaluate_best_reply(state: AnyState, mover: int) -> Values:
    """Return by seat the value of a state after the best next action of `mover`, if it is on turn.

    That counts a card that an evaluation ignores as long as it has not been placed.
    """
    if state.turn is None or state.turn.seat != mover:
        return evaluate_position(state)
    replies = []
    for action in sample_actions(state.legal()):
        reply = state.copy()
        reply.play(action)
        replies.append(evaluate_position(reply))
    return max(replies, key=lambda values: values[mover] - sum(values) / len(values))
