"""`house:search`: tracks the game from its seat and searches within its time.

Time is CPU time: waiting for a processor is not billed. If tracking fails (a bug, in the game or here) it plays a
random legal action and says so in the note. No code of a game, however slow, makes it late: `ProcessorTimer` breaks
off what has taken longer than the time that is allowed.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Final

import msgspec

from pitboss import AnyState, Random, Sides
from pitboss.bot import AnnotatedChoice, Question
from pitboss.game import find_sides, resolve_options
from pitboss.inference.state_tracker import StateTracker
from pitboss.open_actions import find_open_choices
from pitboss.plugins.registry import load_played_game
from pitboss.protocol.messages import Hello, Start
from pitboss_house_bots.bot_main import play_with_options
from pitboss_house_bots.plugin import SEARCH_OPTIONS
from pitboss_house_bots.search import Advice, advise
from pitboss_house_bots.time_limit import OutOfTime, ProcessorTimer

DECISION_SHARE: Final = 0.5  # of the time for a decision, at most: others may want the processor, too
GAME_SHARE: Final = 0.02  # of what is left for the whole game
INCREMENT_SHARE: Final = 0.5
TRACKING_SHARE: Final = 0.5  # of what the clocks allow: it takes a millisecond, but a game that is lost is lost
MIN_SEARCH_SHARE: Final = 0.5  # of the time to think, at least, however long following took
OVERTIME_FACTOR: Final = 1.5  # multiple of what the clocks allow after which whatever it does is broken off


class SearchBot:
    """The bot, for one process."""

    def __init__(self, **options: float) -> None:
        values = {name: option.default for name, option in SEARCH_OPTIONS.items()} | options
        self.ms, self.worlds, self.exploration = values["ms"], int(values["worlds"]), values["exploration"]
        self.tracker: StateTracker | None = None
        self.sides: Sides = ()
        self.decision_no = 0
        self.timer: Final = ProcessorTimer()

    def prepare(self, hello: Hello) -> None:
        """Load the game and play a few decisions: what games make once, they make at their first deal."""
        try:
            game = load_played_game(hello.game)
            self.tracker = StateTracker(game)
            options = resolve_options(game, hello.seats, overrides=hello.options)
            self.sides = find_sides(game, hello.seats, options)
            with self.timer.limit(hello.clock.start_ms / 1000 * DECISION_SHARE):
                sample = game.deal(hello.seats, options, Random("warm"))
                seat = sample.turn.seat if sample.turn else hello.seat
                advise(sample, seat, hello.clock.decision_ms / 1000, Random("warm"), self.sides, worlds=1)
        except OutOfTime:
            print("no time to warm up before the first game", file=sys.stderr)
        except Exception as error:  # noqa: BLE001 - a game's code: it may be anybody's
            print(f"{type(error).__name__} before the first game: {error}", file=sys.stderr)

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game: its seed and what is asked in it decide how it is played, and not what was played before."""
        self.decision_no = 0

    def choose(self, decision: Question) -> AnnotatedChoice:
        """Answer one question."""
        self.decision_no += 1
        rng = Random(f"{decision.start.seed}/{self.decision_no}")
        try:
            with self.timer.limit(self.allowed_seconds(decision) * OVERTIME_FACTOR):
                return self.think(decision, rng)
        except OutOfTime:
            return AnnotatedChoice(rng.randbelow(len(decision.legal)), "the time was over: at random")
        except Exception as error:  # noqa: BLE001 - a game's code: it may be anybody's
            print(f"{type(error).__name__} at decision {self.decision_no}: {error}", file=sys.stderr)
            return AnnotatedChoice(rng.randbelow(len(decision.legal)), f"{type(error).__name__}: {error}: at random")

    def think(self, decision: Question, rng: Random) -> AnnotatedChoice:
        """Follow the game and search; raises what the game's code raises, and `OutOfTime`."""
        began = process_time()
        seconds = self.thinking_seconds(decision)
        tracking_seconds = self.allowed_seconds(decision) * TRACKING_SHARE
        state = self.tracker.update(decision, tracking_seconds) if self.tracker else None
        if len(decision.legal) == 1 and not decision.ranges and not decision.open:
            return AnnotatedChoice(0, "")
        if state is None:
            return AnnotatedChoice(rng.randbelow(len(decision.legal)), "the game could not be followed: at random")
        left = max(seconds * MIN_SEARCH_SHARE, seconds - (process_time() - began))
        advice = self.consult(state, decision, left, rng)
        action = msgspec.json.decode(msgspec.json.encode(advice.best.action))
        return AnnotatedChoice(action if decision.ranges or decision.open else advice.best.index, advice.note)

    def consult(self, state: AnyState, decision: Question, seconds: float, rng: Random) -> Advice:
        """Search from a state that is consistent with what the seat has observed."""
        return advise(
            *(state, decision.seat, seconds, rng, self.sides),
            worlds=self.worlds,
            exploration=self.exploration,
            open_actions=find_open_choices(state).propose(rng) if decision.open else (),
            clock=process_time,
        )

    def thinking_seconds(self, decision: Question) -> float:
        """Return how long to think."""
        return min(self.ms / 1000, self.allowed_seconds(decision))

    def allowed_seconds(self, decision: Question) -> float:
        """Return how long the clocks allow to think: a part of what each has left."""
        most_ms, left_ms = decision.decision_ms * DECISION_SHARE, decision.game_ms
        if left_ms is not None:
            increment_ms = decision.hello.clock.increment_ms * INCREMENT_SHARE
            most_ms = min(most_ms, left_ms * GAME_SHARE + increment_ms, left_ms / 4)
        return most_ms / 1000


def main(words: list[str]) -> str | None:
    """Play with options as `ms=50`; return what is wrong with them."""
    return play_with_options("search", SearchBot, SEARCH_OPTIONS, words)
