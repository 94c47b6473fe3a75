"""What a league answers over HTTP, as both ends know it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from pitboss_tournament.league.submission import Evidence, SubmissionState
from pitboss_tournament.reask.feedback_bundle import FeedbackBundle


class ShownVersion(Struct, frozen=True, kw_only=True):
    """A version in the feed of a league."""

    number: Annotated[int, Meta(description="Of the submission.")]
    name: str
    version: int
    owner: Annotated[str, Meta(description="A pseudonym or a name of choice, unless the league shows names.")]
    digest: str
    state: SubmissionState
    received: Annotated[str, Meta(description="When, in UTC; the last time, if it was sent again.")]


class LeagueFeed(Struct, frozen=True, kw_only=True):
    """What `GET /api/league` answers: what the league is, and what everybody may know of its versions."""

    name: str
    game: str
    seats: int
    max_mb: int
    max_files: int
    a_day: int
    closes: str | None
    waiting: Annotated[int, Meta(description="Submissions that are not validated yet.")]
    versions: Annotated[list[ShownVersion], Meta(description="Those that play or did; for a host, all.")]


class SubmissionAnswer(Struct, frozen=True, kw_only=True):
    """What is answered to the owner of a submission."""

    number: int
    name: str
    version: int
    owner: str
    digest: str
    state: SubmissionState
    before: Annotated[int, Meta(description="Submissions that are validated before this one.")] = 0
    is_new: Annotated[bool, Meta(description="Whether this request brought something to validate.")] = False
    evidence: Annotated[dict[str, Evidence], Meta(description="By state, as far as it has come.")] = {}
    late_days: Annotated[
        int, Meta(description="How many days after the end of submissions it was sent; 0: in time.")
    ] = 0


class FeedbackAnswer(Struct, frozen=True):
    """What is answered to the owner of a version who asks where it loses points."""

    state: Annotated[
        Literal["none", "waiting", "working", "done", "failed"],
        Meta(description="none: nobody has asked yet."),
    ] = "none"
    why: Annotated[str, Meta(description="It failed.")] = ""
    bundle: Annotated[FeedbackBundle | None, Meta(description="What `pitboss why --bundle` finds.")] = None
