"""A recorded game as plain data, decision by decision: `pitboss replay --json`."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from pitboss.game import AnyGame, AnyState, render_state
from pitboss.outcome import Outcome
from pitboss.protocol.faults import Fault
from pitboss.records.record import Decision, Incident, Record, replay_states


class ReplayedDecision(Struct, frozen=True, kw_only=True):
    """A decision, and what the table did then. What the seat that is shown could not know is left out."""

    decision: Annotated[int, Meta(description="Its number in the game, from 1.")]
    seat: int
    phase: str
    action: Annotated[Any, Meta(description="As records have it; left out: another seat's.")] = UNSET
    legal: Annotated[list[Any] | UnsetType, Meta(description="With --legal: what was legal.")] = UNSET
    table: Annotated[list[str] | UnsetType, Meta(description="With a DECISION: the table before it, as text.")] = UNSET
    us: Annotated[int | UnsetType, Meta(description="Thinking time in microseconds.")] = UNSET
    forced: Annotated[bool | UnsetType, Meta(description="True: the neutral action, played for the bot.")] = UNSET
    note: str | UnsetType = UNSET
    fault: Fault | UnsetType = UNSET
    events: Annotated[list[Any], Meta(description="As `pitboss schema events` describes them; null: hidden.")]


class ReplayOutput(Struct, frozen=True, kw_only=True):
    """A recorded game."""

    game_id: int
    game: str
    version: Annotated[str, Meta(description="Of the rules that it was played by.")]
    options: Any
    seed: str | UnsetType = UNSET
    players: Annotated[list[str], Meta(description="Names by seat.")]
    seat: Annotated[int | UnsetType, Meta(description="With --seat: who knew what is shown; left out: all cards.")] = (
        UNSET
    )
    note: Annotated[str | UnsetType, Meta(description="Why the replay may differ from what was played.")] = UNSET
    deal: Annotated[list[Any], Meta(description="The events before the first decision.")]
    decisions: list[ReplayedDecision]
    outcome: Outcome
    faults: Annotated[list[Fault], Meta(description="All faults, those before the first question too.")]


def describe_replay(
    record: Record,
    game: AnyGame,
    game_id: int,
    seat: int | None = None,
    *,
    decision: int | None = None,
    with_legal: bool = False,
    version: str = "",
    note: str = "",
) -> ReplayOutput:
    """Return a recorded game, or one decision of it, as `seat` knew it; None: with all cards.

    `version` is that of the rules that it was played by, by default that of the record. The seed, from which all cards
    follow, is left out where one seat's knowledge is shown.

    Raises:
        ReplayDiffers: the game does not replay.
    """
    incidents = {(one.fault.seat, one.fault.decision): one for one in record.incidents}
    asked = [0] * len(record.players)
    deal, decisions, told = list[Any](), list[ReplayedDecision](), 0
    before: ReplayedDecision | None = None
    for number, state in enumerate(replay_states(record, game)):
        events = list(state.table.events(seat, told))
        told = len(state.table.log or ())
        if before is None:
            deal = events
        elif decision in (None, before.decision):
            decisions.append(msgspec.structs.replace(before, events=events))
        if number < len(record.decisions):
            made = record.decisions[number]
            asked[made.seat] += 1
            incident = incidents.get((made.seat, asked[made.seat]))
            is_own = seat in (None, made.seat)
            before = _describe_decision(number + 1, made, state, incident if is_own else None)
            if is_own and with_legal:
                before = msgspec.structs.replace(before, legal=list(state.legal()))
            if not is_own:
                before = ReplayedDecision(decision=number + 1, seat=made.seat, phase=before.phase, events=[])
            if decision == number + 1:
                before = msgspec.structs.replace(before, table=render_state(state, seat, record.players))
    return ReplayOutput(
        game_id=game_id,
        game=record.game,
        version=version or record.game_version,
        options=record.options,
        seed=record.seed if seat is None else UNSET,
        players=record.players,
        seat=UNSET if seat is None else seat,
        note=note or UNSET,
        deal=deal if decision is None else [],
        decisions=decisions,
        outcome=record.outcome,
        faults=record.faults,
    )


def _describe_decision(number: int, made: Decision, state: AnyState, incident: Incident | None) -> ReplayedDecision:
    return ReplayedDecision(
        decision=number,
        seat=made.seat,
        phase="" if state.turn is None else state.turn.phase,
        action=made.action,
        us=made.us,
        forced=made.forced or UNSET,
        note=made.note or UNSET,
        fault=UNSET if incident is None else incident.fault,
        events=[],
    )
