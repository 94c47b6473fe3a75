"""A match: one game, from the deal to the record. A game that was broken off can be carried on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

import msgspec
from msgspec.structs import replace

from pitboss.errors import NotEncodable
from pitboss.game import AnyGame, AnyState, find_sides
from pitboss.loadouts import place_loadouts, tell_loadouts
from pitboss.moments import Moment, MomentTracker
from pitboss.open_actions import NOTHING_OPEN, OpenChoices, find_open_choices, find_open_kinds
from pitboss.outcome import Outcome
from pitboss.protocol.messages import End, Start
from pitboss.records.record import Decision, Incident, Record, replay_decision
from pitboss.simulation.random_play import MAX_DECISIONS
from pitboss.table.randomness import Random
from pitboss.table.turns import Turn
from pitboss_tournament.match.many_tables import ProcessLost
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.match.seat import Answer, Seat
from pitboss_tournament.plan.plan import hide_loadout
from pitboss_tournament.statistics.scoring import apply_forfeits
from pitboss_tournament.statistics.time_histogram import write_times


class GameJournal(Protocol):
    """Receives a game's decisions and incidents as they happen, and the states that players may see."""

    def show_state(self, state: AnyState, log_end: int) -> None:
        """Receive the state before each decision and after the last one, and how much of its log may be shown."""

    def record_decision(self, decision: Decision) -> None:
        """Receive a decision."""

    def record_incident(self, incident: Incident) -> None:
        """Receive a fault with its evidence."""


class ResumePoint(NamedTuple):
    """Decisions and incidents of a game that was broken off, in order."""

    decisions: Sequence[Decision] = ()
    incidents: Sequence[Incident] = ()


FROM_START: Final = ResumePoint()


class MatchResult(NamedTuple):
    """A finished game: its record, and how late the runner read the answers."""

    record: Record
    lag: str  # by `write_times`


class Match:
    """Plays one game. A seat that has forfeited plays neutral actions to the end, so that the others finish fairly."""

    def __init__(
        self,
        game: AnyGame,
        options: object,
        seats: Sequence[Seat],
        seed: str,
        journal: GameJournal | None = None,
        *,
        on_fault: Callable[[Incident], None] | None = None,
        max_decisions: int = MAX_DECISIONS,
    ) -> None:
        """Prepare a game. One that has not ended after `max_decisions` is endless: a fault of its plugin.

        `on_fault` is called at each fault, as `journal` is, which is told all else besides.
        """
        self._game = game
        self._options = place_loadouts(game, options, [player.entrant.loadout_content for player in seats])
        self._seats = seats
        self._seed = seed
        self._journal = journal
        self._on_fault = on_fault
        self._max_decisions = max_decisions
        self._decisions: list[Decision] = []
        self._incidents: list[Incident] = []
        self._forfeited_seats: set[int] = set()
        self._faulted_seats: set[int] = set()  # since they were asked last: they may have to rejoin
        self._lags_us: list[int] = []
        self._plugin_calls = PluginCalls(game, self._place_text)
        self._has_open_actions = bool(find_open_kinds(game.Action))

    @property
    def decisions(self) -> Sequence[Decision]:
        """The decisions made so far."""
        return self._decisions

    @property
    def incidents(self) -> Sequence[Incident]:
        """The faults so far, with their evidence."""
        return self._incidents

    async def play(self, game_id: int, bot_seeds: Sequence[str], resume_point: ResumePoint = FROM_START) -> MatchResult:
        """Play the game, or what is left of it.

        Raises:
            GamePluginError: the plugin failed, or the game does not end.
            ReplayDiffers: `resume_point` belongs to another game.
        """
        names = [player.entrant.name for player in self._seats]
        for incident in resume_point.incidents:
            self._add_incident(incident)
        for seat, player in enumerate(self._seats):
            if seat not in self._forfeited_seats:
                start = make_start(self._game, self._options, game_id, seat, names, bot_seeds[seat])
                self._record_incident(await player.start(start))
        state = self._deal()
        moments = MomentTracker(state)
        if resume_point.decisions:
            self._resume(state, moments, resume_point)
        while (question := self._next_question(state, moments)) is not None:
            turn, legal, moment = question
            if self._journal is not None:
                self._journal.show_state(state, moment.log_end)
            is_out = turn.seat in self._forfeited_seats
            answer = None if is_out else await self._ask_seat(state, turn, legal, moment)
            self._apply_answer(state, turn, answer)
        if self._journal is not None:
            self._journal.show_state(state, len(state.table.log or ()))
        outcome = self._read_outcome(state)
        faults = [incident.fault for incident in self._incidents]
        official = apply_forfeits(outcome, self._forfeited_seats)
        end = End(game_id=game_id, places=list(official.places), points=list(official.points), faults=faults)
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
        return MatchResult(record, write_times(self._lags_us))

    async def _ask_seat(self, state: AnyState, turn: Turn, legal: Sequence[Any], moment: Moment) -> Answer | None:
        """Ask the player on turn; return None if that ended in a fault."""
        player = self._seats[turn.seat]
        incident = None
        if turn.seat in self._faulted_seats:
            self._faulted_seats.remove(turn.seat)
            incident = await player.rejoin()
        if incident is None:
            with self._plugin_calls:
                view = player.observe(moment.state)
                log_part = (player.log_position, moment.log_end)
                events = state.table.events(turn.seat, *log_part) if player.wants_events else []
            player.log_position = moment.log_end
            try:
                beside = self._find_open_choices(state) if self._has_open_actions else NOTHING_OPEN
                answer = await player.decide(turn.phase, legal, view, events, moment.seats, beside)
            except ProcessLost:
                self._faulted_seats.add(turn.seat)
                return await self._ask_seat(state, turn, legal, moment)
            except NotEncodable:
                self._plugin_calls.check_encoding(legal, "a legal action", state.legal)
                self._plugin_calls.check_encoding(view, "the view", state.view)
                self._plugin_calls.check_encoding(events, "an event", state.play)
                raise
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
            if self._on_fault is not None:
                self._on_fault(incident)

    def _add_incident(self, incident: Incident) -> None:
        self._incidents.append(incident)
        self._faulted_seats.add(incident.fault.seat)
        if incident.fault.is_forfeit:
            self._forfeited_seats.add(incident.fault.seat)

    # ---- calls of the game's own code

    def _deal(self) -> AnyState:
        with self._plugin_calls:
            state = self._game.deal(len(self._seats), self._options, Random(self._seed))
            if not any(player.wants_events for player in self._seats):
                state.table.stop_logging()
        return state

    def _next_question(self, state: AnyState, moments: MomentTracker) -> tuple[Turn, Sequence[Any], Moment] | None:
        """Return whose turn it is, what is legal, and the moment of the decision; None when the game is over."""
        with self._plugin_calls:
            turn = state.turn
            if turn is None:
                return None
            legal = state.legal()
            moment = moments.follow(state)
        self._plugin_calls.check_question(turn, legal, len(self._seats), state.legal)
        if len(self._decisions) >= self._max_decisions:
            self._plugin_calls.refuse(
                f"the game has not ended after {self._max_decisions:,} decisions", type(state).play
            )
        return turn, legal, moment

    def _find_open_choices(self, state: AnyState) -> OpenChoices:
        """Return what the seat on turn may do beside the legal list; a crash of the check is a fault of the plugin."""
        with self._plugin_calls:
            choices = find_open_choices(state)

        def check(action: object) -> str:
            with self._plugin_calls:
                return choices.check(action)

        def propose(rng: Random) -> Sequence[Any]:
            with self._plugin_calls:
                return choices.propose(rng)

        return OpenChoices(choices.kinds, check, propose)

    def _read_outcome(self, state: AnyState) -> Outcome:
        seats = len(self._seats)
        with self._plugin_calls:
            outcome = state.outcome()
            sides = find_sides(self._game, seats, self._options)
        self._plugin_calls.check_outcome(outcome, seats, sides, state.outcome)
        return outcome

    def _resume(self, state: AnyState, moments: MomentTracker, resume_point: ResumePoint) -> None:
        """Replay the decisions made before the game was broken off."""
        for number, decision in enumerate(resume_point.decisions, 1):
            with self._plugin_calls:
                moments.follow(state)
                action = replay_decision(
                    decision, state, self._game, f"decision {number} of the game that was broken off"
                )
            self._decisions.append(replace(decision, action=action))
        for seat, player in enumerate(self._seats):
            player.resume(
                [decision for decision in resume_point.decisions if decision.seat == seat],
                [incident for incident in resume_point.incidents if incident.fault.seat == seat],
            )

    def _apply_answer(self, state: AnyState, turn: Turn, answer: Answer | None) -> None:
        """Play the action that was chosen; the neutral one for a seat that has forfeited or failed."""
        with self._plugin_calls:
            if answer is None:
                action = state.neutral()
                self._plugin_calls.check_encoding(action, "the neutral action", state.neutral)
                decision = Decision(seat=turn.seat, action=action, forced=True)
            else:
                action = answer.action
                decision = Decision(seat=turn.seat, action=action, us=answer.us, note=answer.note, policy=answer.policy)
            state.play(action)
        self._decisions.append(decision)
        if self._journal is not None:
            self._journal.record_decision(decision)

    def _place_text(self) -> str:
        return f"game {self._game.name!r}, seed {self._seed!r}, decision {len(self._decisions) + 1}"


def make_start(game: AnyGame, options: object, game_id: int, seat: int, players: list[str], seed: str) -> Start:
    """Return the start of a game as the player in a seat is told it: with the loadouts that the seat may know.

    The name of a player whose loadout is hidden from the seat does not tell the loadout either.
    """
    told = tell_loadouts(game, options, seat)
    if told is None:
        return Start(game_id=game_id, seat=seat, players=players, seed=seed)
    names = [
        hide_loadout(name) if loadout is None and owner != seat else name
        for owner, (name, loadout) in enumerate(zip(players, told, strict=True))
    ]
    return Start(game_id=game_id, seat=seat, players=names, seed=seed, loadouts=told)
