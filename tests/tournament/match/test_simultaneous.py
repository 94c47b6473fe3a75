"""Decisions at the same moment: what a match shows to seats that decide together, also when it is carried on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import trio

from pitboss.game import resolve_options
from pitboss.open_actions import NOTHING_OPEN, OpenChoices
from pitboss.protocol.messages import Decide, End, Start, TimeLeft
from pitboss.records.record import Decision, Incident
from pitboss.table.events import AnyEvent, Choose, Show
from pitboss_tournament.match.match import Match, ResumePoint
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant
from tests.core.sealed_bids import BidOptions, BidState, SealedBids

SEATS = 3


class Asked(NamedTuple):
    """A question as a seat gets it."""

    phase: str
    legal: bytes
    view: bytes
    events: list[AnyEvent]
    together: tuple[int, ...]


class RecordingSeat:
    """A seat that keeps what it is asked, and chooses the last legal action."""

    def __init__(self, seat: int) -> None:
        self.entrant = Entrant(name=f"player {seat}", command=())
        self.wants_events = True
        self.log_position = 0
        self.asked: list[Asked] = []
        self._seat = seat

    async def start(self, start: Start) -> None:
        """Do nothing."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Do nothing."""

    async def rejoin(self) -> None:
        """Do nothing."""

    def observe(self, state: Any) -> object:  # noqa: ANN401 - any game's
        """Return the view."""
        return state.view(self._seat)

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer:
        """Choose the last action."""
        self.asked.append(Asked(phase, msgspec.json.encode(legal), msgspec.json.encode(view), events, tuple(together)))
        return Answer(legal[-1], 0, 0, None)

    async def end(self, end: End) -> None:
        """Do nothing."""


def play_match(done: Sequence[Decision] = ()) -> tuple[list[RecordingSeat], list[Decision]]:
    """Play a game, or the rest of it after some decisions; return the seats and the decisions."""
    seats = [RecordingSeat(seat) for seat in range(SEATS)]
    game = SealedBids()
    match = Match(game, resolve_options(game, SEATS), seats, "together")
    played = trio.run(match.play, 0, ["a", "b", "c"], ResumePoint(done))
    return seats, played.record.decisions


def test_who_decides_together_is_told_the_same() -> None:
    """The seats that decide together are not told, before the moment is over, that another has chosen; then all are
    told.
    """
    seats, _ = play_match()

    for seat in seats:
        assert [one.phase for one in seat.asked] == ["bid", "stay"] * BidOptions().rounds
        assert {one.together for one in seat.asked} == {(0, 1, 2)}
        first, second, *_ = seat.asked
        assert not any(isinstance(event, Choose | Show) for event in first.events)
        assert msgspec.json.decode(first.view)["bids"] == [[], [], []]
        told = [event for event in second.events if isinstance(event, Choose | Show)]
        assert [(type(event), event.secret) for event in told] == [
            *((Choose, f"bid {other}") for other in range(SEATS)),
            *((Show, f"bid {other}") for other in range(SEATS)),
        ]


def test_carried_on_within_a_moment() -> None:
    """The questions that are left are those of the game that was not broken off."""
    whole, decisions = play_match()
    for done in range(1, len(decisions)):
        rest, again = play_match(decisions[:done])

        assert again == decisions
        for seat, (one, other) in enumerate(zip(whole, rest, strict=True)):
            missed = sum(decision.seat == seat for decision in decisions[:done])
            for asked, asked_again in zip(one.asked[missed:], other.asked, strict=True):
                assert asked_again._replace(events=[]) == asked._replace(events=[])
            told = [event for asked in one.asked for event in asked.events]
            told_again = [event for asked in other.asked for event in asked.events]
            assert told_again in ([], told)


def test_the_line_on_the_wire() -> None:
    """The line of a question to a seat that decides alone is as it was; else it names those who decide together."""
    alone = Decide(id=1, seat=0, phase="bid", legal=[], clock=TimeLeft(10))
    assert b"together" not in msgspec.json.encode(alone)

    line = msgspec.json.encode(msgspec.structs.replace(alone, together=(0, 2)))
    assert msgspec.json.decode(line)["together"] == [0, 2]
    assert msgspec.json.decode(line, type=Decide).together == [0, 2]


class AlternatingState(BidState):
    """Seats 0 and 1 bid together, seat 2 alone."""

    def together(self) -> Sequence[int]:
        """Return the first two."""
        return () if self.turn is not None and self.turn.seat == 2 else (0, 1)


def test_some_together_and_one_alone() -> None:
    """A seat that decides after the others' moment is told their choices; a seat that decides alone is told that it
    does.
    """
    seats = [RecordingSeat(seat) for seat in range(SEATS)]
    game = SealedBids(AlternatingState)
    trio.run(Match(game, resolve_options(game, SEATS), seats, "some").play, 0, ["a", "b", "c"])

    assert [seat.asked[0].together for seat in seats] == [(0, 1), (0, 1), ()]
    chosen = [[event.secret for event in seat.asked[0].events if isinstance(event, Choose)] for seat in seats]
    assert chosen == [[], [], ["bid 0", "bid 1"]]
