"""A game whose rules another program or library knows: the game's engine.

`EngineGame` makes it of a `RuleEngine`. `pitboss games GAME` shows the paragraph above.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pitboss.foreign.engine import EngineFacts, EngineSetup, RuleEngine
from pitboss.foreign.engine_reconstruction import EngineReconstruction
from pitboss.foreign.engine_state import PHASE, EngineState, EngineView, MakeMove, make_empty_table
from pitboss.foreign.world_search import FoundWorld
from pitboss.game import Ability, GameBounds
from pitboss.outcome import Sides
from pitboss.rendering.instruments import TextPicture
from pitboss.rendering.presentation import Presentation
from pitboss.table.randomness import Random


class EngineGame:
    """The game of an engine: a `Game`."""

    phases = (PHASE,)
    Action, View, Position = MakeMove, EngineView, None
    presets: Mapping[str, Any] = {}
    unlearned = dict.fromkeys(("text", "data"), "learners are given the engine's own numbers")
    presentation = Presentation(
        actions={"": "{move}"},
        events={"move": "{move}", "end": "the game is over, with {points} points"},
        unspoken=("see",),
        instruments=[TextPicture()],
    )

    def __init__(self, engine: RuleEngine[Any], *, engine_draws: bool = False) -> None:
        """Make a game. `engine_draws`: chance is decided by the engine, and cannot be asked for."""
        self.engine = engine
        self.engine_draws = engine_draws
        self.name, self.title, self.version = engine.name, engine.title, engine.version
        self.seats, self.Options = engine.seats, engine.Options
        self._facts: dict[tuple[int, Any], EngineFacts] = {}

    def deal(self, seats: int, options: Any, rng: Random) -> EngineState:  # noqa: ANN401 - the engine's own
        """Begin a game."""
        setup, seed = self.prepare_setup(seats, options), rng.copy()
        return EngineState(setup, FoundWorld(setup.begin(rng), None, seed), make_empty_table(seats, rng), rng)

    def prepare_setup(self, seats: int, options: Any) -> EngineSetup:  # noqa: ANN401
        """Return the engine at a table."""
        return EngineSetup(self.engine, seats, options, self.find_facts(seats, options), self.engine_draws)

    def make_reconstruction(self, seats: int, options: Any, *given: Any) -> EngineReconstruction:  # noqa: ANN401
        """Return the search for a state that explains what a seat was told: see `Reconstructible`."""
        return EngineReconstruction(self.prepare_setup(seats, options), *given)

    def find_facts(self, seats: int, options: Any) -> EngineFacts:  # noqa: ANN401
        """Return the facts of a game with resolved options."""
        key = seats, options
        if key not in self._facts:
            self._facts[key] = self.engine.describe_game(seats, options)
        return self._facts[key]

    def sides(self, seats: int, options: Any) -> Sides:  # noqa: ANN401
        """Return the seats of each side."""
        return self.find_facts(seats, options).sides

    def has_chance(self, seats: int, options: Any) -> bool:  # noqa: ANN401
        """Return whether anything is left to chance."""
        return self.find_facts(seats, options).has_chance

    def list_limits(self, seats: int, options: Any) -> Mapping[Ability, str]:  # noqa: ANN401
        """Return what the game cannot do, and why."""
        facts, limits = self.find_facts(seats, options), dict[Ability, str]()
        if self.engine_draws:
            limits["lots"] = "its engine draws chance by itself"
        if facts.moves is None:
            limits["numbers"] = "the engine does not say how many moves there are"
        elif facts.observation is None:
            limits["numbers"] = "the engine gives no observations as numbers"
        return limits | dict(facts.cannot)

    def bounds(self, seats: int, options: Any) -> GameBounds | None:  # noqa: ANN401
        """Return what no game exceeds; None if the engine does not say it."""
        facts = self.find_facts(seats, options)
        if facts.least is None or facts.most is None:
            return None
        return GameBounds(facts.decisions, facts.least, facts.most, facts.total)
