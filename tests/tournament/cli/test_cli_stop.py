"""`pitboss stop`, and `pitboss standings` of a run that is on its way."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import HOLD_SIGNAL, find_holder, is_locked
from tests.tournament.command_line import COMMAND, run_pitboss
from tests.tournament.run_processes import wait_for
from tests.tournament.stored_games import make_test_header

pytestmark = pytest.mark.once

GAMES = 100_000


@contextmanager
def run_long_match(folder: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """Run a long match, and wait until it has finished a game; end it with the block."""
    store = folder / "x.pitboss"
    words = [
        "match",
        "magpie",
        "house:random",
        "house:first",
        "--deals",
        str(GAMES // 2),
        "--store",
        str(store),
        "--json",
    ]
    told = folder / "out"
    with (
        told.open("w") as out,
        subprocess.Popen([*COMMAND, *words, "-o", "turns=3"], stdout=out, text=True) as match,
    ):
        try:
            wait_for(lambda: '"event":"game"' in told.read_text(), match)
            yield store, match
        finally:
            match.kill()


def test_a_run_is_stopped_from_another_terminal(tmp_path: Path) -> None:
    """`stop` returns when the run has ended as by SIGTERM: its status, its last line, and every game that it told of is
    in the store.
    """
    with run_long_match(tmp_path) as (store, match):
        stopped = run_pitboss("stop", str(store))

        assert (stopped.status, stopped.err) == (0, "")
        assert f"Process {match.pid} plays {store}" in stopped.out
        assert match.wait() == 143
    out = (tmp_path / "out").read_text()
    assert '"stopped":true' in out.splitlines()[-1]
    kept = Store(store).count_games()
    assert stopped.out.endswith(f"It has stopped. {kept:,} games are kept.\n")
    assert kept == out.count('"event":"game"')
    assert run_pitboss("integrity", str(store)).status == 0


@pytest.mark.long
def test_standings_of_a_run_on_its_way(tmp_path: Path) -> None:
    """The standings of a run on its way name its process, its progress, its speed and the time left; the JSON has the
    same.
    """
    with run_long_match(tmp_path) as (store, match):
        line = run_pitboss("standings", str(store)).out.splitlines()[1]
        value = run_pitboss("standings", str(store), "--json").json_value["running"]

    assert line.startswith(f"It is being played now (process {match.pid}): ")
    assert f" of {GAMES:,} games, " in line
    assert line.endswith(" left.")
    assert (value["pid"], value["played_before"], value["total"]) == (match.pid, 0, GAMES)
    assert value["games_per_second"] > 0


@pytest.mark.long
def test_stop_without_a_run(tmp_path: Path) -> None:
    """`stop` without a run, also after one was killed, is a sentence with status 0; `standings` does not speak of a
    run.
    """
    with run_long_match(tmp_path) as (store, match):
        match.send_signal(signal.SIGKILL)
        match.wait()

        stopped = run_pitboss("stop", str(store))
        assert (stopped.status, stopped.err) == (0, "")
        assert stopped.out.startswith(f"No run is playing {store}. ")
        assert run_pitboss("standings", str(store), "--json").json_value["running"] is None


def test_what_is_no_store(tmp_path: Path) -> None:
    """A file that is no store is an error of one sentence, with status 2."""
    assert run_pitboss("stop", str(tmp_path / "missing")).status == 2


def test_a_process_that_only_has_the_store_open_is_left_alone(tmp_path: Path) -> None:
    """A process that only reads, copies or backs up the store does not count as its run: the lock decides."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, make_test_header(tmp_path)).close()
    with path.open("rb") as opened, subprocess.Popen(["sleep", "1000"], stdin=opened) as reader:
        fcntl.flock(opened, fcntl.LOCK_SH)
        found = find_holder(path)
        reader.kill()

    assert found is None


def test_a_holder_is_known_by_any_name_of_the_file(tmp_path: Path) -> None:
    """A holder of the lock is found through any name of the file, a link as well, until the lock is gone."""
    path, link = tmp_path / "x.pitboss", tmp_path / "link"
    link.symlink_to(path)
    store = Store.for_run(path, make_test_header(tmp_path))

    found = find_holder(link)
    assert found is not None
    with found:
        assert (found.pid, is_locked(link)) == (os.getpid(), True)
        store.close()
        found.wait()
    assert find_holder(path) is None
    assert not is_locked(path)


@pytest.mark.long
def test_a_run_begins_although_somebody_looks(tmp_path: Path) -> None:
    """A process that looks whether a store is held takes nothing from a run that begins in the same moment."""
    path = tmp_path / "x.pitboss"
    Store.for_run(path, make_test_header(tmp_path)).close()
    looks = (
        "import sys; from pathlib import Path; from pitboss_tournament.store.store_lock import is_locked; "
        "print('ready', flush=True)\nwhile True: is_locked(Path(sys.argv[1]))"
    )
    with subprocess.Popen([COMMAND[0], "-c", looks, str(path)], stdout=subprocess.PIPE, text=True) as looking:
        try:
            assert looking.stdout
            assert looking.stdout.readline() == "ready\n"
            for _ in range(100):
                Store.for_run(path, make_test_header(tmp_path)).close()
        finally:
            looking.kill()


BEGINNING_RUN = """
import fcntl, signal, sys
with open(sys.argv[1], "rb") as store:
    fcntl.flock(store, fcntl.LOCK_EX)
    print("locked", flush=True)
    sys.stdin.readline()
    signal.signal(signal.SIGURG, lambda *_: sys.exit(7))
    while True: signal.pause()
"""


def test_a_run_that_is_just_beginning(tmp_path: Path) -> None:
    """A run that is just beginning holds the store, and does not listen yet: a request to finish its games ends it in
    no other way, and is heard as soon as the run listens.
    """
    path = tmp_path / "x.pitboss"
    Store.for_run(path, make_test_header(tmp_path)).close()
    words = [COMMAND[0], "-c", BEGINNING_RUN, str(path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdin and run.stdout
        assert run.stdout.readline() == "locked\n"
        assert HOLD_SIGNAL is not None
        run.send_signal(HOLD_SIGNAL)
        with subprocess.Popen([*COMMAND, "stop", str(path), "--after-running"], stdout=subprocess.PIPE) as asking:
            run.stdin.write("listen\n")
            run.stdin.flush()
            said, _ = asking.communicate()

        assert (run.wait(), asking.returncode) == (7, 0)
    assert b"It has stopped." in said


HOLDER_QUERY = """
import os, sys
from pathlib import Path
from pitboss_tournament.store.store_lock import find_holder, is_locked
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
print(find_holder(Path(sys.argv[1])), is_locked(Path(sys.argv[1])))
"""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_another_users_run() -> None:
    """A user who may not look at the process learns that there is one, and nothing is signalled."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "x.pitboss"
        store = Store.for_run(path, make_test_header(Path(folder)))
        asked = subprocess.run([COMMAND[0], "-c", HOLDER_QUERY, str(path)], capture_output=True, text=True, check=False)
        store.close()

    assert asked.stdout.split() == ["None", "True"], asked.stderr
