"""What the system tells of a bot's processes, with and without a sandbox."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pitboss_tournament.plan.limits import MEBIBYTE, Limits
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes import process_tree
from pitboss_tournament.processes.cpu import NO_TIMES, BotGauge
from tests.marks import first_rows
from tests.tournament.sandbox_programs import needs_bubblewrap, needs_landlock, python_entrant, start_program

pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells it"),
]

MODES = [pytest.param("bubblewrap", marks=needs_bubblewrap), pytest.param("landlock", marks=needs_landlock), "none"]
HOLDING_BOT = """
import os, sys, time
held = b"x" * (40 << 20)
for _ in range(3):
    if os.fork() == 0:
        {child}
        print("!", flush=True)
        time.sleep(60)
print("!", flush=True)
time.sleep(60)
"""
EXITED_PID = 4_194_304  # more than a process number can be


def wait_for_lines(popen: subprocess.Popen[str], count: int = 4) -> None:
    """Wait until the bot and its children are ready."""
    assert popen.stdout
    for _ in range(count):
        assert popen.stdout.readline()


@pytest.mark.parametrize("mode", MODES)
def test_shared_memory_counts_once(mode: SandboxLevel) -> None:
    """Children that share their parent's memory do not use it up again: near the limit it is counted exactly."""
    with start_program(python_entrant(HOLDING_BOT.format(child="pass")), mode) as (popen, _, tree):
        wait_for_lines(popen)

        assert tree.memory_bytes(10_000 * MEBIBYTE) > 100 * MEBIBYTE
        assert 40 * MEBIBYTE < tree.memory_bytes(50 * MEBIBYTE) < 80 * MEBIBYTE


@pytest.mark.parametrize("mode", MODES)
def test_mapped_files_do_not_count(mode: SandboxLevel, tmp_path: Path) -> None:
    """A file that is mapped and read is the system's memory, in the quick sum and in the exact one."""
    model = tmp_path / "model"
    model.write_bytes(b"x" * (100 << 20))
    code = (
        f"import mmap\nfile = open({str(model)!r}, 'rb')\nheld = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)\n"
        "print(sum(held[::4096]), flush=True)\ninput()"
    )
    entrant = python_entrant(code, limits=Limits(read=(str(tmp_path),)))
    with start_program(entrant, mode) as (popen, _, tree):
        wait_for_lines(popen, 1)

        assert tree.memory_bytes(10_000 * MEBIBYTE) < 50 * MEBIBYTE
        assert tree.memory_bytes(MEBIBYTE) < 50 * MEBIBYTE


@pytest.mark.parametrize("mode", MODES)
def test_memory_of_all_processes(mode: SandboxLevel) -> None:
    """The memory that each child holds of its own is counted for the bot."""
    with start_program(python_entrant(HOLDING_BOT.format(child="mine = bytearray(b'y' * (30 << 20))")), mode) as (
        popen,
        _,
        tree,
    ):
        wait_for_lines(popen)

        assert tree.memory_bytes(50 * MEBIBYTE) > 130 * MEBIBYTE


@needs_bubblewrap
def test_memory_of_a_daemon() -> None:
    """The memory of a process that has left its parent and its session is counted for the bot too."""
    child = "os.setsid()\n        if os.fork(): os._exit(0)\n        mine = bytearray(b'y' * (30 << 20))"
    with start_program(python_entrant(HOLDING_BOT.format(child=child))) as (popen, _, tree):
        wait_for_lines(popen)

        assert tree.memory_bytes(50 * MEBIBYTE) > 130 * MEBIBYTE


@needs_bubblewrap
@pytest.mark.parametrize(
    "code",
    [
        pytest.param("open('/tmp/x', 'wb').write(b'x' * (20 << 20))", id="one large file"),
        pytest.param("for n in range(20 << 10): open(f'/tmp/{n}', 'wb').close()", id="many empty files"),
    ],
)
def test_memory_of_files(code: str) -> None:
    """The bot's /tmp is memory too: what lies there counts, and even empty files do."""
    with start_program(python_entrant(f"{code}\nprint(flush=True)\ninput()")) as (popen, _, tree):
        wait_for_lines(popen, 1)

        assert tree.memory_bytes(10_000 * MEBIBYTE) > 20 * MEBIBYTE


@needs_bubblewrap
def test_memory_while_it_starts() -> None:
    """At no moment of its start does a bot seem to hold what lies on our disk."""
    for _ in range(5):
        with start_program(python_entrant("print(flush=True)")) as (popen, _, tree):
            while popen.poll() is None:
                assert tree.memory_bytes(10_000 * MEBIBYTE) < 100 * MEBIBYTE


@pytest.mark.parametrize("mode", MODES)
def test_time_computed(mode: SandboxLevel) -> None:
    """A reading is the CPU time of the bot's program, whatever else the machine does; after its end the last value
    stays.
    """
    code = "import time\nwhile True:\n    print(time.process_time(), flush=True)\n    input()"
    with start_program(python_entrant(code), mode) as (popen, _, tree):
        told = [read_number(popen)]
        gauge = BotGauge(tree.pids, lambda: None)
        first = gauge.read().computed
        told.append(ask_number(popen))
        second = gauge.read().computed

    last = gauge.read()
    assert told[0] - 1e-6 <= first <= second <= last.computed  # one is rounded
    assert told[1] - 1e-6 <= second < told[1] + 0.05  # the start of the sandbox counts too
    assert last.waited >= 0
    gauge.close()


@pytest.mark.parametrize("mode", MODES)
@first_rows(2)("reaps", [True, False])
def test_time_of_children(mode: SandboxLevel, reaps: bool) -> None:
    """The time of children counts, also of those that have ended and were waited for; a child that still computes makes
    the bot runnable.
    """
    code = f"""
import os, time
print(0, flush=True)
input()
children, parent = [], os.getpid()
for _ in range(2):
    if (child := os.fork()) == 0:
        while time.process_time() < 0.2 or (not {reaps} and os.getppid() == parent): pass
        os._exit(0)
    children.append(child)
    if {reaps}: os.waitpid(child, 0)
time.sleep(0.5)
print(0, flush=True)
input()
"""
    with start_program(python_entrant(code), mode) as (popen, _, tree):
        read_number(popen)
        gauge = BotGauge(tree.pids, lambda: None)
        before = gauge.read().computed
        ask_number(popen)

        after = gauge.read_all().computed
        assert after - before > 0.35 if reaps else after > before
        while gauge.is_runnable() is reaps:  # the bot has answered, and may still run for a moment
            time.sleep(0.01)
        gauge.close()


FORKING_BOT = """
import os, resource, signal, sys, time
seconds, at_once, is_forgotten = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "forgotten"
if is_forgotten: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
print(0, flush=True)
input()
outlet, inlet = os.pipe()
until, children = time.perf_counter() + 2, set()
while time.perf_counter() < until:
    while len(children) < at_once:
        if (child := os.fork()) == 0:
            while (used := time.process_time()) < seconds: pass
            os.write(inlet, b"%d\\n" % (used * 1e6))
            os._exit(0)
        children.add(child)
    if is_forgotten:
        children &= set(map(int, open(f"/proc/self/task/{os.getpid()}/children").read().split()))
        time.sleep(0.0005)
    else:
        children.discard(os.wait()[0])
os.close(inlet)
told = sum(map(int, open(outlet, "rb").read().split())) / 1e6
waited_for = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.process_time() + max(told, waited_for.ru_utime + waited_for.ru_stime), flush=True)
input()
"""


@pytest.mark.long  # judges how often this process may look: a busy machine lets it look too rarely
@pytest.mark.parametrize("kind", ["forgotten", "waited for"])
@pytest.mark.parametrize(("seconds", "at_once"), [("0.1", 1), ("0.04", 12), ("0.004", 1), ("0.002", 4)])
def test_time_of_forgotten_children(kind: str, seconds: str, at_once: int) -> None:
    """A parent that waits for no child hides little of what they compute; one that waits is not billed more."""
    command = (sys.executable, "-S", "-c", FORKING_BOT, seconds, str(at_once), kind)
    with start_program(Entrant(name="forking", command=command), "none") as (popen, _, tree):
        read_number(popen)
        gauge = BotGauge(tree.pids, lambda: None)
        before = gauge.read_all().computed
        with ThreadPoolExecutor() as pool:
            asking = pool.submit(ask_number, popen)
            while not asking.done():
                time.sleep(0.01)
                gauge.read_all()
        told = asking.result()
        seen = gauge.read_all().computed - before
        gauge.close()

    if kind == "forgotten":
        assert seen > 0.6 * told
    else:
        assert seen < told + 0.05


@pytest.mark.parametrize("mode", MODES)
def test_busiest_thread_of_a_small_program(mode: SandboxLevel) -> None:
    """The busiest thread is the program's, although its sandbox has computed longer."""
    with start_program(Entrant(name="small", command=("cat",)), mode) as (popen, _, _):
        assert popen.stdin and popen.stdout
        popen.stdin.write("\n")
        popen.stdin.flush()
        wait_for_lines(popen, 1)
        thread = process_tree.busiest_thread(process_tree.descendants(popen.pid))

        assert Path(f"/proc/{thread}/comm").read_text() == "cat\n"


def test_busiest_thread_of_a_wrapped_program() -> None:
    """The busiest thread of a program in a shell is the program's, not the shell's."""
    code = "import time\nwhile time.process_time() < 0.1: pass\nprint(flush=True)\ninput()"
    entrant = Entrant(name="wrapped", command=("sh", "-c", f"{shlex.quote(sys.executable)} -S -c '{code}'; true"))
    with start_program(entrant, "none") as (popen, _, tree):
        wait_for_lines(popen, 1)
        thread = process_tree.busiest_thread(tree.pids())

        assert Path(f"/proc/{thread}/comm").read_text().startswith("python")


def read_number(popen: subprocess.Popen[str]) -> float:
    """Return the number in the next line of a program's output."""
    assert popen.stdout
    return float(popen.stdout.readline())


def ask_number(popen: subprocess.Popen[str]) -> float:
    """Send a program an empty line, and return the number that it answers."""
    assert popen.stdin
    popen.stdin.write("\n")
    popen.stdin.flush()
    return read_number(popen)


def test_process_that_is_gone() -> None:
    """A process that is gone has no children, no memory and no time, and that is no error."""
    gauge = BotGauge(lambda: [EXITED_PID], lambda: None)

    assert (
        process_tree.descendants(EXITED_PID),
        process_tree.child_pids(EXITED_PID),
        process_tree.memory_bytes([EXITED_PID], 0),
        process_tree.tmpfs_bytes(EXITED_PID),
    ) == ([], [], 0, 0)
    assert process_tree.tmpfs_bytes(os.getpid()) == 0
    assert (gauge.read(), gauge.read_all(), gauge.is_runnable()) == (NO_TIMES, NO_TIMES, False)
    process_tree.prefer_oom_kill(EXITED_PID)
    tree = process_tree.ProcessTree(EXITED_PID)
    assert (tree.init_pid(), tree.pids(), tree.memory_bytes(0)) == (None, [], 0)


def test_descriptors_are_given_back() -> None:
    """A watch over a bot leaves nothing open behind it."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    with start_program(python_entrant(HOLDING_BOT.format(child="pass")), "none") as (popen, _, tree):
        wait_for_lines(popen)
        for _ in range(12):
            tree.memory_bytes(MEBIBYTE)

    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
