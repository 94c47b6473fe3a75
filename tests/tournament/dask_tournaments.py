"""Tournaments that are played on Dask and on this machine, to be compared: Magpie, ten turns a game, small bots."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss.records.record import Record
from pitboss_tournament.exchange.export import strip_times
from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZOO
from tests.tournament.command_line import CommandResult, run_pitboss

SETTINGS: Final = """
game = "{game}"
seats = 2
deals = {deals}
seed = "dask"
store = "{name}.pitboss"
sandbox = "{sandbox}"
{settings}
[options]
{options}
[clock]
start_ms = 60000
decision_ms = 60000
{tables}
"""
FORMAT_SETTINGS: Final = {
    "round-robin": 'format = "round-robin"',
    "swiss": 'format = {name = "swiss", rounds = 3}',
    "knockout": 'format = "knockout"',
    "gauntlet": 'format = "gauntlet"',
    "settle": 'format = {name = "settle", games = 120}',
    "ladder": 'format = {name = "ladder", rounds = 4}',
}
HELD_BOT: Final = """
import time
from polite import answer, questions
for number in questions():
    try:
        if number > 1:  # the first one is asked of it before the tournament, on each node
            time.sleep(float(open({hold!r}).read()))
    except OSError:
        pass
    answer(number)
"""
CHEAT: Final = """
import sys
from polite import answer, questions, say
for number in questions():
    print("question", number, file=sys.stderr, flush=True)
    if number % 7 == 3:
        say('{"type":"act","id":%d,"choose":999}' % number)
    else:
        answer(number)
"""


class PlayedStore(Struct, frozen=True):
    """What a store has kept, without times."""

    records: dict[int, Record]
    logs: list[tuple[int, int, bytes, list[bytes]]]  # game, seat, standard error, lines of the wire
    evidence: list[tuple[int, list[str], str]]  # game, last lines exchanged, last words
    end: str | None
    voids: int


def write_bot(folder: Path, code: str) -> Path:
    """Write a bot with a folder of its own; return the folder."""
    folder.mkdir()
    shutil.copy(ZOO / "polite.py", folder)
    (folder / "bot.py").write_text(code)
    (folder / "bot.toml").write_text('command = ["{python}", "-S", "bot.py"]\n')
    return folder


def write_zoo_bot(folder: Path, name: str) -> Path:
    """Write one of the zoo's bots with a folder of its own; return the folder."""
    return write_bot(folder, (ZOO / f"{name}.py").read_text())


def write_held_bot(folder: Path, hold: Path) -> Path:
    """Write a bot that sleeps before each answer, for as long as a file says that is there; return its folder."""
    return write_bot(folder, HELD_BOT.format(hold=str(hold)))


def write_settings(
    home: Path,
    name: str,
    *bots: str | Path,
    game: str = "magpie",
    options: str = "turns = 5",
    deals: int | str = 10,
    settings: str = "",
    tables: str = "",
    sandbox: str = "none",
) -> Path:
    """Write a tournament file; bots are folders or names. Its store lies beside it and has the same name."""
    file = home / f"{name}.toml"
    text = SETTINGS.format(
        game=game, options=options, deals=deals, name=name, settings=settings, tables=tables, sandbox=sandbox
    )
    lines = [f"[[bots]]\nbot = {json.dumps(str(bot))}" for bot in bots]
    file.write_text("\n".join([text, *lines]))
    return file


def play_here(file: Path, *words: str) -> CommandResult:
    """Play a tournament file on this machine."""
    return run_pitboss("run", str(file), *words)


def read_store(file: Path) -> PlayedStore:
    """Return what the store of a tournament file has kept."""
    with closing(Store(file.with_suffix(".pitboss"))) as store:
        found = dict(store.records())
        return PlayedStore(
            records={number: strip_times(record) for number, record in found.items()},
            logs=[
                (game, log.seat, log.errors, [line.partition(b" ")[2] for line in log.wire.splitlines()])
                for game, log in store.all_logs()
            ],
            evidence=[
                (game, incident.exchange, incident.last_words)
                for game, record in found.items()
                for incident in record.incidents
            ],
            end=store.end_reason(),
            voids=len(store.voids()),
        )
