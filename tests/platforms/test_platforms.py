"""Commands on systems that are shown by proxy: each ends with the status that is due, and with no traceback."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.league.league_process import make_league, run_league
from tests.marks import first_rows
from tests.plugins import magpie_installed
from tests.tournament.dask_processes import DaskProcesses

pytestmark = pytest.mark.once

SYSTEMS: Final = ("windows", "macos")
HERE: Final = Path(__file__).parent
TIMEOUT_S: Final = 600  # only a command that hangs ever takes so long

# the command, what is typed, and the status
COMMANDS: Final = (
    ("play racko --against house:random --games 1 --plain", "1\n1\n1\nq\n", 0),
    ("doctor", "", 0),
    ("games", "", 0),
    ("games racko --page", "", 0),
    ("rules racko", "", 0),
    ("bots", "", 0),
    ("formats", "", 0),
    ("settings", "", 0),
    ("plugins", "", 0),
    ("plugins --check", "", 0),
    ("schema", "", 0),
    ("help faults", "", 0),
    ("install --help", "", 0),
    ("new bot python other --game racko", "", 0),
    ("new game snap", "", 0),
    ("build mine", "", 0),
    ("check mine --only starts-elsewhere", "", 0),
    ("check mine", "", 0),
    ("match racko mine house:search --preset short --deals 1 --no-store -s clock.decision_ms=60000", "", 0),
    ("match hearts house:hearts house:random house:first --deals 1 --no-store --json", "", 0),
    ("match racko mine house:random --no-store --sandbox bubblewrap", "", 2),
    ("match racko mine house:random --no-store --on local:0", "", 2),
    ("compare racko mine house:random --preset short --games 8 --seed even --no-store", "", 2),
    ("queue add racko mine house:random", "", 0),
    ("queue list", "", 0),
    ("plan --from games.pitboss", "", 0),
    ("standings games.pitboss", "", 0),
    ("standings games.pitboss --json", "", 0),
    ("why games.pitboss mine", "", 0),
    ("replay games.pitboss", "", 0),
    ("log games.pitboss", "", 0),
    ("ask games.pitboss 0 1 --bot house:random --seat 0", "", 0),
    ("report games.pitboss", "", 0),
    ("export games.pitboss", "", 0),
    ("integrity games.pitboss", "", 0),
    ("merge games.pitboss more.pitboss -o both.pitboss", "", 0),
    ("stop games.pitboss", "", 0),
    ("simulate racko --preset short --games 3", "", 0),
    ("study racko --games 2 --minutes 0", "", 0),
    ("submit http://127.0.0.1:9 mine --token x", "", 1),
)

# what prints True
PROMISES: Final = {
    "two runs do not hold a store at once": (
        "from pathlib import Path; from pitboss_tournament.store import store_lock as s; "
        "path = Path('locked'); held = s.acquire_lock(path); print(s.is_locked(path))"
    ),
    "a busy runner is not taken for one that stands still": (
        "from pitboss_tournament.processes.clocks import LoopClock; clock = LoopClock(); "
        "clock.note_times(); print(clock.runner_times.computed > 0)"
    ),
}


def show_system(system: str) -> dict[str, str]:
    """Return the environment in which Pitboss sees this system."""
    paths = (str(HERE / system), *filter(None, [os.environ.get("PYTHONPATH")]))
    encoding = {"PYTHONIOENCODING": "cp1252"} if system == "windows" else {}
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SYSTEMROOT": r"C:\Windows", **encoding}


def run_there(system: str, words: str, typed: str, folder: Path) -> tuple[int, str]:
    """Run a command as on this system; return its status, and what it said."""
    done = subprocess.run(
        [sys.executable, "-m", "pitboss_tournament.cli", *words.split()],
        input=typed.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=show_system(system),
        timeout=TIMEOUT_S,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace")


@pytest.fixture(scope="module")
def workplaces(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """For each system that is asked for: a folder with a new Python bot, and two stores of its games, played there."""

    class Workplaces(dict[str, Path]):
        def __missing__(self, system: str) -> Path:
            self[system] = tmp_path_factory.mktemp(system)
            for words in (
                "new bot python mine --game racko",
                "match racko mine house:random --preset short --deals 2 --store games.pitboss -s logs.keep=all",
                "match racko mine house:random --preset short --deals 1 --store more.pitboss",
            ):
                status, said = run_there(system, words, "", self[system])
                assert status == 0, said
            return self[system]

    return Workplaces()


@first_rows(1)("system", SYSTEMS)
@first_rows(2)("words, typed, status", COMMANDS, ids=[words for words, _, _ in COMMANDS])
def test_a_command_has_its_status_and_no_traceback(
    system: str, words: str, typed: str, status: int, workplaces: Mapping[str, Path]
) -> None:
    """Whoever writes bots on Windows or macOS meets no traceback."""
    found, said = run_there(system, words, typed, workplaces[system])

    assert "Traceback" not in said
    assert found == status, said


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("promise", PROMISES)
def test_a_module_keeps_its_promise(system: str, promise: str, tmp_path: Path) -> None:
    """What Linux does by a facility of its own is done in another way."""
    # the module's own `import` is shown the system; so the module is asked
    done = subprocess.run(
        [sys.executable, "-c", PROMISES[promise]],
        env=show_system(system),
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert done.stdout == b"True\n", done.stderr


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.long
def test_a_bot_is_submitted(system: str, workplaces: Mapping[str, Path], tmp_path: Path) -> None:
    """A league on Linux takes the bot that was made there."""
    file = Path(shutil.copytree(workplaces[system] / "mine", tmp_path / "mine"), "bot.toml")
    file.write_text(file.read_text("utf-8").replace("racko", "magpie"), "utf-8")
    with magpie_installed():
        tokens = make_league(tmp_path / "course", sandbox="none")
        with run_league(tmp_path / "course") as league:
            status, said = run_there(system, f"submit {league.url} mine --token {tokens['ada']}", "", tmp_path)

    assert status == 0, said
    assert "submission 1: mine@1" in said


@pytest.mark.long
def test_a_tournament_from_windows_is_played_on_linux(tmp_path: Path, workplaces: Mapping[str, Path]) -> None:
    """A machine with Windows is no node of a cluster; it brings its bots to nodes, and keeps the store."""
    pytest.importorskip("distributed")
    with DaskProcesses(tmp_path) as processes:
        processes.start_scheduler()
        processes.start_node("one")
        words = f"match racko mine house:random --preset short --deals 1 --store there.pitboss --on {processes.engine}"
        status, said = run_there("windows", f"{words} --sandbox none", "", workplaces["windows"])

    assert status == 0, said
    assert "Verdict" in said


@pytest.mark.long
def test_windows_is_no_node(workplaces: Mapping[str, Path]) -> None:
    """One sentence says what does not work there, and what does."""
    status, said = run_there(
        "windows", "match racko mine house:random --no-store --on local:1", "", workplaces["windows"]
    )

    assert status == 2
    assert "a node of a cluster needs Linux or macOS; from Windows" in said


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.long
def test_a_person_finds_the_table_in_the_browser(system: str, workplaces: Mapping[str, Path]) -> None:
    """`play --browser` serves its page."""
    words = "play racko --against house:random --browser --port 0 --store browser.pitboss"
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "pitboss_tournament.cli", *words.split()],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=workplaces[system],
        env=show_system(system),
    ) as serving:
        try:
            assert serving.stdout
            link = None
            while link is None and (line := serving.stdout.readline()):
                link = re.search(rb"http://\S+", line)
            assert link
            fetch = f"import urllib.request as u; print(u.urlopen({link[0].decode()!r}).status)"
            done = subprocess.run([sys.executable, "-c", fetch], capture_output=True, timeout=60, check=False)
            assert done.stdout == b"200\n", done.stderr
        finally:
            serving.kill()
