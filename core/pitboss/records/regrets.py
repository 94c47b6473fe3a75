"""What the decisions of a seat cost, beside the best other legal action, by what the seat could know then.

Each legal action of a decision is played in worlds that the seat could not tell from the true one (`State.imagine`).
The others play on, each the best of a few actions by one step ahead, until the seat decides again; then the game
evaluates the state. The regret of a decision is the mean difference between the best action and the chosen one.

A first round tries all actions in a few worlds, each decision in one world before any is tried in the next. Decisions
that seem to have cost most are rated again: in new worlds, the chosen action beside the best one, so that luck of the
first round does not count. A regret within the error of its mean is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from math import ceil, inf, sqrt
from typing import Any, Final, NamedTuple

from pitboss.action_range import sample_actions
from pitboss.errors import ReplayDiffers
from pitboss.game import AnyGame, AnyState, Evaluable, find_sides, resolve_options
from pitboss.options import convert_value
from pitboss.outcome import Sides
from pitboss.records.record import Record, replay_states
from pitboss.table.randomness import Random

FIRST_WORLDS: Final = 6
MIN_WORLDS: Final = 8  # of a decision that is rated again
LATER_WORLDS: Final = 60
MAX_CHOICES: Final = 400  # decisions of a seat that are looked at; of more, every second, third, …
RATED_AGAIN: Final = 8  # decisions that are rated again
MAX_ACTIONS: Final = 24  # of a decision that are tried
REPLIES: Final = 4  # actions of another seat that are tried
ERRORS: Final = 2.7  # standard errors that a regret must exceed: RATED_AGAIN tests together err in 3 % of games
FIRST_SHARE: Final = 0.6  # of the time, for the first round


class Regret(NamedTuple):
    """A decision that cost its seat something."""

    points: float  # by which the better action was worth more, beside the mean of the others
    number: int  # of the decision, from 1
    played: Any
    better: Any  # the best other action


class SeatRatings(NamedTuple):
    """The decisions of a seat, as far as there was time to rate them."""

    regrets: list[Regret]  # the worst first
    rated: int  # decisions that were rated
    choices: int  # decisions in which something could be chosen


class _Choice(NamedTuple):
    """A decision that is to be rated."""

    number: int
    state: AnyState  # a copy of that in which it was made
    played: Any
    actions: Sequence[Any]  # that are tried, the played one first


def rate_seat(record: Record, game: AnyGame, seat: int, used: Callable[[], float]) -> SeatRatings | None:
    """Return what the decisions of a seat cost in a recorded game; None if the game does not evaluate its states.

    `used` returns the share of the time that is used up: the rating ends as soon as it is 1 or more.

    Raises:
        RecordError, ReplayDiffers: see `replay_states`.
    """

    def is_over() -> bool:
        return used() >= 1

    choices = list(_list_choices(record, game, seat))
    if not choices or not isinstance(choices[0].state, Evaluable):
        return SeatRatings([], 0, 0) if not choices and _is_evaluable(record, game) else None
    options = resolve_options(game, len(record.players), overrides=record.options)
    rater = _Rater(seat, find_sides(game, len(record.players), options), record.seed)
    trials = _shuffle([_Trial(choice) for choice in choices], record.seed)
    for trial in [*trials] * FIRST_WORLDS:
        if used() >= FIRST_SHARE:
            break
        rater.try_all(trial)
    rated = [trial for trial in trials if trial.worlds]
    regrets = []
    for trial in sorted(rated, key=lambda one: (-one.regret, one.choice.number))[:RATED_AGAIN]:
        points = rater.compare_two(trial.choice, trial.better, is_over)
        if points > 0:
            regrets.append(Regret(points, trial.choice.number, trial.choice.played, trial.better))
    return SeatRatings(sorted(regrets, key=lambda one: (-one.points, one.number)), len(rated), len(choices))


class ActionDifference(NamedTuple):
    """By how many points another action than the played one was worth more; negative: the played one was better."""

    points: float  # the mean over worlds
    error: float  # of that mean: its standard error


def compare_actions(
    record: Record, game: AnyGame, others: Mapping[int, Any], worlds: range, used: Callable[[], float]
) -> dict[int, ActionDifference]:
    """Return, by the number of a decision, how the other action for it in `others` compares with the played one.

    Both are tried in the worlds of these numbers; other numbers are other worlds. As in `rate_seat`, a decision is
    valued by what its seat could know, and `used` ends the comparison. A game without an evaluation has no values.

    Raises:
        RecordError, ReplayDiffers: see `replay_states`.
    """
    options = resolve_options(game, len(record.players), overrides=record.options)
    sides, found = find_sides(game, len(record.players), options), dict[int, ActionDifference]()
    for number, state in enumerate(replay_states(record, game), 1):
        if number not in others:
            continue
        if not isinstance(state, Evaluable):
            break
        decision = record.decisions[number - 1]
        rater = _Rater(decision.seat, sides, record.seed)
        played = convert_value(decision.action, game.Action, game.name, ReplayDiffers)
        choice = _Choice(number, state.copy(), played, [played, others[number]])
        shared = takewhile(lambda _: used() < 1, worlds)
        gains = list(rater.list_gains(choice, others[number], shared))
        if len(gains) == len(worlds):
            found[number] = _average(gains)
    return found


def _average(gains: Sequence[float]) -> ActionDifference:
    mean = sum(gains) / len(gains)
    return ActionDifference(mean, sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains)))


def _is_evaluable(record: Record, game: AnyGame) -> bool:
    return isinstance(next(replay_states(record, game)), Evaluable)


def _list_choices(record: Record, game: AnyGame, seat: int) -> Iterator[_Choice]:
    """Yield the decisions of a seat in which there was something to choose."""
    states, own = replay_states(record, game), 0
    step = ceil(sum(decision.seat == seat for decision in record.decisions) / MAX_CHOICES)
    for number, decision in enumerate(record.decisions, 1):
        state = next(states)
        own += decision.seat == seat
        if decision.seat != seat or decision.forced or own % step:
            continue
        played = convert_value(decision.action, game.Action, game.name, ReplayDiffers)
        others = [action for action in sample_actions(state.legal()) if action != played]
        if len(others) > MAX_ACTIONS:
            rng = Random(f"regret/{record.seed}/{number}/actions")
            others = [others.pop(rng.randbelow(len(others))) for _ in range(MAX_ACTIONS)]
        if others:
            yield _Choice(number, state.copy(), played, [played, *others])
    for _ in states:
        pass  # whether the outcome is the recorded one


class _Trial:
    """A decision, and the sum of the values of each of its actions over the worlds in which they were tried."""

    def __init__(self, choice: _Choice) -> None:
        self.choice = choice
        self.sums = [0.0] * len(choice.actions)
        self.worlds = 0

    @property
    def regret(self) -> float:
        """What the played action seems to have cost; negative if it seems to be the best one."""
        return (max(self.sums[1:]) - self.sums[0]) / self.worlds

    @property
    def better(self) -> Any:  # noqa: ANN401 - an action of any game
        """The best other action."""
        return self.choice.actions[self.sums.index(max(self.sums[1:]), 1)]


def _shuffle(trials: Sequence[_Trial], seed: str) -> list[_Trial]:
    """Return the decisions in an order that favours no part of the game, if the time is short."""
    order = [*range(len(trials))]
    Random(f"regret/{seed}/order").shuffle(order)
    return [trials[at] for at in order]


class _Rater:
    """Values the actions of one seat."""

    def __init__(self, seat: int, sides: Sides, seed: str) -> None:
        self._seat = seat
        self._own = next(side for side in sides if seat in side)
        self._sides = sides
        self._seed = seed

    def try_all(self, trial: _Trial) -> None:
        """Try all actions of a decision in one more world."""
        world = self._imagine(trial.choice, trial.worlds)
        trial.worlds += 1
        for at, action in enumerate(trial.choice.actions):
            trial.sums[at] += self._value(world, action)

    def compare_two(self, choice: _Choice, better: object, is_over: Callable[[], bool]) -> float:
        """Return by how much `better` was worth more in new worlds; 0 if that may be chance."""
        worlds = takewhile(lambda _: not is_over(), range(FIRST_WORLDS, FIRST_WORLDS + LATER_WORLDS))
        gains = list(self.list_gains(choice, better, worlds))
        if len(gains) < MIN_WORLDS:
            return 0.0
        mean, error = _average(gains)
        return mean if mean > ERRORS * error else 0.0

    def list_gains(self, choice: _Choice, better: object, worlds: Iterable[int]) -> Iterator[float]:
        """Yield by how much `better` was worth more than the played action in each of these worlds."""
        for number in worlds:
            world = self._imagine(choice, number)
            yield self._value(world, better) - self._value(world, choice.played)

    def _imagine(self, choice: _Choice, number: int) -> AnyState:
        return choice.state.imagine(self._seat, Random(f"regret/{self._seed}/{choice.number}/{number}"))

    def _value(self, world: AnyState, action: object) -> float:
        """Return by how much the seat is ahead of the mean of the others, once an action has been answered."""
        state = world.copy()
        state.play(action)
        for _ in range(2 * len(self._sides) * len(self._own)):
            if state.turn is None or state.turn.seat == self._seat:
                break
            state.play(self._choose_reply(state))
        return self._lead_of(self._seat, state)

    def _choose_reply(self, state: AnyState) -> Any:  # noqa: ANN401 - an action of any game
        assert state.turn is not None
        seat, legal = state.turn.seat, sample_actions(state.legal())
        step = max(1, len(legal) // REPLIES)
        best, highest = legal[0], -inf
        for action in legal[::step] if len(legal) > 1 else ():
            after = state.copy()
            after.play(action)
            lead = self._lead_of(seat, after)
            if lead > highest:
                best, highest = action, lead
        return best

    def _lead_of(self, seat: int, state: AnyState) -> float:
        values: Sequence[float] = state.outcome().signed_points() if state.turn is None else _evaluate(state)
        if len(self._sides) == 1:
            return values[seat]
        totals = {side: sum(values[one] for one in side) / len(side) for side in self._sides}
        own = next(total for side, total in totals.items() if seat in side)
        return own - (sum(totals.values()) - own) / (len(totals) - 1)


def _evaluate(state: AnyState) -> Sequence[float]:
    assert isinstance(state, Evaluable)
    return state.evaluate()
