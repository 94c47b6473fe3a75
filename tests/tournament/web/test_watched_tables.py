"""Tables in play: whoever may watch sees each game whole, and nobody who watches can harm the tournament."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, aclosing, closing, suppress
from pathlib import Path
from typing import Final

import msgspec
import pytest
import trio

from pitboss.records.record import Decision
from pitboss_tournament.running.watch_protocol import GameEnd, GameHeader, GameProgress, socket_address
from pitboss_tournament.running.watch_socket import MAX_WATCHERS
from pitboss_tournament.store.store import Store
from pitboss_tournament.web.run_connection import ask_tables, watch_table
from tests.marks import first_rows
from tests.tournament.run_processes import TIMEOUT_S, wait_for, worker_processes
from tests.tournament.sandbox_programs import SYSTEM_PYTHON, needs_bubblewrap, python_entrant, run_for_output
from tests.tournament.watched_matches import GOOD, Shown, collect_game, gated_bot, run_watched_match, wait_for_tables

pytestmark = [pytest.mark.once, pytest.mark.skipif(sys.platform != "linux", reason="there are no abstract sockets")]


ASK: Final = """
import socket, sys
with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(sys.stdin.read())
    try:
        connection.sendall(b'{"type":"tables"}\\n')
        print(connection.recv(1000).decode(), end="")
    except (BrokenPipeError, ConnectionResetError):
        pass
"""


def shown_decisions(shown: Shown) -> list[Decision]:
    """Return the decisions of a game, as they were shown."""
    return [decision for message in shown if isinstance(message, GameProgress) for decision in message.decisions]


def count_games(store: Path) -> int:
    """Return how many games are stored."""
    with closing(Store(store)) as opened:
        return opened.count_games()


def connect(store: Path, request: bytes) -> socket.socket:
    """Connect to the run of a store, and say something."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(TIMEOUT_S)
    connection.connect(socket_address(store))
    with suppress(BrokenPipeError):  # it was left at once
        connection.sendall(request)
    return connection


def read_all(connection: socket.socket) -> bytes:
    """Return all that comes until the other side closes."""
    said = b""
    try:
        while part := connection.recv(1 << 16):
            said += part
    except ConnectionResetError:
        pass  # it left what we said unread
    return said


async def test_watched_games_are_the_stored_ones(tmp_path: Path) -> None:
    """Each game that is watched is shown from its first decision to its last, as the store has it afterwards."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 2, run)
        listed = await ask_tables(store)
        games = [await collect_game(store, table) for table in (1, 2, 1, 2, 1)]
        run.send_signal(signal.SIGINT)
        await trio.to_thread.run_sync(run.wait)

    assert [(one.table, sorted(one.players)) for one in listed] == [(1, ["good", "good-2"]), (2, ["good", "good-2"])]
    for header, *progress, end in games:
        assert isinstance(header, GameHeader)
        assert isinstance(progress[0], GameProgress) and progress[0].begins
        assert end == GameEnd(is_finished=True)
        with closing(Store(store)) as opened:
            record = opened.record(header.game_id)
        assert (header.seed, header.players, header.options) == (record.seed, record.players, record.options)
        assert msgspec.to_builtins(shown_decisions(progress)) == msgspec.to_builtins(record.decisions)
    assert len({game[0].game_id for game in games if isinstance(game[0], GameHeader)}) == len(games)


async def test_decisions_come_while_the_game_goes_on(tmp_path: Path) -> None:
    """While a bot still thinks about its third decision the ones before it are shown; the rest when it comes."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 1, run)
        seen: Shown = []
        async with aclosing(watch_table(store, 1)) as messages:
            async for message in messages:
                seen.append(message)
                if len([one for one in shown_decisions(seen) if one.note]) == 2:
                    (tmp_path / "gate").touch()

    assert seen[-1] == GameEnd(is_finished=True)
    assert len([message for message in seen if isinstance(message, GameProgress)]) >= 2
    assert len(shown_decisions(seen)) > 6


async def test_several_watch_one_game(tmp_path: Path) -> None:
    """A watcher who comes later to a game is shown what the first one was shown."""
    store = tmp_path / "x.pitboss"
    seen: list[Shown] = []

    async def watch() -> None:
        seen.append(await collect_game(store, 1))

    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 1, run)
        async with trio.open_nursery() as nursery, aclosing(watch_table(store, 1)) as messages:
            first = [await anext(messages), await anext(messages)]
            nursery.start_soon(watch)
            nursery.start_soon(watch)
            await trio.to_thread.run_sync(wait_for_watchers, store, 3, run)
            (tmp_path / "gate").touch()
            first += [message async for message in messages]

    assert [shown_decisions(first)] * 2 == list(map(shown_decisions, seen))
    assert [first[0]] * 2 == [one[0] for one in seen]


def wait_for_watchers(store: Path, count: int, run: subprocess.Popen[bytes]) -> None:
    """Wait until so many connections to the run are there."""
    name = "@" + socket_address(store)[1:]
    lines = Path("/proc/net/unix")
    wait_for(lambda: lines.read_text().split().count(name) > count, run)  # the socket itself has a line too


async def test_a_worker_dies_in_a_watched_game(tmp_path: Path) -> None:
    """The game is shown as broken off, and then again from its first decision."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, "--workers", "1", bots=(gated_bot(tmp_path), GOOD)) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 2, run)
        async with aclosing(watch_table(store, 1)) as messages:
            broken = [await anext(messages), await anext(messages)]
            for worker in worker_processes(run.pid):
                os.kill(worker.pid, signal.SIGKILL)
            broken += [message async for message in messages]
        (tmp_path / "gate").touch()
        again = await collect_game(store, 1)

    assert broken[-1] == GameEnd(is_finished=False)
    assert again[0] == broken[0]
    assert again[-1] == GameEnd(is_finished=True)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
async def test_the_run_ends(tmp_path: Path, number: signal.Signals) -> None:
    """Killed or stopped in the middle of a game, a run shows no end of it, and then nothing more."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 1, run)
        async with aclosing(watch_table(store, 1)) as messages:
            seen = [await anext(messages), await anext(messages)]
            run.send_signal(number)
            seen += [message async for message in messages]
        await trio.to_thread.run_sync(run.wait)

        assert GameEnd(is_finished=True) not in seen
        assert await ask_tables(store) == []
        assert await collect_game(store, 1) == []


@first_rows(1)(
    "request_line",
    [
        b"garbage\n",
        b"\xff\n",
        b"x" * 5_000,
        *(
            pytest.param(line, marks=pytest.mark.long)
            for line in (
                b"{}\n",
                b"[" * 900 + b"\n",
                b'{"type":"watch","table":99}\n',
                b'{"type":"watch","table":1}\nmore',
            )
        ),
    ],
)
async def test_what_is_no_request(tmp_path: Path, request_line: bytes) -> None:
    """A line that is no request is answered by the end of the connection, and the tournament goes on."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store, bots=(gated_bot(tmp_path), GOOD)) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 1, run)
        with connect(store, request_line) as connection:
            said = await trio.to_thread.run_sync(read_all, connection)

        assert b'"end"' not in said
        assert len(await ask_tables(store)) >= 1


def test_watchers_who_read_nothing(tmp_path: Path) -> None:
    """Watchers who read nothing hold nobody up, and one watcher too many is disconnected at once."""
    store = tmp_path / "x.pitboss"
    bots = (
        gated_bot(tmp_path, "\N{SNOWMAN}" * 500),
        GOOD,
    )  # a game is longer than what the system keeps for who does not read
    with run_watched_match(store, turns=20, bots=bots) as run, ExitStack() as stack:
        wait_for_tables(store, 1, run)
        for _ in range(MAX_WATCHERS):
            stack.enter_context(connect(store, b'{"type":"watch","table":1}\n'))
        wait_for_watchers(store, MAX_WATCHERS, run)
        with connect(store, b'{"type":"tables"}\n') as one_more:
            assert read_all(one_more) == b""
        (tmp_path / "gate").touch()
        wait_for(lambda: count_games(store) > 5, run)


def test_another_user_may_not_watch(tmp_path: Path) -> None:
    """A process of another user that finds the socket gets no answer."""
    if os.geteuid() != 0 or not Path(SYSTEM_PYTHON).exists():
        pytest.skip("only root can be another user, who needs a Python")
    store = tmp_path / "x.pitboss"
    with run_watched_match(store) as run:
        wait_for_tables(store, 1, run)
        nobody, ourselves = [ask_as(user, socket_address(store)) for user in (65534, 0)]

    assert (nobody, '"tables"' in ourselves) == ("", True)


def ask_as(user: int, address: str) -> str:
    """Return what a process of a user hears at an address."""
    command = [SYSTEM_PYTHON, "-S", "-c", ASK]
    return subprocess.run(command, input=address, user=user, capture_output=True, text=True, check=True).stdout


@needs_bubblewrap
def test_a_bot_in_the_sandbox_does_not_find_the_socket(tmp_path: Path) -> None:
    """A sandboxed bot that knows the address cannot connect."""
    store = tmp_path / "x.pitboss"
    with run_watched_match(store) as run:
        wait_for_tables(store, 1, run)
        code = f"""
import socket
with socket.socket(socket.AF_UNIX) as connection:
    print(connection.connect_ex({socket_address(store)!r}))
"""
        said = run_for_output(python_entrant(code))
        connect(store, b"").close()

    assert int(said) == errno.ECONNREFUSED
