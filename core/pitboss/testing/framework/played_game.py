"""A played game: its setup, seed and actions, so that it can be replayed to any decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, cast

from pitboss.action_range import draw_action
from pitboss.game import AnyState
from pitboss.outcome import Outcome
from pitboss.simulation.random_play import play_decisions
from pitboss.table.events import LogEntry
from pitboss.table.randomness import Random
from pitboss.table.secret_table import ChanceEvent
from pitboss.table.turns import Turn
from pitboss.testing.framework.check_runner import describe_crash
from pitboss.testing.framework.checked_setup import CheckedSetup
from pitboss.testing.framework.deal_numbers import read_deal_number
from pitboss.testing.framework.snapshot import PublicSnapshot

GamePlayer: TypeAlias = Callable[[Any, Random], Any]  # chooses one of the legal actions of a state

LONG_GAME_DECISIONS: Final = (
    20_000  # decisions, after which, and after as many more, a game is named while it is played
)
STILL_DECISIONS: Final = 2_048  # decisions without a card that has moved: then the game is looked at too
_LOOK_DECISIONS: Final = 256  # between two looks at where the cards lie


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
        self.deals: int | None = None  # the number of its last deal; None if it has none, or did not end
        self.is_running = True  # until all its decisions are known
        self.is_kept = False  # a play-out to which the expensive checks go
        self.still = 0  # decisions since a card has moved, as far as was looked at; 0 in games without cards
        self.snapshots: dict[int, PublicSnapshot] = {}  # by decision, where taken
        self._zones: list[list[int]] = []  # at the last look

    def __str__(self) -> str:
        return f"{self.setup}, seed {self.seed!r}, played {self.style}"

    def __len__(self) -> int:
        return len(self.actions)

    def add(self, state: AnyState, action: Any) -> None:  # noqa: ANN401 - of any game
        """Add a decision, before it is played.

        Whoever watches the setup is told of a game that has become long, or in which no card has moved for long.
        """
        self.turns.append(cast(Turn, state.turn))
        self.actions.append(action)
        number = len(self.actions)
        if number % _LOOK_DECISIONS == 0:
            self._look_at_cards(state.table.zones)
        if number % LONG_GAME_DECISIONS == 0 or (self.still and self.still % STILL_DECISIONS == 0):
            self.setup.note_long_game(self)

    def _look_at_cards(self, zones: Sequence[list[int]]) -> None:
        """Note whether any card lies elsewhere than at the last look."""
        if any(zones) and self._zones == zones:
            self.still += _LOOK_DECISIONS
        else:
            self.still = 0
            self._zones = [cards[:] for cards in zones]

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
        played_game.add(state, action)
        return action

    try:
        state = setup.deal(seed)
        for turn, legal in play_decisions(state, choose, setup.max_decisions):
            setup.collect_actions(turn, legal, len(played_game))
        if state.turn is None:
            played_game.outcome = state.outcome()
            played_game.deals = read_deal_number(state)
        played_game.log = list(state.table.log or ())
        played_game.chance = list(state.table.chance_events or ())
    except Exception as error:  # noqa: BLE001 - the border to a plugin's code
        played_game.error = f"{describe_crash(error)}, at decision {len(played_game)}"
    played_game.is_running = False
    return played_game


def choose_at_random(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Choose any legal action."""
    return draw_action(rng.choice(state.legal()), rng.randbelow)
