"""`pitboss queue`: commits and folders are compared as they were when they were queued."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZOO
from tests.mistakes import each_mistake
from tests.soak.zoo_match import HAS_SANDBOX
from tests.tournament.command_line import run_pitboss
from tests.tournament.queue_repository import (
    QUICK,
    add_entry,
    commit_version,
    list_entries,
    make_repository,
    run_git,
    run_queue,
    write_version,
)

pytestmark = pytest.mark.once


@pytest.mark.long
def test_two_commits(tmp_path: Path) -> None:
    """Commits are resolved when they are queued: a later commit, checkout or deletion changes nothing. The verdict is
    that of `compare`, and so is the status.
    """
    top = make_repository(tmp_path)
    first, second = run_git(top, "rev-parse", "HEAD~1"), run_git(top, "rev-parse", "HEAD")
    added = add_entry(top, "git:main~1:mine", "git:main:mine")
    shutil.rmtree(top / "mine")
    run_git(top, "commit", "--quiet", "--all", "--message", "Give up")

    ran = run_queue(top, "run")
    [entry] = list_entries(top)
    table = run_queue(top, "list").out.splitlines()
    again = run_queue(top, "run")

    title = f"1: magpie, git:main~1:mine ({first[:7]} Play ten turns) against git:main:mine ({second[:7]} Play on): "
    assert added.out.startswith(f"{title}waits in ")
    assert ran.status == 0, ran.err
    assert ran.out == f"{title}{entry['report']['sentence']}\n"
    assert (entry["state"], entry["report"]["verdict"], entry["report"]["seed"]) == ("ended", "better", "s")
    assert (entry["old"]["commit"], entry["new"]["commit"]) == (first, second)
    assert entry["games"] == Store(Path(entry["store"])).count_games() > 0
    assert table[1].startswith("1  ")
    assert (
        f"better: +∞ points (90 %: {entry['report']['points']['low']:+.0f} to +∞), {entry['games']} games" in table[1]
    )
    assert run_git(top, "status", "--porcelain") == ""
    assert (again.status, again.out) == (0, "")


@pytest.mark.long
def test_the_verdict_is_that_of_compare(tmp_path: Path) -> None:
    """The verdict of a queue is that of `compare` with the same bots, seed and options: the same games, deals and
    figures, as they come from one function.
    """
    top = make_repository(tmp_path)
    add_entry(top, "git:HEAD~1:mine", "git:HEAD:mine")
    run_git(top, "worktree", "add", "--quiet", "--detach", str(tmp_path / "before" / "mine-old"), "HEAD~1")
    (tmp_path / "old").mkdir()
    shutil.copytree(tmp_path / "before" / "mine-old" / "mine", tmp_path / "old" / "mine")

    run_queue(top, "run")
    compared = run_pitboss("compare", "magpie", str(tmp_path / "old" / "mine"), str(top / "mine"), *QUICK, "--json")

    [entry] = list_entries(top)
    differing = {"store": None, "games": None, "faults": None}  # games that were in play at the verdict do not count
    assert compared.json_value | differing == entry["report"] | differing


def test_a_folder_is_copied(tmp_path: Path) -> None:
    """A queued folder is copied, so that later edits are not compared; the digest is the one that the standings show.
    Stores and caches are not copied, ignored files are.
    """
    write_version(tmp_path / "mine", "good")
    (tmp_path / "mine" / ".gitignore").write_text("weights.bin\n")
    for name in ("weights.bin", "racko-s.pitboss", "__pycache__/bot.pyc", ".git/config"):
        (tmp_path / "mine" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "mine" / name).write_text("x")

    added = add_entry(tmp_path, "mine", "house:first", "--games", "4")
    [copy] = (tmp_path / ".pitboss-queue" / "bots").glob("*/mine")
    names = sorted(path.name for path in copy.iterdir())
    write_version(tmp_path / "mine", "never_ready")
    ran = run_queue(tmp_path, "run")

    [entry] = list_entries(tmp_path)
    header = Store(Path(entry["store"])).header
    assert (ran.status, entry["report"]["faults"]) == (2, {"mine": {}, "house:first": {}}), ran.err
    assert f"mine (digest {entry['old']['digest'][:12]})" in added.out
    assert [one.digest for one in header.entries if one.name == "mine"] == [entry["old"]["digest"]]
    assert names == [".gitignore", "bot.py", "bot.toml", "polite.py", "weights.bin"]


def test_changes_that_are_not_committed(tmp_path: Path) -> None:
    """git:HEAD is the commit, and a note names what is not in it; without FOLDER it is the current folder. A copy of
    what the commit has is told, too.
    """
    top = make_repository(tmp_path)
    clean = add_entry(top / "mine", "git:HEAD", "git:HEAD~1")
    same = add_entry(top / "mine", "git:HEAD", ".")
    (top / "mine" / "bot.py").write_text("# changed\n")
    (top / "mine" / "new.py").touch()
    changed = add_entry(top / "mine", "git:main", "git:HEAD~1")

    assert clean.err == ""
    assert same.err == "pitboss: OLD and NEW consist of the same files\n"
    said = "git:main is the commit, without what is not committed: mine/bot.py and mine/new.py"
    assert changed.err == f"pitboss: {said}\n"
    assert [entry["old"]["copy"] for entry in list_entries(top)] == [list_entries(top)[0]["old"]["copy"]] * 3


@each_mistake(__file__, "bots", quick=1)
def test_a_bot_that_is_not_there(tmp_path: Path, written: str, said: str) -> None:
    """A sentence says what was looked for and where; nothing is queued."""
    top = make_repository(tmp_path)
    ran = run_queue(top, "add", "magpie", "git:HEAD:mine", written, *QUICK)

    assert (ran.status, ran.out) == (2, "")
    assert said.format(top=top, commit=run_git(top, "rev-parse", "HEAD")[:7]) in ran.err
    assert len(ran.err.splitlines()) == 1
    assert run_queue(top, "list").out == "The queue is empty.\n"
    assert list((top / ".pitboss-queue").glob("bots/*")) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bounds", "5", "-5"), "--bounds 5 -5: the first bound must be less than the second"),
        (("--seats", "9"), "seats is 9; magpie is played by "),
        (("--among", "house:first"), "--among house:first: at a table of 2 no seat is left"),
        (("-o", "turns=none"), "-o turns=none: "),
        (("--queue", "full"), "'full' is a folder with other files; a queue has one of its own"),
    ],
)
def test_settings_that_are_refused(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    """Settings that `compare` refuses are refused when they are queued, and not in the night."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").touch()

    ran = run_queue(tmp_path, "add", "magpie", "house:first", "house:random", *words)

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


@pytest.mark.long
def test_outside_of_a_repository(tmp_path: Path) -> None:
    """git: is refused with what git said, the queue of the folder itself is used; without one each command says so."""
    none = run_queue(tmp_path, "list"), run_queue(tmp_path, "run"), run_queue(tmp_path, "remove", "1")
    refused = run_queue(tmp_path, "add", "magpie", "git:HEAD", "house:first")
    add_entry(tmp_path, "house:first", "house:random")

    assert [ran.status for ran in none] == [2, 3, 2]
    assert {ran.err for ran in none} == {
        f"pitboss: there is no queue in '{tmp_path}/.pitboss-queue'; `pitboss queue add` makes one\n"
    }
    assert refused.status == 2
    assert f"git:HEAD: '{tmp_path}' is not in a work tree of git (fatal: not a git repository" in refused.err
    assert [entry["state"] for entry in list_entries(tmp_path)] == ["waits"]


def test_without_git(tmp_path: Path) -> None:
    """A queue without git takes all other bots; git: is refused with what is missing."""
    env = {"PATH": str(tmp_path)}
    words = ("queue", "add", "magpie", "house:first")

    assert run_pitboss(*words, "house:random", cwd=tmp_path, env=env).status == 0
    refused = run_pitboss(*words, "git:HEAD", cwd=tmp_path, env=env)
    assert (refused.status, refused.err) == (
        2,
        "pitboss: the program 'git' is not on the PATH; bots of git:REV need it\n",
    )


@pytest.mark.long
def test_a_build_that_fails_and_a_bot_that_crashes_at_its_start(tmp_path: Path) -> None:
    """A build that fails and a bot that crashes at its start have failed with their evidence, and the next one goes on;
    the status is 3.
    """
    top = tmp_path / "repository"
    commit_version(top, "broken", "good", "Break the build", 'build = ["sh", "-c", "echo no such card >&2; exit 3"]\n')
    commit_version(top, "dead", "good", "Crash")
    (top / "dead" / "bot.py").write_text("raise SystemExit('lost my cards')\n")
    run_git(top, "commit", "--quiet", "--all", "--message", "Crash at the start")
    for old, new in (("house:first", "git:HEAD:broken"), ("git:HEAD:dead", "git:HEAD:dead"), ("house:first",) * 2):
        add_entry(top, old, new, "--games", "4")

    ran = run_queue(top, "run")

    built, crashed, played = list_entries(top)
    assert ran.status == 3
    assert [entry["state"] for entry in (built, crashed, played)] == ["failed", "failed", "ended"]
    assert "the build command failed with status 3" in built["why"][0]
    assert "no such card" in built["why"]
    assert crashed["why"][0].startswith("dead-")
    assert " cannot play: " in crashed["why"][0]
    assert "lost my cards" in crashed["why"]
    assert len(ran.out.splitlines()) == 3
    assert "    lost my cards" in run_queue(top, "list").out.splitlines()
    assert run_queue(top, "run").status == 0  # what has failed is not tried again


@pytest.mark.long
def test_a_bot_that_has_to_be_built(tmp_path: Path) -> None:
    """A copy is built when it is played, in the sandbox if there is one; the build in the person's folder is not
    used.
    """
    top = tmp_path / "repository"
    more = 'build = ["cp", "polite.py", "bot.py", "build"]\n'
    commit_version(top, "mine", "good", "Build it", more)
    toml = (top / "mine" / "bot.toml").read_text().replace('"bot.py"]\nbuild', '"build/bot.py"]\nbuild')
    (top / "mine" / "bot.toml").write_text(toml)
    run_git(top, "commit", "--quiet", "--all", "--message", "Play what is built")
    shutil.copytree(top / "mine", top / "other")
    (top / "other" / "build").mkdir()
    (top / "other" / "build" / "bot.py").write_text("raise SystemExit('an old build')\n")
    added = run_queue(top, "add", "magpie", "git:HEAD:mine", "other", "-o", "turns=3", "--games", "4")

    ran = run_queue(top, "run")

    [entry] = list_entries(top)
    assert added.status == 0, added.err
    assert entry["state"] == "ended", entry["why"]
    assert ran.err.count("building ") == 2
    assert not (top / "mine" / "build").exists()


@pytest.mark.long
def test_a_bot_that_never_played(tmp_path: Path) -> None:
    """A bot that never played has no verdict, as with `compare`, and the reason is told; so has one that did wrong,
    with --fail-on-faults.
    """
    zoo = {name: f"{sys.executable} -S {ZOO / f'{name}.py'}" for name in ("plays_illegally", "crashes_later", "good")}
    add_entry(tmp_path, zoo["good"], zoo["plays_illegally"])
    add_entry(tmp_path, zoo["good"], zoo["crashes_later"], "--fail-on-faults")
    add_entry(tmp_path, zoo["good"], zoo["crashes_later"])

    ran = run_queue(tmp_path, "run")

    never, wrong, verdict = list_entries(tmp_path)
    assert ran.status == 3
    assert never["why"][0].startswith("plays_illegally never played: it forfeited each of its games")
    assert wrong["why"][0].startswith("crashes_later committed faults, and --fail-on-faults is given: ")
    assert any("the tenth decision was too much" in line for line in wrong["why"])
    assert (verdict["state"], verdict["report"]["verdict"]) == ("ended", "not better")


@pytest.mark.long
@pytest.mark.parametrize(
    ("verdicts", "status"),
    [
        pytest.param(("better",), 0, marks=pytest.mark.long),
        (("not better", "better"), 1),
        pytest.param(("not better", "undecided"), 2, marks=pytest.mark.long),
    ],
)
def test_the_status_is_that_of_the_worst(tmp_path: Path, verdicts: tuple[str, ...], status: int) -> None:
    """The status of a queue is 0 only if every new bot is better."""
    good, crashes = (f"{sys.executable} -S {ZOO / f'{name}.py'}" for name in ("good", "crashes_later"))
    words = {
        "better": (crashes, good),
        "not better": (good, crashes),
        "undecided": (good, crashes, "--games", "2"),
    }
    for verdict in verdicts:
        add_entry(tmp_path, *words[verdict])

    assert run_queue(tmp_path, "run").status == status
    assert [entry["report"]["verdict"] for entry in list_entries(tmp_path)] == list(verdicts)


@pytest.mark.long
def test_a_larger_table(tmp_path: Path) -> None:
    """The other seats of a larger table have the bot of --among, as it was when it was queued."""
    write_version(tmp_path / "third", "good")
    add_entry(tmp_path, "house:first", "house:random", "--seats", "3", "--among", "third", "--games", "6")
    write_version(tmp_path / "third", "never_ready")

    ran = run_queue(tmp_path, "run")

    [entry] = list_entries(tmp_path)
    assert ran.status in (0, 1, 2), ran.err
    assert entry["report"]["faults"]["third"] == {}
    assert entry["games"] == 6


@pytest.mark.long
def test_a_comparison_is_removed(tmp_path: Path) -> None:
    """A comparison is removed with its games, and the copies that no other has; its number is not used again."""
    for name in ("one", "two"):
        write_version(tmp_path / name, "good", f'name = "{name}"\n')
    add_entry(tmp_path, "one", "two", "--games", "4")
    add_entry(tmp_path, "one", "house:first", "--games", "4")
    run_queue(tmp_path, "run")
    copies = tmp_path / ".pitboss-queue" / "bots"
    before = len(list(copies.iterdir()))

    first = run_queue(tmp_path, "remove", "1")
    after = [path.name for one in copies.iterdir() for path in one.iterdir()]
    run_queue(tmp_path, "remove", "2")
    add_entry(tmp_path, "house:first", "house:random")

    assert first.out.startswith("1: magpie, one (digest ")
    assert (before, after, list(copies.iterdir())) == (2, ["one"], [])
    assert [entry["number"] for entry in list_entries(tmp_path)] == [3]
    assert not list((tmp_path / ".pitboss-queue").glob("000[12].pitboss*"))
    assert run_queue(tmp_path, "remove", "9").err == "pitboss: the queue has no comparison 9; there are: 3\n"


def test_an_entry_that_somebody_broke(tmp_path: Path) -> None:
    """The file of an entry that somebody broke is named, in one line."""
    add_entry(tmp_path, "house:first", "house:random")
    (tmp_path / ".pitboss-queue" / "0001.json").write_text('{"number": "one"}')

    ran = run_queue(tmp_path, "list")

    assert ran.status == 2
    assert ran.err.startswith(f"pitboss: {tmp_path}/.pitboss-queue/0001.json: is no comparison of a queue: ")


def test_a_copy_that_git_cannot_write_is_whole_or_not_there(tmp_path: Path) -> None:
    """A copy that git cannot write (a full disk, or here a commit that lacks a file's contents) is reported with git's
    complaint, and nothing of it is left.
    """
    top = make_repository(tmp_path)
    blob = run_git(top, "rev-parse", "HEAD:mine/polite.py")
    (top / ".git" / "objects" / blob[:2] / blob[2:]).unlink()

    ran = run_queue(top, "add", "magpie", "house:first", "git:HEAD:mine")

    assert ran.status == 2
    assert ran.err.startswith("pitboss: git:HEAD:mine: git archive failed: ")
    assert list((top / ".pitboss-queue").glob("bots/*")) == []


def test_links_and_run_bits_of_a_copy(tmp_path: Path) -> None:
    """Links and run bits are kept in a copy, from a commit and from a folder; a named pipe is not waited for."""
    top = make_repository(tmp_path)
    (top / "mine" / "again.py").symlink_to("bot.py")
    (top / "mine" / "run.sh").write_text("#!/bin/sh\n")
    (top / "mine" / "run.sh").chmod(0o755)
    run_git(top, "add", "--all")
    run_git(top, "commit", "--quiet", "--message", "Link")
    os.mkfifo(top / "mine" / "pipe")
    add_entry(top, "git:HEAD:mine", "mine")

    [entry] = list_entries(top)
    for side in ("old", "new"):
        copy = top / ".pitboss-queue" / "bots" / entry[side]["copy"]
        assert (copy / "again.py").readlink() == Path("bot.py")
        assert (copy / "run.sh").stat().st_mode & 0o100
        assert not (copy / "pipe").exists()


@pytest.mark.long
@pytest.mark.skipif(not HAS_SANDBOX, reason="this machine has no sandbox")
def test_the_queue_is_hidden_from_bots(tmp_path: Path) -> None:
    """The queue, which holds seeds and other bots, is hidden from a bot whose command is shown the folder around it."""
    spy = "import os, sys\nsys.exit(str(sorted(os.listdir(os.path.dirname(os.path.abspath(__file__))))))\n"
    (tmp_path / "spy.py").write_text(spy)
    words = ("magpie", f"{sys.executable} -S spy.py", "house:first", "--sandbox", "bubblewrap")
    assert run_queue(tmp_path, "add", *words).status == 0

    run_queue(tmp_path, "run")

    assert list_entries(tmp_path)[0]["why"][1:] == ["['spy.py']"]


def test_in_a_hook_of_git(tmp_path: Path) -> None:
    """A hook of git queues each commit against the one before."""
    top = make_repository(tmp_path)
    hook = top / ".git" / "hooks" / "post-commit"
    words = ["queue", "add", "magpie", "git:HEAD~1:mine", "git:HEAD:mine", *QUICK]
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m pitboss_tournament.cli {' '.join(words)}\n")
    hook.chmod(0o755)

    commit = commit_version(top, "mine", "slow_in_time", "Think")

    assert [entry["new"]["commit"] for entry in list_entries(top)] == [commit]
