"""The connection of a runner and a bot: which message is allowed when. One object for each end, without I/O.

runner says        while            then the conversation is
----------------   --------------   ------------------------------------------
hello              new              greeting (the bot has to say ready)
start              idle             playing
decide             playing          asking (the bot has to say act, with its id)
end                playing          idle
bye                idle, playing    over
fault              any but over     over

bot says           while            then
----------------   --------------   ------------------------------------------
ready              greeting         idle
act                asking           playing

`hello` is sent when the bot is started: a `ready` that it wrote before it read that counts as the answer.
A runner that offers policies in `hello` accepts `policy` in `ready`; a bot that agreed there may state one in `act`.
A runner that offers open actions accepts `open` in `ready`; questions then name the kinds that are open.
A runner that offers tables accepts `tables` in `ready`. From then on `start`, `decide`, `end` and `act` name a table,
and each table has a conversation of its own, which begins `idle`; `hello`, `ready` and `bye` concern the process. A
`fault` that names a table makes the conversation of that table `idle`; without a table it ends the process.
A key that occurs twice in a line counts the last time; records keep what was decoded, not the line.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import UNSET

from pitboss.errors import FloodedLine, MalformedLine, NotEncodable, OutOfTurn
from pitboss.protocol.messages import (
    MAX_BOT_LINE_BYTES,
    Act,
    Bye,
    Decide,
    End,
    Faulted,
    FromBot,
    FromRunner,
    Hello,
    Ready,
    Start,
    TableNumber,
)
from pitboss.text import describe_exception

M = TypeVar("M", FromRunner, FromBot)

ConnectionPhase: TypeAlias = Literal["new", "greeting", "idle", "playing", "asking", "over"]

_TRANSITIONS: Final[dict[type[FromRunner | FromBot], tuple[tuple[ConnectionPhase, ...], ConnectionPhase]]] = {
    Hello: (("new",), "greeting"),
    Start: (("idle", "playing"), "playing"),
    Decide: (("playing",), "asking"),
    End: (("playing",), "idle"),
    Bye: (("idle", "playing"), "over"),
    Faulted: (("new", "greeting", "idle", "playing", "asking"), "over"),
    Ready: (("greeting",), "idle"),
    Act: (("asking",), "playing"),
}

_RUNNER_MESSAGE_TYPES: Final = {message.__struct_config__.tag for message in get_args(FromRunner)}
_encode: Final = msgspec.json.Encoder().encode
_bot_decoder: Final[msgspec.json.Decoder[FromBot]] = msgspec.json.Decoder(FromBot)
_runner_decoder: Final[msgspec.json.Decoder[FromRunner]] = msgspec.json.Decoder(FromRunner)
_DECODE_ERRORS: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class _Conversation:
    """A conversation: its phase and its last question."""

    def __init__(self, phase: ConnectionPhase, place: str = "") -> None:
        """`place`: where, for error messages."""
        self.phase: ConnectionPhase = phase
        self._place = place
        self.question_id = 0  # the id of the last question

    def take(self, message: FromRunner | FromBot) -> None:
        """Go on to the phase after a message.

        Raises:
            OutOfTurn: the phase does not allow it, or it answers another question.
        """
        allowed, after = _TRANSITIONS[type(message)]
        if self.phase not in allowed:
            name = type(message).__name__.lower()
            raise OutOfTurn(
                f"{name!r} was said{self._place} while the conversation is {self.phase!r}; it may be said while "
                f"{', '.join(allowed)}"
            )
        if type(message) is Decide:
            self.question_id = message.id
        elif type(message) is Act and message.id != self.question_id:
            raise OutOfTurn(
                f"question {self.question_id} was asked{self._place}; the answer is to question {str(message.id)[:20]}"
            )
        self.phase = after


class _Connection(_Conversation):
    """State of both ends: the conversation, those of its tables if it has any, the buffer of an incomplete line."""

    def __init__(self) -> None:
        super().__init__("new")
        self._tables: list[_Conversation] = []  # by number; empty: the bot plays one game at a time
        self._buffer = b""

    def _advance(self, message: FromRunner | FromBot) -> None:
        if not self._tables or isinstance(message, (Hello, Ready, Bye)):
            self.take(message)
            if type(message) is Ready and message.tables is not UNSET:
                self._tables = [_Conversation("idle", f" at table {number}") for number in range(message.tables)]
        elif type(message) is not Faulted:
            self._find_table(message.table).take(message)
        elif message.table is UNSET:
            self.take(message)
        else:
            self._find_table(message.table).phase = "idle"

    def _find_table(self, number: TableNumber) -> _Conversation:
        if number is UNSET or not 0 <= number < len(self._tables):
            said = "no table" if number is UNSET else f"table {number}"
            raise OutOfTurn(f"{said} is named; the bot has agreed to tables 0..{len(self._tables) - 1}")
        return self._tables[number]


class RunnerConnection(_Connection):
    """The runner's end of a conversation with one bot."""

    def __init__(self) -> None:
        super().__init__()
        self._offered_tables = 0
        self._offers_policies = False
        self._takes_policies = False  # the bot agreed
        self._offers_open_actions = False

    def send(self, message: FromRunner) -> bytes:
        """Return the line to send.

        Raises:
            OutOfTurn: the phase does not allow this message: a bug of the runner.
            NotEncodable: an action, a view or an event is no JSON.
        """
        self._advance(message)
        if type(message) is Hello:
            self._offers_policies = message.policy is True
            self._offered_tables = message.tables or 0
            self._offers_open_actions = bool(message.open)
        try:
            return _encode(message) + b"\n"
        except Exception as error:  # noqa: BLE001 - the border to a plugin's values
            raise NotEncodable(describe_exception(error)) from None

    def receive(self, received: bytes) -> FromBot | None:
        """Take bytes from the bot; return its message when the line is complete, None before.

        Raises:
            FloodedLine: the line is too long.
            MalformedLine: the line is not one message.
            OutOfTurn: the phase does not allow this message, or there is more than one line.
        """
        line = self._buffer + received if self._buffer else received
        end = line.find(b"\n")
        if end < 0 or end >= MAX_BOT_LINE_BYTES:
            if len(line) >= MAX_BOT_LINE_BYTES:
                raise FloodedLine(f"a line of more than {MAX_BOT_LINE_BYTES} bytes, beginning {quote_line(line)}")
            self._buffer = line
            return None
        self._buffer = b""
        message = self._take_line(line[:end])
        if end + 1 < len(line):
            surplus = quote_line(line[end + 1 :])
            raise OutOfTurn(f"more was said than one line: {surplus} follows {quote_line(line[:end])}")
        return message

    def receive_answers(self, received: bytes) -> list[tuple[Act, bytes]]:
        """Take bytes from a bot that has agreed to tables; return the answers that are complete, each with its line.

        Raises:
            FloodedLine, MalformedLine, OutOfTurn: as `receive`, but that several lines may come together.
        """
        *lines, rest = (self._buffer + received if self._buffer else received).split(b"\n")
        if max(map(len, (*lines, rest))) >= MAX_BOT_LINE_BYTES:
            longest = max((*lines, rest), key=len)
            raise FloodedLine(f"a line of more than {MAX_BOT_LINE_BYTES} bytes, beginning {quote_line(longest)}")
        self._buffer = rest
        answers = []
        for line in lines:
            message = self._take_line(line)
            assert isinstance(message, Act)  # `ready` is not said twice
            answers.append((message, line + b"\n"))
        return answers

    def _take_line(self, line: bytes) -> FromBot:
        message = _decode_line(_bot_decoder, line)
        if type(message) is Act:
            self._check_act(message, line)
        else:
            assert isinstance(message, Ready)
            self._agree(message, line)
        self._advance(message)
        return message

    def _check_act(self, act: Act, line: bytes) -> None:
        """Check that an answer holds what it must, and nothing else than was agreed to."""
        if (act.choose is None) == (act.action is UNSET):
            raise MalformedLine(f"the line {quote_line(line)} must hold 'choose' or 'action', and not both")
        if act.policy is not UNSET and not self._takes_policies:
            raise MalformedLine(f"the line {quote_line(line)} holds 'policy', to which `ready` did not agree")
        if act.table is not UNSET and not self._tables:
            raise MalformedLine(f"the line {quote_line(line)} holds 'table', but `ready` agreed to no 'tables'")

    def _agree(self, ready: Ready, line: bytes) -> None:
        """Note what the bot agrees to; no more than was offered."""
        self._takes_policies = ready.policy is True
        if self._takes_policies and not self._offers_policies:
            raise MalformedLine(f"the line {quote_line(line)} agrees to 'policy', which `hello` did not offer")
        if ready.open is True and not self._offers_open_actions:
            raise MalformedLine(f"the line {quote_line(line)} agrees to 'open', which `hello` did not offer")
        if ready.tables is not UNSET and ready.tables > self._offered_tables:
            offered = f"`hello` offered {self._offered_tables}" if self._offered_tables else "`hello` offered none"
            raise MalformedLine(f"the line {quote_line(line)} agrees to {ready.tables} 'tables'; {offered}")

    def is_silent(self) -> bool:
        """Return whether no byte of the awaited line has arrived."""
        return not self._buffer


class BotConnection(_Connection):
    """The bot's end: it trusts the runner, ignores unknown fields, and accepts lines of any length."""

    def send(self, message: FromBot) -> bytes:
        """Return the line to send.

        Raises:
            OutOfTurn: the phase does not allow this message.
            FloodedLine: the line is longer than the runner accepts.
        """
        line = _encode(message) + b"\n"
        if len(line) > MAX_BOT_LINE_BYTES:
            raise FloodedLine(f"the line has {len(line)} bytes; a bot may send {MAX_BOT_LINE_BYTES}")
        self._advance(message)
        return line

    def receive(self, line: bytes) -> FromRunner | None:
        """Return the message of one complete line; None if its type is unknown, as a later protocol may have more.

        Raises:
            MalformedLine: the line is not one message.
            OutOfTurn: the phase does not allow this message.
        """
        try:
            message = _decode_line(_runner_decoder, line)
        except MalformedLine:
            with suppress(*_DECODE_ERRORS):
                if msgspec.json.decode(line, type=_TypeProbe).type not in {"", *_RUNNER_MESSAGE_TYPES}:
                    return None
            raise
        self._advance(message)
        return message


class _TypeProbe(msgspec.Struct):
    """Any message, of this protocol or a later one."""

    type: str


def quote_line(line: bytes, max_bytes: int = 120) -> str:
    """Return a line, or its beginning, in readable form."""
    text = repr(line[:max_bytes].decode("utf-8", "backslashreplace"))
    return f"{text}… ({len(line)} bytes)" if len(line) > max_bytes else text


def _decode_line(decoder: msgspec.json.Decoder[M], line: bytes) -> M:
    try:
        return decoder.decode(line)
    except _DECODE_ERRORS as error:
        text = "it is nested too deeply" if isinstance(error, RecursionError) else str(error).removesuffix(" - at `$`")
        raise MalformedLine(f"the line {quote_line(line)} is not a message: {text}") from None
