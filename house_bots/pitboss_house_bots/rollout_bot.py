"""`house:rollout`: improves on the game's own bot by playing on with it in sampled worlds (rollouts).

Tesauro and Galperin, "On-line Policy Improvement using Monte-Carlo Search", 1996: each action is tried in the same
sampled worlds, and from there on every seat plays as `house:GAME` does, to the end of the round. After half of the
worlds the worse half of the actions is dropped. The own bot's action is kept unless another one is better by some
standard errors of the difference: most differences of few worlds are luck.

Simulations bound the search, not milliseconds: the same seed gives the same game, unless a clock breaks it off.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import sqrt
from random import Random as Quick
from time import process_time
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from pitboss import AnyState, Outcome, Random, Sides
from pitboss.action_range import find_legal_action, locate_ranges, sample_actions
from pitboss.bot import Question
from pitboss.game import AnyGame
from pitboss.plugins.registry import load_played_game
from pitboss.protocol.messages import Hello, Start
from pitboss_house_bots.bot_main import play_with_options
from pitboss_house_bots.evaluation import EVEN_VALUE, GainEvaluator, GainScale, SeatValues
from pitboss_house_bots.own_bot import OwnBot, make_own_bot, strip_choice
from pitboss_house_bots.playout import SimulationRandom
from pitboss_house_bots.plugin import ROLLOUT_OPTIONS
from pitboss_house_bots.search import Advice, RankedAction
from pitboss_house_bots.search_bot import SearchBot
from pitboss_house_bots.time_limit import OutOfTime

ROLLOUT_ACTIONS: Final = 12  # of those that are legal; the own bot's is one of them
ROLLOUT_DECISIONS: Final = 120  # until a position is judged as it stands
UNBOUNDED_MS: Final = 60_000


class RolloutBot(SearchBot):
    """The bot, for one process."""

    own: OwnBot
    game: AnyGame

    def __init__(self, worlds: int, caution: float) -> None:
        super().__init__(ms=UNBOUNDED_MS, worlds=worlds)
        self.caution = caution

    def prepare(self, hello: Hello) -> None:
        """Load the game and its own bot."""
        super().prepare(hello)
        self.game, self.own = load_played_game(hello.game), make_own_bot(hello.game)

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game."""
        super().begin(hello, start)
        self.own.begin(hello, start)

    def consult(self, state: AnyState, decision: Question, seconds: float, rng: Random) -> Advice:
        """Compare the actions by rollouts."""
        search = RolloutSearch(state, decision, OwnPolicy(self.game, self.own, decision), self.sides, rng)
        began = process_time()
        with suppress(OutOfTime):
            while search.worlds < self.worlds and (process_time() - began) < seconds:
                search.try_world()
                if search.worlds == self.worlds // 2:
                    search.drop_worse_half()
        return search.advice(self.caution)


class OwnPolicy:
    """How `house:GAME` plays for any seat of a sampled world."""

    def __init__(self, game: AnyGame, own: OwnBot, asked: Question) -> None:
        self._action_type: Final = game.Action
        self._own = own
        self._asked = asked
        self._hellos = [replace(asked.hello, seat=seat) for seat in range(asked.hello.seats)]

    def choose(self, world: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        """Return its action for the seat on turn."""
        assert world.turn is not None
        seat, phase = world.turn
        question = Question(
            legal=msgspec.json.decode(msgspec.json.encode(legal)),
            view=msgspec.json.decode(msgspec.json.encode(world.view(seat))),
            events=[],
            seat=seat,
            phase=phase,
            decision_ms=self._asked.decision_ms,
            game_ms=self._asked.game_ms,
            hello=self._hellos[seat],
            start=self._asked.start,
            ranges={one.index: one.field for one in locate_ranges(legal)},
        )
        return self.find_action(strip_choice(self._own.choose(question)), legal)

    def find_action(self, choice: Any, legal: Sequence[Any]) -> Any:  # noqa: ANN401
        """Return the action that a choice means."""
        if isinstance(choice, int):
            return sample_actions(legal[choice : choice + 1])[0]
        return find_legal_action(choice, legal, self._action_type)


class Rollout(NamedTuple):
    """How a rollout ended, by seat."""

    gained: SeatValues | None
    outcome: Outcome | None


class RolloutSearch:
    """The comparison of a seat's actions at one moment."""

    def __init__(self, state: AnyState, asked: Question, policy: OwnPolicy, sides: Sides, rng: Random) -> None:
        self.worlds = 0
        self._state, self._seat, self._policy = state, asked.seat, policy
        self._valuer = GainEvaluator(state, sides)
        self._quick = Quick(rng.draw_words(1)[0])
        self._cards = len(state.table.layout.deck)
        legal = state.legal()
        own = policy.choose(state, legal)
        others = [action for action in sample_actions(legal) if action != own]
        if len(others) >= ROLLOUT_ACTIONS:
            others = self._quick.sample(others, ROLLOUT_ACTIONS - 1)
        self._actions: list[Any] = [own, *others]
        self._legal = list(legal)
        self._open = list(range(len(self._actions)))
        self._rollouts: list[list[Rollout]] = [[] for _ in self._actions]

    def try_world(self) -> None:
        """Play each action that is still compared on in one more world."""
        future = SimulationRandom(self._quick, self._cards)
        world = self._state.imagine(self._seat, future)
        before = self._valuer.points_before(world)
        ends = []
        for at in self._open:
            future.is_redealt = False
            after = world.copy()
            after.play(self._actions[at])
            ends.append(self._play_on(after, before, future))
        for at, end in zip(self._open, ends, strict=True):  # all or none: the differences are by world
            self._rollouts[at].append(end)
        self.worlds += 1

    def drop_worse_half(self) -> None:
        """Compare only the better half of the actions from now on, the own bot's among them."""
        means = {at: sum(values) / len(values) for at, values in self._values().items()}
        ranked = sorted(self._open[1:], key=lambda at: -means[at])
        self._open = [0, *sorted(ranked[: (len(ranked) + 1) // 2])]

    def advice(self, caution: float) -> Advice:
        """Return the result so far: the best action first, or the own bot's."""
        values = self._values()
        means = {at: sum(own) / len(own) if own else None for at, own in values.items()}
        best = max(self._open, key=lambda at: self._lead(values[at], values[0], caution))
        order = sorted(values, key=lambda at: (at != best, at not in self._open, -(means[at] or 0), at))
        ranked = [
            RankedAction(self._find_entry(self._actions[at]), self._actions[at], len(values[at]), means[at])
            for at in order
        ]
        return Advice(tuple(ranked), self.worlds)

    def _find_entry(self, action: Any) -> int:  # noqa: ANN401
        return self._legal.index(action) if action in self._legal else 0  # in a range: the action itself is answered

    def _lead(self, values: Sequence[float], own: Sequence[float], caution: float) -> float:
        """Return by how much an action is better than the own bot's, less some standard errors; 0 for itself."""
        if values is own or len(values) < 2:
            return 0.0
        gaps = [one - other for one, other in zip(values, own, strict=True)]
        mean = sum(gaps) / len(gaps)
        error = sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1) / len(gaps))
        return mean - caution * error

    def _values(self) -> dict[int, list[float]]:
        """Return by action the values of its rollouts for the seat, 0 to 1."""
        scale = GainScale([end.gained for ends in self._rollouts for end in ends])
        found = {}
        for at, ends in enumerate(self._rollouts):
            worths = [scale.values(*end) for end in ends]
            found[at] = [worth[self._seat] if worth else EVEN_VALUE for worth in worths]
        return found

    def _play_on(self, world: AnyState, before: Sequence[float] | None, future: SimulationRandom) -> Rollout:
        """Play as the own bot does to the end of the round."""
        left = ROLLOUT_DECISIONS if self._valuer.can_stop else -1
        while world.turn is not None and left and not (future.is_redealt and self._valuer.can_stop):
            left -= 1
            legal = world.legal()
            world.play(legal[0] if len(legal) == 1 and not locate_ranges(legal) else self._policy.choose(world, legal))
        outcome = world.outcome() if world.turn is None else None
        return Rollout(self._valuer.gains(world, before, future.is_redealt), outcome)


def main(words: list[str]) -> str | None:
    """Play with options as `worlds=16`; return what is wrong with them."""
    return play_with_options("rollout", RolloutBot, ROLLOUT_OPTIONS, words)
