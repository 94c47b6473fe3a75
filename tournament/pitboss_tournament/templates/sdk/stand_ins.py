"""Stand-ins for what `pitboss.bot` imports from Pitboss and msgspec, with the standard library only.

`pitboss_bot.py` is the source of `pitboss.bot` with the definitions below in the place of those imports. Messages are
namespaces with the keys of the wire, so events, faults and clocks have the fields that docs/protocol.md shows.
"""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, Final, Literal, TypeAlias

UNSET: Final = None
PROTOCOL_VERSION: Final = 1
MAX_BOT_LINE_BYTES: Final = 65_536
Want = Literal["view", "events", "both"]


class ProtocolError(Exception):
    """The runner or the bot broke the protocol."""


class Struct(SimpleNamespace):
    """Named values. What is left out has the default of the class; values without a name come in its order."""

    def __init_subclass__(cls, **settings: bool) -> None:
        """Take the settings of msgspec's structs, which change nothing here."""

    def __init__(self, *values: Any, **named: Any) -> None:
        super().__init__(**dict(zip(type(self).__annotations__, values, strict=False)), **named)


class Hello(Struct):
    """The table: protocol, game, options, seats, seat, seed, clock, and perhaps policy, tables and open."""

    policy: Any = None
    tables: Any = None
    open: Any = None


class Start(Struct):
    """The game: game_id, seat, players, seed, and perhaps table and loadouts."""

    table: Any = None
    loadouts: Any = None


class Decide(Struct):
    """The question: id, seat, phase, legal, view, events, clock, and perhaps table, together, ranges and open."""

    table: Any = None
    together: Any = None
    ranges: Any = None
    open: Any = None


class End(Struct):
    """The result: game_id, places, points, faults, and perhaps table."""

    table: Any = None


class Faulted(Struct):
    """The bot's fault: fault, and perhaps table."""

    table: Any = None


class Bye(Struct):
    """The last message."""


class Ready(Struct):
    """The bot's answer to `hello`: name, version, want, and perhaps policy, tables and open."""

    policy: Any = None
    tables: Any = None
    open: Any = None


class Act(Struct):
    """The bot's answer to a question: id, and choose or action, and perhaps table, note and policy."""


FromRunner: TypeAlias = Hello | Start | Decide | End | Faulted | Bye
_KINDS: Final[dict[str, type[FromRunner]]] = {
    "hello": Hello,
    "start": Start,
    "decide": Decide,
    "end": End,
    "fault": Faulted,
    "bye": Bye,
}


class BotConnection:
    """The bot's end of the wire. It trusts the runner to say what it may say."""

    def receive(self, line: bytes) -> FromRunner | None:
        """Return the message of one line; None if its type is unknown, as a later protocol may have more.

        Raises:
            ProtocolError: the line is not a message.
        """
        try:
            fields = json.loads(line)
            kind = _KINDS.get(fields.pop("type"))
        except (ValueError, AttributeError, KeyError, TypeError):
            raise ProtocolError(f"the line {line[:120]!r} is not a message") from None
        for key in {"clock", "fault"} & fields.keys():
            fields[key] = Struct(**fields[key])
        for key in {"faults", "ranges"} & fields.keys():
            fields[key] = [Struct(**one) for one in fields[key]]
        return kind(**fields) if kind is not None else None

    def send(self, message: Ready | Act) -> bytes:
        """Return the line to send.

        Raises:
            ProtocolError: the line is longer than the runner accepts.
        """
        fields = {key: value for key, value in vars(message).items() if value is not None}
        text = json.dumps({"type": type(message).__name__.lower(), **fields}, ensure_ascii=False, separators=(",", ":"))
        line = text.encode() + b"\n"
        if len(line) > MAX_BOT_LINE_BYTES:
            raise ProtocolError(f"the line has {len(line)} bytes; a bot may send {MAX_BOT_LINE_BYTES}")
        return line
