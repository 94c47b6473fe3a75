"""Games of changed code are never added up: a store keeps a digest of each file of its bots."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.audit.store_audit import find_other_files
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_contents import (
    ALL_FILES,
    CACHED_BYTES,
    MAX_FILES,
    ContentsGuard,
    digest_bot,
    find_changed_files,
)
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.running.progress_listener import ProgressListener
from pitboss_tournament.running.worker_protocol import FinishedGame
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests import ROOT
from tests.plugins import magpie_installed
from tests.tournament.command_line import CommandResult, run_pitboss
from tests.tournament.small_tournaments import make_plan, open_tournament, play_tournament, zoo_entrant

ZOO = ROOT / "tests" / "bots/zoo"
NO_SANDBOX = ("--sandbox", "none")
BOT = f"{sys.executable} -S bot.py"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot in it."""
    shutil.copy(ZOO / "good.py", tmp_path / "bot.py")
    shutil.copy(ZOO / "polite.py", tmp_path)
    return tmp_path


def play(folder: Path, deals: int, bot: str = BOT, other: str = "house:first") -> CommandResult:
    """Play a match in the folder, or carry it on."""
    words = ("match", "magpie", other, bot, "--deals", str(deals), "--seed", "s", "--store", "x.pitboss", *NO_SANDBOX)
    return run_pitboss(*words, cwd=folder)


def read_digests(folder: Path, *command: str) -> dict[str, str]:
    """Return the digests of a bot's files."""
    return digest_bot(Entrant(name="bot", command=command, folder=folder))


def test_files_at_the_start_of_a_process(folder: Path) -> None:
    """A bot is not started with other files than it was entered with; what it writes beside them is no fault."""
    file, guard = folder / "bot.py", ContentsGuard()
    meant = Entrant(name="bot", command=("python3", "bot.py"), folder=folder)
    meant = replace(meant, contents=tuple(digest_bot(meant).items()))
    text = file.read_text()

    def complain(content: str | None) -> str:
        file.unlink() if content is None else file.write_text(content)
        try:
            guard.check(meant)
        except MachineError as error:
            return f"{error.cause}: {str(error).partition(';')[0]}"
        return ""

    (folder / "log.txt").write_text("of the bot")
    wrong = f"other_files: bot 'bot' is not started: bot.py in {folder} is not what it was when the bot was entered"
    assert list(map(complain, (text, text + "#", None, text, text))) == ["", wrong, wrong, "", ""]
    guard.check(replace(meant, contents=()))


class Editor(ProgressListener):
    """Writes other text to a file once two games are finished."""

    def __init__(self, file: Path, text: str) -> None:
        self._left = 2
        self._file = file
        self._text = text

    def show_game(self, game: FinishedGame) -> None:
        """Count a game."""
        self._left -= 1
        if self._left == 0:
            self._file.write_text(self._text)


@pytest.mark.long
def test_a_bot_that_is_edited_while_it_plays(folder: Path) -> None:
    """The run ends before the edited bot plays, and blames nobody; it is carried on with the old file."""
    file, command = folder / "bot.py", (sys.executable, "-S", "bot.py")
    old, entrant = file.read_text(), Entrant(name="bot", command=command, folder=folder, process="game")
    made = make_plan(folder / "x.pitboss", entrant, zoo_entrant("good"), deals=30)
    tournament = open_tournament(made)
    with magpie_installed(), pytest.raises(ExceptionGroup) as caught:
        trio.run(tournament.run, Editor(file, 'raise SystemExit("broken")\n'))
    games = list(tournament.store.results())
    tournament.store.close()
    file.write_text(old)
    carried_on = play_tournament(made)

    assert caught.group_contains(MachineError, match="bot 'bot' is not started: bot.py in ")
    assert 2 <= len(games) < 60
    assert not any(seat.fault for game in games for seat in game.seats)
    assert set(tournament.voids) == {"other_files"}
    assert len(carried_on.games) == 60


@pytest.mark.long
@pytest.mark.once
def test_a_match_with_another_program_of_the_same_name(folder: Path) -> None:
    """A match with another program of the same name is refused with the name of the file, and goes on with the old
    file.
    """
    assert play(folder, 1).status == 0
    old = (folder / "bot.py").read_bytes()
    (folder / "bot.py").write_text('raise SystemExit("broken")\n')
    refused = play(folder, 2)
    (folder / "bot.py").write_bytes(old)

    assert refused.err == (
        "pitboss: x.pitboss: bots are not those that played here (bot: bot.py), and games of different code are not "
        "added up; play on with --new-version (bot@2 joins, bot@1 keeps its games and plays no more), take the old "
        "files back, or choose another store\n"
    )
    assert refused.status == 2
    assert play(folder, 2).status == 0
    assert Store(folder / "x.pitboss").count_games() == 4


@pytest.mark.long
@pytest.mark.once
def test_a_comparison_with_another_program(folder: Path) -> None:
    """A comparison proves nothing about a bot that has been overwritten."""
    words = (
        "compare",
        "magpie",
        "house:first",
        BOT,
        "--games",
        "4",
        "--seed",
        "s",
        "--store",
        "x.pitboss",
    )
    run_pitboss(*words, cwd=folder)
    (folder / "bot.py").write_text('raise SystemExit("broken")\n')
    refused = run_pitboss(*words, cwd=folder)

    assert (refused.status, "(bot: bot.py)" in refused.err) == (3, True)


@pytest.mark.once
def test_a_store_of_an_earlier_version(folder: Path) -> None:
    """A store of an earlier version goes on without digests, and from then on has them; a Python that it names by its
    path may be another.
    """
    play(folder, 1)
    with closing(sqlite3.connect(folder / "x.pitboss")) as db, db:
        commands = [json.loads(row[0]) for row in db.execute("select command from entries order by number")]
        assert commands[0] == ["{python}", "-P", "-m", "pitboss_house_bots", "first"]
        assert commands[1][0] == "{python}"
        db.execute(
            "update entries set command = replace(command, '{python}', '/elsewhere/bin/python3') where number = 0"
        )
        db.execute("update entries set contents = '{}', digest = ''")
    carried_on = play(folder, 2)

    assert (carried_on.status, "pitboss:" in carried_on.err) == (0, False)
    assert "bot.py" in Store(folder / "x.pitboss").header.entries[1].contents


@pytest.mark.long
@pytest.mark.once
def test_another_python_of_the_same_pitboss(folder: Path) -> None:
    """A match with house bots goes on under another name of the Python that runs Pitboss."""
    play(folder, 1, bot="house:random")
    other = folder / "bin" / "python-other"
    other.parent.mkdir()
    other.symlink_to(sys.executable)
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), *sys.path]))
    words = ["-m", "pitboss_tournament.cli", "match", "magpie", "house:first", "house:random", "--deals", "2"]
    done = subprocess.run(
        [other, *words, "--seed", "s", "--store", "x.pitboss", *NO_SANDBOX],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_files_of_a_folder(tmp_path: Path) -> None:
    """All files of a folder count, and whether they may be run; but no hidden ones, caches, what is built, stores, or
    memories.
    """
    (tmp_path / "bot.toml").write_text('command = ["./run"]\n')
    before = read_digests(tmp_path, "./run")
    for name in (
        ".git/config",
        "__pycache__/a.pyc",
        "build/run",
        ".cache",
        "x.pitboss",
        "x.pitboss-wal",
        "x.pitboss.memory/a",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("!")
    assert read_digests(tmp_path, "./run") == before

    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "net.bin").write_bytes(bytes(10))
    (tmp_path / "run").write_text("!")
    more = read_digests(tmp_path, "./run")
    (tmp_path / "run").chmod(0o755)

    assert find_changed_files(before, more) == ["lib/net.bin", "run"]
    assert find_changed_files(more, read_digests(tmp_path, "./run")) == ["run"]


def test_files_of_a_command(folder: Path) -> None:
    """The files of a command are those that it names; not their neighbours, nor a program that is found on the PATH."""
    (folder / "weights.bin").write_bytes(b"1")

    assert list(read_digests(folder, "python3", "bot.py", "--weights=weights.bin")) == ["bot.py", "weights.bin"]
    assert read_digests(folder, "cat") == {}


def test_more_files_than_are_told_apart(tmp_path: Path) -> None:
    """The files of a folder with more than are told apart have one digest."""
    (tmp_path / "bot.toml").touch()
    for number in range(MAX_FILES):
        (tmp_path / f"{number}.txt").touch()
    before = read_digests(tmp_path, "cat")
    (tmp_path / "7.txt").write_text("!")

    assert list(before) == [ALL_FILES]
    assert find_changed_files(before, read_digests(tmp_path, "cat")) == [ALL_FILES]


def test_what_git_ignores(folder: Path) -> None:
    """A file that git ignores, by git's rules in folders below too, is no part of a bot; the rules themselves are
    hidden files.
    """
    (folder / "bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    (folder / "lib").mkdir()
    for name in ("notes.log", "keep.log", "lib/table.bin", "lib/code.py", "lib/mine.log"):
        (folder / name).write_text("")
    (folder / ".gitignore").write_text("*.log\n!keep.log\n[\n")
    (folder / "lib" / ".gitignore").write_text("*.bin\n")

    assert list(read_digests(folder, "python3", "bot.py")) == [
        "bot.py", "bot.toml", "keep.log", "lib/code.py", "polite.py"
    ]  # fmt: skip
    (folder / ".gitignore").write_bytes(b"\xff\n*.py\n")
    assert "bot.py" not in read_digests(folder, "python3", "bot.py")


def test_the_digest_of_a_large_file_is_kept(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The digest of a large file is kept as long as nobody writes the file, even with the same size and time; where
    nothing can be kept it is computed.
    """
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    model = folder / "model.bin"
    model.write_bytes(bytes(CACHED_BYTES))
    os.utime(model, ns=(0, 0))
    (folder / "bot.toml").write_text('command = ["{python}", "bot.py"]\n')
    first = read_digests(folder, "python3")["model.bin"]
    [kept] = (cache / "pitboss" / "digests").iterdir()
    assert kept.read_text().endswith(f"\n{first}")

    kept.write_text(kept.read_text().replace(first, "0" * 16))
    assert read_digests(folder, "python3")["model.bin"] == "0" * 16  # so it is read from there
    with model.open("r+b") as file:
        file.write(b"1")
    os.utime(model, ns=(0, 0))
    assert read_digests(folder, "python3")["model.bin"] not in ("0" * 16, first)

    monkeypatch.setenv("XDG_CACHE_HOME", str(model))
    assert read_digests(folder, "python3")["model.bin"] != first


def test_bots_that_were_moved_with_their_store(tmp_path: Path) -> None:
    """Bots that were moved with their store, as in a league's folder, are found there, and so is a file of theirs that
    was changed.
    """
    league = tmp_path / "league"
    for name in "ab":
        (league / "bots" / name).mkdir(parents=True)
        (league / "bots" / name / "bot.py").write_text(name)
    bots = (Entrant(name=name, command=("python3", "bot.py"), folder=league / "bots" / name) for name in "ab")
    header = make_header(make_plan(league / "x.pitboss", *bots), "1", "0.1")
    moved = league.rename(tmp_path / "moved")
    assert list(find_other_files(header, moved)) == []

    (moved / "bots" / "a" / "bot.py").write_text("changed")
    [other] = find_other_files(header, moved)
    assert (other.bot, other.folder, other.files) == ("a", str(moved / "bots" / "a"), ["bot.py"])

    shutil.rmtree(moved / "bots")
    assert [str(one).split(": ", 1)[1][: len(str(league))] for one in find_other_files(header, moved)] == [
        str(league)
    ] * 2
