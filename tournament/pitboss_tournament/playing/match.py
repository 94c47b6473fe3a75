"""A match: one game at a table of players, from the deal to the record. It may be one that was broken off, and is carried on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from pitboss.errors import PitbossError, ReplayDiffers
from pitboss.events import AnyEvent
from pitboss.game import AnyGame, AnyState
from pitboss.outcome import Outcome
from pitboss.randomness import Random
from pitboss.record import Decision, Incident, Record, replay
from pitboss.turns import Turn
from pitboss.wire import End, Start
from pitboss_tournament.planning.plan import Entrant
from pitboss_tournament.playing.player import Answer
from pitboss_tournament.results.times import Times, counted


class Seat(Protocol):
    """Whoever sits at a table: a bot (`Player`), or a person."""

    entrant: Entrant
    told: int  # how much of the game's log it has been told

    @property
    def wants_events(self) -> bool:
        """Whether it is told what happens."""

    async def start(self, start: Start) -> Incident | None:
        """Sit down for a new game."""

    def carry_on(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take over what was decided in this seat, and went wrong there, before the game was broken off."""

    async def return_to_table(self) -> Incident | None:
        """Be there, also after a fault."""

    def view(self, state: AnyState) -> object:
        """Return what it wants to see of a state before it decides."""

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer | Incident:
        """Decide."""

    async def end(self, end: End) -> None:
        """Hear how the game ended."""


class Scribe(Protocol):
    """Whoever writes a game down while it is played."""

    def began(self, state: AnyState) -> None:
        """See the table before the first decision, or before the next one of a game that is carried on."""

    def decided(self, decision: Decision, state: AnyState) -> None:
        """Write a decision down, which has led to this state."""

    def failed(self, incident: Incident) -> None:
        """Write down what a bot did wrong."""


class Past(NamedTuple):
    """What there is of a game that was broken off, in the order in which it happened."""

    decisions: Sequence[Decision] = ()
    incidents: Sequence[Incident] = ()


NOTHING_YET: Final = Past()


class BrokenGame(PitbossError):
    """A game's plugin failed in the middle of a game: nobody at the table is to blame."""


class Played(NamedTuple):
    """A finished game: its record, and by how much the runner was late to read answers."""

    record: Record
    lag: Times


class Match:
    """One game. A seat that has forfeited plays the rule book's neutral action from then on, so that the others finish fairly."""

    def __init__(self, game: AnyGame, options: object, players: Sequence[Seat], seed: str, scribe: Scribe | None = None) -> None:
        self._game = game
        self._options = options
        self._players = players
        self._seed = seed
        self._scribe = scribe
        self._decisions: list[Decision] = []
        self._incidents: list[Incident] = []
        self._forfeited: set[int] = set()
        self._lags: list[int] = []

    async def play(self, game_id: int, bot_seeds: Sequence[str], past: Past = NOTHING_YET) -> Played:
        """Play the game, or what is left of it.

        Raises:
            BrokenGame: the plugin failed.
            ReplayDiffers: the past is none of this game.
        """
        names = [player.entrant.name for player in self._players]
        for incident in past.incidents:
            self._count(incident)
        for seat, player in enumerate(self._players):
            if seat not in self._forfeited:
                self._note(await player.start(Start(game_id=game_id, seat=seat, players=names, seed=bot_seeds[seat])))
        state = self._deal()
        if past.decisions:
            self._carry_on(state, past)
        if self._scribe is not None:
            self._scribe.began(state)
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
            self._count(incident)
            if self._scribe is not None:
                self._scribe.failed(incident)

    def _count(self, incident: Incident) -> None:
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

    def _carry_on(self, state: AnyState, past: Past) -> None:
        """Play what was decided before the game was broken off."""
        for number, decision in enumerate(past.decisions, 1):
            try:
                action = replay(decision, state, self._game, f"decision {number} of the game that was broken off")
            except ReplayDiffers:
                raise
            except Exception as wrong:
                raise self._broken(wrong) from wrong
            self._decisions.append(replace(decision, action=action))
        for seat, player in enumerate(self._players):
            player.carry_on(
                [decision for decision in past.decisions if decision.seat == seat],
                [incident for incident in past.incidents if incident.fault.seat == seat],
            )

    def _legal(self, state: AnyState) -> Sequence[Any]:
        try:
            return state.legal()
        except Exception as wrong:
            raise self._broken(wrong) from wrong

    def _shown(self, state: AnyState, seat: int, player: Seat) -> tuple[object, list[AnyEvent]]:
        try:
            view = player.view(state)
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
        if self._scribe is not None:
            self._scribe.decided(decision, state)

    def _outcome(self, state: AnyState) -> Outcome:
        try:
            return state.outcome()
        except Exception as wrong:
            raise self._broken(wrong) from wrong

    def _broken(self, wrong: Exception) -> BrokenGame:
        where = f"game {self._game.name!r}, seed {self._seed!r}, decision {len(self._decisions) + 1}"
        return BrokenGame(f"the plugin failed: {type(wrong).__name__}: {wrong}; {where}")
