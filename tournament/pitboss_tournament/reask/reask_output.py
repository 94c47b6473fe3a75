"""Questions that were asked again, as plain data: `pitboss ask --json`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from pitboss.protocol.faults import Fault
from pitboss_tournament.reask.reask import ReaskedDecision, ReaskResult
from pitboss_tournament.reask.recorded_game import RecordedGame


class AskAnswer(Struct, frozen=True, kw_only=True):
    """What a bot answered to a question, then or now."""

    choose: Annotated[int | None, Meta(description="The index of what it does; null: it does wrong.")]
    action: Any
    us: int
    note: str | None
    fault: Fault | None


class AskedAgain(AskAnswer, frozen=True, kw_only=True):
    """An answer of now, with what the bot's process said."""

    errors: Annotated[str, Meta(description="What it wrote to standard error.")]
    wire: Annotated[list[str], Meta(description="The lines exchanged.")]


class EarlierAnswer(Struct, frozen=True, kw_only=True):
    """An earlier question of the game, which was asked again before."""

    decision: int
    phase: str
    then: AskAnswer
    now: AskAnswer


class AskOutput(Struct, frozen=True, kw_only=True):
    """A recorded question, and the answers to it."""

    game_id: int
    game: str
    seed: str
    bot: str
    seat: int
    decision: int
    phase: str
    legal: list[Any]
    then: AskAnswer
    answers: list[AskedAgain]
    earlier: list[EarlierAnswer]


def describe_reask(recorded: RecordedGame, bot: str, seat: int, found: Sequence[ReaskResult]) -> AskOutput:
    """Return all that `pitboss ask --json` writes."""
    first = found[0].asked
    return AskOutput(
        game_id=recorded.game_id,
        game=recorded.record.game,
        seed=recorded.record.seed,
        bot=bot,
        seat=seat,
        decision=first.original.number,
        phase=first.phase,
        legal=first.legal,
        then=_then(first),
        answers=[
            AskedAgain(
                choose=one.asked.choice,
                action=one.asked.action,
                us=one.asked.us,
                note=one.asked.note,
                fault=one.asked.fault,
                errors=one.errors,
                wire=one.wire.splitlines(),
            )
            for one in found
        ],
        earlier=[
            EarlierAnswer(decision=one.original.number, phase=one.phase, then=_then(one), now=_now(one))
            for one in found[0].earlier
        ],
    )


def _then(asked: ReaskedDecision) -> AskAnswer:
    then, incident = asked.original.then, asked.original.incident
    return AskAnswer(
        choose=asked.original_choice,
        action=then.action,
        us=(incident or then).us,
        note=then.note,
        fault=None if incident is None else incident.fault,
    )


def _now(asked: ReaskedDecision) -> AskAnswer:
    return AskAnswer(choose=asked.choice, action=asked.action, us=asked.us, note=asked.note, fault=asked.fault)
