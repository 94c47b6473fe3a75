"""Follow a game of an engine from what a seat was told: in place of `HistoryReconstruction`, which follows cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pitboss.foreign.engine import EngineSetup, Sight
from pitboss.foreign.engine_state import EngineState, make_empty_table
from pitboss.foreign.world_search import FoundWorld, Told, WorldSearch
from pitboss.foreign_input import read_json
from pitboss.game import AnyState
from pitboss.inference.step_budget import StepBudget
from pitboss.table.events import AnyEvent, Tell
from pitboss.table.randomness import Random
from pitboss.table.table import Table


class EngineReconstruction:
    """A search for a state that explains the events of one seat."""

    is_ahead = False  # a moment of several seats begins before any of them has chosen

    def __init__(
        self,
        setup: EngineSetup,
        seat: int,
        events: Iterable[AnyEvent],
        matches_observation: Callable[[AnyState, AnyState], bool],
        rng: Random,
        budget: StepBudget,
    ) -> None:
        self._setup, self._seat = setup, seat
        self._told = list(_read_told(events))
        self._matches_observation, self._rng, self._budget = matches_observation, rng, budget

    def reconstruct_from(self, state: EngineState) -> EngineState | None:
        """Return a state, reached from the decision in `state`, that explains all events; None if none was found."""
        found = self._make_search().find_from(state.engine_position, state.see(self._seat))
        return None if found is None else self._make_state(FoundWorld(found, None, self._rng), state.table.copy())

    def reconstruct_from_deal(self) -> EngineState | None:
        """Return a state, reached from the deal, that explains all events; None if none was found."""
        found = self._make_search().find_from_deal()
        return None if found is None else self._make_state(found, make_empty_table(self._setup.seats, self._rng))

    def _make_search(self) -> WorldSearch:
        return WorldSearch(self._setup, self._seat, self._told, self._rng, self._budget)

    def _make_state(self, found: FoundWorld, table: Table) -> EngineState | None:
        """Return the state at the seat's decision; None if the seat would have been asked something else."""
        table.stop_logging()
        state = EngineState(self._setup, found, table, self._rng)
        for seat in state.turns[: state.turns.index(self._seat)]:
            assert state.turn is not None and state.turn.seat == seat
            state.play(self._rng.choice(state.legal()))
        return state if self._matches_observation(state, state) else None


def _read_told(events: Iterable[AnyEvent]) -> Iterator[Told]:
    for event in events:
        facts: Mapping[str, Any] = event.facts if isinstance(event, Tell) else {}
        if "text" in facts:
            yield Told(Sight(facts["text"], read_json(facts["data"], object) if "data" in facts else None))
        elif "move" in facts:
            yield Told(None, facts["seat"], facts["move"])
