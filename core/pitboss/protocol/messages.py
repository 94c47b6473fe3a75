"""Protocol 1: every message that a runner and a bot send to each other, as structs.

A message is one line of UTF-8, a JSON object with a `type`. A bot ignores fields that it does not know; the runner
refuses them. `pitboss.protocol.connection` defines which message is allowed when.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from pitboss.action_range import RangedEntry
from pitboss.protocol.faults import Fault, SeatNumber
from pitboss.protocol.policy import Policy
from pitboss.table.events import AnyEvent

PROTOCOL_VERSION = 1
MAX_BOT_LINE_BYTES = 65_536  # the longest line that a bot may send, its newline included
MAX_SAFE_INTEGER = 2**53 - 1  # the largest whole number that every JSON library keeps exactly

MAX_TABLES = 256  # at which one process may be asked at once

Want = Literal["view", "events", "both"]
TableNumber = Annotated[
    int | UnsetType,
    Meta(description="Which of the bot's tables, from 0; absent unless `ready` agreed to `tables`."),
]


class Clock(Struct, frozen=True, kw_only=True):
    """The limits that a bot plays under. Times are wall times in milliseconds."""

    start_ms: Annotated[int, Meta(description="From the start of the process to `ready`.")]
    decision_ms: Annotated[int, Meta(description="From the request to the answer, for each decision.")]
    game_ms: Annotated[int | None, Meta(description="For all decisions of a game together; null: no such limit.")] = (
        None
    )
    increment_ms: Annotated[int, Meta(description="Added to what is left of the game's time after each decision.")] = 0
    margin_ms: Annotated[int, Meta(description="Overstepping a limit by no more than this is forgiven.")] = 0
    line_bytes: Annotated[int, Meta(description="The longest line that the bot may send, newline included.")] = (
        MAX_BOT_LINE_BYTES
    )


class TimeLeft(Struct, frozen=True):
    """What is left on the clocks at a decision, in milliseconds."""

    decision_ms: Annotated[int, Meta(description="For this decision.")]
    game_ms: Annotated[int | None, Meta(description="For all decisions of the game; null: no such limit.")] = None


class Hello(Struct, frozen=True, tag="hello", kw_only=True):
    """First message: the table that the bot will sit at, for all its games in this process."""

    protocol: Annotated[int, Meta(description="The version of the protocol.")] = PROTOCOL_VERSION
    game: Annotated[str, Meta(description="The game's name, as people type it.")]
    options: Annotated[Any, Meta(description="The game's options, resolved.")]
    seats: Annotated[int, Meta(description="How many players sit at the table.")]
    seat: Annotated[SeatNumber, Meta(description="The bot's own. Seats are numbered clockwise from 0.")]
    seed: Annotated[str, Meta(description="The bot's own seed; it says nothing about the cards.")]
    clock: Annotated[Clock, Meta(description="The limits.")]
    policy: Annotated[
        bool | UnsetType, Meta(description="Whether the bot may state a policy in each `act`; absent: it may not.")
    ] = UNSET
    tables: Annotated[
        int | UnsetType, Meta(description="At how many tables at once the process may be asked; absent: at one.")
    ] = UNSET
    open: Annotated[
        Mapping[str, Any] | UnsetType,
        Meta(
            description="The kinds of action of the game that are checked and not listed, by their `do`, each with its "
            "JSON Schema; absent: it has none."
        ),
    ] = UNSET


class Start(Struct, frozen=True, tag="start", kw_only=True):
    """A new game begins, in the same process."""

    table: TableNumber = UNSET
    game_id: Annotated[int, Meta(description="The number of the game in its tournament; with pseudonyms another one.")]
    seat: Annotated[SeatNumber, Meta(description="The bot's own, the same as in `hello`.")]
    players: Annotated[list[str], Meta(description="By seat: names of the bots, or pseudonyms of the others.")]
    seed: Annotated[str, Meta(description="The bot's own seed for this game.")]
    loadouts: Annotated[
        Sequence[Any] | UnsetType,
        Meta(
            description="By seat: what it has brought, such as a deck; null for what the bot is not told. Absent: the "
            "game has no loadouts."
        ),
    ] = UNSET


class Decide(Struct, frozen=True, tag="decide", kw_only=True):
    """The bot is on turn; it must answer with `act`."""

    id: Annotated[int, Meta(description="The number of the question; the answer carries it.")]
    table: TableNumber = UNSET
    seat: Annotated[SeatNumber, Meta(description="The bot's own, the same as in `hello`.")]
    phase: Annotated[
        str, Meta(description="The phase of the game that the decision belongs to, a word of the game's own.")
    ]
    legal: Annotated[Sequence[Any], Meta(description="Every legal action, in the order of the rule book.")]
    view: Annotated[Any, Meta(description="All that the seat may know now; null unless wanted.")] = None
    events: Annotated[
        list[AnyEvent], Meta(description="What the seat saw since its last decision; empty unless wanted.")
    ] = []
    clock: Annotated[TimeLeft, Meta(description="What is left on the clocks.")]
    together: Annotated[
        Sequence[int] | UnsetType,
        Meta(description="The seats that decide at the same moment; absent: the bot decides alone."),
    ] = UNSET
    ranges: Annotated[
        Sequence[RangedEntry] | UnsetType,
        Meta(description="The entries of `legal` that stand for a range of actions; absent: there are none."),
    ] = UNSET
    open: Annotated[
        Sequence[str] | UnsetType,
        Meta(
            description="The kinds of open actions that may be tried now, by their `do`; absent: none, or `ready` did "
            "not agree to `open`."
        ),
    ] = UNSET


class End(Struct, frozen=True, tag="end", kw_only=True):
    """The game is over."""

    table: TableNumber = UNSET
    game_id: Annotated[int, Meta(description="The number of the game, as in `start`.")]
    places: Annotated[
        list[int], Meta(description="By seat, 1 is the best, equal places are shared; a forfeiting seat is last.")
    ]
    points: Annotated[
        list[float],
        Meta(description="By seat, as the game counts them; a forfeiting seat has no more than the others."),
    ]
    faults: Annotated[
        list[Fault], Meta(description="The faults of the bots at the table, in the order in which they happened.")
    ] = []


class Bye(Struct, frozen=True, tag="bye"):
    """The last message: end of file follows, and the bot should end."""


class Faulted(Struct, frozen=True, tag="fault", kw_only=True):
    """The bot's fault, sent before the bot is stopped."""

    fault: Annotated[Fault, Meta(description="What it was, and what it costs.")]
    table: Annotated[
        int | UnsetType,
        Meta(description="The table whose game the bot has lost; absent: the fault is of the process, which is ended."),
    ] = UNSET


class Ready(Struct, frozen=True, tag="ready", kw_only=True, forbid_unknown_fields=True):
    """The bot's answer to `hello`."""

    name: Annotated[
        str, Meta(max_length=80, description="Kept in the record; the tournament's name for the bot counts.")
    ] = ""
    version: Annotated[str, Meta(max_length=80, description="The bot's own version, as text.")] = ""
    want: Annotated[Want, Meta(description="What `decide` should bring.")] = "view"
    policy: Annotated[
        bool | UnsetType, Meta(description="Whether the bot will state policies; only if `hello` offers it.")
    ] = UNSET
    tables: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_TABLES)] | UnsetType,
        Meta(description="At how many tables at once to ask the process; no more than `hello` offers."),
    ] = UNSET
    open: Annotated[
        bool | UnsetType, Meta(description="Whether the bot may answer with open actions; only if `hello` has `open`.")
    ] = UNSET


class Act(Struct, frozen=True, tag="act", kw_only=True, forbid_unknown_fields=True):
    """The bot's answer to `decide`: an index into `legal`, or the action itself.

    The index of a range chooses its action with the smallest number. An action may also be of a kind in `open`.
    """

    id: Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER, description="The id of the question.")]
    table: Annotated[
        Annotated[int, Meta(ge=0, lt=MAX_TABLES)] | UnsetType,
        Meta(description="The table of the question; only if `ready` agreed to `tables`."),
    ] = UNSET
    choose: Annotated[int, Meta(ge=0, le=MAX_SAFE_INTEGER, description="An index into `legal`, from 0.")] | None = None
    action: (
        Annotated[
            Any,
            Meta(
                description="In place of `choose`: one of the actions in `legal` or of a range there, or one of a kind "
                "in `open`."
            ),
        ]
        | UnsetType
    ) = UNSET
    note: Annotated[str, Meta(max_length=500, description="Kept in the record.")] | None = None
    policy: Annotated[
        Policy | UnsetType,
        Meta(
            description="Pairs of an action, or its index in `legal`, and the probability with which the bot drew it; "
            "only if `ready` agreed to it."
        ),
    ] = UNSET


FromRunner: TypeAlias = Hello | Start | Decide | End | Bye | Faulted
FromBot: TypeAlias = Ready | Act
