"""Games to put into a store by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pitboss import Outcome
from pitboss.record import Decision, Incident, Record, written
from pitboss.wire import Fault
from pitboss_tournament.processes.logs import Log, packed
from pitboss_tournament.results.header import Header, header_of
from pitboss_tournament.results.scoring import GameResult, SeatResult

from .plans import entrant, plan


def small_header(folder: Path) -> Header:
    """Return the header of a small tournament."""
    return header_of(plan(folder / "x.pitboss", entrant("good", "a"), entrant("good", "b")), "1", "0.1")


class Game(NamedTuple):
    """A game to store."""

    result: GameResult
    record: bytes
    logs: Sequence[Log] = ()


def finished(number: int, seed: str = "s", logs: Sequence[Log] = ()) -> Game:
    """Return a game to store."""
    seats = (SeatResult(0, 5.0, 1, 1.0, None, {"late": 1}, 1, 10, {27: 1}), SeatResult(1, 4.0, 2, 0.0, None, {}, 1, 10, {}))
    return Game(GameResult(number, 0, number, 0, seats, {0: 3, 40: 1}), packed(written(recorded(number, seed))), logs)


def recorded(number: int, seed: str = "s") -> Record:
    """Return the record of that game."""
    fault = Fault(kind="late", seat=0, decision=1, message="it slept", clock="game", verdict="substitute")
    return Record(
        game="racko",
        game_version="1",
        options={},
        seed=f"{seed}/{number}",
        players=["a", "b"],
        decisions=[Decision(seat=0, action={"do": "draw"}, us=number, note="ä")],
        outcome=Outcome((5.0, 4.0), (1, 2), ((0,), (1,))),
        incidents=[Incident(fault=fault, exchange=["> x", "< y"], last_words="\x1b", us=7)],
    )


def log(seat: int, said: bytes = b"") -> Log:
    """Return a log in which something was said."""
    return Log(seat, packed(b"\xff errors"), packed(said))
