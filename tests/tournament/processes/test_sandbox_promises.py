"""What a bot in the sandbox must not be able to do: each is tried by a program that is not nice."""

from __future__ import annotations

import ctypes
import os
import socket
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from pitboss_tournament.plan.limits import Limits
from tests.tournament.sandbox_programs import (
    PYTHONS,
    make_entrant,
    needs_bubblewrap,
    python_entrant,
    run_for_output,
    start_program,
)

pytestmark = [pytest.mark.once, needs_bubblewrap, pytest.mark.parametrize("program", PYTHONS)]

FORK_BOMB = """
import os, sys
inlet, outlet = os.pipe()
count = 0
while count < 300:
    try:
        if os.fork() == 0:
            os.close(outlet)
            os.read(inlet, 1)
            os._exit(0)
    except OSError:
        break
    count += 1
print(count, flush=True)
sys.stdin.read()
"""
FILL = """
written = 0
try:
    for number in range(200):
        with open(f"{folder}/{number}", "wb", buffering=0) as file:
            for _ in range(4):
                if file.write(b"x" * (1 << 18)) < 1 << 18:
                    raise OSError
                written += 1 << 18
except OSError:
    pass
print(written >> 20)
"""


def test_program_of_this_machine(program: str) -> None:
    """A server on this machine cannot be reached, by no kind of socket."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(f"\0pitboss-test-{os.getpid()}")
        local.listen()
        code = f"""
import socket
inet = (socket.AF_INET, ("127.0.0.1", {server.getsockname()[1]}))
for family, address in (inet, (socket.AF_UNIX, "\\0pitboss-test-{os.getpid()}")):
    try:
        socket.socket(family).connect(address)
        print("connected")
    except OSError as wrong:
        print(wrong.errno)
"""
        assert run_for_output(python_entrant(code, program)) == "111\n111"


def test_world(program: str) -> None:
    """There is no way to send anything to another machine."""
    code = (
        "import socket\ntry: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 9))\n"
        "except OSError: print('no')"
    )

    assert run_for_output(python_entrant(code, program)) == "no"


def test_files_of_others(program: str, tmp_path: Path) -> None:
    """The system's secrets, people's folders and the neighbour's bot are not there."""
    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        folder.mkdir()
        (folder / "bot.toml").write_text("")
    wanted = [
        "/etc/shadow",
        "/etc/resolv.conf",
        "/root/.bashrc",
        "/home",
        "/var",
        "/sys",
        str(other),
        str(Path(__file__)),
    ]
    code = f"import os\nprint([path for path in {wanted!r} if os.path.lexists(path)], os.listdir('..'))"

    assert run_for_output(python_entrant(code, program, mine)) == "[] ['mine']"


def test_writing(program: str, tmp_path: Path) -> None:
    """Nothing can be written but in /tmp and /dev/shm: not to the bot's own folder, not to the system, not beside
    them.
    """
    (tmp_path / "bot.toml").write_text("")
    code = f"""
import os
for folder in ("/", "/usr", "/usr/bin", "/etc", "/dev", "/proc/sys/kernel", {str(tmp_path)!r}, "/tmp", "/dev/shm"):
    try:
        open(folder + "/new", "w").write("!")
        print(folder)
    except OSError:
        pass
"""
    assert run_for_output(python_entrant(code, program, tmp_path)) == "/tmp\n/dev/shm"
    assert [path.name for path in tmp_path.iterdir()] == ["bot.toml"]


@pytest.mark.parametrize(("folder", "most"), [("/tmp", 8), ("/dev/shm", 16)])
def test_filling_the_disk(program: str, folder: str, most: int) -> None:
    """A bot can fill /tmp up to `disk_mb`, and /dev/shm up to 16 MiB."""
    got = int(run_for_output(python_entrant(f"folder = {folder!r}\n{FILL}", program, limits=Limits(disk_mb=8))))

    assert most - 1 <= got <= most


def test_one_large_file(program: str) -> None:
    """A file cannot be larger than `disk_mb`, even if nothing is written into it."""
    code = (
        "import os\ntry: os.truncate(os.open('/tmp/large', os.O_RDWR | os.O_CREAT), 9 << 20)\n"
        "except OSError as error: print(error.errno)"
    )

    assert run_for_output(python_entrant(code, program, limits=Limits(disk_mb=8))) == "27"


def test_other_processes(program: str) -> None:
    """Only the sandbox's own two processes are seen; the runner cannot be sent a signal, or traced."""
    code = f"""
import ctypes, os
print(sorted(int(name) for name in os.listdir("/proc") if name.isdigit()))
for pid in ({os.getpid()}, {os.getppid()}):
    try:
        os.kill(pid, 0)
        print("hit")
    except ProcessLookupError:
        print("gone")
    print(ctypes.CDLL(None).ptrace(16, pid, 0, 0))
for pid in (-1, os.getppid()):
    try:
        os.kill(pid, 9)
    except ProcessLookupError:
        pass
print("alive")
"""
    seen, *rest = run_for_output(python_entrant(code, program)).splitlines()

    assert seen in ("[1, 2]", "[1, 3]")
    assert rest == ["gone", "-1", "gone", "-1", "alive"]


def test_shared_queues(program: str) -> None:
    """Objects that processes share by a key (System V queues, semaphores, memory) are the sandbox's own."""
    libc, key = ctypes.CDLL(None), 0x50000000 + os.getpid()
    queue = libc.msgget(key, 0o1666)  # made, for all users
    assert queue >= 0
    try:
        assert (
            run_for_output(python_entrant(f"import ctypes\nprint(ctypes.CDLL(None).msgget({key}, 0))", program)) == "-1"
        )
    finally:
        libc.msgctl(queue, 0, None)


def test_more_rights(program: str) -> None:
    """A bot in the sandbox is nobody, has no capabilities, and can make no namespace in which it would have some."""
    code = """
import ctypes, os
status = dict(line.split() for line in open("/proc/self/status") if line.startswith(("Cap", "NoNew")))
capabilities = {int(status[f"Cap{kind}:"], 16) for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")}
print(os.getuid(), os.getgid(), *capabilities, status["NoNewPrivs:"])
print({*os.getgroups()} <= {os.getgid()}, ctypes.CDLL(None).unshare(0x10000000))
"""
    assert run_for_output(python_entrant(code, program)) == "65534 65534 0 1\nTrue -1"


def test_names_of_user_and_machine(program: str) -> None:
    """A bot in the sandbox has a user name, and reaches itself as localhost; it knows no other names."""
    code = """
import getpass, grp, os, pwd, socket
print(getpass.getuser(), grp.getgrgid(os.getgid()).gr_name, [user.pw_name for user in pwd.getpwall()])
with socket.create_server(("localhost", 0)) as server:
    socket.create_connection(server.getsockname()).close()
print(socket.gethostbyname(socket.gethostname()))
for path in ("/etc/passwd", "/etc/hosts"):
    try:
        open(path, "a")
    except OSError:
        print("kept")
"""
    assert run_for_output(python_entrant(code, program)) == "bot bot ['root', 'bot']\n127.0.0.1\nkept\nkept"


def test_user_on_the_machine(program: str) -> None:
    """If the runner is root, the bot is, for the machine, a user that nobody else is; else it is the runner's."""
    with ExitStack() as stack:
        users = set()
        for _ in range(2):
            popen, _, tree = stack.enter_context(start_program(python_entrant("print(flush=True)\ninput()", program)))
            assert popen.stdout and popen.stdout.readline()
            pid = tree.pids()[-1]
            assert pid
            users.add(os.stat(f"/proc/{pid}").st_uid)  # noqa: PTH116

    assert users == {os.getuid()} if os.getuid() else len(users) == 2 and min(users) >= 1_900_000_000


def test_fork_bombs(program: str) -> None:
    """Each of two fork bombs at a time stops near its own limit, whoever the runner is."""
    with ExitStack() as stack:
        bombs = [
            stack.enter_context(start_program(python_entrant(FORK_BOMB, program, limits=Limits(processes=30))))[0]
            for _ in range(2)
        ]
        counts = [int(popen.stdout.readline()) for popen in bombs if popen.stdout]

    assert all(20 <= count <= 30 for count in counts), counts


def test_open_files(program: str) -> None:
    """A bot in the sandbox gets its three pipes and no other open file, least of all a folder; the sandbox's first
    process has none to steal.
    """
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY)
    os.set_inheritable(folder, True)
    code = """
import os
for pid in ("self", "1"):
    for number in sorted(map(int, os.listdir(f"/proc/{pid}/fd"))):
        try:
            where = os.readlink(f"/proc/{pid}/fd/{number}")
        except OSError:
            continue
        print(pid, number, where.partition(":")[0])
"""
    try:
        lines = run_for_output(python_entrant(code, program)).splitlines()
    finally:
        os.close(folder)

    assert lines[:3] == [f"self {number} pipe" for number in range(3)]
    assert {line.split()[2] for line in lines} <= {"pipe", "anon_inode"}
    assert not [line for line in lines[3:] if line.startswith("self")]


def test_environment(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the runner's environment is told, neither to the bot nor by the sandbox's first process."""
    monkeypatch.setenv("PITBOSS_TEST_SECRET", "token")
    code = """
import os
print(sorted(os.environ.keys() - {"LC_CTYPE", "PWD"}))
try:
    print("SECRET" in open("/proc/1/environ").read())
except OSError:
    print(False)
"""
    names = ["HOME", "LANG", "PATH", "PITBOSS_BOT", "TMPDIR", "TZ"]

    assert run_for_output(python_entrant(code, program)) in (
        f"{names}\nFalse",
        f"{sorted([*names, 'PYTHONPATH'])}\nFalse",
    )


def test_memory_of_one_process(program: str) -> None:
    """One process cannot allocate many times what it is allowed, even before anybody looks."""
    code = (
        "import mmap\nheld = []\ntry:\n    while len(held) < 4096: held.append(mmap.mmap(-1, 1 << 24, flags=34))\n"
        "except OSError: print('no')"
    )

    assert run_for_output(python_entrant(code, program, limits=Limits(memory_mb=64))) == "no"


def test_end_of_the_sandbox(program: str) -> None:
    """With the sandbox's first process all others end, in sessions of their own or not."""
    code = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(60)
            print("outlived", flush=True)
        os._exit(0)
print("ready", flush=True)
time.sleep(60)
"""
    with start_program(python_entrant(code, program)) as (popen, _, tree):
        assert popen.stdout and popen.stdout.readline() == "ready\n"
        tree.kill_init()
        rest = popen.stdout.read()  # ends when the last process has closed it

    assert rest == ""


def test_killed_runner(program: str) -> None:
    """A bot does not outlive a runner that is killed, even where nobody looks after it."""
    runner = f"""
import subprocess, sys
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.sandbox import build_launch
sleeper = "import time; print('ready', flush=True); time.sleep(60); print('outlived')"
launch = build_launch(Entrant(name="bot", command=({program!r}, "-S", "-c", sleeper)), "m", "bubblewrap")
bot = subprocess.Popen(launch.argv, env=launch.env, cwd=launch.folder, start_new_session=True)
bot.wait()
"""
    with subprocess.Popen([sys.executable, "-c", runner], stdout=subprocess.PIPE, text=True) as popen:
        assert popen.stdout and popen.stdout.readline() == "ready\n"
        popen.kill()
        rest = popen.stdout.read()  # ends when the bot, which holds it too, has ended

    assert rest == ""


def test_killed_launcher(program: str) -> None:
    """If somebody ends the process that was started, all that it started ends too."""
    with start_program(
        python_entrant("import time\nprint('ready', flush=True)\ntime.sleep(60)\nprint('outlived')", program)
    ) as (popen, _, _):
        assert popen.stdout and popen.stdout.readline() == "ready\n"
        popen.kill()
        rest = popen.stdout.read()

    assert rest == ""


def test_bot_by_a_plain_command(program: str) -> None:
    """The first word of a bot's command may be any program of the system."""
    del program
    assert run_for_output(make_entrant("sh", "-c", "echo $HOME; pwd")) == "/tmp\n/tmp"
