"""Integrity: each kind of damage is found, and said of the right game."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from pitboss.errors import ReplayDiffers
from pitboss.records import record as records
from pitboss.records.record import Record
from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.time_histogram import read_times
from pitboss_tournament.store import schema
from pitboss_tournament.store.schema import LUCK_TABLE
from pitboss_tournament.store.store import Store
from tests.mistakes import each_mistake
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import load_magpie, make_plan, play_tournament, zoo_entrant
from tests.tournament.stored_games import take_back_entries

TO_SCHEMA_5: Final = ("drop table checksums", "pragma user_version = 5")

pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the bytes of the store of a small tournament with all logs."""
    path = tmp_path_factory.mktemp("played") / "x.pitboss"
    play_tournament(make_plan(path, zoo_entrant("good", "a"), zoo_entrant("good", "b"), deals=3, keep_logs="all"))
    with closing(sqlite3.connect(path)) as db:
        db.execute("pragma journal_mode = delete")
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, played: bytes) -> Path:
    """Return a copy of it."""
    path = tmp_path / "x.pitboss"
    path.write_bytes(played)
    return path


def problem_texts(path: Path, with_replay: bool = False) -> Iterator[str]:
    """Yield what is wrong with a store, in words."""
    store = Store(path)
    yield from (str(problem) for problem in find_problems(store, load_magpie() if with_replay else None))
    store.close()


def change_store(path: Path, *statements: str) -> None:
    """Change a store behind its back."""
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def replace_in_record(path: Path, game: int, was: str, now: str) -> None:
    """Change the words of a game's record."""
    with closing(sqlite3.connect(path)) as db:
        [record] = db.execute("select record from games where id = ?", (game,)).fetchone()
        text = records.dumps(Store(path).packer.unpack(record)).decode()
        assert was in text
        db.execute(
            "update games set record = ? where id = ?", (compress_text(text.replace(was, now, 1).encode()), game)
        )
        db.commit()


def test_a_store_that_is_whole(path: Path) -> None:
    """A store that is whole has no problems, and the command says so with status 0."""
    assert list(problem_texts(path, with_replay=True)) == []
    ran = run_pitboss("integrity", str(path), "--replay")
    assert (ran.status, ran.err) == (0, "")
    assert "is whole: each of 6 games" in ran.out


@each_mistake(__file__, "damage")
def test_damage_that_sqlite_does_not_see(path: Path, written: str, said: str) -> None:
    """Damage that SQLite does not see is found, with the number of the game, and other games are not blamed."""
    change_store(path, written)

    lines = list(problem_texts(path))
    assert any(line.startswith(said) for line in lines), lines
    assert {line.split(":")[0] for line in lines} == {said.split(":")[0]} | {
        line.split(":")[0] for line in lines if "log" in line
    }


def test_a_result_that_somebody_has_improved(path: Path) -> None:
    """The audit scores a result again from its record, and names the difference."""
    with closing(sqlite3.connect(path)) as db:
        [text] = db.execute("select result from games where id = 1").fetchone()
        result = msgspec.json.decode(text)
        result[4][0][1] += 5.0
        db.execute("update games set result = ? where id = 1", (msgspec.json.encode(result).decode(),))
        db.commit()

    [line] = problem_texts(path)
    assert line.startswith("game 1: its result is not what its record says: at seat 0 points: was ")


@pytest.mark.parametrize(
    "statement", ["delete from games where id = 2", "delete from games where id = 5", "delete from games"]
)
def test_games_that_somebody_has_deleted(path: Path, statement: str) -> None:
    """The number of games is that which the run had finished, or it is said, whichever games are gone."""
    change_store(path, "delete from logs", statement)

    lines = list(problem_texts(path))
    assert any(
        re.fullmatch(r"games are missing: there are \d, and the run that ended at .* left 6", line) for line in lines
    )


def test_a_log_of_a_game_that_is_gone(path: Path) -> None:
    """The log of a game that is gone is reported as one of no game, beside the missing game."""
    change_store(path, "delete from games where id = 2")

    first, *lines = problem_texts(path)
    assert first.startswith("games are missing: there are 5, and ")
    assert lines[0] == "game 2: there is a log of seat 0, and no such game"


def test_a_store_of_a_version_that_counted_no_games(path: Path) -> None:
    """A store whose run did not write down how many games there were has no problem by their number."""
    take_back_entries(path)
    change_store(
        path, *TO_SCHEMA_5, "delete from run_ends", "delete from logs where game = 5", "delete from games where id = 5"
    )

    assert list(problem_texts(path)) == []


def test_a_store_of_schema_4(path: Path) -> None:
    """A store of schema 4, with records as compressed lines and times as histograms, is read as it is, and
    carried on.
    """
    with closing(Store(path)) as store:
        games = [
            (number, msgspec.json.encode(with_histograms(result)).decode(), compress_text(records.dumps(record)))
            for result, (number, record) in zip(store.results(), store.records(), strict=True)
        ]
        before = list(store.records()), [with_histograms(result) for result in store.results()]
        header = store.header
    with closing(sqlite3.connect(path)) as db:
        db.executemany("update games set result = ?2, record = ?3, checksum = null where id = ?1", games)
        db.commit()
    take_back_entries(path)
    with closing(sqlite3.connect(path)) as db:
        db.executescript("drop table checksums; pragma user_version = 4")
        db.commit()

    assert list(problem_texts(path, with_replay=True)) == []
    with closing(Store.for_run(path, header)) as store:
        assert (list(store.records()), list(store.results())) == before
        assert list(store.seeds()) == [record.seed for _, record in before[0]]
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("pragma user_version").fetchone() == (schema.latest_version(schema.MIGRATIONS),)


def with_histograms(result: GameResult) -> GameResult:
    """Return a result as schema 4 had it."""
    seats = tuple(replace(seat, think=read_times(seat.think)) for seat in result.seats)
    return replace(result, seats=seats, lag=read_times(result.lag))


def play_otherwise(record: Record) -> Record | None:
    """Return the record with one legal action in place of another, if it still replays to the same end."""
    game = load_magpie()
    for number, decision in enumerate(record.decisions):
        *_, state = islice(records.replay_states(record, game), number + 1)
        for action in state.legal():
            if msgspec.to_builtins(action) != msgspec.to_builtins(decision.action):
                decisions = [*record.decisions]
                decisions[number] = replace(decision, action=msgspec.to_builtins(action))
                with suppress(ReplayDiffers):
                    records.verify(replace(record, decisions=decisions), game)
                    return replace(record, decisions=decisions)
    return None


def test_a_legal_action_in_place_of_another(path: Path) -> None:
    """A game that still replays, and ends as it did, is not what was written."""
    store = Store(path)
    number, forged = next((number, other) for number, one in store.records() if (other := play_otherwise(one)))
    store.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("update games set record = ? where id = ?", (compress_text(records.dumps(forged)), number))
        db.commit()

    changed = f"game {number}: it is not what was written: its result, its record or a log was changed"
    assert list(problem_texts(path, with_replay=True)) == [changed]


def test_a_forged_note(path: Path) -> None:
    """A note that the bot did not give is found, and so is a log that was changed."""
    replace_in_record(path, 1, '"us":', '"note":"I saw your cards","us":')
    change_store(path, "update logs set wire = (select wire from logs where game = 3 and seat = 1) where game = 4")

    assert [line.split(":")[0] for line in problem_texts(path)] == ["game 1", "game 4"]


@each_mistake(__file__, "rows")
def test_rows_that_were_changed(path: Path, written: str, said: str) -> None:
    """A change in the header, or in the rows about runs and void games, is reported with the name of its table."""
    change_store(path, *written.format(luck_table=LUCK_TABLE).split("; "))

    assert list(problem_texts(path)) == [
        f"the table `{said}` is not what was written: a row was changed, added or removed"
    ]


def test_a_game_that_lost_its_checksum(path: Path) -> None:
    """The audit reports a game without a checksum where all games were written with one, though the change itself
    cannot be seen any more.
    """
    replace_in_record(path, 3, '"us":', '"note":"I saw your cards","us":')
    change_store(path, "update games set checksum = null where id = 3")

    assert list(problem_texts(path)) == ["1 game lost the checksum; it is unknown whether it was changed"]


def test_a_record_that_cannot_have_been_played(path: Path) -> None:
    """A record that cannot have been played is found by replaying only; the command ends with status 1 and counts the
    problems, for programs too.
    """
    replace_in_record(path, 3, '"do":"', '"do":"x')
    take_back_entries(path)
    change_store(path, *TO_SCHEMA_5, "update games set checksum = null")  # as in stores of earlier versions
    assert list(problem_texts(path)) == []

    [line] = problem_texts(path, with_replay=True)
    assert line.startswith("game 3: its record does not replay: ")
    ran = run_pitboss("integrity", str(path), "--replay")
    assert (ran.status, ran.out.splitlines()[-1]) == (1, f"{path}: 1 problem")
    value = run_pitboss("integrity", str(path), "--replay", "--json").json_value
    assert [problem["game_id"] for problem in value["problems"]] == [3]


def test_a_record_of_another_tournament(path: Path) -> None:
    """Options that are not those of the store are named."""
    replace_in_record(path, 0, '"turns":5', '"turns":6')

    assert list(problem_texts(path)) == [
        "game 0: its record is of another tournament: options.turns: was 5, is 6",
    ]


def test_a_file_that_sqlite_finds_damaged(path: Path) -> None:
    """The audit reports damage that SQLite finds, and still looks at the rest of the file."""
    page = 4096
    data = bytearray(path.read_bytes())
    middle = len(data) // page // 2 * page
    data[middle : middle + page] = b"\xa5" * page
    path.write_bytes(data)

    ran = run_pitboss("integrity", str(path))
    assert ran.status == 1
    assert "SQLite finds damage" in ran.out
    assert "Traceback" not in ran.err


def test_what_is_no_store(tmp_path: Path) -> None:
    """A file that is no store is an error of one sentence, with status 2."""
    (tmp_path / "x").write_text("no store " * 500)

    assert run_pitboss("integrity", str(tmp_path / "x")).status in (1, 2)
    assert run_pitboss("integrity", str(tmp_path / "missing")).status == 2


def test_a_copy_without_what_sqlite_has_beside_it(path: Path, tmp_path: Path) -> None:
    """A copy of a store made while its run goes on lacks games, which is reported; a copy made after the run lacks
    none.
    """
    with closing(Store(path)) as whole:
        header = whole.header
        games = [
            (result, record, ()) for result, (_, _, record) in zip(whole.results(), whole.raw_games(), strict=True)
        ]
    with closing(Store.for_run(tmp_path / "new.pitboss", header)) as store:
        store.begin_run(0, len(games))
        store.add(games)
        (tmp_path / "copy.pitboss").write_bytes(store.path.read_bytes())
        store.record_run_end()
    copied, ended = (run_pitboss("integrity", str(tmp_path / f"{name}.pitboss")) for name in ("copy", "new"))

    assert (copied.status, ended.status) == (0, 0)
    assert "Such a copy lacks games if copy.pitboss-wal was not copied with it." in copied.out
    assert "has not ended" not in ended.out
    assert "each of 0 games can be read" in copied.out
