"""The result that a seat is told at the end of a game: the official one, as the store keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import trio

from pitboss.game import resolve_options
from pitboss.open_actions import NOTHING_OPEN, OpenChoices
from pitboss.protocol.faults import Fault, FaultVerdict
from pitboss.protocol.messages import End, Start
from pitboss.records.record import Decision, Incident, Record
from pitboss.table.events import AnyEvent
from pitboss_magpie.magpie import Magpie
from pitboss_tournament.match.match import Match
from pitboss_tournament.match.seat import Answer
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.showing.replay_pages import ReplayPages
from pitboss_tournament.statistics.scoring import score_game
from pitboss_tournament.web.live_game import LiveGame
from pitboss_tournament.web.replay_page import make_replay_data

SEATS = 3
PLACES = ("1st", "2nd", "3rd")


class FaultySeat:
    """A seat that plays its last legal action, does wrong at one of its decisions, and keeps what it is told."""

    wants_events = True

    def __init__(self, seat: int, wrong_at: int | None, verdict: FaultVerdict) -> None:
        self.entrant = Entrant(name=f"player {seat}", command=())
        self.log_position = 0
        self.told: list[End] = []
        self._seat = seat
        self._wrong_at = wrong_at
        self._verdict = verdict
        self._decisions = 0

    async def start(self, start: Start) -> None:
        """Do nothing."""

    def resume(self, decisions: Sequence[Decision], incidents: Sequence[Incident]) -> None:
        """Do nothing."""

    async def rejoin(self) -> None:
        """Do nothing."""

    def observe(self, state: object) -> None:
        """Return no view."""

    async def decide(
        self,
        phase: str,
        legal: Sequence[Any],
        view: object,
        events: list[AnyEvent],
        together: Sequence[int] = (),
        beside: OpenChoices = NOTHING_OPEN,
    ) -> Answer | Incident:
        """Choose the last action, or do wrong."""
        self._decisions += 1
        if self._decisions == self._wrong_at:
            return Incident(
                fault=Fault(kind="crashed", seat=self._seat, decision=1, message="it is gone", verdict=self._verdict)
            )
        return Answer(legal[-1], 0, 0, None)

    async def end(self, end: End) -> None:
        """Keep what is told."""
        self.told.append(end)


def play_game(seed: str, wrong_at: dict[int, int], verdict: FaultVerdict) -> tuple[list[End], Record]:
    """Play a game in which some seats do wrong; return what the seats were told, and the record."""
    game = Magpie()
    seats = [FaultySeat(seat, wrong_at.get(seat), verdict) for seat in range(SEATS)]
    match = Match(game, resolve_options(game, SEATS, overrides={"turns": 5}), seats, seed)
    played = trio.run(match.play, 7, ["a", "b", "c"])
    return [end for seat in seats for end in seat.told], played.record


@pytest.mark.parametrize("verdict", ["forfeit", "substitute"])
@pytest.mark.parametrize("wrong_at", [{}, {0: 1}, {2: 4}, {0: 2, 1: 3}, {0: 1, 1: 2, 2: 3}])
def test_who_played_on_is_told_the_result_that_the_store_keeps(wrong_at: dict[int, int], verdict: FaultVerdict) -> None:
    """The message `end` has the places and points of the stored result, after any forfeits and after substituted
    decisions.
    """
    for number in range(8):
        told, record = play_game(f"deal {number}", wrong_at, verdict)
        result = score_game(record, (0, 1, 2))

        assert len(told) == SEATS
        for end in told:
            assert end.places == [seat.place for seat in result]
            assert end.points == [seat.points for seat in result]
            assert end.faults == record.faults


def test_a_replay_shows_the_result_that_the_store_keeps() -> None:
    """Text, page and the page of a game in play have the official places and points."""
    game = Magpie()
    seen = set()
    for number in range(8):
        _, record = play_game(f"deal {number}", {0: 1, 1: 2}, "forfeit")
        result = score_game(record, (0, 1, 2))
        places = [seat.place for seat in result]
        words = [f"{PLACES[seat.place - 1]}, {seat.points:g} point" for seat in result]
        seen.add(record.outcome.places == tuple(places))
        live = LiveGame(game, resolve_options(game, SEATS, overrides={"turns": 5}), record.players, record.seed, [None])
        for fault in record.faults:
            live.add_fault(fault)
        for decision in record.decisions:
            live.add(decision)

        for page in (make_replay_data(record, game, 0), live.sequences[None].page("a game", live.outcome)):
            assert page.places == places
            assert [said.removesuffix("s") for said in page.results] == words
        last_page = list(ReplayPages(record, game))[-1].text.splitlines()
        for seat in result:
            assert any(f"player {seat.entrant}" in line and f": {seat.points:g} points" in line for line in last_page)
    assert False in seen, "no forfeit has changed a place"
