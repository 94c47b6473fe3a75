"""Whatever bytes a file has: it is read, or there is an error of ours. `tests.soak.foreign_bytes` tries more.

Most bytes are nothing at all. So good files are changed a little: a few of their words, numbers and marks are left out,
written twice, exchanged, or replaced by what programs stumble over.
"""

from __future__ import annotations

import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from pitboss.errors import PitbossError, RecordError, RefusedGame
from pitboss.plugins.registry import Registry
from pitboss.records import record as records
from pitboss.records.notation import NotedGame, format_notation, parse_notation
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.config.bot_file import read_bot_file
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.counting.stored_findings import StoredFindings, kept_luck
from pitboss_tournament.exchange import export
from pitboss_tournament.exchange.importers import read_records
from pitboss_tournament.play.journal import JournalEntry, JournalHeader, journal_path, read_journal, read_journal_seed
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.reporting.plain_summary import describe_summary
from pitboss_tournament.store.rows import TournamentEnd, void_game
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.report_stores import write_tournament_store
from tests.tournament.small_tournaments import make_plan, zoo_entrant
from tests.tournament.statistics.sample_luck import value_luck
from tests.tournament.stored_games import make_log, make_record, make_stored_game

FEWER: Final = settings(max_examples=settings().max_examples // 5)  # each reads a whole store
TOKENS: Final = re.compile(r'"(?:\\.|[^"\\\n])*"|-?[0-9][0-9.e+-]*|\w+|\s+|.', re.DOTALL)
STUMBLING_BLOCKS: Final = (
    "", "0", "-1", "1", "2", "7", "99", "1e999", "1e308", "-1e308", "0.5", "nan", "inf", "NaN", "null", "true", "{}",
    "[]", "9223372036854775807", "9223372036854775808", "1" * 400, "1" * 5_000, "0x" + "f" * 5_000, "[" * 2_000,
    '""', '"x"', '"\\u0000"', '"\\ud800"', '"' + "x" * 5_000 + '"', '"\\u202e"', "\ufeff", "\u0661", "\x00", "\r", "\n",
    "{a=" * 500, "#", "a." * 300, "[[bots]]", "'", '"""', "1979-05-27T07:32:00Z",
)  # fmt: skip
PLAN_TEXT: Final = """
game = "magpie"
seats = 2
seed = "s"
deals = 3
store = "x.pitboss"
seating = "rotations"
sandbox = "none"
anchor = "one"
[options]
turns = 5
[format]
name = "swiss"
rounds = 2
[clock]
decision_ms = 500
[faults]
policy = "substitute"
[limits]
memory_mb = 512
read = ["/usr"]
[stop]
better_than = "one"
bot = "two"
delta = 0.1
[[bots]]
bot = "house:random"
name = "one"
[[bots]]
bot = "bot"
name = "two"
limits = { cpu_s = 10 }
"""
BOT_TEXT: Final = """
name = "mine"
command = ["python3", "bot.py"]
games = ["magpie"]
needs = ["python3"]
version = "1"
limits = { memory_mb = 256 }
"""


def change_text(good: str) -> some.SearchStrategy[str]:
    """Return a strategy of texts that are nearly the good one."""
    tokens = TOKENS.findall(good)
    piece = some.sampled_from(STUMBLING_BLOCKS) | some.sampled_from(tokens) | some.text(max_size=3)
    change = some.tuples(some.integers(0, len(tokens) - 1), some.integers(0, 2), piece)

    def apply(changes: list[tuple[int, int, str]]) -> str:
        changed = list(tokens)
        for place, length, new in changes:
            changed[place : place + length] = [new]
        return "".join(changed)

    return some.lists(change, min_size=1, max_size=3).map(apply)


def change_bytes(good: str) -> some.SearchStrategy[bytes]:
    """Return a strategy of bytes that are nearly a good text, or not even text."""
    texts = change_text(good).map(lambda text: text.encode("utf-8", "surrogatepass"))
    return texts | some.tuples(texts, some.integers(0, 10_000), some.binary(max_size=4)).map(_splice)


def _splice(parts: tuple[bytes, int, bytes]) -> bytes:
    text, place, new = parts
    at = place % (len(text) + 1)
    return text[:at] + new + text[at + len(new) :]


def read_foreign(read: Callable[[], object]) -> None:
    """Read something; an error must be one of ours, and one that can be printed."""
    try:
        read()
    except PitbossError as error:
        assert str(error)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the files, with a bot in it."""
    made = tmp_path_factory.mktemp("foreign")
    (made / "bot").mkdir()
    (made / "bot" / "bot.py").touch()
    (made / "bot" / "bot.toml").write_text(BOT_TEXT)
    return made


GAME_TEXT: Final = format_notation(NotedGame(make_record(3), 3))
RECORD_TEXT: Final = records.dumps(make_record(3)).decode()


@given(change_text(GAME_TEXT))
def test_notation(text: str) -> None:
    """Any bytes of a notation are games, which can be written again, or an error of Pitboss."""

    def read() -> None:
        for game in parse_notation(text.splitlines()):
            export.record_line(game.game_id or 0, game.record)

    read_foreign(read)


@given(change_text(f'{{"game_id":7,{RECORD_TEXT[1:]}\n{RECORD_TEXT}\n'))
def test_lines_of_records(text: str) -> None:
    """Any text is exported records, each of which can be written again, or refused."""

    def read() -> None:
        for game in read_records(text.splitlines()):
            if not isinstance(game, RefusedGame):
                export.record_line(game.game_id or 0, game.record)

    read_foreign(read)


@given(change_bytes(RECORD_TEXT))
def test_records(line: bytes) -> None:
    """Any bytes of a record are a record, or an error of Pitboss."""
    read_foreign(lambda: export.record_line(0, records.loads(line)))


@given(text=change_bytes(PLAN_TEXT))
def test_tournament_files(folder: Path, text: bytes) -> None:
    """Any bytes of a tournament file are read up to the plan, or are an error of Pitboss."""
    file = folder / "x.toml"
    file.write_bytes(text)
    registry = Registry()
    read_foreign(lambda: load_plan(file, registry))


@given(text=change_bytes(BOT_TEXT))
def test_bot_files(folder: Path, text: bytes) -> None:
    """Any bytes in a bot.toml are read, or are an error of Pitboss."""
    (folder / "other").mkdir(exist_ok=True)
    (folder / "other" / "bot.toml").write_bytes(text)
    read_foreign(lambda: read_bot_file(folder / "other"))


JOURNAL_TEXT: Final = b"\n".join(
    msgspec.json.encode(line, enc_hook=str)
    for line in (
        JournalHeader(plan=make_plan(Path("x"), zoo_entrant("good", "a"), zoo_entrant("good", "b")), game_id=0),
        JournalEntry(decision=make_record(0).decisions[0]),
        JournalEntry(incident=make_record(0).incidents[0]),
        JournalEntry(),
    )
).decode()


@given(text=change_bytes(JOURNAL_TEXT))
def test_journals(folder: Path, text: bytes) -> None:
    """Any bytes of the journal of a game that was broken off are read, or are an error of Pitboss."""
    store = folder / "played.pitboss"
    journal_path(store).write_bytes(text)

    read_journal_seed(store)
    read_foreign(lambda: read_journal(journal_path(store), Registry()))


@pytest.fixture(scope="module")
def good_store(folder: Path) -> Path:
    """Return a store with games of each kind."""
    path = write_tournament_store(folder, 3, 2, 4)
    with closing(Store(path)) as store, closing(Store.for_run(path, store.header)) as written:
        written.add([make_stored_game(100, logs=[make_log(0, b"> x\n")])._replace(result=next(store.results()))])
        written.add_voids([void_game(3, "overloaded", "it was slow")])
        written.kept.add_luck([(number, [value_luck(0.5), value_luck(-0.5)]) for number in written.game_ids()])
        written.begin_run(0, 24)
        written.record_run_end()
        written.record_end(TournamentEnd("it was enough", is_complete=False))
    return path


def read_whole_store(path: Path) -> None:
    """Read all that commands and pages show of a store; what is damaged of it is damaged in one of them only."""
    store = Store(path)
    with closing(store):
        for read in (
            lambda: [*export.record_lines(store, with_times=True)],
            lambda: [*export.incident_lines(store, with_times=True)],
            lambda: [*export.notation_lines(store, with_times=True)],
            lambda: [*export.log_lines(store)],
            lambda: [*export.csv_lines(store, with_times=True)],
            lambda: [*store.latest_results()],
            lambda: [*find_problems(store, Registry().find_game("magpie"))],
            lambda: render_report(store),
            lambda: describe_summary(StoredFindings(store, luck=kept_luck(store)), None),
        ):
            read_foreign(read)


CELLS: Final = (
    ("tournament", "header"),
    *(("entries", column) for column in ("name", "digest", "command", "limits", "about", "contents", "joined")),
    ("rosters", "entries"),
    ("games", "result"),
    ("draw_luck", "seats"),
    ("voids", "cause"),
    ("runs", "began"),
    ("ends", "why"),
)


@pytest.fixture(scope="module")
def cells(good_store: Path) -> dict[str, list[tuple[int, str]]]:
    """Return the row numbers and the texts of each column of CELLS, by its table."""
    with closing(sqlite3.connect(good_store)) as db:
        return {table: db.execute(f"select rowid, {column} from {table}").fetchall() for table, column in CELLS}


def copy_store(store: Path) -> Path:
    """Return a copy in a folder of its own: nothing that SQLite left beside an earlier copy is read with it."""
    return Path(shutil.copy(store, tempfile.mkdtemp(dir=store.parent)))


@first_rows(4)(("table", "column"), CELLS)
@FEWER
@given(data=some.data())
def test_cells_of_a_store(
    good_store: Path, cells: dict[str, list[tuple[int, str]]], table: str, column: str, data: some.DataObject
) -> None:
    """A store in which somebody has edited a text is read, or is an error of Pitboss."""
    number, text = data.draw(some.sampled_from(cells[table]))
    changed = data.draw(change_text(text)).encode(errors="surrogatepass")
    path = copy_store(good_store)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"update {table} set {column} = cast(? as text) where rowid = ?", (changed, number))

    read_foreign(lambda: read_whole_store(path))


def test_a_game_of_another_tables_bots(folder: Path) -> None:
    """The blocks refuse a game of another table's bots by the numbers of the games: a deal is one table's."""
    path = write_tournament_store(folder, 4, 2, 12)
    with closing(sqlite3.connect(path)) as db, db:
        for number, text in db.execute("select id, result from games").fetchall():
            result = msgspec.json.decode(text)
            bots = [seat[0] for seat in result[4]]
            if result[3] == 1 and bots != [2, 3]:
                result[4][0][0], result[4][1][0] = (bot for bot in range(4) if bot not in bots)
                db.execute("update games set result = ? where id = ?", (msgspec.json.encode(result).decode(), number))

    with closing(Store(path)) as store:
        for read in (lambda: render_report(store), lambda: StoredFindings(store)):
            with pytest.raises(RecordError, match="are of the same deal and pairing"):
                read()


@FEWER
@given(data=some.data())
def test_records_of_a_store(good_store: Path, data: some.DataObject) -> None:
    """A store in which somebody has edited a record is read, or is an error of Pitboss."""
    path = copy_store(good_store)
    with closing(Store(path)) as store:
        numbers = list(store.game_ids())
        packed = store.packer.pack(store.record(numbers[0]))
    changed = data.draw(change_bytes(RECORD_TEXT).map(compress_text) | some.binary().map(packed.__add__))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("update games set record = ? where id = ?", (changed, numbers[0]))

    read_foreign(lambda: read_whole_store(path))


@FEWER
@given(changes=some.lists(some.tuples(some.integers(0, 10**6), some.binary(min_size=1, max_size=4)), min_size=1))
def test_bytes_of_a_store(good_store: Path, changes: list[tuple[int, bytes]]) -> None:
    """A store that a disk has damaged is read, or is an error of Pitboss."""
    path = copy_store(good_store)
    damaged = bytearray(good_store.read_bytes())
    for place, new in changes:
        at = place % len(damaged)
        damaged[at : at + len(new)] = new
    path.write_bytes(damaged)

    read_foreign(lambda: read_whole_store(path))
