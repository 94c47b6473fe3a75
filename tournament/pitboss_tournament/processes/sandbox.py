"""The sandbox: the arguments that keep a bot from seeing, reaching or using more than it should.

With bubblewrap a bot has namespaces of its own: no network unless it is granted one, no other processes, a read-only
view of the system and of its own folder, a bounded /tmp that begins empty, and no way to more rights. If the runner is
root, the bot gets a user id that nobody else has, where there is one; folders that only root may enter are opened for
it by a second bubblewrap around the first. Without bubblewrap there are only the limits of the system (`prlimit`).
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import MEBIBYTE, Limits
from pitboss_tournament.plan.plan import Entrant, SandboxChoice, SandboxMode
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bind_mounts import bind_args, bind_args_for_all, find_locked_folder
from pitboss_tournament.processes.cgroups import ControlGroup
from pitboss_tournament.processes.memory_folder import FILL_COPY, PLACE, VARIABLE, mount_memory, name_memory
from pitboss_tournament.processes.other_user import find_unused_users, switch_user_args
from pitboss_tournament.processes.rlimits import pdeathsig_args, prlimit_args, program_path
from pitboss_tournament.processes.seccomp import build_filter, join_new_keyring
from pitboss_tournament.processes.start_errors import BotStartError
from pitboss_tournament.processes.system_view import find_system_mounts, list_namespaces, list_sandbox_files
from pitboss_tournament.processes.visible_paths import (
    find_named_files,
    find_visible_paths,
)

MODEL_VARIABLE: Final = "PITBOSS_MODEL"  # has the number of the socket on which a bot asks its model
SANDBOX_VARIABLES: Final = frozenset(
    ("PATH", "HOME", "TMPDIR", "LANG", "TZ", "PYTHONPATH", VARIABLE, MODEL_VARIABLE, reaper.MARK)
)
SHARED_MEMORY: Final = 16 * MEBIBYTE  # what /dev/shm holds
PATH: Final = "/usr/local/bin:/usr/bin:/bin"
SANDBOX_PROBE_SECONDS: Final = 20

_KEPT_VARIABLES: Final = (
    *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR"),
    *("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV", "CONDA_PREFIX"),
    *("PYENV_ROOT", "RUSTUP_HOME", "CARGO_HOME", "GOROOT", "GOPATH", "JAVA_HOME", "NVM_DIR", "DOTNET_ROOT"),
)


class BotLaunch(Struct, frozen=True):
    """Command, environment and working directory of a bot, which starts it."""

    argv: tuple[str, ...]
    env: Mapping[str, str]
    folder: Path | None
    command_words: int  # at the end of `argv`: the bot's own command
    layers: int  # sandboxes around it, one in the other
    join: tuple[str, ...] = ()  # words in front of `argv`: they put its processes into its control group
    filter: bytes = b""  # the system calls that it is refused
    files: Mapping[str, bytes] = MappingProxyType({})  # made in the sandbox, by path
    options_place: int = 0  # in `argv`, of the words for the filter and the files
    inherited: tuple[int, ...] = ()  # descriptors of this process that it keeps

    def start(self, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start the bot in a session of its own, with unbuffered pipes.

        Raises:
            OSError: it cannot be started.
        """
        pipe = subprocess.PIPE
        with self.isolate() as (words, files):
            return subprocess.Popen(
                (*self.join, *words),
                bufsize=0,
                stdin=pipe,
                stdout=pipe,
                stderr=stderr,
                cwd=self.folder,
                env=self.env,
                pass_fds=(*files, *self.inherited),
                start_new_session=True,
            )

    def pass_on(self, variable: str, descriptor: int) -> BotLaunch:
        """Return the same launch with a descriptor of this process, whose number is in a variable."""
        return replace(self, env={**self.env, variable: str(descriptor)}, inherited=(*self.inherited, descriptor))

    def bot_status(self, code: int) -> int:
        """Return the bot's exit status from that of `Popen`, negative for a signal."""
        return 128 - code if self.layers and code > 128 and code - 128 in signal.valid_signals() else code

    def is_exec_failure(self, code: int) -> bool:
        """Tell whether a status means that sandbox and limits were set up but the program could not be executed."""
        return code in (126, 127) and len(self.join) + len(self.argv) > self.command_words

    def sandbox_error(self) -> str | None:
        """Run `true` in the same sandbox now; return its error text, None if it works.

        A bot cannot fake this result, unlike its own standard error.
        """
        if not self.layers:
            return None
        with self.isolate() as (words, files):
            return _failure_text((*words[: -self.command_words], "true"), self.env, files)

    @contextmanager
    def isolate(self) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
        """Context manager: the words of the command, and the open files that it reads.

        What is started meanwhile in a sandbox has a session keyring of its own.
        """
        if not self.layers:
            yield self.argv, ()
            return
        try:
            join_new_keyring()
        except OSError:
            if not self.filter:  # which refuses the bot all keyrings
                raise
        words, outlets = list[str](), list[int]()
        with ExitStack() as stack:
            for path, content in self.files.items():
                outlets.append(stack.enter_context(_fill_pipe(content)))
                words += ["--perms", "0444", "--file", str(outlets[-1]), path]
            if self.filter:
                outlets.append(stack.enter_context(_fill_pipe(self.filter)))
                words += ["--seccomp", str(outlets[-1])]
            yield (*self.argv[: self.options_place], *words, *self.argv[self.options_place :]), tuple(outlets)


@contextmanager
def _fill_pipe(content: bytes) -> Iterator[int]:
    """Context manager: the outlet of a pipe that holds this content, which fits into one."""
    outlet, inlet = os.pipe()
    try:
        os.write(inlet, content)
        os.close(inlet)
        yield outlet
    finally:
        os.close(outlet)


class SandboxProbe(Struct, frozen=True):
    """Whether bubblewrap works here; if not, why, and what to do about it."""

    problem: str | None = None
    remedy: str = ""

    @property
    def sentence(self) -> str:
        """Both as one line; empty if it works."""
        return f"{self.problem}; {self.remedy}" if self.problem else ""


def resolve_sandbox(choice: SandboxChoice) -> tuple[SandboxMode, str | None]:
    """Return the sandbox to use, and a warning if there is none.

    Raises:
        ConfigError: bubblewrap was requested and does not work here.
    """
    if choice == "none":
        return "none", None
    found = probe_bubblewrap()
    if not found.problem:
        return "bubblewrap", None
    if choice == "bubblewrap":
        raise ConfigError(f'sandbox is "bubblewrap", but {found.sentence}')
    return "none", f"bots run without a sandbox, they can read and change what you can: {found.sentence}"


def check_sandbox(entrant: Entrant, mode: SandboxMode) -> None:
    """Check that a bot can be started in this sandbox.

    Raises:
        ConfigError: its own files cannot be shown to it without showing too much, or another user cannot read them.
    """
    if mode == "bubblewrap":
        _sandbox_args(replace(entrant, memory=None))  # which is made when the bot is started
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
                f"user; make it so, with all that the bot reads: chmod -R a+rX {shlex.quote(str(file.parent))}"
            )


def build_launch(entrant: Entrant, mark: str, mode: SandboxMode, group: ControlGroup | None = None) -> BotLaunch:
    """Return how a bot is started in its control group, with this mark in its environment.

    Without a folder the bot runs in its /tmp, or without a sandbox in the working directory of the runner.

    Raises:
        BotStartError: its folder is gone, or cannot be shown to it; or a variable that it is granted is not set.
    """
    own = {**_read_granted(entrant), reaper.MARK: f"{mark}="}
    join = group.join_args() if group else ()
    if mode == "none":
        argv = (*pdeathsig_args(), *prlimit_args(entrant.limits, has_own_user=False), *entrant.command)
        found = {**bare_environment(), **name_memory(entrant.memory), **own}
        return BotLaunch(argv, found, entrant.folder, len(entrant.command), 0, join)
    if entrant.folder and not entrant.folder.is_dir():
        raise BotStartError(f"its folder {str(entrant.folder)!r} does not exist")
    try:
        outer, inner, env = _sandbox_args(entrant, is_counted := group is not None and group.limits_memory)
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
        raise BotStartError(f"the environment variable {missing[0]!r}, which it is granted, is not set on this machine")
    return {name: os.environ[name] for name in entrant.grants.env}


@cache
def probe_bubblewrap() -> SandboxProbe:
    """Try once whether bubblewrap works here, with all that we ask of it."""
    if not sys.platform.startswith("linux"):
        return SandboxProbe("bubblewrap needs Linux", "run tournaments with strangers' bots on a Linux machine")
    for program, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux"), ("setpriv", "util-linux")):
        if shutil.which(program) is None:
            return SandboxProbe(
                f"{program} is not installed", f"install the package {package} (for instance: apt install {package})"
            )
    _sandbox_args.cache_clear()  # it may name another bubblewrap
    # if only root may enter the folders of this Python, it takes more than elsewhere
    python = tuple(sorted({sys.prefix, sys.base_prefix} - {"/usr"}))
    probe = Entrant(name="probe", command=("true",), limits=Limits(read=python))
    said = build_launch(probe, "probe", "bubblewrap").sandbox_error()
    return SandboxProbe(f"bubblewrap does not work ({said})", _remedy_text(said)) if said else SandboxProbe()


def bubblewrap_version() -> str | None:
    """Return the version of bubblewrap, None if it is not there."""
    try:
        done = subprocess.run(
            ["bwrap", "--version"], capture_output=True, text=True, timeout=SANDBOX_PROBE_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.split()[-1] if done.stdout.split() else None


def _failure_text(argv: Sequence[str], env: Mapping[str, str], files: Sequence[int]) -> str | None:
    """Return the last line of a failing program's standard error, None if it succeeds."""
    try:
        done = subprocess.run(
            argv,
            cwd="/",
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            pass_fds=files,
            timeout=SANDBOX_PROBE_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return None if done.returncode == 0 else (lines[-1] if lines else f"status {done.returncode}")


def _remedy_text(said: str) -> str:
    if "nknown option" in said:
        return f"it is too old ({bubblewrap_version()}): 0.8 or newer is needed"
    if _read_sysctl("kernel/apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor forbids it: give /usr/bin/bwrap a profile with `userns,` in /etc/apparmor.d, "
            "or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        )
    if _read_sysctl("kernel/unprivileged_userns_clone") == "0":
        return "user namespaces are switched off: sysctl kernel.unprivileged_userns_clone=1"
    if _read_sysctl("user/max_user_namespaces") == "0":
        return "user namespaces are switched off: sysctl user.max_user_namespaces=10000"
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return (
            "start this container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined "
            "--cap-add SYS_ADMIN"
        )
    return "see `man bwrap`; the kernel must allow user namespaces"


def _read_sysctl(name: str) -> str | None:
    try:
        return Path("/proc/sys", name).read_text().strip()
    except OSError:
        return None


@cache
def _sandbox_args(
    entrant: Entrant, is_memory_counted: bool = True
) -> tuple[tuple[str, ...], tuple[str, ...], Mapping[str, str]]:
    """Return (outer bubblewrap, if needed; inner one with the bot's command; environment) but for mark and user id."""
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


def sandbox_environment(program_folders: Iterable[str], module_folders: Iterable[str]) -> Mapping[str, str]:
    """Return the environment in a sandbox, with more folders for the PATH and for Python's modules."""
    programs = os.pathsep.join(dict.fromkeys((*program_folders, PATH)))
    env = {"PATH": programs, "HOME": "/tmp", "TMPDIR": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC"}
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
