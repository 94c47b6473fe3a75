"""What happens in a run, as `pitboss match` and `run` print it with --json: one object a line."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from pitboss.protocol.faults import Fault
from pitboss.records.record import Incident
from pitboss_tournament.results.model_use import ModelUse
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.running.run_end import EndCause


class RunStarted(Struct, frozen=True, kw_only=True, tag_field="event", tag="start"):
    """A run begins."""

    game: str
    seats: int
    seed: str
    bots: list[str]
    games: Annotated[int, Meta(description="In total; in formats that decide as they go, the expected number.")]
    played: Annotated[int, Meta(description="Before this run.")]
    sandbox: Annotated[str, Meta(description="The level of this run.")]
    store: Annotated[str | None, Meta(description="Null: it is deleted at the end.")]


class GamePlayed(Struct, frozen=True, kw_only=True, tag_field="event", tag="game"):
    """A game has been played."""

    id: int
    deal: int
    rotation: int
    seed: str
    bots: Annotated[list[str], Meta(description="By seat, as all lists of a game.")]
    points: list[float]
    places: list[int]
    faults: list[Fault]
    decisions: int


class FirstFaultFound(Struct, frozen=True, kw_only=True, tag_field="event", tag="fault"):
    """A bot has done wrong for the first time."""

    id: Annotated[int, Meta(description="The number of the game, which is in play.")]
    bot: str
    incident: Incident


class RunNote(Struct, frozen=True, kw_only=True, tag_field="event", tag="note"):
    """Something has happened to a machine that plays, or to the server of a language model."""

    text: str


class RunEnded(Struct, frozen=True, kw_only=True, tag_field="event", tag="end"):
    """The run has ended. After an error cause, standings, verdict and models are null."""

    played: int
    games: int
    stopped: Annotated[bool, Meta(description="By a signal.")]
    cause: EndCause | None
    standings: list[BotRow] | None
    verdict: list[str] | None
    models: list[ModelUse] | None


RunEvent: TypeAlias = RunStarted | GamePlayed | FirstFaultFound | RunNote | RunEnded
