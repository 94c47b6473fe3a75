"""A course: one game as it was played, so that it can be played again up to any decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from pitboss.game import AnyState
from pitboss.outcome import Outcome
from pitboss.table.events import LogEntry
from pitboss.table.randomness import Random
from pitboss.table.table import ChanceEvent
from pitboss.table.turns import Turn
from pitboss.testing.framework.check_runner import describe_crash
from pitboss.testing.framework.game_setup import GameSetup
from pitboss.testing.framework.snapshot import PublicSnapshot

ActionChooser: TypeAlias = Callable[[Any, Random], Any]  # chooses one of the legal actions of a state

MAX_POOL = 400  # different actions that are kept to be tried where they are not legal


class PlayedGame:
    """One game: how it was dealt, and everything that was decided."""

    def __init__(self, setup: GameSetup, seed: str, style: str) -> None:
        self.setup = setup
        self.seed = seed
        self.style = style  # who played: "at random"
        self.actions: list[Any] = []
        self.turns: list[Turn] = []
        self.error: str | None = None  # what went wrong
        self.outcome: Outcome | None = None  # None: it did not come to an end
        self.log: list[LogEntry] = []
        self.chance: list[ChanceEvent] = []
        self.snapshots: dict[
            int, PublicSnapshot
        ] = {}  # by decision: what everybody was shown, as far as it was looked at

    def __str__(self) -> str:
        return f"{self.setup}, seed {self.seed!r}, played {self.style}"

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def is_over(self) -> bool:
        """Tell whether the game came to its end."""
        return self.error is None and self.outcome is not None

    def replay_to(self, number: int) -> AnyState:
        """Return the state before decision `number` (from 0), dealt and played anew, with its log."""
        state = self.setup.deal(self.seed)
        for action in self.actions[:number]:
            state.play(action)
        return state


def play_game(setup: GameSetup, seed: str, style: str, choose: ActionChooser) -> PlayedGame:
    """Play a game, looking at nothing but the legal list, for a limited number of decisions. An error becomes part of the course."""
    course = PlayedGame(setup, seed, style)
    rng = Random(f"{seed}/{style}")
    try:
        state = setup.deal(seed)
        while (turn := state.turn) is not None and len(course) < setup.max_decisions:
            _collect_actions(setup, state, turn, len(course))
            action = choose(state, rng)
            course.turns.append(turn)
            course.actions.append(action)
            state.play(action)
        if state.turn is None:
            course.outcome = state.outcome()
        course.log = list(state.table.log or ())
        course.chance = list(state.table.chance_events or ())
    except Exception as wrong:  # noqa: BLE001 - the border to a plugin's code
        course.error = f"{describe_crash(wrong)}, at decision {len(course)}"
    return course


def choose_at_random(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose any legal action."""
    return rng.choice(state.legal())


def choose_first(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose as the smallest correct bot does: `"choose": 0`."""
    return state.legal()[0]


def choose_last(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose the last legal action."""
    return state.legal()[-1]


def choose_neutral(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose as the runner does for a seat that has forfeited."""
    return state.neutral()


def _collect_actions(setup: GameSetup, state: AnyState, turn: Turn, number: int) -> None:
    """Keep the actions of the first decisions, and of a phase that is new."""
    if number < 400 or turn.phase not in setup.met_phases:
        setup.met_phases.add(turn.phase)
        if len(setup.action_pool) < MAX_POOL:
            setup.action_pool.update((msgspec.json.encode(action), action) for action in state.legal())
