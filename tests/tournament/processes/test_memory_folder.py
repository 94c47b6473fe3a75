"""`memory = "folder"`: a bot finds again what it has left in earlier games, within bounds, and nobody else does."""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss.protocol.faults import Fault
from pitboss.records.record import Record
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.paths import memory_folder
from pitboss_tournament.plan.plan import Entrant, Plan
from pitboss_tournament.processes.memory_folder import MAX_KEPT_FILES, MemoryFolder, check_new_memories
from pitboss_tournament.processes.start_errors import BotStartError
from pitboss_tournament.results.own_settings import own_settings_text
from pitboss_tournament.store.header import Header, OwnSettings
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.marks import first_rows
from tests.plugins import load_registry
from tests.tournament.sandbox_programs import needs_bubblewrap, needs_landlock
from tests.tournament.small_tournaments import FinishedTournament, make_plan, play_tournament, zoo_entrant
from tests.tournament.stored_games import with_own_settings

LEARNING_BOT: Final = """
import json, os, sys
from pathlib import Path
memory = Path(os.environ["PITBOSS_MEMORY"])
note = [sorted(path.name for path in memory.rglob("*"))]
def at_start(): pass
def at_question(number): pass
CODE
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        os.write(1, b'{"type":"ready"}\\n')
    elif message["type"] == "start":
        at_start()
    elif message["type"] == "decide":
        at_question(message["id"])
        answer = {"type": "act", "id": message["id"], "choose": 0, "note": json.dumps(note)}
        os.write(1, json.dumps(answer).encode() + b"\\n")
"""
COUNT_STARTS: Final = """
def at_start():
    global note
    note = [int((memory / "games").read_text()) if (memory / "games").exists() else 0]
    (memory / "games").write_text(str(note[0] + 1))
"""
ALL_LEVELS: Final = [
    "none",
    pytest.param("landlock", marks=needs_landlock),
    pytest.param("bubblewrap", marks=needs_bubblewrap),
]


def learning_entrant(store: Path, code: str, name: str = "learner") -> Entrant:
    """Return a bot with a memory."""
    command = (sys.executable, "-S", "-c", LEARNING_BOT.replace("CODE", code))
    limits = Limits(disk_mb=2)
    return Entrant(name=name, command=command, limits=limits, memory=memory_folder(store, name), games_at_once=1)


def make_learning_plan(folder: Path, code: str, **fields: object) -> Plan:
    """Return a tournament of a bot with a memory and a good bot, in which a game is a batch."""
    store = folder / "x.pitboss"
    return make_plan(store, learning_entrant(store, code), zoo_entrant("good"), keep_logs="all", **fields)


def read_notes(finished: FinishedTournament, name: str = "learner") -> list[Any]:
    """Return what a bot noted in each game, at its first decision."""
    return [
        json.loads(next(one.note for one in record.decisions if record.players[one.seat] == name and one.note) or "")
        for _, record in finished.games
    ]


def collect_faults(records: Sequence[Record]) -> list[Fault]:
    """Return the faults of all games."""
    return [fault for record in records for fault in record.faults]


def own_logs(plan: Plan, finished: FinishedTournament) -> list[str]:
    """Return what the bot wrote to standard error in each game."""
    store = Store(plan.store)
    return [
        decode_text(store.logs(result.game_id)[record.players.index("learner")].errors)
        for result, record in finished.games
    ]


# ---- the setting


def test_results_name_the_bot(header: Header) -> None:
    """The results name a bot with a memory folder, beside what else is its own."""
    text = own_settings_text(with_own_settings(header, 0, OwnSettings(memory="folder")))

    assert text == "Not the same for all bots: a (a memory that lasts from game to game)."


def test_two_names_have_two_folders(tmp_path: Path) -> None:
    """Names that would be one file name do not share a memory, nor do those that some disks take for one."""
    store = tmp_path / "x.pitboss"

    found = {str(memory_folder(store, name)).lower() for name in ("a b", "a:b", "a_b", "A b", "(日本語)")}

    assert len(found) == 5
    assert {memory_folder(store, name).parent for name in "ab"} == {tmp_path / "x.pitboss.memory"}


def test_the_file_says_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder lies beside the store, wherever the file is named from, and no bot may see the folders of others."""
    bots = '[[bots]]\nbot = "cat"\nmemory = "folder"\ngames_at_once = 1\n[[bots]]\nbot = "true"\n'
    (tmp_path / "x.toml").write_text(f'game = "magpie"\n{bots}')

    monkeypatch.chdir(tmp_path)

    plan = load_plan(Path("x.toml"), load_registry())

    assert [bot.memory for bot in plan.entrants] == [memory_folder(tmp_path / "x.pitboss", "cat"), None]
    assert all(tmp_path / "x.pitboss.memory" in bot.hidden for bot in plan.entrants)


def test_a_memory_of_another_tournament(tmp_path: Path) -> None:
    """A tournament that begins refuses it; an empty folder is none."""
    bot = learning_entrant(tmp_path / "x.pitboss", "")
    assert bot.memory
    check_new_memories([bot])
    bot.memory.mkdir(parents=True)
    check_new_memories([bot])
    (bot.memory / "notes").touch()

    with pytest.raises(ConfigError, match=r"the bot 'learner' has a memory of another tournament"):
        check_new_memories([bot])


# ---- what is kept


@pytest.mark.once
@first_rows(2)("sandbox", ALL_LEVELS)
@first_rows(1)("process", ["game", "batch"])
def test_a_bot_finds_its_files_again(tmp_path: Path, sandbox: str, process: str) -> None:
    """A bot finds its files again in every game, whatever process it has, also in a run that is carried on; it is asked
    in one game at a time.
    """
    plan = make_learning_plan(tmp_path, COUNT_STARTS, sandbox=sandbox, deals=2)
    learner = replace(plan.entrants[0], process=process)
    plan = replace(plan, entrants=(learner, *plan.entrants[1:]))

    first = play_tournament(plan)
    longer = play_tournament(replace(plan, deals=3))

    assert collect_faults([record for _, record in longer.games]) == []
    assert sorted(read_notes(first)) == [[count] for count in range(4)]
    assert sorted(read_notes(longer)) == [[count] for count in range(6)]
    assert learner.memory
    assert (learner.memory / "games").read_text() == "6"


@pytest.mark.once
@needs_bubblewrap
def test_only_plain_files_are_kept(tmp_path: Path) -> None:
    """Links, pipes, sockets, second names and deep folders stay in the sandbox; a hole in a file stays a hole, and no
    file keeps rights that would hinder us.
    """
    code = """
import socket
def at_start():
    os.chdir(memory)
    if os.path.exists("plain"): return
    Path("plain").write_text("x")
    os.chmod("plain", 0)
    os.makedirs("folder/in/folder")
    Path("folder/in/folder/file").write_text("y")
    os.chmod("folder/in", 0o000)
    os.symlink("/etc/passwd", "link")
    os.symlink("..", "folder/up")
    os.mkfifo("pipe")
    socket.socket(socket.AF_UNIX).bind("socket")
    Path("one").write_text("z")
    os.link("one", "other")
    os.makedirs("/".join("d" * 12))
    with open("sparse", "wb") as file:
        file.seek(2_000_000)
        file.write(b"end")
    Path(b"\\xff\\n".decode("utf-8", "surrogateescape")).touch()
    os.chmod(".", 0)
"""
    plan = make_learning_plan(tmp_path, code, sandbox="bubblewrap", deals=1)

    finished = play_tournament(plan)
    kept = plan.entrants[0].memory

    assert collect_faults([record for _, record in finished.games]) == []
    assert kept
    found = sorted(
        path.relative_to(kept).as_posix() for path in kept.rglob("*") if path.relative_to(kept).parts[0] != "d"
    )
    assert found == ["folder", "folder/in", "folder/in/folder", "folder/in/folder/file", "plain", "sparse", "\udcff\n"]
    assert len([path for path in kept.rglob("*") if path.name == "d"]) == 8
    assert (kept / "sparse").stat().st_size == 2_000_003
    assert (kept / "sparse").stat().st_blocks * 512 < 1_000_000
    assert (kept / "sparse").read_bytes().strip(b"\0") == b"end"
    assert {stat.S_IMODE(path.lstat().st_mode) for path in kept.rglob("*")} == {0o644, 0o755}
    assert {path.lstat().st_uid for path in kept.rglob("*")} == {os.geteuid()}


@pytest.mark.once
@needs_bubblewrap
def test_a_full_memory(tmp_path: Path) -> None:
    """The system lets the bot write no more than disk_mb; what it has written then is kept, and is no fault."""
    code = """
def at_start():
    global note
    with open(memory / "big", "ab", buffering=0) as file:
        before = file.tell()
        try:
            while True: file.write(bytes(4096))
        except OSError as error:
            note = [before, file.tell(), error.strerror]
"""
    plan = make_learning_plan(tmp_path, code, sandbox="bubblewrap", deals=1)

    finished = play_tournament(plan)

    first, second = sorted(read_notes(finished))
    assert first[:2] == [0, 2 << 20]
    assert second[:2] == [2 << 20, 2 << 20]
    assert collect_faults([record for _, record in finished.games]) == []


@pytest.mark.once
@needs_bubblewrap
def test_a_memory_folder_takes_memory(tmp_path: Path) -> None:
    """A memory folder takes memory like files in /tmp: it lies in memory while the bot runs."""
    code = """
def at_question(number):
    with open(memory / "big", "wb") as file:
        for _ in range(150): file.write(bytes(1 << 20))
    sys.stdin.readlines()
"""
    plan = make_learning_plan(tmp_path, code, sandbox="bubblewrap", deals=1)
    learner = replace(plan.entrants[0], limits=Limits(memory_mb=96, disk_mb=200))

    finished = play_tournament(replace(plan, entrants=(learner, *plan.entrants[1:])))

    faults = collect_faults([record for _, record in finished.games])
    assert [fault.kind for fault in faults] == ["out_of_memory"] * 2


# ---- what is too much

MANY_FILES: Final = """
def at_question(number):
    if number == 2:
        for file in range(2_000):
            (memory / str(file)).touch()
        if STAYS: sys.stdin.readlines()
"""


@pytest.mark.once
@needs_bubblewrap
def test_too_many_files_in_the_sandbox(tmp_path: Path) -> None:
    """A bot with too many files in the sandbox is ended, by its own fault; it remembers what it knew before, and its
    log says so.
    """
    plan = make_learning_plan(tmp_path, MANY_FILES.replace("STAYS", "True"), sandbox="bubblewrap", deals=1)

    finished = play_tournament(plan)

    for _, record in finished.games:
        [fault] = record.faults
        assert (fault.kind, fault.decision, record.players[fault.seat]) == ("crashed", 2, "learner")
        assert fault.message.startswith("its memory folder holds more than 1,000 files and folders, and it was ended")
    assert read_notes(finished) == [[[]]] * 2
    assert all("[its memory stays what it was: its memory folder holds more" in log for log in own_logs(plan, finished))


@pytest.mark.once
@first_rows(1)(
    ("code", "what"),
    [
        (MANY_FILES.replace("STAYS", "False"), "more than 1,000 files and folders"),
        (
            "def at_question(number):\n"
            "    for file in range(3): (memory / str(file)).write_bytes(os.urandom(1_000_000))",
            "more than 2 MiB (disk_mb)",
        ),
    ],
)
def test_too_much_without_a_sandbox(tmp_path: Path, code: str, what: str) -> None:
    """A memory folder that holds too much without a sandbox is noticed before the next game, which the bot forfeits, as
    all later ones: it is not started any more.
    """
    plan = make_learning_plan(tmp_path, code, deals=2, workers=1, games_at_once=1)

    finished = play_tournament(plan)

    records = [record for _, record in sorted(finished.games, key=lambda one: one[0].rotation)]
    faults = collect_faults(records)
    assert [fault.kind for fault in faults] == ["crashed", "never_started", "never_started"]
    assert all(f"its memory folder holds {what}, and it" in fault.message for fault in faults)
    assert str(plan.entrants[0].memory) in faults[-1].message


# ---- whom it concerns


@pytest.mark.once
@needs_bubblewrap
def test_bots_do_not_see_the_memories_of_others(tmp_path: Path) -> None:
    """A bot does not see the memories of others, nor can it write to what is kept of its own, or see where
    that lies.
    """
    code = """
def look(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return type(error).__name__
def at_start():
    global note
    try:
        Path("/memory-kept/x").touch()
    except OSError as error:
        note = [error.strerror, look("MEMORIES"), look("FOLDER")]
"""
    store = tmp_path / "x.pitboss"
    code = code.replace("MEMORIES", f"{store}.memory").replace("FOLDER", str(tmp_path / "bot"))
    (tmp_path / "bot").mkdir()
    for folder in (tmp_path, tmp_path / "bot"):
        (folder / "bot.py").write_text(LEARNING_BOT.replace("CODE", code))
    bots = [
        replace(
            learning_entrant(store, "", name),
            command=(sys.executable, "-S", "bot.py"),
            folder=folder,
            hidden=(store, Path(f"{store}.memory")),
        )
        for name, folder in (("learner", tmp_path), ("other", tmp_path / "bot"))
    ]

    finished = play_tournament(make_plan(store, *bots, deals=1, sandbox="bubblewrap"))

    assert collect_faults([record for _, record in finished.games]) == []
    assert read_notes(finished, "other") == [["Read-only file system", "FileNotFoundError", ["bot.py"]]] * 2
    assert {note[1] for note in read_notes(finished)} == {"FileNotFoundError"}


# ---- the folder alone


def make_files(folder: Path, count: int) -> None:
    """Make so many files."""
    folder.mkdir(parents=True)
    for number in range(count):
        (folder / str(number)).touch()


@pytest.mark.parametrize(("count", "is_refused"), [(MAX_KEPT_FILES, False), (MAX_KEPT_FILES + 1, True)])
def test_the_number_of_files(tmp_path: Path, count: int, is_refused: bool) -> None:
    """A folder with as many files as the bound allows is accepted, and one with one more is refused."""
    make_files(tmp_path / "memories" / "a", count)
    memory = MemoryFolder(tmp_path / "memories" / "a", 1, is_copied=False)

    if is_refused:
        with pytest.raises(BotStartError, match=r"more than 1,000 files and folders, and it is not started"):
            memory.prepare()
    else:
        memory.prepare()


def test_a_run_that_was_killed_while_it_replaced_a_folder(tmp_path: Path) -> None:
    """The new folder was whole before the old one was put aside: it takes its place."""
    kept = tmp_path / "memories" / "a"
    make_files(kept.with_name("a.old"), 1)
    make_files(kept.with_name("a.new"), 2)

    MemoryFolder(kept, 1, is_copied=True).prepare()

    assert sorted(path.name for path in kept.iterdir()) == ["0", "1"]


def test_a_run_that_was_killed_while_it_copied(tmp_path: Path) -> None:
    """A run that was killed while it copied leaves the old folder."""
    kept = tmp_path / "memories" / "a"
    make_files(kept, 1)
    make_files(kept.with_name("a.new"), 2)

    MemoryFolder(kept, 1, is_copied=True).prepare()

    assert [path.name for path in kept.iterdir()] == ["0"]
