"""Faults: what a bot can do wrong (a closed list), and the verdict."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

SeatNumber = Annotated[int, Meta(ge=0, description="Seats are numbered clockwise from 0.")]
FaultKind = Literal[
    "never_started",  # its program cannot be run
    "late",
    "crashed",  # it ended with a status other than 0, or by a signal, while an answer was owed
    "ended_early",  # it ended with status 0 while an answer was owed
    "out_of_memory",
    "illegal",  # it chose what was not legal
    "malformed",  # it wrote a line that is no message
    "flooded",  # it wrote a line that is too long
    "out_of_turn",  # it spoke without being asked, or answered another question
]
FaultVerdict = Literal["forfeit", "substitute"]
ClockName = Literal["start", "decision", "game"]


class Fault(Struct, frozen=True, kw_only=True):
    """A fault of a bot: what it was, when, and its evidence."""

    kind: Annotated[FaultKind, Meta(description="One of a closed list.")]
    seat: Annotated[SeatNumber, Meta(description="Whose fault it is.")]
    decision: Annotated[int, Meta(description="The id of the question that it belongs to, 0 before the first one.")]
    message: Annotated[str, Meta(description="One sentence: what happened, and what was allowed.")]
    clock: Annotated[ClockName | None, Meta(description="The clock that a late bot has overstepped.")] = None
    verdict: Annotated[
        FaultVerdict,
        Meta(
            description="The seat has forfeited the game; "
            "or the neutral action is played in place of this decision only."
        ),
    ] = "forfeit"

    @property
    def is_forfeit(self) -> bool:
        """Whether the seat has forfeited the game."""
        return self.verdict == "forfeit"
