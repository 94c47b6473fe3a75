"""A match: one game at a table of players, from the deal to the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from pitboss.errors import PitbossError
from pitboss.events import AnyEvent
from pitboss.game import AnyGame, AnyState
from pitboss.outcome import Outcome
from pitboss.randomness import Random
from pitboss.record import Decision, Incident, Record
from pitboss.turns import Turn
from pitboss.wire import End, Start
from pitboss_tournament.playing.player import Answer, Player
from pitboss_tournament.results.times import Times, counted


class BrokenGame(PitbossError):
    """A game's plugin failed in the middle of a game: nobody at the table is to blame."""


class Played(NamedTuple):
    """A finished game: its record, and by how much the runner was late to read answers."""

    record: Record
    lag: Times


class Match:
    """One game. A seat that has forfeited plays the rule book's neutral action from then on, so that the others finish fairly."""

    def __init__(self, game: AnyGame, options: object, players: Sequence[Player], seed: str) -> None:
        self._game = game
        self._options = options
        self._players = players
        self._seed = seed
        self._decisions: list[Decision] = []
        self._incidents: list[Incident] = []
        self._forfeited: set[int] = set()
        self._lags: list[int] = []

    async def play(self, game_id: int, bot_seeds: Sequence[str]) -> Played:
        """Play the game.

        Raises:
            BrokenGame: the plugin failed.
        """
        names = [player.entrant.name for player in self._players]
        for seat, player in enumerate(self._players):
            self._note(await player.start(Start(game_id=game_id, seat=seat, players=names, seed=bot_seeds[seat])))
        state = self._deal()
        while (turn := state.turn) is not None:
            legal = self._legal(state)
            answer = await self._ask(state, turn, legal) if turn.seat not in self._forfeited else None
            self._play(state, turn, legal, answer)
        outcome = self._outcome(state)
        faults = [incident.fault for incident in self._incidents]
        end = End(game_id=game_id, places=list(outcome.places), points=list(outcome.points), faults=faults)
        for player in self._players:
            await player.end(end)
        record = Record(
            game=self._game.name,
            game_version=self._game.version,
            options=msgspec.to_builtins(self._options),
            seed=self._seed,
            players=names,
            decisions=self._decisions,
            outcome=outcome,
            incidents=self._incidents,
        )
        return Played(record, counted(self._lags))

    async def _ask(self, state: AnyState, turn: Turn, legal: Sequence[Any]) -> Answer | None:
        """Ask the bot on turn; return None if it has just done wrong."""
        player = self._players[turn.seat]
        incident = await player.return_to_table()
        if incident is None:
            view, events = self._shown(state, turn.seat, player)
            answer = await player.decide(turn.phase, legal, view, events)
            if isinstance(answer, Answer):
                self._lags.append(answer.lag_us)
                return answer
            incident = answer
        self._note(incident)
        return None

    def _note(self, incident: Incident | None) -> None:
        if incident is not None:
            self._incidents.append(incident)
            if incident.fault.verdict == "forfeit":
                self._forfeited.add(incident.fault.seat)

    # ---- calls of the game's own code

    def _deal(self) -> AnyState:
        try:
            state = self._game.deal(len(self._players), self._options, Random(self._seed))
        except Exception as wrong:
            raise self._broken(wrong) from wrong
        if not any(player.wants_events for player in self._players):
            state.table.quiet()
        return state

    def _legal(self, state: AnyState) -> Sequence[Any]:
        try:
            return state.legal()
        except Exception as wrong:
            raise self._broken(wrong) from wrong

    def _shown(self, state: AnyState, seat: int, player: Player) -> tuple[object, list[AnyEvent]]:
        try:
            view = state.view(seat) if player.wants_view else None
            events = state.table.events(seat, player.told) if player.wants_events else []
        except Exception as wrong:
            raise self._broken(wrong) from wrong
        player.told = len(state.table.log or ())
        return view, events

    def _play(self, state: AnyState, turn: Turn, legal: Sequence[Any], answer: Answer | None) -> None:
        """Play what was chosen; the neutral action for a seat that has forfeited or failed."""
        try:
            if answer is None:
                action = state.neutral()
                decision = Decision(seat=turn.seat, action=action, forced=True)
            else:
                action = legal[answer.choice]
                decision = Decision(seat=turn.seat, action=action, us=answer.us, note=answer.note)
            state.play(action)
        except Exception as wrong:
            raise self._broken(wrong) from wrong
        self._decisions.append(decision)

    def _outcome(self, state: AnyState) -> Outcome:
        try:
            return state.outcome()
        except Exception as wrong:
            raise self._broken(wrong) from wrong

    def _broken(self, wrong: Exception) -> BrokenGame:
        where = f"game {self._game.name!r}, seed {self._seed!r}, decision {len(self._decisions) + 1}"
        return BrokenGame(f"the plugin failed: {type(wrong).__name__}: {wrong}; {where}")
