"""The sandbox: the arguments that keep a bot from seeing, reaching or using more than it should.

With bubblewrap a bot has namespaces of its own: no network unless it is granted one, no other processes, a read-only
view of the system and of its own folder, a bounded /tmp that begins empty, and no way to more rights. If the runner is
root, the bot gets a user id that nobody else has, where there is one; folders that only root may enter are opened for
it by a second bubblewrap around the first. Where bubblewrap cannot start, `landlock` is the next best level. Without a
sandbox there are only the limits of the system (`prlimit`).
"""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.plan.plan import Entrant, SandboxLevel
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bind_mounts import bind_args, bind_args_for_all, find_locked_folder
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.cgroups import ControlGroup
from pitboss_tournament.processes.landlock import LandlockRules, choose_user, find_rules, name_temporary
from pitboss_tournament.processes.memory_folder import FILL_COPY, PLACE, VARIABLE, mount_memory, name_memory
from pitboss_tournament.processes.other_user import find_unused_users, switch_user_args
from pitboss_tournament.processes.rlimits import pdeathsig_args, prlimit_args, program_path
from pitboss_tournament.processes.seccomp import build_filter
from pitboss_tournament.processes.start_errors import BotStartError
from pitboss_tournament.processes.visible_paths import (
    VisiblePaths,
    find_named_files,
    find_system_mounts,
    find_visible_paths,
    list_namespaces,
    list_sandbox_files,
)

MODEL_VARIABLE: Final = "PITBOSS_MODEL"  # has the number of the socket on which a bot asks its model
SANDBOX_VARIABLES: Final = frozenset(
    ("PATH", "HOME", "TMPDIR", "LANG", "TZ", "PYTHONPATH", VARIABLE, MODEL_VARIABLE, reaper.MARK)
)
SHARED_MEMORY: Final = 16 * MEBIBYTE  # what /dev/shm holds
PATH: Final = "/usr/local/bin:/usr/bin:/bin"

_KEPT_VARIABLES: Final = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP"),  # no program of Windows runs without
    *("USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA", "PROGRAMFILES", "PROGRAMDATA", "NUMBER_OF_PROCESSORS"),
    *("PYENV_ROOT", "RUSTUP_HOME", "CARGO_HOME", "GOROOT", "GOPATH", "JAVA_HOME", "NVM_DIR", "DOTNET_ROOT"),
)


def check_sandbox(entrant: Entrant, mode: SandboxLevel) -> None:
    """Check that a bot can be started in this sandbox.

    Raises:
        ConfigError: its own files cannot be shown to it without showing too much, or another user cannot read them.
    """
    fresh = replace(entrant, memory=None)  # which is made when the bot is started
    if mode == "bubblewrap":
        sandbox_args(fresh)
        _check_readable(entrant)
    elif mode == "landlock" and landlock_args(entrant)[0].has_own_user:
        _check_readable(entrant)


def _check_readable(entrant: Entrant) -> None:
    """Check that the files that the command names can be read by the user that the bot runs as.

    Raises:
        ConfigError: one is for its owner alone.
    """
    if not find_unused_users():
        return
    for file in find_named_files(entrant.command, entrant.folder):
        mode = file.stat().st_mode
        if not mode & stat.S_IROTH:
            raise ConfigError(
                f"{str(file)!r} is not readable for others (mode {stat.S_IMODE(mode):03o}): root's bots run as another "
                f"user; make all files that the bot reads readable: chmod -R a+rX {shlex.quote(str(file.parent))}"
            )


def build_launch(entrant: Entrant, mark: str, mode: SandboxLevel, group: ControlGroup | None = None) -> BotLaunch:
    """Return how a bot is started in its control group, with this mark in its environment.

    Without a folder the bot runs in its /tmp, or without a sandbox in the working directory of the runner.

    Raises:
        BotStartError: its folder is gone, or cannot be shown to it; or a variable that it is granted is not set.
    """
    own = {**_read_granted(entrant), reaper.MARK: mark}
    join = group.join_args() if group else ()
    if mode == "none":
        argv = (*pdeathsig_args(), *prlimit_args(entrant.limits, has_own_user=False), *entrant.command)
        found = {**bare_environment(), **name_memory(entrant.memory), **own}
        return BotLaunch(argv, found, entrant.folder, len(entrant.command), 0, join)
    if entrant.folder and not entrant.folder.is_dir():
        raise BotStartError(f"its folder {str(entrant.folder)!r} does not exist")
    is_counted = group is not None and group.limits_memory
    try:
        if mode == "landlock":
            return _launch_in_landlock(entrant, mark, is_counted, own, join)
        outer, inner, env = sandbox_args(entrant, is_counted)
    except ConfigError as error:
        raise BotStartError(str(error)) from None
    argv = (*outer, *switch_user_args(), *inner)
    return BotLaunch(
        argv,
        {**env, **own},
        Path("/"),
        command_words=len(entrant.command),
        layers=2 if outer else 1,
        join=join,
        filter=build_filter(is_memory_counted=is_counted, has_unix_sockets=not entrant.grants.network),
        files=list_sandbox_files(has_network=entrant.grants.network),
        options_place=len(argv) - len(inner) + 1,
    )


def _launch_in_landlock(
    entrant: Entrant, mark: str, is_memory_counted: bool, own: Mapping[str, str], join: tuple[str, ...]
) -> BotLaunch:
    """Return how a bot is started at the level `landlock`; `own`: more variables of its environment.

    Raises:
        ConfigError: its files cannot be shown to it without showing too much.
    """
    rules, seen = landlock_args(entrant, is_memory_counted)
    temporary = name_temporary(mark, has_own_user=rules.has_own_user)
    limits = prlimit_args(entrant.limits, has_own_user=rules.has_own_user)
    words = rules.launcher_words(choose_user(rules), entrant.folder or temporary, temporary)
    env = sandbox_environment(seen.program_folders, seen.module_folders, str(temporary))
    return BotLaunch(
        (*words, *limits, *seen.command),
        {**env, **name_memory(entrant.memory), **own},
        Path("/"),
        command_words=len(seen.command),
        layers=0,
        join=join,
        temporary=temporary,
        disk_mb=entrant.limits.disk_mb,
    )


@cache
def landlock_args(entrant: Entrant, is_memory_counted: bool = True) -> tuple[LandlockRules, VisiblePaths]:
    """Return the rules for a bot at the level `landlock`, and its command with what that needs."""
    seen = find_visible_paths(entrant.command, entrant.folder, entrant.limits.read)
    rules = find_rules(
        seen.paths,
        hidden=entrant.hidden,
        writable=[entrant.memory] if entrant.memory else [],
        has_network=entrant.grants.network,
        is_memory_counted=is_memory_counted,
    )
    return rules, seen


def check_variable(name: str) -> None:
    """Check that a variable of this process's environment can be granted to a bot.

    Raises:
        ConfigError: it is not set, or the sandbox sets it.
    """
    if name in SANDBOX_VARIABLES:
        raise ConfigError(f"the variable {name} cannot be granted: the sandbox sets it")
    if name not in os.environ:
        raise ConfigError(f"the environment variable {name} is not set here; set it, or take it out of env")


def _read_granted(entrant: Entrant) -> dict[str, str]:
    """Return the variables of this process's environment that a bot is granted."""
    if missing := [name for name in entrant.grants.env if name not in os.environ]:
        raise BotStartError(f"the environment variable {missing[0]!r}, which it may have, is not set on this machine")
    return {name: os.environ[name] for name in entrant.grants.env}


@cache
def sandbox_args(
    entrant: Entrant, is_memory_counted: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...], Mapping[str, str]]:
    """Return (outer bubblewrap, if needed; inner one with the bot's command; environment) without mark and user id."""
    folder, limits = entrant.folder, entrant.limits
    seen = find_visible_paths(entrant.command, folder, limits.read)
    has_network = entrant.grants.network
    inner = [program_path("bwrap"), *list_namespaces(has_network=has_network)]
    inner += [*find_system_mounts(has_network=has_network), "--proc", "/proc", "--dev", "/dev"]
    if not is_memory_counted:  # a shared mapping of /dev/zero is memory that counts for no process
        inner += ["--dev-bind", "/dev/full", "/dev/zero"]
    inner += ["--size", str(SHARED_MEMORY), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    inner += ["--size", str(limits.disk_mb * MEBIBYTE), "--tmpfs", "/tmp"]
    inner += mount_memory(entrant.memory, limits.disk_mb)
    if folder:  # it need not be shown, but the bot runs there
        inner += ["--dir", str(folder)]
    for path in seen.paths:
        inner += bind_args(path, entrant.hidden)
    inner += ["--chdir", str(folder or "/tmp"), "--remount-ro", "/", "--"]
    fill_memory = FILL_COPY if entrant.memory else ()
    inner += [*prlimit_args(limits, has_own_user=True), *fill_memory, *seen.command]
    shown = (*seen.paths, *filter(None, [entrant.memory]))
    outer = open_locked_folders(shown) if find_unused_users() else ()
    env = {**sandbox_environment(seen.program_folders, seen.module_folders), **name_memory(entrant.memory and PLACE)}
    return outer, tuple(inner), env


def sandbox_environment(
    program_folders: Iterable[str], module_folders: Iterable[str], temporary: str = "/tmp"
) -> Mapping[str, str]:
    """Return the environment in a sandbox, with more folders for the PATH and for Python's modules."""
    programs = os.pathsep.join(dict.fromkeys((*program_folders, PATH)))
    env = {"PATH": programs, "HOME": temporary, "TMPDIR": temporary, "LANG": "C.UTF-8", "TZ": "UTC"}
    return {**env, "PYTHONPATH": os.pathsep.join(module_folders)} if module_folders else env


def bare_environment() -> Mapping[str, str]:
    """Return the environment without a sandbox: of the runner's, only who it is and where programs lie."""
    found = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {"PATH": os.defpath, **found, "LANG": "C.UTF-8", "TZ": "UTC"}


def open_locked_folders(paths: Iterable[Path], writable: Path | None = None) -> tuple[str, ...]:
    """Return an outer bubblewrap that makes `paths` accessible to any user; empty if they are.

    All are read-only but `writable`, which is shown as it is.
    """
    wanted = sorted({place for path in paths for place in (path, path.resolve())})
    locked = {path: folder for path in wanted if (folder := find_locked_folder(path))}
    if not locked:
        return ()
    # The inner bubblewrap is not root, so --die-with-parent of its own would not end it with the outer one's parent.
    # In a process namespace of the outer one the system ends it.
    words = [program_path("bwrap"), "--unshare-pid", "--die-with-parent", "--dev-bind", "/", "/"]
    for folder in sorted(set(locked.values())):
        words += ["--tmpfs", str(folder)]
    for path, folder in locked.items():
        for parent in reversed(path.parents):  # bubblewrap would make them for root alone
            if parent != folder and parent.is_relative_to(folder):
                words += ["--dir", str(parent)]
        words += ["--bind", str(path), str(path)] if path == writable else bind_args_for_all(path)
    return (*words, "--")
