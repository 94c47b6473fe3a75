"""[grades] of league.toml: the teacher's rubric, and what of late submissions is taken."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

PlaceEnd: TypeAlias = Literal["best", "middle", "worst"]
Points = Annotated[float, Meta(ge=0, le=1_000_000)]


class TopTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[[grades.top]]: points for those whose place is among the best ones."""

    percent: Annotated[
        float, Meta(gt=0, le=100, description="A place counts that is at most this share of all places.")
    ]
    points: Annotated[Points, Meta(description="Points for it; of several tables the first one that fits counts.")]


class GradesTable(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """[grades]: what a student's points are made of; `pitboss league grades` adds them up."""

    valid: Annotated[Points, Meta(description="Points for a version that was valid.")] = 0.0
    beats: Annotated[
        dict[str, Points],
        Meta(
            description="[grades.beats]: points for each anchor of [league] that is beaten with proof, by its name, "
            'such as "rung:3" = 10; "rung:*" for each rung that is not named.'
        ),
    ] = {}
    sure: Annotated[
        float,
        Meta(
            ge=50, lt=100, description="How sure it must be that an anchor is beaten, in percent, all anchors together."
        ),
    ] = 95.0
    tiers: Annotated[list[Points], Meta(description="Points for the tiers, those of the first tier first.")] = []
    top: Annotated[list[TopTable], Meta(description="Points by place, the smallest share first.")] = []
    place: Annotated[
        PlaceEnd,
        Meta(
            description="Which of the places that a bot may have counts for [[grades.top]]: the best one, the worst "
            "one, or the middle between them."
        ),
    ] = "middle"
    most: (
        Annotated[Points, Meta(description="Nobody has more points than these. By default there is no bound.")] | None
    ) = None
    games: Annotated[
        int,
        Meta(
            ge=1,
            le=1_000_000,
            description="Games that each version that counts has played before the standings are frozen.",
        ),
    ] = 100
    late_days: Annotated[
        int, Meta(ge=0, le=366, description="Days after `closes` in which submissions are taken, and are late.")
    ] = 0
    late_points: Annotated[Points, Meta(description="Points that are taken off for each day late.")] = 0.0
    zone: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=100,
                description="The time zone whose clocks days go by, such as Europe/Zurich. Default: days of 24 hours.",
            ),
        ]
        | None
    ) = None
