"""For bots in Python: a bot is a function from a decision to a choice, and one line that runs it.

    from pitboss.bot import Decision, run

    def choose(decision: Decision) -> int:
        return 0  # the first legal action

    run(choose)

Standard output belongs to the wire. `run` keeps it for itself: whatever the bot prints goes to standard error, which the runner keeps.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Final, TypeAlias

from msgspec import Struct

from pitboss.conversation import BotEnd
from pitboss.wire import Act, Bye, Decide, End, Faulted, Hello, Ready, Start, Want


class Decision(Struct, frozen=True, kw_only=True):
    """A question to the bot, with the game that it belongs to."""

    legal: list[Any]  # every legal action, as in the rule book: {"do": "take", "slot": 25}
    view: Any  # what the seat may know: a dict with the fields of the game's view (None if not wanted)
    events: list[Any]  # what the seat saw since its last decision (empty if not wanted)
    seat: int
    phase: str
    decision_ms: int  # time left for this decision
    game_ms: int | None  # time left for the whole game, if there is such a limit
    hello: Hello  # the table: game, options, seats, limits
    start: Start  # the game: who sits where, the bot's seed for this game


Choice: TypeAlias = int | Mapping[str, object]  # an index into `legal`, or an action
Choose: TypeAlias = Callable[[Decision], Choice]


def run(
    choose: Choose,
    *,
    name: str = "",
    version: str = "",
    want: Want = "view",
    on_start: Callable[[Hello, Start], None] | None = None,
    on_end: Callable[[End], None] | None = None,
) -> None:
    """Play until the runner says bye, calling `choose` for each decision.

    `on_start` and `on_end` are called when a game begins and ends. The answer may be an index into `decision.legal` or an action.
    """
    wire = _own_wire()
    end = BotEnd()
    hello: Hello | None = None
    start: Start | None = None

    def say(message: Ready | Act) -> None:
        wire.write(end.say(message))
        wire.flush()

    for line in sys.stdin.buffer:
        message = end.hear(line)
        match message:
            case Hello():
                hello = message
                say(Ready(name=name, version=version, want=want))
            case Start() if hello is not None:
                start = message
                if on_start is not None:
                    on_start(hello, start)
            case Decide() if hello is not None and start is not None:
                say(_answer(message, choose(_decision(message, hello, start))))
            case End():
                if on_end is not None:
                    on_end(message)
            case Faulted():
                print(f"the runner found fault: {message.fault.message}", file=sys.stderr)
            case Bye():
                return


_PARTS: Final = ("legal", "view", "events", "seat", "phase")


def _decision(asked: Decide, hello: Hello, start: Start) -> Decision:
    parts = {part: getattr(asked, part) for part in _PARTS}
    clock = asked.clock
    return Decision(**parts, decision_ms=clock.decision_ms, game_ms=clock.game_ms, hello=hello, start=start)


def _answer(asked: Decide, choice: Choice) -> Act:
    if isinstance(choice, int):
        return Act(id=asked.id, choose=choice)
    return Act(id=asked.id, action=choice)


def _own_wire() -> BinaryIO:
    """Keep standard output for the wire, and send all that is printed, by Python or by C code, to standard error."""
    sys.stdout.flush()
    wire = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return wire
