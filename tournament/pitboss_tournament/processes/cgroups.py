"""Control groups: the processes of a bot as one unit, to limit, count, freeze and kill.

A group of cgroup v2 counts, freezes and kills without any controller. Memory is limited in the same group if its
parent has delegated the memory controller, else in a group of v1's memory hierarchy. A group is made beside or below
the runner's own, wherever the system lets this user do so: as root, or in a systemd session of the user's own
(`systemd-run --user --scope`).
"""

from __future__ import annotations

import os
import secrets
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.sandbox_trial import TrialFailure, describe_failed_trial, repeat_trial
from pitboss_tournament.processes.start_errors import MachineError

_MEMORY_V2: Final = "memory.max"
_MEMORY_V1: Final = "memory.limit_in_bytes"
_EVENTS_V2: Final = "memory.events"
_CHARGE_BYTES: Final = 1 << 20  # more than a process asks for at once before the system kills one


class GroupParents(Struct, frozen=True):
    """The folders in which the groups of bots are made; None where this system has none for this user."""

    unified: Path | None = None  # cgroup v2: counts, freezes, kills
    memory: Path | None = None  # limits memory: the same folder, or one of v1's memory hierarchy

    @property
    def folders(self) -> tuple[Path, ...]:
        """Each folder once."""
        return tuple(dict.fromkeys(folder for folder in (self.unified, self.memory) if folder))


class ControlGroup:
    """The control group of one bot. A process joins it by `join_args`; its children are born into it."""

    def __init__(self, mark: str, parents: GroupParents) -> None:
        """Make the group.

        Raises:
            MachineError: the system makes no more groups.
        """
        name = reaper.GROUP_PREFIX + mark
        self._unified = parents.unified and parents.unified / name
        self._memory = parents.memory and parents.memory / name
        self._folders = tuple(folder / name for folder in parents.folders)
        self._cpu_file: int | None = None
        try:
            for folder in self._folders:
                folder.mkdir()
            if self._unified is not None:
                self._cpu_file = os.open(self._unified / "cpu.stat", os.O_RDONLY)
        except OSError as error:
            self.remove()
            raise MachineError(f"control group {error.filename!r}: {error.strerror}", "no_process") from None

    @property
    def limits_memory(self) -> bool:
        """Whether `limit_memory` has an effect."""
        return self._memory is not None

    @property
    def can_freeze(self) -> bool:
        """Whether `set_frozen` has an effect."""
        return self._unified is not None

    def has_file(self, name: str) -> bool:
        """Tell whether the system has put a file of this name into each folder of the group."""
        return all((folder / name).exists() for folder in self._folders)

    def join_args(self) -> tuple[str, ...]:
        """Return the words in front of a command with which its process joins the group; empty if there is none.

        A process that cannot join does not run the command, and exits with status 1 or 2.
        """
        if not self._folders:
            return ()
        steps = [f"echo 0 >{shlex.quote(str(folder / 'cgroup.procs'))}" for folder in self._folders]
        return ("/bin/sh", "-c", " && ".join((*steps, 'exec "$@"')), "sh")

    def limit_memory(self, limit: int) -> None:
        """Let the processes, their files in memory and their socket buffers hold this many bytes together.

        Raises:
            MachineError: the system does not take the limit.
        """
        if self._memory is None:
            return
        is_v2 = (self._memory / _MEMORY_V2).exists()
        try:
            (self._memory / (_MEMORY_V2 if is_v2 else _MEMORY_V1)).write_text(str(limit))
        except OSError as error:
            raise MachineError(f"control group {error.filename!r}: {error.strerror}", "no_process") from None
        with suppress(OSError):  # a system that does not account for swap
            if is_v2:
                (self._memory / "memory.swap.max").write_text("0")
            else:
                (self._memory / "memory.memsw.limit_in_bytes").write_text(str(limit))

    def has_run_out_of_memory(self) -> bool:
        """Tell whether the system has killed a process of the group, and the group's own limit was reached."""
        return self._has_oom_kill() and self._has_reached_limit()

    def has_lost_process(self) -> bool:
        """Tell whether the system has killed a process of the group, whose own limit was never reached.

        The memory of the machine was used up, or that of a group around this one: by others.
        """
        return self._has_oom_kill() and not self._has_reached_limit()

    def _has_oom_kill(self) -> bool:
        """Tell whether the system has killed a process of the group because memory was used up, whosever."""
        if self._memory is None:
            return False
        name = _EVENTS_V2 if (self._memory / _EVENTS_V2).exists() else "memory.oom_control"
        return _read_key(self._memory / name, "oom_kill") > 0

    def _has_reached_limit(self) -> bool:
        """Tell whether memory was refused because of the group's own limit; of v1: whether it once held all of that."""
        assert self._memory is not None
        if (self._memory / _EVENTS_V2).exists():
            return _read_key(self._memory / _EVENTS_V2, "oom") > 0
        most, limit = (
            sum(map(int, _read_lines(self._memory / name))) for name in ("memory.max_usage_in_bytes", _MEMORY_V1)
        )
        return most >= limit - _CHARGE_BYTES

    def computed_seconds(self) -> float | None:
        """Return the seconds that all processes have computed, those that have ended too; None if not counted.

        It takes two microseconds: the file begins with `usage_usec`.
        """
        if self._cpu_file is None:
            return None
        try:
            return int(os.pread(self._cpu_file, 64, 0).split(None, 2)[1]) / 1e6
        except OSError:  # the group has been removed
            return None

    def pids(self) -> list[int] | None:
        """Return all processes; None if it has no group that knows them."""
        return None if self._unified is None else [*map(int, _read_lines(self._unified / "cgroup.procs"))]

    def set_frozen(self, is_frozen: bool) -> None:
        """Stop all processes, or let them go on; a moment may pass until the last one has stopped."""
        if self._unified is not None:
            with suppress(OSError):  # it has been removed
                (self._unified / "cgroup.freeze").write_text(str(int(is_frozen)))

    def is_frozen(self) -> bool:
        """Tell whether all processes have stopped."""
        return self._unified is not None and _read_key(self._unified / "cgroup.events", "frozen") > 0

    def kill(self) -> None:
        """Kill all processes, frozen or not."""
        for folder in self._folders:
            reaper.kill_group(str(folder))

    def remove(self) -> bool:
        """Kill all processes and remove the group; return whether there was one, and it is gone."""
        if self._cpu_file is not None:
            os.close(self._cpu_file)
            self._cpu_file = None
        are_gone = [reaper.remove_group(str(folder)) for folder in self._folders]
        return bool(are_gone) and all(are_gone)


@cache
def find_group_parents() -> GroupParents:
    """Try once where groups can be made, and which of them limit memory.

    Raises:
        MachineError: it is unknown now.
    """
    unified = _find_parent("cgroup2", "", _MEMORY_V2)
    if unified:
        return GroupParents(unified, unified)
    return GroupParents(_find_parent("cgroup2", "", "cgroup.freeze"), _find_parent("cgroup", "memory", _MEMORY_V1))


def _find_parent(kind: str, controller: str, needed: str) -> Path | None:
    """Return the nearest folder, from the runner's own group upwards, in which a group with a file `needed` works."""
    for mount, own in _find_own_groups(kind, controller):
        for folder in (own, *own.parents):
            if folder.is_relative_to(mount) and _can_make_group(folder, needed):
                return folder
    return None


def _find_own_groups(kind: str, controller: str) -> Iterator[tuple[Path, Path]]:
    """Yield (mount point, the runner's own group there) of each hierarchy of this kind with this controller."""
    for line in _read_lines("/proc/self/mountinfo"):
        fields, _, rest = line.partition(" - ")
        type_, _, options = rest.split()[:3]
        if type_ != kind or (controller and controller not in options.split(",")):
            continue
        root, mount = fields.split()[3:5]
        for group in _read_lines("/proc/self/cgroup"):
            _, controllers, path = group.split(":", 2)
            if controller in controllers.split(",") and Path(path).is_relative_to(root):
                yield Path(mount), Path(mount) / Path(path).relative_to(root)


def _can_make_group(parent: Path, needed: str) -> bool:
    """Make a group with a file `needed`, let a process join it, and remove it.

    Raises:
        MachineError: it is unknown now whether that works.
    """
    try:
        group = ControlGroup(secrets.token_hex(8), GroupParents(memory=parent))
    except MachineError:
        return False
    try:
        failure = repeat_trial("a control group", lambda seconds: _try_to_join(group, seconds))
        return failure is None and group.has_file(needed)
    finally:
        group.remove()


def _try_to_join(group: ControlGroup, seconds: float) -> TrialFailure | None:
    """Let a process join a group; return why it cannot, None if it can."""
    try:
        done = subprocess.run([*group.join_args(), "true"], capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return TrialFailure(f"a trial took longer than {seconds:.0f} s", is_lasting=False)
    except OSError as error:
        return describe_failed_trial(error)
    return TrialFailure(f"status {done.returncode}", is_lasting=done.returncode > 0) if done.returncode else None


def _read_key(path: Path, key: str) -> int:
    """Return the number behind a key that begins a line; 0 if it is not there."""
    return next((int(line.split()[1]) for line in _read_lines(path) if line.split()[0] == key), 0)


def _read_lines(path: str | os.PathLike[str]) -> list[str]:
    try:
        with open(path) as file:  # noqa: PTH123 - called often
            return file.read().splitlines()
    except OSError:
        return []
