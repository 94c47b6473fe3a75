"""Games of a store that are judged again when the game has another version or other files.

Each record is replayed by the rules as they are now. Where it ends as it did, the game is kept, and its record says the
new version from then on: it is a game of that, too. Where it does not, the game is void, and is played again by the
next run. What is found is written in one transaction, so that a kill leaves the old state or the new one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec.structs import replace

from pitboss.errors import ConfigError, OptionError, ReplayDiffers
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.loadouts import LOADOUTS
from pitboss.records.record import Record, replay_states
from pitboss.text import format_count
from pitboss_tournament.audit.record_pool import PackedGame, map_records
from pitboss_tournament.match.plugin_calls import PluginCalls
from pitboss_tournament.store.database import translate_errors
from pitboss_tournament.store.game_code import digest_game
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.record_packing import RecordPacker
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.schema import migrate_file
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import acquire_lock

AuditNote: TypeAlias = tuple[str, str, str]  # who, what and about
Follow: TypeAlias = Callable[[int], AbstractContextManager[Callable[[str], None]]]
ObjectionCause: TypeAlias = Literal["deal", "decision", "length", "outcome"]

REJUDGED: Final = "rejudged"  # the cause of such void games
OBJECTIONS: Final[Mapping[ObjectionCause, str]] = {
    "deal": "cannot be dealt any more",
    "decision": "a decision is not legal any more, or another seat is on turn",
    "length": "does not end where it did",
    "outcome": "ends with other points or places",
}


class Objection(NamedTuple):
    """Why a game is not one by the rules as they are now."""

    cause: ObjectionCause
    text: str


class RejudgedGame(NamedTuple):
    """A game that was judged again; without an objection it is kept."""

    number: int
    objection: Objection | None


class Rejudgement(NamedTuple):
    """What was found in all games of a store."""

    game: str
    old_version: str
    new_version: str
    kept: int
    void: int
    causes: dict[ObjectionCause, int]

    def __str__(self) -> str:
        """Say it in a sentence."""
        why = ", ".join(f"{count:,} {cause}" for cause, count in self.causes.items())
        numbers = f"{format_count(self.kept, 'game')} kept, {self.void:,} void{why and f' ({why})'}"
        is_other = self.old_version != self.new_version
        return f"{self.game} {self.old_version} -> {self.new_version if is_other else 'other files'}: {numbers}"


def rejudge_store(
    path: Path, game: AnyGame, is_dry: bool, follow: Follow, tell: Callable[[Rejudgement], AuditNote] | None = None
) -> Rejudgement | None:
    """Judge all games of a store by the installed game, and write what was found, unless `is_dry`.

    None if the game is the one that played. `follow` opens a line of progress for a number of games; `tell` returns
    what the audit trail of a league says of it.

    Raises:
        ConfigError: a run has the store, there is none, or the options of its games are none of the game any more.
        GamePluginError: the plugin of the game fails; nothing is changed.
        StoreError: the store cannot be read or written.
    """
    if is_dry:
        with closing(Store(path)) as store:
            return _judge_games(store, game, follow)[0]
    with _hold_store(path), closing(Store(path)) as store:
        found, objections = _judge_games(store, game, follow)
        if found is not None:
            now = _restate_header(store.header, game)
            voids = [void_game(number, REJUDGED, one.text) for number, one in objections.items()]
            store.rejudge(now, _restate_records(store, now, objections), voids, None if tell is None else tell(found))
        return found


@contextmanager
def _hold_store(path: Path) -> Iterator[None]:
    """Context manager: no run has a store, which has the tables of today; nothing may have it open when this ends."""
    Store(path).close()  # or a sentence that it is none
    lock = acquire_lock(path)
    try:
        migrate_file(path)
        yield
    finally:
        os.close(lock)


def _judge_games(store: Store, game: AnyGame, follow: Follow) -> tuple[Rejudgement | None, dict[int, Objection]]:
    """Return what is found in all games, and the objections by game; None if the game is the one that played."""
    was, objections = store.header, dict[int, Objection]()
    if was.game != game.name:
        raise ConfigError(f"{store.path}: its games are of {was.game}, not of {game.name}")
    if (was.game_version, was.game_digest) == (game.version, digest_game(game)):
        return None, objections
    _restate_header(was, game)
    packed = ((number, record) for number, _, record in store.raw_games())
    count = store.count_games()
    with follow(count) as step, translate_errors(store.path, "read"):
        for judged in map_records(judge_game, packed, count, store.packer, game):
            if judged.objection is not None:
                objections[judged.number] = judged.objection
            step(" games")
    found = Rejudgement(
        game=game.name,
        old_version=was.game_version,
        new_version=game.version,
        kept=count - len(objections),
        void=len(objections),
        causes=dict(sorted(Counter(one.cause for one in objections.values()).items())),
    )
    return found, objections


def _restate_header(was: Header, game: AnyGame) -> Header:
    """Return the header of games that are games of another version: new options have their defaults."""
    try:
        options = resolve_options(game, was.seats, overrides=was.options)
    except OptionError as error:
        raise ConfigError(
            f"{game.name} {game.version} refuses the options of these games: {error}; play in another store"
        ) from None
    resolved = msgspec.json.decode(msgspec.json.encode(options))
    return replace(was, game_version=game.version, game_digest=digest_game(game), options=resolved)


def _restate_records(store: Store, now: Header, void: Collection[int]) -> Iterator[PackedGame]:
    """Yield the games that are not void with their records as games of another version, if the version is another."""
    if (now.game_version, now.options) == (store.header.game_version, store.header.options):
        return
    for number in list(store.game_ids()):
        if number not in void:
            record = store.record(number)
            brought = {LOADOUTS: record.options[LOADOUTS]} if LOADOUTS in record.options else {}
            restated = replace(record, game_version=now.game_version, options={**now.options, **brought})
            yield number, store.packer.pack(restated)


def judge_game(packed: PackedGame, packer: RecordPacker, game: AnyGame) -> RejudgedGame:
    """Replay a game by the rules as they are now, and tell whether it is one by them.

    Raises:
        GamePluginError: the plugin fails, or the record cannot be read.
    """
    number, stored = packed
    record = packer.unpack(stored)
    with PluginCalls(game, lambda: f"while game {number} was judged again"):
        return RejudgedGame(number, _find_objection(replace(record, game_version=game.version), game))


def _find_objection(record: Record, game: AnyGame) -> Objection | None:
    states = 0
    try:
        for state in replay_states(record, game):
            states += 1
            if states > len(record.decisions):
                return _compare_end(record, state)
    except ReplayDiffers as error:
        return Objection("decision" if states else "deal", str(error))
    raise AssertionError("a replay yields the last state, or raises")


def _compare_end(record: Record, state: AnyState) -> Objection | None:
    if state.turn is not None:
        return Objection("length", f"after {len(record.decisions)} decisions it goes on with {state.turn}")
    if (outcome := state.outcome()) != record.outcome:
        return Objection("outcome", f"it ended with {record.outcome}; now it is {outcome}")
    return None
