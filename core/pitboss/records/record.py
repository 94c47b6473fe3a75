"""Records of games. A record suffices to rebuild every state and the full event log; nothing is kept twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from pitboss.errors import IllegalAction, OptionError, RecordError, RefusedGame, ReplayDiffers
from pitboss.foreign_input import LARGEST_NUMBER, InputRefused, read_json
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.options import convert_value
from pitboss.outcome import Outcome
from pitboss.protocol.faults import Fault
from pitboss.protocol.policy import Policy
from pitboss.table.events import AnyEvent
from pitboss.table.randomness import Random

T = TypeVar("T")

RECORD_FORMAT: Final = 2
LONGEST_RECORD_TEXT: Final = 1 << 14  # characters of a name or a seed, which has all names at a table

Microseconds = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER)]
ExportFunction: TypeAlias = Callable[[AnyGame, Iterable[tuple[int, "Record"]]], Iterator[str]]
ImportFunction: TypeAlias = Callable[[AnyGame, Iterable[str]], Iterator["Record | RefusedGame"]]
DealReader: TypeAlias = Callable[[AnyGame, int, Any, Iterable[str]], Iterator[str | RefusedGame]]
DealWriter: TypeAlias = Callable[[Iterable[Any]], Iterator[str]]


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One decision: who did what, and how long it took."""

    seat: int
    action: Any
    us: Annotated[Microseconds, Meta(description="Thinking time in microseconds.")] = 0
    forced: Annotated[bool, Meta(description="The neutral action, played for a seat that has forfeited or failed.")] = (
        False
    )
    note: str | None = None
    policy: Annotated[
        Policy | None,
        Meta(description="Pairs of an action and the probability that the bot gave it; null: it stated none."),
    ] = None


class Incident(Struct, frozen=True, kw_only=True):
    """A fault with the evidence that only the record gets to see."""

    fault: Fault
    exchange: Annotated[
        list[str],
        Meta(
            description='The last lines exchanged, the latest at the end: "> " to the bot, "< " from it; long ones cut.'
        ),
    ] = []
    last_words: Annotated[str, Meta(description="The end of what the bot wrote to standard error.")] = ""
    us: Annotated[Microseconds, Meta(description="Microseconds from the question to the verdict.")] = 0


class BrokenGame(Struct, frozen=True, kw_only=True):
    """Why a game has no end: its rules failed, or went on for ever. `pitboss check-game --keep` writes such games."""

    why: str
    action: Annotated[Any, Meta(description="The action that could not be played; null: there was none.")] = None


class Record(Struct, frozen=True, kw_only=True):
    """A finished game, or one that its rules broke off."""

    game: str
    game_version: str
    options: Annotated[Any, Meta(description="As resolved for the table.")]
    seed: str
    players: Annotated[list[str], Meta(description="Names by seat.")]
    decisions: list[Decision]
    outcome: Annotated[Outcome, Meta(description="As the game counts it, before any forfeit.")]
    incidents: list[Incident] = []
    format: Annotated[int, Meta(description="The version of this format.")] = RECORD_FORMAT
    broken: Annotated[
        BrokenGame | UnsetType, Meta(description="Of a game without an end, whose outcome then means nothing.")
    ] = UNSET

    @property
    def faults(self) -> list[Fault]:
        """The faults of the bots, in the order in which they happened."""
        return [incident.fault for incident in self.incidents]

    @property
    def forfeited_seats(self) -> frozenset[int]:
        """The seats that forfeited the game."""
        return frozenset(fault.seat for fault in self.faults if fault.is_forfeit)


class StoppedGame(RefusedGame):
    """A game of a text that stops before its end, or of which not all is told, with the record of what is there.

    Readers yield this in the place of a game. A bot can be asked what it would do there, and people can play on.
    """

    def __init__(self, line: int | None, why: str, record: Record) -> None:
        super().__init__(line, why)
        self.record = record


def dumps(record: Record) -> bytes:
    """Return the record as one line of JSON, without a newline."""
    return msgspec.json.encode(record)


def loads(line: bytes) -> Record:
    """Read a record.

    Raises:
        RecordError: the line is not a record of this format.
    """
    try:
        record = read_json(line, Record)
    except InputRefused as refused:
        raise RecordError(f"this is not a game record: {refused}") from None
    return require_valid(record)


def require_valid(record: Record) -> Record:
    """Return the record.

    Raises:
        RecordError: it has another format than this Pitboss reads, a name or a seed that is too long, or a fault of a
            seat that is not there.
    """
    longest = max(len(text) for text in (record.game, record.game_version, record.seed, *record.players))
    if longest > LONGEST_RECORD_TEXT:
        text = f"this record has a name or a seed of {longest:,} characters; {LONGEST_RECORD_TEXT:,} are read"
        raise RecordError(text)
    if record.format != RECORD_FORMAT:
        raise RecordError(f"this record has format {record.format}; this Pitboss reads format {RECORD_FORMAT}")
    last = len(record.players) - 1
    for fault in record.faults:
        if fault.seat > last:
            raise RecordError(f"this record has a fault of seat {fault.seat}; its seats are 0 to {last}")
    return record


@runtime_checkable
class RecordExporter(Protocol):
    """A game with export formats of its own, such as the hand histories of poker."""

    @property
    def exports(self) -> Mapping[str, ExportFunction]:
        """The formats by name, as people type them; a function gets the game, and game numbers with their records.

        It yields lines of text, without line ends. It raises ConfigError if the format cannot hold these games.
        """


@runtime_checkable
class RecordImporter(Protocol):
    """A game that reads records from formats of its own."""

    @property
    def imports(self) -> Mapping[str, ImportFunction]:
        """The formats by name, as people type them; a function gets the game and the lines of a text.

        It yields records, which are replayed then, and in the place of each game that cannot be read a RefusedGame. It
        raises RecordError where the text as a whole is none of the format. Other games may read a format of the same
        name: where one refuses what another reads, it says `is_other_game`.
        """


class DealFormat(NamedTuple):
    """A format of files that hold deals, to be played by others."""

    read: DealReader  # of a game, its seats and options, and the lines of a file: the seed of each deal, or why none is
    write: DealWriter | None = None  # of states that are dealt: lines of text


@runtime_checkable
class DealImporter(Protocol):
    """A game that reads deals from formats of its own, each as a seed that gives this deal in every replay."""

    @property
    def deal_files(self) -> Mapping[str, DealFormat]:
        """The formats by the ending of a file's name, without the dot.

        A function that reads yields seeds, and a RefusedGame in the place of each deal that cannot be read. It raises
        OptionError if no file of deals can be played with these options.
        """

    def extract_deal(self, seed: str) -> str:
        """Return a seed that gives the deal of a record's seed, and nothing of how that game went on.

        Raises:
            RefusedGame: the seed does not tell the whole deal.
        """


def read_each(pieces: Iterable[T | RefusedGame], read: Callable[[T], Record]) -> Iterator[Record | RefusedGame]:
    """Yield what `read` makes of each piece of a text: a record, or the RefusedGame that it raises.

    A RefusedGame among the pieces is passed on.
    """
    for piece in pieces:
        if isinstance(piece, RefusedGame):
            yield piece
            continue
        try:
            found: Record | RefusedGame = read(piece)
        except RefusedGame as refused:
            found = refused
        yield found


def require_games(found: Iterable[T | RefusedGame]) -> Iterator[T]:
    """Yield the games that a reader has found.

    Raises:
        RefusedGame: one of them cannot be read.
    """
    for game in found:
        if isinstance(game, RefusedGame):
            raise game
        yield game


def replay_states(record: Record, game: AnyGame) -> Iterator[AnyState]:
    """Yield the state before each decision, then the final one; all are the same object, which changes between yields.

    Raises:
        RecordError: the options of the record are not an object.
        ReplayDiffers: a decision or the outcome differs from the record.
    """
    where = f"game {record.game}, seed {record.seed!r}"
    if (record.game, record.game_version) != (game.name, game.version):
        raise ReplayDiffers(
            f"{where}: recorded with {record.game} {record.game_version}; here is {game.name} {game.version}"
        )
    state = _deal_initial_state(record, game, where)
    for number, decision in enumerate(record.decisions, 1):
        yield state
        replay_decision(decision, state, game, f"{where}, decision {number}")
    yield state
    if record.broken is not UNSET:
        return
    if state.turn is not None:
        raise ReplayDiffers(
            f"{where}: the record ends after {len(record.decisions)} decisions; the game goes on with {state.turn}"
        )
    if state.outcome() != record.outcome:
        raise ReplayDiffers(f"{where}: recorded {record.outcome}; replayed {state.outcome()}")


def adopt_version(record: Record, game: AnyGame) -> tuple[Record, str]:
    """Return a record of another version of a game as one of the installed version, and a sentence that says so.

    What is replayed then may differ from what was played. The record itself and "" if it is of the installed version,
    or of another game.
    """
    if record.game != game.name or record.game_version == game.version:
        return record, ""
    note = (
        f"played by version {record.game_version} of {game.name}, replayed by version {game.version}, whose rules may "
        "differ"
    )
    return replace(record, game_version=game.version), note


def replay_decision(decision: Decision, state: AnyState, game: AnyGame, where: str) -> Any:  # noqa: ANN401 - an action
    """Play a recorded decision in a state; return its action.

    Raises:
        ReplayDiffers: another seat is on turn, or the action is not legal; the text begins with `where`.
    """
    turn = state.turn
    if turn is None or turn.seat != decision.seat:
        raise ReplayDiffers(f"{where}: seat {decision.seat} decided; replayed it is {turn}")
    action = convert_value(decision.action, game.Action, where, ReplayDiffers)
    try:
        state.play(action)
    except IllegalAction as error:
        raise ReplayDiffers(f"{where}: {error}") from None
    return action


def _deal_initial_state(record: Record, game: AnyGame, where: str) -> AnyState:
    if not isinstance(record.options, dict):
        raise RecordError(f"{where}: the options are {record.options!r}; they must be an object")
    try:
        options = resolve_options(game, len(record.players), overrides=record.options)
    except OptionError as error:
        raise ReplayDiffers(f"{where}: it cannot be dealt any more: {error}") from None
    return game.deal(len(record.players), options, Random(record.seed))


def verify(record: Record, game: AnyGame) -> int:
    """Replay a record and return the number of its decisions.

    Raises:
        ReplayDiffers: the replay differs from the record.
    """
    for _ in replay_states(record, game):
        pass
    return len(record.decisions)


def replay_events(record: Record, game: AnyGame, seat: int | None = None) -> list[AnyEvent]:
    """Return the events of a recorded game as `seat` (or the spectator) saw them; None sees every face."""
    *_, last = replay_states(record, game)
    return last.table.events(seat)
