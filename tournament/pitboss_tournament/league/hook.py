"""The hook of a league: a program of the host is called whenever a version becomes valid, is refused or is retired.

The program gets a line of JSON on standard input (`HookCall`). What was told is kept in the store, so a call that came
while the league was stopped follows later, and none comes twice; a program that fails is not called again for the same.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec
import trio
from msgspec import Struct

from pitboss.text import truncate_text
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.store.database import open_database, transaction, translate_errors

HookEvent: TypeAlias = Literal["valid", "refused", "retired"]

HOOK_EVENTS: Final[dict[str, HookEvent]] = {
    "placing": "valid",
    "playing": "valid",
    "refused": "refused",
    "retired": "retired",
}
HOOK_LOOK_SECONDS: Final = 0.5  # between looks at the book
CALLS_AT_ONCE: Final = 2  # calls
HOOK_ERROR_SHOWN: Final = 300  # characters of what a program wrote to standard error


class HookCall(Struct, frozen=True, kw_only=True):
    """What the program of a hook reads, as a line of JSON."""

    event: HookEvent
    league: str
    number: int  # of the submission
    owner: str
    bot: str
    version: int
    at: str  # in UTC
    seen: str  # the finding, in a sentence; "": there is none


class HookCaller:
    """Calls the program of a league's hook."""

    def __init__(self, league: League, book: Book, show: Callable[[str], None]) -> None:
        """`show` gets a line for the host whenever a call fails."""
        self._league = league
        self._book = book
        self._show = show
        self._limit = trio.CapacityLimiter(CALLS_AT_ONCE)

    async def run(self) -> None:
        """Call the program for what has happened, and whenever something happens, for ever."""
        told, seen = await trio.to_thread.run_sync(self._read_told), -1
        async with trio.open_nursery() as nursery:
            while True:
                count = await trio.to_thread.run_sync(self._book.change_count)
                if count != seen:
                    seen = count
                    for one in await trio.to_thread.run_sync(self._book.submissions):
                        event = HOOK_EVENTS.get(one.state)
                        if event is None or told.get(one.number) == (event, one.received):
                            continue
                        told[one.number] = (event, one.received)
                        call = await trio.to_thread.run_sync(self._note_told, one, event)
                        nursery.start_soon(self._call, call)
                await trio.sleep(HOOK_LOOK_SECONDS)

    async def _call(self, call: HookCall) -> None:
        work = partial(call_program, self._league, call)
        failure = await trio.to_thread.run_sync(work, limiter=self._limit, abandon_on_cancel=True)
        if failure:
            self._show(f"the hook failed for {call.bot}@{call.version} ({call.event}): {failure}")

    def _read_told(self) -> dict[int, tuple[str, str]]:
        """Return what was told; when a hook is new, all that has happened before counts as told."""
        with self._open() as db:
            rows = db.execute("select submission, event, received from league_told").fetchall()
            if not rows:
                known = self._book.submissions()
                rows = [(one.number, HOOK_EVENTS.get(one.state, ""), one.received) for one in known]
                with transaction(db):
                    db.executemany("insert or replace into league_told values (?, ?, ?)", [*rows, (0, "", "")])
        return {number: (event, received) for number, event, received in rows}

    def _note_told(self, one: Submission, event: HookEvent) -> HookCall:
        with self._open() as db, transaction(db):
            db.execute("insert or replace into league_told values (?, ?, ?)", (one.number, event, one.received))
        evidence = [*self._book.evidence(one.number).values()]
        return HookCall(
            event=event,
            league=self._league.name,
            number=one.number,
            owner=one.owner,
            bot=one.bot,
            version=one.version,
            at=one.changed,
            seen=evidence[-1].seen if evidence else "",
        )

    def _open(self) -> closing[sqlite3.Connection]:
        store = self._league.folder.store
        with translate_errors(store, "opened"):
            return closing(open_database(store, for_writing=True))


def call_program(league: League, call: HookCall) -> str:
    """Call the program of a league's hook and wait for its end; return what went wrong, "" if nothing did."""
    hook = league.file.hook
    try:
        process = subprocess.Popen(
            hook.command,
            cwd=league.folder.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        return f"{hook.command[0]!r} cannot be started: {error.strerror}"
    try:
        _, errors = process.communicate(msgspec.json.encode(call) + b"\n", hook.seconds)
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):  # what left the group may hold standard error open
            process.communicate(timeout=1)
        return f"it took longer than {hook.seconds:g} s"
    if process.returncode:
        said = " ".join(errors.decode("utf-8", "replace").split())
        return f"its exit status is {process.returncode}: {truncate_text(said, HOOK_ERROR_SHOWN)}"
    return ""
