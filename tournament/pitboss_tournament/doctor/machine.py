"""Findings about this machine: whether it has what a tournament needs, which plugins and languages are installed."""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pitboss.plugins.registry import Registry
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.cgroups import find_group_parents
from pitboss_tournament.processes.cpu import ThreadTimes, available_cpus
from pitboss_tournament.processes.process_tree import child_pids
from pitboss_tournament.processes.sandbox_probe import bubblewrap_version, probe_level, resolve_sandbox
from pitboss_tournament.processes.seccomp import build_filter
from pitboss_tournament.processes.start_errors import MachineError

if sys.platform != "win32":
    import resource

FindingState: TypeAlias = Literal["ok", "note", "problem"]

SQLITE_WITH_STRICT: Final = (3, 37, 0)
LITTLE_DISK, LITTLE_MEMORY, FEW_FILES = 1 << 30, 1 << 30, 1024
COARSE_CLOCK_S: Final = 1e-5
REAPER_TIMEOUT_S: Final = 10
_NEEDS_LINUX: Final = "only Linux has it"
_TRY_AGAIN: Final = "run `pitboss doctor` again when the machine is less busy"

VERSION_TIMEOUT_S: Final = 20

_PROGRAMS: Final = (
    "python3", "pypy3", "node", "deno", "bun", "java", "javac", "gcc", "g++", "clang", "go", "rustc", "zig", "dotnet",
    "perl", "ruby", "lua", "luajit", "php", "tclsh", "ghc", "ocaml", "julia", "Rscript", "gawk", "mawk", "bash", "jq",
)  # fmt: skip
_VERSION_OPTIONS: Final = {  # of the programs that do not know `--version`
    "java": ("-version",), "javac": ("-version",), "gcc": ("-dumpfullversion",), "g++": ("-dumpfullversion",),
    "go": ("version",), "zig": ("version",), "perl": ("-e", "print $^V"), "lua": ("-v",), "luajit": ("-v",),
    "tclsh": (), "ghc": ("--numeric-version",), "ocaml": ("-version",), "mawk": ("-W", "version"),
}  # fmt: skip
_INPUT: Final = {"tclsh": "puts [info patchlevel]"}  # it reads a program from its input


class Finding(Struct, frozen=True):
    """One point: the subject, its state, a text and, unless all is well, advice."""

    point: str
    state: FindingState
    text: str
    cure: str = ""


def check_machine() -> Iterator[Finding]:
    """Yield the findings about the machine itself."""
    yield Finding("Python", "ok", f"{platform.python_version()}, {sys.executable}")
    yield _check_system()
    yield _check_processors()
    yield _check_memory()
    yield _check_disk()
    yield _check_open_files()
    yield _check_clock()
    yield _check_sqlite()
    yield _check_bubblewrap()
    yield _check_program("prlimit", "limits the memory, files and processes of bots")
    yield _check_program("setpriv", "ends bots together with the runner, and takes root's rights from them")
    yield _check_system_calls()
    yield _check_memory_limit()
    yield _check_pidfd()
    yield _check_cpu_accounting()
    yield _check_reaper()


def check_plugins() -> Iterator[Finding]:
    """Yield what is installed, and a problem for each broken plugin and each name that several offer."""
    registry = Registry()
    games, bots, packs = sorted(registry.games), sorted(registry.bots), sorted(registry.packs)
    if games:
        yield Finding("games", "ok", ", ".join(games))
    else:
        yield Finding("games", "problem", "none is installed", "a game is a package: pitboss install racko")
    yield Finding("bots by name", "ok", ", ".join(bots) or "none; bots are also folders and commands")
    if packs:
        yield Finding("packs", "ok", ", ".join(packs))
    for problem in registry.problems:
        yield Finding("plugin", "problem", " ".join(str(problem).split()), "mend it, or uninstall it")


def _judge(point: str, is_well: bool, text: str, advice: str, state: FindingState = "note") -> Finding:
    return Finding(point, "ok", text) if is_well else Finding(point, state, text, advice)


def _check_system() -> Finding:
    text = f"{platform.system()} {platform.release()}, {platform.machine()}"
    is_linux = platform.system() == "Linux"
    return _judge("system", is_linux, text, "bots can only be kept apart from the machine on Linux")


def _check_processors() -> Finding:
    usable, all_ = available_cpus(), os.cpu_count() or 1
    text = f"{usable} usable" + (f" of {all_}" if usable != all_ else "")
    if hasattr(os, "sched_setaffinity"):
        return Finding("processors", "ok", f"{text}; workers can be pinned to them")
    text += "; this system cannot pin workers to them"
    return Finding("processors", "note", text, "decisions take some 50 µs longer")


def _check_memory() -> Finding:
    try:
        page = os.sysconf("SC_PAGE_SIZE")
        whole, free = (page * os.sysconf(name) for name in ("SC_PHYS_PAGES", "SC_AVPHYS_PAGES"))
    except (AttributeError, ValueError, OSError):  # Windows has no `sysconf`, macOS not all of its names
        return Finding("memory", "note", "the system does not tell how much there is")
    with suppress(OSError, ValueError, IndexError):
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    text = f"{free / MEBIBYTE:,.0f} of {whole / MEBIBYTE:,.0f} MiB available"
    advice = "set limits.memory_mb so that all bots of all games at once fit in there"
    return _judge("memory", free >= LITTLE_MEMORY, text, advice)


def _check_disk() -> Finding:
    free = shutil.disk_usage(".").free
    text = f"{free / MEBIBYTE:,.0f} MiB free here ({Path.cwd()})"
    advice = "a game takes some kilobytes of the store; keep it where there is room (`store = …`)"
    return _judge("disk", free >= LITTLE_DISK, text, advice)


def _check_open_files() -> Finding:
    if sys.platform == "win32":
        return Finding("open files", "ok", "this system has no limit for each process")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return Finding("open files", "ok", "as many as one likes")
    if soft >= FEW_FILES:
        return Finding("open files", "ok", f"{soft:,} for each process")
    advice = f"ulimit -n {hard if hard > 0 else FEW_FILES}"
    return Finding("open files", "note", f"{soft:,} for each process; a bot takes up to 8", advice)


def _check_clock() -> Finding:
    found = []
    for _ in range(50):
        began = now = time.perf_counter()
        while now == began:
            now = time.perf_counter()
        found.append(now - began)
    step = min(found)
    text = f"its resolution is {step * 1e6:.2f} µs"
    return _judge("clock", step <= COARSE_CLOCK_S, text, "give bots generous limits")


def _check_sqlite() -> Finding:
    is_new = sqlite3.sqlite_version_info >= SQLITE_WITH_STRICT
    advice = "use a Python with SQLite 3.37 or newer: the store needs it"
    return _judge("SQLite", is_new, sqlite3.sqlite_version, advice, "problem")


def _check_bubblewrap() -> Finding:
    """Say whether the strongest level of the sandbox works here, and at which level bots run if it does not."""
    try:
        found = probe_level("bubblewrap")
        level, _ = resolve_sandbox("auto")
    except MachineError as error:
        return Finding("bubblewrap", "problem", str(error), _TRY_AGAIN)
    if not found.problem:
        return Finding("bubblewrap", "ok", f"{bubblewrap_version()}, {shutil.which('bwrap')}: bots run in a sandbox")
    what = "bots can read and change what you can" if level == "none" else f"bots run at the level {level}"
    state: FindingState = "problem" if level == "none" and platform.system() == "Linux" else "note"
    return Finding("bubblewrap", state, f"{found.problem}; {what}", found.remedy)


def _check_system_calls() -> Finding:
    is_known = bool(build_filter(is_memory_counted=True))
    text = "a seccomp filter refuses calls that would escape the sandbox"
    if not is_known:
        text = "no seccomp filter: bots can reach each other and the machine by calls that no namespace contains"
    return _judge("system calls", is_known, text, "a kernel with seccomp on x86_64 or aarch64 has one")


def _check_memory_limit() -> Finding:
    """Say which mechanism limits the memory of bots."""
    if platform.system() != "Linux":
        return Finding(
            "memory limit", "note", "none: this system tells Pitboss nothing of a bot's memory", _NEEDS_LINUX
        )
    try:
        parents = find_group_parents()
    except MachineError as error:
        return Finding("memory limit", "note", str(error), _TRY_AGAIN)
    if parents.memory:
        version = 2 if parents.memory == parents.unified else 1
        return Finding("memory limit", "ok", f"a control group for each bot (cgroup v{version}, in {parents.memory})")
    text = "no control groups with a memory controller: the memory of a bot's processes is added up 10 times a second"
    if build_filter(is_memory_counted=False):
        text += "; in the sandbox they get none that counts for no process (memfd, System V, shared mappings)"
    if parents.unified is None:
        text += "; what processes computed that ended and that nobody waited for is estimated"
    advice = "start Pitboss as root, or with: systemd-run --user --scope pitboss …"
    return Finding("memory limit", "note", text, advice)


def _check_program(name: str, what_for: str) -> Finding:
    path = shutil.which(name)
    advice = "install the package util-linux" if platform.system() == "Linux" else _NEEDS_LINUX
    return _judge(name, path is not None, path or f"not found: it {what_for}", advice)


def _check_pidfd() -> Finding:
    with suppress(AttributeError, OSError):
        os.close(os.pidfd_open(os.getpid()))
        return Finding("pidfd", "ok", "the end of a bot is known at once")
    text = "not here: the end of a bot is seen with up to 20 ms delay"
    return Finding("pidfd", "note", text, "Linux 5.3 or newer has it")


def _check_cpu_accounting() -> Finding:
    own = ThreadTimes(os.getpid())
    waited = own.read().waited
    own.close()
    if waited and _can_see_children():
        return Finding("accounts", "ok", "the computing time and the waiting time of a bot are known")
    text = "the system does not tell how long a bot had to wait for a processor: it is billed by the clock on the wall"
    advice = "on Linux, with schedstat in the kernel, it does; else let nothing else run beside tournaments"
    return Finding("accounts", "note", text, advice)


def _can_see_children() -> bool:
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", "input()"], stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as child:
        return child.pid in child_pids(os.getpid())


def _check_reaper() -> Finding:
    """Run the reaper against a process that ignores SIGTERM."""
    secret = secrets.token_hex(8)
    is_posix = reaper.IS_POSIX
    deaf = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(60)"
    bot = subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", deaf], stdin=subprocess.DEVNULL, start_new_session=is_posix
    )
    try:
        command, told = [sys.executable, "-I", "-S", reaper.__file__], f"{secret}\n+{bot.pid}\n"
        subprocess.run(command, input=told.encode(), timeout=REAPER_TIMEOUT_S, check=False, start_new_session=is_posix)
        bot.wait(REAPER_TIMEOUT_S)
    except (OSError, subprocess.TimeoutExpired) as error:
        text = f"bots may outlive a runner that is killed: {error}"
        return Finding("guardian", "problem", text, "please report this")
    finally:
        bot.kill()
        bot.wait()
    if not is_posix:
        text = "no bot outlives a runner that is killed, but what the bot itself has started may"
        return Finding("guardian", "note", text, "a program that reads its input ends with it")
    return Finding("guardian", "ok", "no bot outlives a runner that is killed")


def find_languages() -> Iterator[Finding]:
    """Yield the programs found, with their versions, and those that are missing."""
    with ThreadPoolExecutor() as pool:
        found = dict(zip(_PROGRAMS, pool.map(_find_version, _PROGRAMS), strict=True))
    there = [f"{name} {version}".strip() for name, version in found.items() if version is not None]
    absent = [name for name, version in found.items() if version is None]
    yield Finding("languages", "ok", ", ".join(there))
    if absent:
        yield Finding("not here", "ok", f"{', '.join(absent)} (only bots that are written in them need them)")


def _find_version(name: str) -> str | None:
    """Return a program's version, "" if it prints none; None if it is missing or cannot be run."""
    if shutil.which(name) is None:
        return None
    command, text = [name, *_VERSION_OPTIONS.get(name, ("--version",))], _INPUT.get(name, "")
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=VERSION_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    number = re.search(r"\d+(\.\d+)+", done.stdout + done.stderr)
    return None if done.returncode not in (0, 1) else number[0] if number else ""
