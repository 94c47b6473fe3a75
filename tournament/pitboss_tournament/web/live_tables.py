"""Games in play in the browser: each is fetched and framed once, for all who look at it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import Final

import msgspec
import trio

from pitboss.errors import PitbossError
from pitboss.game import AnyGame
from pitboss.options import convert_value
from pitboss.plugins.registry import Registry
from pitboss.text import describe_exception
from pitboss_tournament.running.watch_protocol import GameEnd, GameHeader, GameProgress
from pitboss_tournament.text.terminal_text import escape_line
from pitboss_tournament.web.board import Board
from pitboss_tournament.web.live_game import LiveGame
from pitboss_tournament.web.run_connection import watch_table

STORED_LOOKS: Final = 30  # for a finished game in the store, before the page gives up
STORED_LOOK_SECONDS: Final = 0.1
TABLE_SECONDS: Final = 2.0  # for a game to begin at a table that somebody asks about


class FramedGame:
    """A game in play, replayed and framed as its decisions come."""

    def __init__(self, header: GameHeader, game: AnyGame) -> None:
        self._header = header
        self._live = LiveGame(
            game, convert_value(header.options, game.Options, game.name), header.players, header.seed, (None,)
        )
        self._sequence = self._live.sequences[None]
        self._title = f"{game.title}: game {header.game_id}"

    def add(self, progress: GameProgress) -> bytes:
        """Take over what has happened; return the event for a viewer up to date."""
        frames, decisions = len(self._sequence.frames), len(self._sequence.decisions)
        for fault in progress.faults:
            self._live.add_fault(fault)
        for decision in progress.decisions:
            self._live.add(decision)
        return _make_event(
            "more", {"frames": self._sequence.frames[frames:], "decisions": self._sequence.decisions[decisions:]}
        )

    def page(self) -> bytes:
        """Return the event for a new viewer: everything so far."""
        replay = self._sequence.page(self._title, None)
        return _make_event("page", {"game_id": self._header.game_id, "replay": replay})

    def table(self) -> bytes:
        """Return the table as it is now, as JSON: a `ReplayData` with one frame."""
        return msgspec.json.encode(self._sequence.whole_table(self._title))

    def end(self, is_stored: bool) -> bytes:
        """Return the event of the game's end."""
        outcome = self._live.outcome
        page = self._sequence.page(self._title, outcome)
        return _make_event(
            "end", {"is_finished": True, "is_stored": is_stored, "places": page.places, "results": page.results}
        )


class GameBroadcast:
    """One game of a table, as server-sent events: page, more, end; or gone, if the run is."""

    def __init__(self, board: Board, table: int, registry: Registry) -> None:
        self.is_over = False  # no more events come
        self.watchers = 0
        self.scope = trio.CancelScope()
        self._board = board
        self._table = table
        self._registry = registry
        self._framed: FramedGame | None = None
        self._events: list[bytes] = []
        self._change = trio.Event()
        self._lock = trio.Lock()  # held while a thread sequences

    async def run(self) -> None:
        """Fetch the game from its run, until it is over or nobody looks at it any more."""
        with self.scope:
            try:
                last = await self._follow()
            except Exception as error:  # noqa: BLE001 - a game's code has replayed it
                said = str(error) if isinstance(error, PitbossError) else describe_exception(error)
                last = _make_event("gone", {"error": escape_line(said)})
            self.is_over = True
            self._add(last)

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield the events for a new viewer."""
        async with self._lock:
            sent = len(self._events) - self.is_over  # the last one is for everybody
            first = None if self._framed is None else self._framed.page()
        if first is not None:
            yield first
        while True:
            change = self._change
            while sent < len(self._events):
                sent += 1
                yield self._events[sent - 1]
            if self.is_over and sent == len(self._events):
                return
            if change is self._change:
                await change.wait()

    async def read_table(self) -> bytes | None:
        """Return the table as it is now, as JSON, when a game has begun there; None if none does."""
        while self._framed is None and not self.is_over:
            await self._change.wait()
        if self._framed is None:
            return None
        async with self._lock:
            return await trio.to_thread.run_sync(self._framed.table)

    async def _follow(self) -> bytes:
        """Add an event for all that comes; return the last one."""
        header: GameHeader | None = None
        async with aclosing(watch_table(self._board.path, self._table)) as messages:
            async for message in messages:
                match message:
                    case GameHeader():
                        header = message
                    case GameProgress() if header is not None:
                        await self._show(header, message)
                    case GameEnd(is_finished=True) if header is not None and self._framed is not None:
                        return self._framed.end(await self._is_stored(header.game_id))
                    case _:
                        return _make_event("end", {"is_finished": False, "is_stored": False})
        return _make_event("gone", {})

    async def _show(self, header: GameHeader, progress: GameProgress) -> None:
        async with self._lock:
            game = self._registry.find_game(header.game)
            if game.version != header.game_version:
                raise PitbossError(f"{game.name} {header.game_version} is being played; here is {game.version}")
            if progress.begins:
                self._framed = await trio.to_thread.run_sync(FramedGame, header, game)
            assert self._framed is not None  # the first progress begins the game
            more = await trio.to_thread.run_sync(self._framed.add, progress)
            self._add(self._framed.page() if progress.begins else more)

    async def _is_stored(self, game_id: int) -> bool:
        """Wait until a game is in the store; tell whether it is. One after a verdict never is."""
        for _ in range(STORED_LOOKS):
            if await self._board.has_game(game_id):
                return True
            await trio.sleep(STORED_LOOK_SECONDS)
        return False

    def _add(self, event: bytes) -> None:
        self._events.append(event)
        self._change.set()
        self._change = trio.Event()


class LiveTables:
    """The games in play that somebody looks at."""

    def __init__(self, nursery: trio.Nursery, registry: Registry) -> None:
        self._nursery = nursery
        self._registry = registry
        self._games: dict[tuple[Board, int], GameBroadcast] = {}

    async def follow(self, board: Board, table: int) -> AsyncGenerator[bytes, None]:
        """Yield the events of the game in play at a table, or else the next. It is fetched while somebody looks."""
        with self._watching(board, table) as game:
            async with aclosing(game.events()) as events:
                async for event in events:
                    yield event

    async def read_table(self, board: Board, table: int) -> bytes | None:
        """Return a table as it is now, as JSON (`FramedGame.table`); None if no game is in play there."""
        with trio.move_on_after(TABLE_SECONDS), self._watching(board, table) as game:
            return await game.read_table()
        return None

    @contextmanager
    def _watching(self, board: Board, table: int) -> Iterator[GameBroadcast]:
        game = self._games.get((board, table))
        if game is None or game.is_over:
            game = self._games[board, table] = GameBroadcast(board, table, self._registry)
            self._nursery.start_soon(game.run)
        game.watchers += 1
        try:
            yield game
        finally:
            game.watchers -= 1
            if game.watchers == 0:
                game.scope.cancel()
                if self._games.get((board, table)) is game:
                    del self._games[board, table]


@asynccontextmanager
async def open_live_tables(registry: Registry) -> AsyncIterator[LiveTables]:
    """Context manager: games in play can be watched in the block."""
    async with trio.open_nursery() as nursery:
        yield LiveTables(nursery, registry)
        nursery.cancel_scope.cancel()


def _make_event(name: str, content: object) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + msgspec.json.encode(content) + b"\n\n"
