"""The sandbox of a build step: the bot's folder can be written to, and nothing else outlasts the build.

It is the sandbox that bots play in, with these differences: the build runs as the owner of the folder, it sees the
programs that the bot needs, its limits are generous, and it may be allowed to use the network. The programs that edit
a bot in an arena run in the same sandbox (see `edit_run`).
"""

from __future__ import annotations

import os
import secrets
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import MEBIBYTE, Limits
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bind_mounts import bind_args
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.cgroups import ControlGroup, find_group_parents
from pitboss_tournament.processes.landlock import find_rules, name_temporary
from pitboss_tournament.processes.other_user import can_become, find_unused_users, setpriv_args
from pitboss_tournament.processes.rlimits import prlimit_args, program_path
from pitboss_tournament.processes.sandbox import SHARED_MEMORY, open_locked_folders, sandbox_environment
from pitboss_tournament.processes.seccomp import build_filter
from pitboss_tournament.processes.visible_paths import (
    find_system_mounts,
    find_visible_paths,
    list_namespaces,
    list_sandbox_files,
)

BUILD_LIMITS: Final = Limits(memory_mb=4096, processes=1024, open_files=1024, disk_mb=2048, cpu_s=3600)


def run_build(
    command: Sequence[str],
    folder: Path,
    programs: Iterable[str],
    *,
    level: SandboxLevel,
    hidden: Iterable[Path],
    has_network: bool,
    stdout: int,
    stderr: int | None,
) -> tuple[int, bytes]:
    """Run a build step in the sandbox to its end; return its status, negative for a signal, and the captured output.

    `level`: of the sandbox, not "none".

    Raises:
        ConfigError: as `launch_build`, or `launch_landlock_build`.
        MachineError: the machine cannot start it.
    """
    group = ControlGroup(f"build-{secrets.token_hex(8)}", find_group_parents())
    try:
        group.limit_memory(BUILD_LIMITS.memory_mb * MEBIBYTE)
        prepare = launch_landlock_build if level == "landlock" else launch_build
        launch = prepare(command, folder, programs, group, hidden=hidden, has_network=has_network)
        with launch.isolate() as (words, files):
            done = subprocess.run(
                [*launch.join, *words],
                cwd=launch.folder,
                env=launch.env,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                pass_fds=files,
                check=False,
                start_new_session=level == "landlock",
            )
        if mark := launch.env.get(reaper.MARK):
            reaper.kill_marked(mark.__eq__)
        launch.remove_temporary()
    finally:
        group.remove()
    return launch.bot_status(done.returncode), done.stdout or b""


def launch_build(
    command: Sequence[str],
    folder: Path,
    programs: Iterable[str],
    group: ControlGroup,
    *,
    hidden: Iterable[Path] = (),
    read: Iterable[str] = (),
    has_network: bool = False,
    limits: Limits = BUILD_LIMITS,
) -> BotLaunch:
    """Return how a build step is started in the sandbox; it sees `programs` and `read`, beside those of the system.

    Files in the folder that are `hidden` cannot be read.

    Raises:
        ConfigError: the folder, or one that a program needs, cannot be shown without showing too much.
    """
    folder = folder.resolve()
    seen = find_visible_paths(command, folder, read)
    others = [find_visible_paths((program,), None) for program in programs]
    shown = dict.fromkeys(path for one in (seen, *others) for path in one.paths if path != folder)
    inner = [program_path("bwrap"), *list_namespaces(has_network=has_network)]
    inner += ["--cap-drop", "ALL", *find_system_mounts(has_network=has_network)]
    # the build may run as root without rights, to whom files in /proc still belong
    inner += ["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"]
    inner += ["--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    inner += ["--size", str(limits.disk_mb * MEBIBYTE), "--tmpfs", "/tmp"]
    for path in shown:
        inner += bind_args(path)
    inner += ["--bind", str(folder), str(folder)]
    for path in hidden:
        if path.resolve().is_relative_to(folder) and path.is_file():
            inner += ["--ro-bind", "/dev/null", str(path.resolve())]
    inner += ["--chdir", str(folder), "--remount-ro", "/", "--"]
    inner += [*prlimit_args(limits, has_own_user=True, limits_cpu=True), *seen.command]
    owner = _owner_args(folder)
    outer = open_locked_folders([*shown, folder], writable=folder) if owner else ()
    argv = (*outer, *owner, *inner)
    return BotLaunch(
        argv,
        sandbox_environment([place for one in (seen, *others) for place in one.program_folders], seen.module_folders),
        Path("/"),
        command_words=len(seen.command),
        layers=2 if outer else 1,
        join=group.join_args(),
        filter=build_filter(is_memory_counted=True),
        files=list_sandbox_files(has_network=has_network),
        options_place=len(argv) - len(inner) + 1,
    )


def launch_landlock_build(
    command: Sequence[str],
    folder: Path,
    programs: Iterable[str],
    group: ControlGroup,
    *,
    hidden: Iterable[Path] = (),
    read: Iterable[str] = (),
    has_network: bool = False,
    limits: Limits = BUILD_LIMITS,
) -> BotLaunch:
    """Return how a build step is started at the level `landlock`, as the owner of the folder.

    Raises:
        ConfigError: a folder cannot be shown without showing too much, or a hidden file lies in the bot's.
    """
    folder = folder.resolve()
    if inside := [path for path in hidden if path.exists() and path.resolve().is_relative_to(folder)]:
        raise ConfigError(
            f"{str(inside[0])!r} lies in the bot's folder {str(folder)!r}, where a build at the level landlock of the "
            "sandbox could read it; give the bot a folder of its own"
        )
    seen = find_visible_paths(command, folder, read)
    others = [find_visible_paths((program,), None) for program in programs]
    shown = dict.fromkeys(path for one in (seen, *others) for path in one.paths if path != folder)
    rules = find_rules(shown, writable=[folder], has_network=has_network, is_memory_counted=True, is_build=True)
    mark = f"build{secrets.token_hex(8)}"
    temporary, owner = name_temporary(mark), folder.stat()
    is_owner_possible = os.geteuid() == 0 and can_become(owner.st_uid, owner.st_gid)
    user, its_group = (owner.st_uid, owner.st_gid) if is_owner_possible else (os.geteuid(), os.getegid())
    folders = [place for one in (seen, *others) for place in one.program_folders]
    bounds = prlimit_args(limits, has_own_user=False, limits_cpu=True)
    return BotLaunch(
        (*rules.launcher_words(user, folder, temporary, its_group), *bounds, *seen.command),
        {**sandbox_environment(folders, seen.module_folders, str(temporary)), reaper.MARK: f"{mark}="},
        Path("/"),
        command_words=len(seen.command),
        layers=0,
        join=group.join_args(),
        temporary=temporary,
        disk_mb=limits.disk_mb,
    )


def _owner_args(folder: Path) -> tuple[str, ...]:
    """Return arguments that, as root, switch to the user to whom a folder belongs; empty if it is root's.

    Empty as well where root cannot become that user.
    """
    owner = folder.stat()
    if not find_unused_users() or owner.st_uid == 0 or not can_become(owner.st_uid, owner.st_gid):
        return ()
    return setpriv_args(owner.st_uid, owner.st_gid)
