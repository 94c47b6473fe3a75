"""A program that edits a bot in its work space: in the sandbox of a build step, for a bounded time.

The work space can be written to, and nothing else outlasts the run. The program ends by itself, or is ended with all
processes that it has started: when its time is used up, when its processor time is used up, or when the work space
holds too much.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import IO, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.plan.limits import MEBIBYTE, Limits
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_contents import measure_folder
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.build_sandbox import launch_build, launch_landlock_build
from pitboss_tournament.processes.cgroups import ControlGroup, find_group_parents
from pitboss_tournament.processes.rlimits import pdeathsig_args
from pitboss_tournament.processes.sandbox import bare_environment

MAX_KEPT_OUTPUT: Final = MEBIBYTE  # bytes of what the program prints that are kept; the rest is read and dropped
MAX_EDIT_PROCESSES: Final = 512  # and threads, at a time
EDIT_POLL_SECONDS: Final = 0.2  # between two looks at the processor time
SIZE_LOOKS: Final = 5  # looks for each one at the size of the work space

EditEnd: TypeAlias = Literal["ended", "failed", "time", "processor", "processes", "size", "not started"]


class EditBounds(Struct, frozen=True, kw_only=True):
    """What a program that edits a bot may use."""

    seconds: float
    cpu_s: float
    workspace_mb: int  # of the work space, with all that lies in it
    memory_mb: int = 4096
    has_network: bool = False
    read: tuple[str, ...] = ()  # more files and folders that it may read
    env: Mapping[str, str] = {}


class EditRun(Struct, frozen=True, kw_only=True):
    """How a program that edits a bot has ended."""

    end: EditEnd
    status: int | None = None  # negative for a signal; None: it was not started
    seconds: float = 0.0
    cpu_s: float | None = None  # of all its processes; None: the machine does not count them
    why: str = ""  # if it was not started


def run_editor(
    command: Sequence[str],
    folder: Path,
    programs: Sequence[str],
    bounds: EditBounds,
    *,
    level: SandboxLevel,
    mark: str,
    output: Path,
) -> EditRun:
    """Run a program in the work space `folder` to its end, and write what it prints into the file `output`.

    It sees `programs` beside those of the system. All its processes have a mark that begins with `mark`. Threads may
    call this at the same time.

    Raises:
        ConfigError: the work space, or what the program needs, cannot be shown without showing too much.
        MachineError: the machine cannot start it.
    """
    own_mark = f"{mark}-{secrets.token_hex(8)}"
    with _hold_group(own_mark, bounds.memory_mb) as group, output.open("wb") as out:
        launch = _prepare(command, folder, programs, bounds, level, group)
        launch = replace(launch, env={**launch.env, **bounds.env, reaper.MARK: own_mark})
        try:
            return _watch(launch, folder, bounds, group, out)
        except OSError as error:
            return EditRun(end="not started", why=f"{command[0]}: {(error.strerror or str(error)).lower()}")
        finally:
            reaper.kill_marked(own_mark.__eq__)
            launch.remove_temporary()


def end_editors(mark: str) -> None:
    """Kill the processes of all programs whose mark begins with `mark`: a killed run may have left some."""
    reaper.kill_marked(lambda found: found.startswith(f"{mark}-"))


@contextmanager
def _hold_group(mark: str, memory_mb: int) -> Iterator[ControlGroup]:
    group = ControlGroup(mark, find_group_parents())
    try:
        group.limit_memory(memory_mb * MEBIBYTE)
        yield group
    finally:
        group.remove()


def _prepare(
    command: Sequence[str],
    folder: Path,
    programs: Sequence[str],
    bounds: EditBounds,
    level: SandboxLevel,
    group: ControlGroup,
) -> BotLaunch:
    if level == "none":
        env = {**bare_environment(), "PATH": os.pathsep.join([*_list_folders(programs), bare_environment()["PATH"]])}
        return BotLaunch((*pdeathsig_args(), *command), env, folder, len(command), 0, group.join_args())
    prepare: Callable[..., BotLaunch] = launch_landlock_build if level == "landlock" else launch_build
    limits = Limits(
        memory_mb=bounds.memory_mb,
        processes=1024,
        open_files=1024,
        disk_mb=max(bounds.workspace_mb, 64),
        cpu_s=max(1, round(bounds.cpu_s)),
    )
    launch = prepare(command, folder, programs, group, read=bounds.read, has_network=bounds.has_network, limits=limits)
    return launch if level != "landlock" else replace(launch, argv=(*pdeathsig_args(), *launch.argv))


def _list_folders(programs: Sequence[str]) -> list[str]:
    return [str(Path(program).parent) for program in programs if "/" in program]


def _watch(launch: BotLaunch, folder: Path, bounds: EditBounds, group: ControlGroup, out: IO[bytes]) -> EditRun:
    """Start the program, and end it when it has used up one of its bounds."""
    began = time.monotonic()
    with launch.isolate() as (words, files):
        process = subprocess.Popen(
            (*launch.join, *words),
            cwd=launch.folder,
            env=launch.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=files,
            start_new_session=reaper.IS_POSIX,
        )
    assert process.stdout
    reading = Thread(target=_copy_output, args=(process.stdout, out), daemon=True)
    reading.start()
    end: EditEnd | None = None
    looks = 0
    while end is None:
        left = bounds.seconds - (time.monotonic() - began)
        with suppress(subprocess.TimeoutExpired):
            process.wait(min(EDIT_POLL_SECONDS, max(left, 0.0)))
            break
        looks += 1
        if left <= 0:
            end = "time"
        elif (group.computed_seconds() or 0.0) > bounds.cpu_s:
            end = "processor"
        elif len(group.pids() or ()) > MAX_EDIT_PROCESSES:
            end = "processes"
        elif looks % SIZE_LOOKS == 0 and measure_folder(folder) > bounds.workspace_mb * MEBIBYTE:
            end = "size"
    seconds = time.monotonic() - began
    cpu_s = group.computed_seconds()
    reaper.kill(process.pid, whole_group=True)
    group.kill()
    reaper.kill_marked(launch.env[reaper.MARK].__eq__)
    status = launch.bot_status(process.wait())
    reading.join(1.0)
    if end is None:
        end = "processor" if status == -getattr(signal, "SIGXCPU", 24) else "failed" if status else "ended"
    if end in ("ended", "failed") and measure_folder(folder) > bounds.workspace_mb * MEBIBYTE:
        end = "size"
    return EditRun(end=end, status=status, seconds=seconds, cpu_s=cpu_s)


def _copy_output(source: IO[bytes], out: IO[bytes]) -> None:
    """Copy what a program prints; beyond `MAX_KEPT_OUTPUT` it is read and dropped."""
    left = MAX_KEPT_OUTPUT
    with source, suppress(OSError, ValueError):  # the file is closed once the program has ended
        while chunk := os.read(source.fileno(), 1 << 16):
            if left > 0:
                out.write(chunk[:left])
                out.flush()
            left -= len(chunk)
