"""The level `landlock` of the sandbox: what a bot can reach without namespaces of its own, and what it leaves."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant, Grants
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.landlock import MAX_TEMPORARY_FILES, choose_user, find_excess, find_rules
from pitboss_tournament.processes.other_user import find_unused_users
from pitboss_tournament.processes.sandbox import build_launch, landlock_args
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import decode_text
from tests.tournament import landlock_attacks
from tests.tournament.sandbox_programs import (
    PYTHONS,
    SYSTEM_PYTHON,
    TIMEOUT_S,
    make_entrant,
    make_mark,
    needs_landlock,
    python_entrant,
    run_for_output,
    start_program,
)
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

pytestmark = [pytest.mark.once, needs_landlock]

USEFUL: Final = """
import asyncio, multiprocessing.connection, os, signal, socket, sqlite3, subprocess, sys, tempfile, threading
print(os.getcwd() != os.environ["TMPDIR"], os.listdir() and open("bot.toml").read())
with tempfile.TemporaryFile("w+") as file:
    print(file.write("x"))
base = sqlite3.connect(os.path.join(os.environ["TMPDIR"], "base"))
base.execute("create table t (x)")
base.commit()
print(asyncio.run(asyncio.sleep(0, "asyncio")))
one, other = socket.socketpair()
one.send(b"pair")
print(other.recv(9))
thread = threading.Thread(target=print, args=("thread",))
thread.start()
thread.join()
child = subprocess.Popen(["sleep", "60"])
child.send_signal(signal.SIGTERM)
print(child.wait(), os.cpu_count() > 0, os.nice(1) >= 1)
os.kill(os.getpid(), 0)
open("/dev/null", "w").write("x")
print(len(open("/dev/urandom", "rb", buffering=0).read(8)), os.path.exists("/proc/self/maps"))
"""


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Return a folder that all users may look into, unlike pytest's own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def victim() -> Iterator[subprocess.Popen[bytes]]:
    """Return a process of the runner's user, in a group of its own."""
    with subprocess.Popen(["sleep", "3600"], start_new_session=True) as found:
        yield found
        found.kill()


def make_bot_folder(place: Path) -> Path:
    """Return the folder of a bot."""
    folder = place / "bot"
    folder.mkdir()
    (folder / "bot.toml").write_text("# mine\n")
    return folder


@pytest.mark.parametrize("program", PYTHONS)
@pytest.mark.parametrize("abi", [0, 1])
def test_attacks(program: str, abi: int, open_place: Path, victim: subprocess.Popen[bytes]) -> None:
    """No attack succeeds, whether the bot has a user of its own or the runner's, with the kernel's Landlock and the
    first one: the filter of system calls refuses what that lacks.
    """
    folder, secret = make_bot_folder(open_place), open_place / "secret"
    attacks = str(shutil.copy(landlock_attacks.__file__, folder))
    secret.write_text("42")
    priority = os.getpriority(os.PRIO_PROCESS, victim.pid)
    with socket.create_server(("127.0.0.1", 0)) as server:
        told = {"secret": str(secret), "own": attacks, "victim": victim.pid, "port": server.getsockname()[1]}
        entrant = make_entrant(program, "-S", attacks, json.dumps(told), folder=folder)
        said = run_for_output(entrant, "landlock") if not abi else run_with_old_landlock(entrant, abi)

    assert json.loads(said) == []
    assert victim.poll() is None
    assert os.getpriority(os.PRIO_PROCESS, victim.pid) == priority
    assert (secret.read_text(), oct(secret.stat().st_mode & 0o777)) == ("42", "0o644")


def run_with_old_landlock(entrant: Entrant, abi: int) -> str:
    """Run a bot to its end under the rules of an older version of Landlock; return what it said."""
    launch = build_launch(entrant, make_mark(), "landlock")
    assert launch.temporary is not None
    _, seen = landlock_args(entrant)
    rules = find_rules(seen.paths, is_memory_counted=False, abi=abi)
    words = rules.launcher_words(choose_user(rules), entrant.folder or launch.temporary, launch.temporary)
    try:
        done = subprocess.run([*words, *launch.argv[len(words) :]], env=launch.env, capture_output=True, check=True)
    finally:
        launch.remove_temporary()
    return done.stdout.decode()


@pytest.mark.parametrize("program", PYTHONS)
def test_what_bots_need(program: str, open_place: Path) -> None:
    """Files of their own and temporary ones, threads, children, and pairs of sockets work."""
    folder = make_bot_folder(open_place)

    said = run_for_output(make_entrant(program, "-c", USEFUL, folder=folder), "landlock").splitlines()

    assert said == ["True # mine", "", "1", "asyncio", "b'pair'", "thread", "-15 True True", "8 True"]


def test_user_of_its_own(open_place: Path) -> None:
    """A bot of root is a user that nobody else is, if all that it needs is open to all; else it is root without rights.
    Other runners' bots are the runner.
    """
    folder, own = make_bot_folder(open_place), str(os.getuid())
    entrant = make_entrant(
        "sh", "-c", "id -u; grep processes /proc/self/limits", folder=folder, limits=Limits(processes=30)
    )

    user, *limit = run_for_output(entrant, "landlock").split()
    assert (int(user) in find_unused_users(), limit[2]) == (True, "30") if find_unused_users() else user == own
    open_place.chmod(0o700)
    landlock_args.cache_clear()
    assert run_for_output(entrant, "landlock").split()[0] == own


def test_granted_network(open_place: Path) -> None:
    """A bot that is granted the network reaches the machine by TCP and UDP, and no Unix socket."""
    code = """
import socket, sys
socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60).close()
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(("127.0.0.1", 9))
for make in (lambda: socket.socket(socket.AF_UNIX), lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)):
    try:
        print(make())
    except OSError:
        print("refused")
"""
    with socket.create_server(("127.0.0.1", 0)) as server:
        words = (sys.executable, "-c", code, str(server.getsockname()[1]))
        entrant = Entrant(name="bot", command=words, folder=make_bot_folder(open_place), grants=Grants(network=True))

        assert run_for_output(entrant, "landlock").split() == ["refused", "refused"]


def test_hidden_files(open_place: Path) -> None:
    """The tournament's store in the bot's folder cannot be read, nor what appears there later; the rest can."""
    folder = make_bot_folder(open_place)
    for name in ("store", "store-wal", "other"):
        (folder / name).write_text(name)
    code = """
import os, sys
input()
for name in sorted(os.listdir(".")):
    try:
        print(name, len(open(name).read()))
    except OSError:
        print(name, "refused")
"""
    entrant = make_entrant(sys.executable, "-S", "-c", code, folder=folder, hidden=(folder / "store",))
    with start_program(entrant, "landlock") as (popen, _, _):
        out, err = popen.communicate("\n", timeout=TIMEOUT_S)

    assert (out.splitlines(), err) == (["bot.toml 7", "other 5", "store refused", "store-wal refused"], "")


# ---- the temporary folder


def test_bounds_of_the_temporary_folder(tmp_path: Path) -> None:
    """Bytes on the disk count, and files; a sparse file does not; what cannot be looked through is too much."""
    assert find_excess(tmp_path, 1) is None
    with (tmp_path / "sparse").open("wb") as sparse:
        sparse.truncate(1 << 30)
    assert find_excess(tmp_path, 1) is None
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "deep" / "deeper" / "file").write_bytes(os.urandom(2 << 20))
    assert find_excess(tmp_path, 1) == "its temporary folder holds more than 1 MiB (disk_mb)"
    for number in range(MAX_TEMPORARY_FILES):
        (tmp_path / "deep" / str(number)).touch()
    assert find_excess(tmp_path, 10) == "its temporary folder holds more than 1,000 files and folders"


def test_a_full_temporary_folder(tmp_path: Path) -> None:
    """A bot that fills its temporary folder is ended, by its own fault, and nothing is left of the folder."""
    code = """
import os, sys
for line in sys.stdin:
    if "hello" in line:
        os.write(1, b'{"type":"ready"}\\n')
    elif '"decide"' in line:
        print(os.environ["TMPDIR"], file=sys.stderr, flush=True)
        os.mkdir(os.path.join(os.environ["TMPDIR"], "a"), 0o700)
        for number in range(4):
            with open(os.path.join(os.environ["TMPDIR"], "a", str(number)), "wb") as file:
                file.write(os.urandom(1 << 20))
        sys.stdin.read()
"""
    bad = python_entrant(code.replace("\\\\", "\\"), limits=Limits(disk_mb=2))
    plan = make_plan(tmp_path / "x.pitboss", bad, zoo_entrant("good"), sandbox="landlock", deals=1, keep_logs="all")

    finished = play_tournament(plan)

    for result, record in finished.games:
        [fault] = record.faults
        assert (fault.kind, record.players[fault.seat]) == ("crashed", "bot")
        assert fault.message.startswith("its temporary folder holds more than 2 MiB (disk_mb), and it was ended")
        log = decode_text(Store(plan.store).logs(result.game_id)[record.players.index("bot")].errors)
        assert not Path(log.splitlines()[0]).exists()


@pytest.mark.parametrize("program", PYTHONS)
def test_a_folder_that_nobody_may_enter(program: str, open_place: Path) -> None:
    """A folder that nobody may enter is removed with the bot's others, and so are folders deeper than any path."""
    code = """
import os
os.mkdir("locked", 0)
for number in range(1_500):
    os.mkdir("deep")
    os.chdir("deep")
"""
    entrant = python_entrant(f"import os\nos.chdir(os.environ['TMPDIR']){code}", program, make_bot_folder(open_place))
    with start_program(entrant, "landlock") as (popen, launch, _):
        popen.wait()
        assert launch.temporary
        assert (launch.temporary / "locked").exists()
        launch.remove_temporary()

        assert not launch.temporary.exists()


@pytest.mark.skipif(not find_unused_users(), reason="bots run as the same user here")
def test_a_process_that_has_left(open_place: Path) -> None:
    """A process in a session of its own, with an empty environment, ends with its bot's own user."""
    code = """
import os, sys
if os.fork() == 0:
    os.setsid()
    os.execve("/bin/sleep", ["sleep", "600"], {})
print("ready", flush=True)
sys.stdin.read()
"""
    with start_program(python_entrant(code, SYSTEM_PYTHON), "landlock") as (popen, launch, _):
        assert popen.stdout
        assert popen.stdout.readline() == "ready\n"
        popen.kill()
        launch.remove_temporary()

        assert popen.stdout.read() == ""  # the other process would hold it


def test_killed_runner(open_place: Path) -> None:
    """The reaper removes the folder, and ends all processes of the bot's own user."""
    secret = "of the runner"
    mark = reaper.make_mark(secret)
    code = "import os, sys\nprint(os.environ['TMPDIR'], flush=True)\nsys.stdin.read()"
    entrant = python_entrant(code, SYSTEM_PYTHON if Path(SYSTEM_PYTHON).exists() else sys.executable)
    launch = build_launch(entrant, mark, "landlock")
    with launch.start() as bot:
        assert bot.stdout
        temporary = Path(bot.stdout.readline().decode().strip())
        command = [sys.executable, "-I", "-S", reaper.__file__, str(temporary.parent)]
        subprocess.run(command, input=f"{secret}\n".encode(), check=True)

        assert bot.wait() == -signal.SIGKILL
    assert not temporary.exists()


def test_a_sandbox_that_cannot_be_made(open_place: Path) -> None:
    """The bot's program does not run, whatever the launcher lacks; the trial says what."""
    folder = make_bot_folder(open_place)
    launch = build_launch(make_entrant("sh", "-c", "echo played", folder=folder), make_mark(), "landlock")
    shutil.rmtree(folder)

    done = subprocess.run(launch.argv, env=launch.env, cwd="/", capture_output=True, text=True, check=False)
    failure = launch.try_sandbox()

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("landlock: ")
    assert failure is not None
    assert failure.is_lasting
    assert launch.temporary
    assert not launch.temporary.exists()
