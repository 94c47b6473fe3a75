"""The promises of the sandbox, tried by `sandbox_probe`, which runs in a bot's place."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Final

import msgspec

from pitboss_tournament.doctor import sandbox_probe
from pitboss_tournament.doctor.machine import Finding
from pitboss_tournament.plan.limits import MEBIBYTE, Limits
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.plan.plan import SANDBOX_LEVELS, Entrant, SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.cpu import BotGauge
from pitboss_tournament.processes.process_tree import ProcessTree
from pitboss_tournament.processes.sandbox import build_launch
from pitboss_tournament.processes.sandbox_probe import probe_level
from pitboss_tournament.processes.start_errors import MachineError
from pitboss_tournament.processes.visible_paths import find_visible_paths

PROBE_TIMEOUT_S: Final = 60
TIGHT_LIMITS: Final = Limits(memory_mb=48, processes=24, open_files=40, disk_mb=4, cpu_s=1)

_PROMISES: Final = {  # by the attempts of `sandbox_probe`: the point, and the text if the promise is kept
    "network": ("bots: network", "they reach neither the world nor this machine"),
    "processes": ("bots: neighbours", "they see no other process, and cannot send a signal to one"),
    "files": ("bots: files", "they see their own files and those of the system, no others"),
    "read_only": ("bots: writing", "they cannot change the system or their own folder"),
    "disk": ("bots: disk", "their /tmp and /dev/shm are their own, and bounded"),
    "many": ("bots: processes", "they cannot start more than their limit"),
    "open_files": ("bots: open files", "they cannot open more than their limit"),
    "memory": ("bots: memory", "no process can allocate more than its limit"),
    "rights": ("bots: rights", "they have no rights, and no way to get any"),
    "calls": ("bots: system calls", "calls that would escape the sandbox are refused"),
    "environment": ("bots: environment", "they see none of our environment variables"),
    "descriptors": ("bots: descriptors", "they get their three pipes, and no other open file"),
    # without namespaces of their own
    "reaching": ("bots: neighbours", "they see other processes, but cannot reach them"),
    "reading": ("bots: files", "they can open their own files and those of the system, no others"),
    "changing": ("bots: owners", "they cannot change names, rights, owners and times of files"),
    "temporary": ("bots: temporary files", "each bot has its own folder, and each file is bounded"),
    "no_rights": ("bots: rights", "they have no rights as any user, and no way to get any"),
}
LEVEL_PROMISES: Final[Mapping[SandboxLevel, tuple[str, ...]]] = {  # by level: what it claims, of `_PROMISES`
    "bubblewrap": (
        *("network", "processes", "files", "read_only", "disk", "many", "open_files", "memory", "rights", "calls"),
        *("environment", "descriptors"),
    ),
    "landlock": (
        *("network", "reaching", "reading", "read_only", "changing", "temporary", "open_files", "memory", "no_rights"),
        *("calls", "environment", "descriptors"),
    ),
    "none": (),
}
_REPORT_ADVICE: Final = "please report this, with the output of `pitboss doctor --json`"


def try_promises() -> Iterator[Finding]:
    """Yield a finding for each promise of each level of the sandbox that works here; a single one if none does."""
    levels = [level for level in SANDBOX_LEVELS if LEVEL_PROMISES[level] and is_level_usable(level)]
    for level in levels:
        yield from _try_level(level)
    if not levels:
        yield Finding("bots", "note", "what they could do here has not been tried: no sandbox works here now")


def is_level_usable(level: SandboxLevel) -> bool:
    """Whether a level of the sandbox works here, as far as that can be told now."""
    try:
        return not probe_level(level).problem
    except MachineError:
        return False


def _try_level(level: SandboxLevel) -> Iterator[Finding]:
    """Yield a finding for each promise of a level."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        secret = Path(folder, "secret")
        secret.write_text("!")
        probe = (sys.executable, "-S", "-E", sandbox_probe.__file__)
        asked = {
            "names": LEVEL_PROMISES[level],
            "port": server.getsockname()[1],
            "runner": os.getpid(),
            "secret": str(secret),
            "shown": _list_shown(probe),
            "disk_bytes": TIGHT_LIMITS.disk_mb * MEBIBYTE,
            "most": TIGHT_LIMITS.processes,
            "most_files": TIGHT_LIMITS.open_files,
            "data_bytes": 2 * TIGHT_LIMITS.memory_mb * MEBIBYTE
            + MEBIBYTE * 256
            + os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 64,
        }
        yield from _try_promises(level, _launch_probe(level, *probe, msgspec.json.encode(asked).decode()))
        yield _try_own_files(level, Path(folder), secret)
    yield _try_cpu_watch(level)


def _list_shown(command: Sequence[str]) -> list[str]:
    """Return what a bot with this command is shown beside the system, with the places to which links lead."""
    paths = find_visible_paths(command, None).paths
    return sorted({str(place) for path in paths for place in (path, path.resolve())})


def _try_promises(level: SandboxLevel, launch: BotLaunch) -> Iterator[Finding]:
    """Yield a finding for each promise from the probe's output."""
    with launch.start(stderr=subprocess.DEVNULL) as bot:
        tree = ProcessTree(bot.pid, launch.layers)
        assert bot.stdin and bot.stdout
        try:
            told = bot.stdout.readline()
            broken: dict[str, str | None] = msgspec.json.decode(told) if told else {}
            for name in LEVEL_PROMISES[level]:
                if name == "calls" and launch.layers and not launch.filter:
                    continue
                point, promise = _PROMISES[name]
                yield _promise_finding(level, point, promise, broken.get(name, "the probe did not get that far"))
            held = int(bot.stdout.readline() or 0)
            seen = tree.memory_bytes(TIGHT_LIMITS.memory_mb * MEBIBYTE)
            is_seen = seen >= held > TIGHT_LIMITS.memory_mb * MEBIBYTE
            missed = None if is_seen else f"it holds {held:,} bytes, and {seen:,} are seen"
            yield _promise_finding(
                level, "bots: memory watch", "the memory of all their processes together is known", missed
            )
        finally:
            _end_probe(bot, launch, tree)


def _try_own_files(level: SandboxLevel, folder: Path, secret: Path) -> Finding:
    """Look whether the files in a bot's folder can show it one that lies elsewhere."""
    own = folder / "bot"
    own.mkdir()
    (own / BOT_FILE).touch()
    (own / "run").write_text(f"#!/usr/bin/env -S -u {secret} sh\ncat {secret} || echo hidden\n")
    (own / "run").chmod(0o755)
    (own / "link").symlink_to(secret)
    said = []
    for program in ("./run", "./link"):
        seen = find_visible_paths((program,), own).paths
        said += [f"{program} shows it {path}" for path in seen if path.resolve() == secret.resolve()]
    entrant = Entrant(name="probe", command=("./run",), folder=own, limits=TIGHT_LIMITS)
    launch = build_launch(entrant, "probe", level)
    with launch.start(stderr=subprocess.DEVNULL) as bot:
        out, _ = bot.communicate(timeout=PROBE_TIMEOUT_S)
    launch.remove_temporary()
    if out.strip() != b"hidden":
        said.append("its first line has shown it a file that lies elsewhere, or it did not run")
    return _promise_finding(
        level, "bots: own files", "nothing in their folder shows them files elsewhere", "; ".join(said)
    )


def _try_cpu_watch(level: SandboxLevel) -> Finding:
    """Check that the computing time of a bot and of its child is seen."""
    launch = _launch_probe(level, "sh", "-c", "while :; do :; done & while :; do :; done")
    with launch.start(stderr=subprocess.DEVNULL) as bot:
        tree = ProcessTree(bot.pid, launch.layers)
        gauge = BotGauge(tree.pids, lambda: None)
        try:
            until = monotonic() + PROBE_TIMEOUT_S
            while (seen := gauge.read_all().computed) < TIGHT_LIMITS.cpu_s and monotonic() < until:
                sleep(0.05)
            missed = None if seen >= TIGHT_LIMITS.cpu_s else f"{seen:.1f} s are seen of a bot that computes without end"
        finally:
            gauge.close()
            _end_probe(bot, launch, tree)
    return _promise_finding(
        level, "bots: computing", "the processor time of all their processes is known, and limited", missed
    )


def _end_probe(bot: subprocess.Popen[bytes], launch: BotLaunch, tree: ProcessTree) -> None:
    """End a probe and all that it has started."""
    tree.kill_init()
    reaper.kill(bot.pid, whole_group=True)
    bot.wait()
    launch.remove_temporary()


def _launch_probe(level: SandboxLevel, *command: str) -> BotLaunch:
    return build_launch(Entrant(name="probe", command=command, limits=TIGHT_LIMITS), "probe", level)


def _promise_finding(level: SandboxLevel, point: str, promise: str, missed: str | None) -> Finding:
    if level != SANDBOX_LEVELS[0]:
        point = f"{point} ({level})"
    return Finding(point, "problem", missed, _REPORT_ADVICE) if missed else Finding(point, "ok", promise)
