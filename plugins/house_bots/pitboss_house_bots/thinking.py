"""`house:search` at the table: it follows the game from its seat and looks ahead as long as it may.

Its time is the processor's: while others have the processor it would find nothing, and is billed nothing.
Where the game cannot be followed (a bug, in the game or here) it plays a legal action at random, and says so in the note.
"""

from __future__ import annotations

import sys
from time import process_time
from typing import Final

from pitboss import AnyGame, AnyState, Random
from pitboss.bot import Decision, Noted, run
from pitboss.following import Following
from pitboss.options import resolved
from pitboss.plugins import Registry
from pitboss.wire import Hello, Start
from pitboss_house_bots.search import EXPLORATION, advise

MS: Final = 100
WORLDS: Final = 1_000_000
OF_DECISION: Final = 0.5  # of the time for a decision, at most: others may want the processor, too
OF_GAME: Final = 0.02  # of what is left for the whole game
OF_INCREMENT: Final = 0.5
TO_FOLLOW: Final = 0.5  # of what the clocks allow: it takes a millisecond, but a game that is lost sight of is lost
TO_LOOK: Final = 0.5  # of the time to think, at least, however long following took


class Thinker:
    """The bot, for one process."""

    def __init__(self, ms: int = MS, worlds: int = WORLDS, exploration: float = EXPLORATION) -> None:
        self.ms, self.worlds, self.exploration = ms, worlds, exploration
        self.registry: Final = Registry()
        self.following: Following | None = None
        self.asked = 0

    def prepare(self, hello: Hello) -> None:
        """Load the game and play a little of it: what games make once, they make at their first deal."""
        try:
            game = self.registry.game(hello.game)
            self.following = Following(game)
            advise(first_moment(game, hello), hello.seat, hello.clock.decision_ms / 1000, Random("warm"), worlds=1)
        except Exception as wrong:  # noqa: BLE001 - a game's code: it may be anybody's
            print(f"{type(wrong).__name__} before the first game: {wrong}", file=sys.stderr)

    def begin(self, hello: Hello, start: Start) -> None:
        """Begin a game: its seed and what is asked in it decide how it is played, and not what was played before."""
        self.asked = 0

    def choose(self, decision: Decision) -> Noted:
        """Answer one question."""
        began = process_time()
        self.asked += 1
        seconds = self.seconds(decision)
        rng = Random(f"{decision.start.seed}/{self.asked}")
        try:
            state = self.followed(decision, self.allowed(decision) * TO_FOLLOW)
            if len(decision.legal) == 1:
                return Noted(0, "")
            if state is None:
                return Noted(rng.below(len(decision.legal)), "the game could not be followed: at random")
            left = max(seconds * TO_LOOK, seconds - (process_time() - began))
            advice = advise(state, decision.seat, left, rng, worlds=self.worlds, exploration=self.exploration, clock=process_time)
            return Noted(advice.best.index, advice.note)
        except Exception as wrong:  # noqa: BLE001 - a game's code: it may be anybody's
            print(f"{type(wrong).__name__} at decision {self.asked}: {wrong}", file=sys.stderr)
            return Noted(rng.below(len(decision.legal)), f"{type(wrong).__name__}: {wrong}: at random")

    def followed(self, decision: Decision, seconds: float) -> AnyState | None:
        """Return the game as a state, if it can be followed: it must be asked for at every decision."""
        return self.following.heard(decision, seconds) if self.following else None

    def seconds(self, decision: Decision) -> float:
        """Return how long to think."""
        return min(self.ms / 1000, self.allowed(decision))

    def allowed(self, decision: Decision) -> float:
        """Return how long the clocks allow to think: a part of what each has left."""
        most = decision.decision_ms * OF_DECISION
        if decision.game_ms is not None:
            most = min(most, decision.game_ms * OF_GAME + decision.hello.clock.increment_ms * OF_INCREMENT, decision.game_ms / 4)
        return most / 1000


def first_moment(game: AnyGame, hello: Hello) -> AnyState:
    """Return a deal of the game, as it begins."""
    return game.deal(hello.seats, resolved(game, hello.seats, given=hello.options), Random("warm"))


def main(words: list[str]) -> str | None:
    """Play with options as `ms=50`; return what is wrong with them."""
    kinds = {"ms": int, "worlds": int, "exploration": float}
    options = dict(word.partition("=")[::2] for word in words)
    if unknown := options.keys() - kinds.keys():
        return f"search has no option {', '.join(sorted(unknown))!r}; it has {', '.join(kinds)}"
    try:
        thinker = Thinker(**{key: kinds[key](value) for key, value in options.items()})
    except ValueError as wrong:
        return f"search: {wrong}"
    run(thinker.choose, name="house:search", version="1", want="both", on_hello=thinker.prepare, on_start=thinker.begin)
    return None
