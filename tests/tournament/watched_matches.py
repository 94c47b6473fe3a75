"""Long matches in processes of their own, whose tables are watched."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import aclosing, contextmanager
from pathlib import Path
from typing import Final, TypeAlias

import trio

from pitboss_tournament.running.watch_protocol import GameEnd, GameHeader, GameProgress
from pitboss_tournament.web.run_connection import ask_tables, watch_table
from tests.tournament.command_line import COMMAND
from tests.tournament.run_processes import wait_for
from tests.tournament.small_tournaments import BOT_TESTS

GOOD: Final = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'good.py'}"
HOSTILE_NOTE: Final = "<script>alert(1)</script>"
GATED_BOT: Final = """
import sys, time
sys.path.insert(0, {zoo!r})
from pathlib import Path
from polite import answer, messages
decisions = 0
for kind, number in messages():
    if kind == "start":
        decisions = 0
    if kind == "decide":
        decisions += 1
        while decisions == 3 and not Path({gate!r}).exists():
            time.sleep(0.01)
        answer(number, {note!r})
"""

Shown: TypeAlias = "list[GameHeader | GameProgress | GameEnd]"


def gated_bot(folder: Path, note: str = HOSTILE_NOTE) -> str:
    """Return the command of a bot that makes its third decision of a game when there is a file `gate` in the folder."""
    file = folder / "gated.py"
    file.write_text(GATED_BOT.format(zoo=str(BOT_TESTS / "zoo"), gate=str(folder / "gate"), note=note))
    return f"{sys.executable} -S {file}"


@contextmanager
def run_watched_match(
    store: Path, *words: str, bots: tuple[str, ...] = (GOOD, GOOD), turns: int = 5
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a match of very many short games of Magpie at two tables."""
    match = ("match", "magpie", *bots, "--seats", "2", "--seed", "s", "--deals", "100000", "-o", f"turns={turns}")
    tables = (
        "-s",
        "games_at_once=2",
        "-s",
        "pinned=false",
        "--sandbox",
        "none",
        "-s",
        "clock.decision_ms=600000",
        "--store",
        str(store),
    )
    command = [*COMMAND, *match, *tables, *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as run:
        try:
            yield run
        finally:
            run.kill()


def wait_for_tables(store: Path, count: int, run: subprocess.Popen[bytes]) -> None:
    """Wait until so many tables are in play. Not to be called in a trio loop."""
    wait_for(lambda: store.exists() and len(trio.run(ask_tables, store)) >= count, run)


async def collect_game(store: Path, table: int) -> Shown:
    """Return all that is shown of one game of a table."""
    async with aclosing(watch_table(store, table)) as messages:
        return [message async for message in messages]
