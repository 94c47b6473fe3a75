"""A match: one game at a table of players, from the deal to the record. It may be one that was broken off, and is carried on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from pitboss.errors import PitbossError, ReplayDiffers
from pitboss.game import AnyGame, AnyState
from pitboss.outcome import Outcome
from pitboss.protocol.messages import End, Start
from pitboss.record import Decision, Incident, Record, replay_decision
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.playing.bot_seat import Answer
from pitboss_tournament.statistics.time_histogram import TimeHistogram, count_times


class Seat(Protocol):
    """Whoever sits at a table: a bot (`Player`), or a person."""

    entrant: Entrant
    log_position: int  # how much of the game's log it has been told

    @property
    def wants_events(self) -> bool:
        """Whether it is told what happens."""

    async def start(self, start: Start) -> Incident | None:
        """Sit down for a new game."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Take over what was decided in this seat, and went wrong there, before the game was broken off."""

    async def rejoin(self) -> Incident | None:
        """Be there, also after a fault."""

    def observe(self, state: AnyState) -> object:
        """Return what it wants to see of a state before it decides."""

    async def decide(self, phase: str, legal: Sequence[Any], view: object, events: list[AnyEvent]) -> Answer | Incident:
        """Decide."""

    async def end(self, end: End) -> None:
        """Hear how the game ended."""


class GameJournal(Protocol):
    """Whoever writes a game down while it is played."""

    def record_start(self, state: AnyState) -> None:
        """See the table before the first decision, or before the next one of a game that is carried on."""

    def record_decision(self, decision: Decision, state: AnyState) -> None:
        """Write a decision down, which has led to this state."""

    def record_incident(self, incident: Incident) -> None:
        """Write down what a bot did wrong."""


class ResumePoint(NamedTuple):
    """What there is of a game that was broken off, in the order in which it happened."""

    decisions: Sequence[Decision] = ()
    incidents: Sequence[Incident] = ()


FROM_START: Final = ResumePoint()


class GamePluginError(PitbossError):
    """A game's plugin failed in the middle of a game: nobody at the table is to blame."""


class MatchResult(NamedTuple):
    """A finished game: its record, and by how much the runner was late to read answers."""

    record: Record
    lag: TimeHistogram


class Match:
    """One game. A seat that has forfeited plays the rule book's neutral action from then on, so that the others finish fairly."""

    def __init__(
        self, game: AnyGame, options: object, seats: Sequence[Seat], seed: str, journal: GameJournal | None = None
    ) -> None:
        self._game = game
        self._options = options
        self._seats = seats
        self._seed = seed
        self._journal = journal
        self._decisions: list[Decision] = []
        self._incidents: list[Incident] = []
        self._forfeited_seats: set[int] = set()
        self._lags_us: list[int] = []

    async def play(self, game_id: int, bot_seeds: Sequence[str], resume_point: ResumePoint = FROM_START) -> MatchResult:
        """Play the game, or what is left of it.

        Raises:
            BrokenGame: the plugin failed.
            ReplayDiffers: the past is none of this game.
        """
        names = [player.entrant.name for player in self._seats]
        for incident in resume_point.incidents:
            self._add_incident(incident)
        for seat, player in enumerate(self._seats):
            if seat not in self._forfeited_seats:
                self._record_incident(
                    await player.start(Start(game_id=game_id, seat=seat, players=names, seed=bot_seeds[seat]))
                )
        state = self._deal()
        if resume_point.decisions:
            self._resume(state, resume_point)
        if self._journal is not None:
            self._journal.record_start(state)
        while (turn := state.turn) is not None:
            legal = self._legal_actions(state)
            answer = await self._ask_seat(state, turn, legal) if turn.seat not in self._forfeited_seats else None
            self._apply_answer(state, turn, legal, answer)
        outcome = self._outcome(state)
        faults = [incident.fault for incident in self._incidents]
        end = End(game_id=game_id, places=list(outcome.places), points=list(outcome.points), faults=faults)
        for player in self._seats:
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
        return MatchResult(record, count_times(self._lags_us))

    async def _ask_seat(self, state: AnyState, turn: Turn, legal: Sequence[Any]) -> Answer | None:
        """Ask the bot on turn; return None if it has just done wrong."""
        player = self._seats[turn.seat]
        incident = await player.rejoin()
        if incident is None:
            view, events = self._observe(state, turn.seat, player)
            answer = await player.decide(turn.phase, legal, view, events)
            if isinstance(answer, Answer):
                self._lags_us.append(answer.lag_us)
                return answer
            incident = answer
        self._record_incident(incident)
        return None

    def _record_incident(self, incident: Incident | None) -> None:
        if incident is not None:
            self._add_incident(incident)
            if self._journal is not None:
                self._journal.record_incident(incident)

    def _add_incident(self, incident: Incident) -> None:
        self._incidents.append(incident)
        if incident.fault.verdict == "forfeit":
            self._forfeited_seats.add(incident.fault.seat)

    # ---- calls of the game's own code

    def _deal(self) -> AnyState:
        try:
            state = self._game.deal(len(self._seats), self._options, Random(self._seed))
        except Exception as wrong:
            raise self._plugin_error(wrong) from wrong
        if not any(player.wants_events for player in self._seats):
            state.table.stop_logging()
        return state

    def _resume(self, state: AnyState, resume_point: ResumePoint) -> None:
        """Play what was decided before the game was broken off."""
        for number, decision in enumerate(resume_point.decisions, 1):
            try:
                action = replay_decision(
                    decision, state, self._game, f"decision {number} of the game that was broken off"
                )
            except ReplayDiffers:
                raise
            except Exception as wrong:
                raise self._plugin_error(wrong) from wrong
            self._decisions.append(replace(decision, action=action))
        for seat, player in enumerate(self._seats):
            player.resume(
                [decision for decision in resume_point.decisions if decision.seat == seat],
                [incident for incident in resume_point.incidents if incident.fault.seat == seat],
            )

    def _legal_actions(self, state: AnyState) -> Sequence[Any]:
        try:
            return state.legal()
        except Exception as wrong:
            raise self._plugin_error(wrong) from wrong

    def _observe(self, state: AnyState, seat: int, player: Seat) -> tuple[object, list[AnyEvent]]:
        try:
            view = player.observe(state)
            events = state.table.events(seat, player.log_position) if player.wants_events else []
        except Exception as wrong:
            raise self._plugin_error(wrong) from wrong
        player.log_position = len(state.table.log or ())
        return view, events

    def _apply_answer(self, state: AnyState, turn: Turn, legal: Sequence[Any], answer: Answer | None) -> None:
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
            raise self._plugin_error(wrong) from wrong
        self._decisions.append(decision)
        if self._journal is not None:
            self._journal.record_decision(decision, state)

    def _outcome(self, state: AnyState) -> Outcome:
        try:
            return state.outcome()
        except Exception as wrong:
            raise self._plugin_error(wrong) from wrong

    def _plugin_error(self, wrong: Exception) -> GamePluginError:
        where = f"game {self._game.name!r}, seed {self._seed!r}, decision {len(self._decisions) + 1}"
        return GamePluginError(f"the plugin failed: {type(wrong).__name__}: {wrong}; {where}")
