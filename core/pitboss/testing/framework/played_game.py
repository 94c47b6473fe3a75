"""A played game: its setup, seed and actions, so that it can be replayed to any decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import msgspec

from pitboss.action_range import draw_action, sample_actions
from pitboss.game import AnyState
from pitboss.outcome import Outcome
from pitboss.simulation.random_play import play_decisions
from pitboss.table.events import LogEntry
from pitboss.table.randomness import Random
from pitboss.table.secret_table import ChanceEvent
from pitboss.table.turns import Turn
from pitboss.testing.framework.check_runner import describe_crash
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.snapshot import PublicSnapshot

GamePlayer: TypeAlias = Callable[[Any, Random], Any]  # chooses one of the legal actions of a state

MAX_POOL = 400  # different actions that are kept to be tried where they are not legal


class PlayedGame:
    """One game: its setup and seed, its decisions and its end."""

    def __init__(self, setup: CheckedSetup, seed: str, style: str) -> None:
        self.setup = setup
        self.seed = seed
        self.style = style  # who played: "at random"
        self.actions: list[Any] = []
        self.turns: list[Turn] = []
        self.error: str | None = None  # the crash that ended it
        self.outcome: Outcome | None = None  # None: the game did not end
        self.log: list[LogEntry] = []
        self.chance: list[ChanceEvent] = []
        self.snapshots: dict[int, PublicSnapshot] = {}  # by decision, where taken

    def __str__(self) -> str:
        return f"{self.setup}, seed {self.seed!r}, played {self.style}"

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def is_over(self) -> bool:
        """Whether the game came to its end."""
        return self.error is None and self.outcome is not None

    @property
    def is_endless(self) -> bool:
        """Whether the game had not ended after the decisions that its setup allows."""
        return self.error is None and self.outcome is None

    def replay_to(self, number: int) -> AnyState:
        """Return the state before decision `number` (from 0), replayed from the deal, with its log."""
        state = self.setup.deal(self.seed)
        for action in self.actions[:number]:
            state.play(action)
        return state


def play_game(setup: CheckedSetup, seed: str, style: str, player: GamePlayer) -> PlayedGame:
    """Play a game of at most `setup.max_decisions` decisions, asking the state for nothing but turn and legal actions.

    An exception is stored in `error`.
    """
    played_game = PlayedGame(setup, seed, style)
    rng = Random(f"{seed}/{style}")

    def choose(state: AnyState, legal: Sequence[Any]) -> Any:  # noqa: ANN401 - an action of any game
        action = player(state, rng)
        played_game.turns.append(cast(Turn, state.turn))
        played_game.actions.append(action)
        return action

    try:
        state = setup.deal(seed)
        for turn, legal in play_decisions(state, choose, setup.max_decisions):
            _collect_actions(setup, turn, legal, len(played_game))
        if state.turn is None:
            played_game.outcome = state.outcome()
        played_game.log = list(state.table.log or ())
        played_game.chance = list(state.table.chance_events or ())
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        played_game.error = f"{describe_crash(error)}, at decision {len(played_game)}"
    return played_game


def choose_at_random(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose any legal action."""
    return draw_action(rng.choice(state.legal()), rng.randbelow)


def _collect_actions(setup: CheckedSetup, turn: Turn, legal: Sequence[Any], number: int) -> None:
    """Keep the actions of the first decisions and of new phases, to try them where they are illegal."""
    if number < 400 or turn.phase not in setup.met_kinds:
        setup.met_kinds.setdefault(turn.phase, set()).update(map(type, legal))
        if len(setup.action_pool) < MAX_POOL:
            setup.action_pool.update((msgspec.json.encode(action), action) for action in sample_actions(legal))
