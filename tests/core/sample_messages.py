"""Messages to talk with: one of each kind, and ends of a conversation that have come to a phase."""

from __future__ import annotations

from typing import Final, TypeVar

from pitboss.protocol.connection import BotConnection, ConnectionPhase, RunnerConnection
from pitboss.protocol.faults import Fault
from pitboss.protocol.messages import (
    Act,
    Bye,
    Clock,
    Decide,
    End,
    Faulted,
    FromBot,
    FromRunner,
    Hello,
    Ready,
    Start,
    TimeLeft,
)
from pitboss.table.events import Choose, Deal, Lay, Move, Reveal, Roll, Show, Shuffle, Swap, Tell, TurnOver

AnyEnd = TypeVar("AnyEnd", RunnerConnection, BotConnection)

FAULT: Final = Fault(kind="late", seat=1, decision=7, message="it took 12 ms; 10 were allowed")
HELLO: Final = Hello(
    game="magpie", options={"turns": 5}, seats=2, seat=1, seed="b/1", clock=Clock(start_ms=5, decision_ms=10)
)
START: Final = Start(game_id=3, seat=1, players=["ann", "bob"], seed="b/1/3")
DECIDE: Final = Decide(
    id=7,
    seat=1,
    phase="draw",
    legal=[{"do": "draw"}, {"do": "lay", "place": 1}],
    view={"nest": ["C1", "C4"], "stock": 9},
    events=[
        Deal(event="deal", source="stock", cards={"hand 0": [None, "H10"]}),
        Move(event="draw", seat=None, card=7, source="stock", target="hand 0"),
        Swap(event="swap", seat=0, slot=5, card=None, discarded=3, source="stock", target="discard"),
        Lay(event="meld", seat=1, cards=["A", None], source="hand 1", target="meld 1"),
        TurnOver(event="restock", source="discard", target="stock", cards=[1, None]),
        Shuffle(event="shuffle", zone="stock", size=3),
        Reveal(event="rack", seat=1, zone="rack 1", cards=[5]),
        Tell(event="bid", facts={"tricks": 3, "suits": ["H", "S"], "doubled": False}),
        Roll(event="roll", seat=1, secret="dice 1", values=[6, 1]),
        Choose(event="bid", seat=0, secret="bid 0", values=None),
        Show(event="show", seat=None, secret="wheel", values=["red"]),
    ],
    clock=TimeLeft(decision_ms=10, game_ms=99),
)
END: Final = End(game_id=3, places=[1, 2], points=[75.0, 5.0], faults=[FAULT])
FROM_RUNNER: Final[tuple[FromRunner, ...]] = (HELLO, START, DECIDE, END, Bye(), Faulted(fault=FAULT))

READY: Final = Ready(name="ann", version="2", want="both")
CHOOSE: Final = Act(id=7, choose=1, note="why not")
PLAY: Final = Act(id=7, action={"do": "lay", "place": 1})
FROM_BOT: Final[tuple[FromBot, ...]] = (READY, CHOOSE, PLAY)

PHASES: Final[tuple[ConnectionPhase, ...]] = ("new", "greeting", "idle", "playing", "asking", "over")


def bring_to_phase(end: AnyEnd, phase: ConnectionPhase) -> AnyEnd:
    """Bring an end to a phase, question 7 being the last one that was asked."""
    end.phase, end.question_id = phase, 7
    return end
