"""A Linux that looks like Windows or macOS to Pitboss's own modules: what those systems lack is refused.

`import` in a module of ours gives it a module object without what CPython does not offer there, and no module that is
missing there; `/proc`, `/sys` and programs of Linux are hidden from our calls. The standard library and other packages
see this system as it is. What those systems do in another way than Linux (their errors, their paths) is shown as far as
Pitboss depends on it: folders cannot be opened, scripts are no programs, variables that Windows needs are demanded.

The names are those that the documentation of Python 3.11 marks "Availability: Unix", and what the sources leave out.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

OUR_FOLDERS: Final = (
    f"{sysconfig.get_path('purelib')}{os.sep}pitboss",  # where wheels are installed
    *(
        f"{Path(__file__).resolve().parents[2]}{os.sep}{name}{os.sep}"
        for name in ("core", "engines", "tournament", "house_bots", "plugins")
    ),
)

MISSING_MODULES: Final[Mapping[str, frozenset[str]]] = {
    "windows": frozenset(("fcntl", "resource", "termios", "tty", "pty", "grp", "pwd", "syslog", "readline", "curses")),
    "macos": frozenset(("spwd", "ossaudiodev")),
}

_LINUX_OS: Final = (
    *("sched_getaffinity", "sched_setaffinity", "sched_setscheduler", "sched_getscheduler", "sched_param"),
    *("SCHED_BATCH", "SCHED_IDLE", "SCHED_OTHER", "pidfd_open", "P_PIDFD", "memfd_create", "pipe2", "eventfd"),
    *("setns", "unshare", "splice", "copy_file_range", "getrandom", "posix_fadvise", "setresuid", "setresgid"),
    *("getresuid", "O_PATH", "O_TMPFILE", "getxattr", "setxattr", "listxattr", "fdatasync", "PRIO_DARWIN_BG"),
)
_UNIX_OS: Final = (
    *("fork", "forkpty", "openpty", "getuid", "geteuid", "getgid", "getegid", "getgroups", "setuid", "setgid"),
    *("killpg", "getpgid", "setpgid", "getpgrp", "getsid", "setsid", "mkfifo", "mknod", "set_blocking", "get_blocking"),
    *("wait", "wait3", "wait4", "waitid", "WNOHANG", "WUNTRACED", "uname", "uname_result", "sysconf", "sysconf_names"),
    *("confstr", "nice", "getpriority", "setpriority", "PRIO_PROCESS", "chown", "lchown", "fchown", "fchmod", "chroot"),
    *(
        "statvfs",
        "fstatvfs",
        "posix_spawn",
        "posix_spawnp",
        "POSIX_SPAWN_OPEN",
        "pread",
        "pwrite",
        "preadv",
        "sendfile",
    ),
    *("getloadavg", "ttyname", "register_at_fork", "lockf", "ctermid", "sync", "SEEK_DATA", "SEEK_HOLE", "O_DIRECTORY"),
    *("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_SYNC", "O_ASYNC", "WIFEXITED", "WEXITSTATUS"),
    *("WIFSIGNALED", "WTERMSIG", "fwalk", "tcgetpgrp", "major", "minor", "makedev"),
)
_WINDOWS_SIGNALS: Final = frozenset(("SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM"))
_UNIX_SIGNAL: Final = (
    *(name for name in dir(signal) if name.startswith("SIG") and name[3].isalpha() and name not in _WINDOWS_SIGNALS),
    *("setitimer", "getitimer", "alarm", "pause", "pthread_sigmask", "pthread_kill", "sigpending", "sigwait"),
    *("sigwaitinfo", "sigtimedwait", "siginterrupt", "ITIMER_REAL", "ITIMER_PROF", "ITIMER_VIRTUAL", "SIG_BLOCK"),
    *("SIG_UNBLOCK", "SIG_SETMASK", "pidfd_send_signal"),
)
_KEPT_SIGNAL: Final = ("SIG_DFL", "SIG_IGN")

MISSING_NAMES: Final[Mapping[str, Mapping[str, Sequence[str]]]] = {
    "windows": {
        "os": (*_LINUX_OS, *_UNIX_OS),
        "signal": tuple(name for name in _UNIX_SIGNAL if name not in _KEPT_SIGNAL),
        "select": ("poll", "epoll", "kqueue", "POLLIN", "POLLOUT", "POLLHUP", "POLLERR", "EPOLLIN"),
        "socket": ("AF_UNIX", "SO_PEERCRED", "SCM_RIGHTS", "CMSG_LEN", "send_fds", "recv_fds", "AF_NETLINK"),
        "time": ("clock_gettime", "CLOCK_MONOTONIC", "CLOCK_PROCESS_CPUTIME_ID", "tzset", "pthread_getcpuclockid"),
    },
    "macos": {
        "os": _LINUX_OS,
        "signal": ("pidfd_send_signal", "SIGPWR", "SIGSTKFLT", "SIGRTMIN", "SIGRTMAX", "sigwaitinfo", "sigtimedwait"),
        "select": ("epoll", "EPOLLIN"),
        "socket": ("SO_PEERCRED", "AF_NETLINK"),
        "resource": ("prlimit", "RLIMIT_SIGPENDING", "RLIMIT_NICE", "RLIMIT_RTPRIO", "RLIMIT_MSGQUEUE"),
    },
}
MISSING_PROGRAMS: Final[Mapping[str, frozenset[str]]] = {
    "windows": frozenset(
        (*("bwrap", "prlimit", "setpriv", "taskset", "unshare", "sh", "bash", "true", "env", "python3", "sudo"),)
    ),
    "macos": frozenset(("bwrap", "prlimit", "setpriv", "taskset", "unshare")),
}
NEEDED_VARIABLES: Final = ("SYSTEMROOT",)  # without them no Python starts on Windows
HIDDEN_PATHS: Final = ("/proc", "/sys", "/dev/kmsg", "/dev/shm")


def pretend(system: str) -> None:
    """Show this system to the modules of ours that are imported from now on."""
    made: dict[str, ModuleType] = {}
    real_import = builtins.__import__

    def import_module(
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        if level or not globals or not _is_ours(globals.get("__file__")):
            return real_import(name, globals, locals, fromlist or (), level)
        if name == "msvcrt" and system == "windows":
            return made.setdefault(name, _make_msvcrt())
        if name.partition(".")[0] in MISSING_MODULES[system]:
            raise ModuleNotFoundError(f"No module named {name!r} (as on {system})", name=name)
        found = real_import(name, globals, locals, fromlist or (), level)
        if name in MAKERS:
            if name not in made:
                made[name] = MAKERS[name](found, system)
            return made[name]
        return found

    builtins.__import__ = import_module
    sys.addaudithook(_hide_paths)
    for name in ("stat", "lstat"):
        setattr(os, name, _hide_from_ours(getattr(os, name)))


def _is_ours(file: object) -> bool:
    return isinstance(file, str) and file.startswith(OUR_FOLDERS)


def _asks_for_ours() -> bool:
    """Tell whether the nearest caller beyond pathlib and os is a module of ours."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        file = frame.f_code.co_filename
        is_library = file.endswith(("pathlib.py", "/os.py", "posixpath.py", "genericpath.py", "glob.py", __file__))
        if not is_library and not file.startswith("<frozen") and "/pathlib/" not in file:
            return _is_ours(file)
        frame = frame.f_back
    return False


def _is_hidden(path: object) -> bool:
    if isinstance(path, os.PathLike):
        path = os.fspath(path)
    if isinstance(path, bytes):
        path = os.fsdecode(path)
    return isinstance(path, str) and path.startswith(HIDDEN_PATHS)


def _hide_paths(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("open", "os.listdir", "os.scandir") and _is_hidden(arguments[0]) and _asks_for_ours():
        raise FileNotFoundError(2, "No such file or directory", arguments[0])


def _hide_from_ours(real: Callable[..., Any]) -> Callable[..., Any]:
    def stat(path: Any, *rest: Any, **named: Any) -> Any:  # noqa: ANN401 - as the system's
        if _is_hidden(path) and _asks_for_ours():
            raise FileNotFoundError(2, "No such file or directory", path)
        return real(path, *rest, **named)

    return stat


def _show_module(real: ModuleType, system: str, **replaced: object) -> ModuleType:
    """Return a module with the names of another that this system has, and with others replaced."""
    shown = ModuleType(real.__name__, real.__doc__)
    missing = MISSING_NAMES[system].get(real.__name__, ())
    shown.__dict__.update({name: value for name, value in vars(real).items() if name not in missing})
    shown.__dict__.update(replaced)
    return shown


def _show_os(real: ModuleType, system: str) -> ModuleType:
    if system != "windows":
        return _show_module(real, system)

    def open_file(path: Any, flags: int, mode: int = 0o777, **named: Any) -> int:  # noqa: ANN401
        if named:
            raise NotImplementedError("dir_fd unavailable on this platform")
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied", str(path))
        return os.open(path, flags, mode)

    def kill(pid: int, number: int) -> None:
        if number != signal.SIGTERM:
            raise ValueError("only SIGTERM, CTRL_C_EVENT and CTRL_BREAK_EVENT exist")
        os.kill(pid, signal.SIGKILL)

    def waitpid(pid: int, options: int) -> tuple[int, int]:
        if options:
            raise ValueError("no options on Windows")
        return os.waitpid(pid, 0)

    return _show_module(
        real, system, name="nt", open=open_file, kill=kill, waitpid=waitpid, O_BINARY=0, supports_dir_fd=frozenset()
    )


def _show_sys(real: ModuleType, system: str) -> ModuleType:
    """Return a module whose attributes are those of `sys`, also later, but for the platform."""

    class ShownSys(ModuleType):
        def __getattr__(self, name: str) -> Any:  # noqa: ANN401
            return getattr(real, name)

        def __setattr__(self, name: str, value: object) -> None:
            setattr(real, name, value)

    shown = ShownSys("sys")
    shown.__dict__["platform"] = {"windows": "win32", "macos": "darwin"}[system]
    return shown


def _show_select(real: ModuleType, system: str) -> ModuleType:
    def wait_for_sockets(*lists: Any) -> Any:  # noqa: ANN401 - as the library's
        if any(not isinstance(one, socket.socket) for some in lists[:3] for one in some):
            raise OSError(10038, "An operation was attempted on something that is not a socket")
        return select.select(*lists)

    return _show_module(real, system, **({"select": wait_for_sockets} if system == "windows" else {}))


def _show_platform(real: ModuleType, system: str) -> ModuleType:
    shown = _show_module(real, system)
    shown.__dict__["system"] = lambda: {"windows": "Windows", "macos": "Darwin"}[system]
    return shown


def _make_msvcrt() -> ModuleType:
    """Return the part of `msvcrt` that Pitboss uses: the lock of a byte, here of the whole file."""
    made = ModuleType("msvcrt")

    def locking(descriptor: int, mode: int, length: int) -> None:
        assert (mode, length) == (2, 1)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(13, "Permission denied") from None

    made.__dict__.update(locking=locking, LK_NBLCK=2)
    return made


def _show_shutil(real: ModuleType, system: str) -> ModuleType:
    def which(name: str, *rest: Any, **named: Any) -> str | None:  # noqa: ANN401
        return None if Path(name).name in MISSING_PROGRAMS[system] else shutil.which(name, *rest, **named)

    return _show_module(real, system, which=which)


def _show_subprocess(real: ModuleType, system: str) -> ModuleType:
    class ShownPopen(subprocess.Popen):  # type: ignore[type-arg]
        def __init__(self, args: Any, *rest: Any, **named: Any) -> None:  # noqa: ANN401
            words = [str(word) for word in ([args] if isinstance(args, str | os.PathLike) else args)]
            refuse_program(words[0], named.get("cwd"), system)
            if system == "windows":
                refuse_options(named)
            if words[0] == sys.executable:  # a Python of ours is to be shown the same
                flags = [word for word in words[1:] if word in ("-I", "-S", "-E")]
                if flags and named.get("env") is None:
                    words = [word for number, word in enumerate(words) if number > 3 or word not in flags]
            super().__init__(words, *rest, **named)

    def run(*args: Any, **named: Any) -> Any:  # noqa: ANN401 - the library's, with our Popen
        original = subprocess.Popen
        subprocess.Popen = ShownPopen  # type: ignore[misc]
        try:
            return subprocess.run(*args, **named)
        finally:
            subprocess.Popen = original  # type: ignore[misc]

    return _show_module(real, system, Popen=ShownPopen, run=run, CREATE_NEW_PROCESS_GROUP=0)


def refuse_program(program: str, folder: Any, system: str) -> None:  # noqa: ANN401
    """Refuse to start what is no program there.

    Raises:
        OSError: as the system would.
    """
    if Path(program).name in MISSING_PROGRAMS[system]:
        raise FileNotFoundError(2, "The system cannot find the file specified", program)
    if system == "windows":
        path = Path(shutil.which(program) or Path(folder or ".", program))
        if path.is_file() and path.read_bytes()[:2] == b"#!":
            raise OSError(8, "%1 is not a valid Win32 application", program)


def refuse_options(named: Mapping[str, Any]) -> None:
    """Refuse what `subprocess` does on Unix alone.

    Raises:
        ValueError: such an option is given.
    """
    for name in ("preexec_fn", "pass_fds", "start_new_session", "process_group", "user", "group", "umask"):
        if named.get(name):
            raise ValueError(f"{name} is not supported on Windows platforms")
    env = named.get("env")
    if env is not None and (missing := [name for name in NEEDED_VARIABLES if name not in env]):
        raise OSError(10106, f"the environment lacks {missing[0]}")


MAKERS: Final[Mapping[str, Callable[[ModuleType, str], ModuleType]]] = {
    "os": _show_os,
    "sys": _show_sys,
    "shutil": _show_shutil,
    "subprocess": _show_subprocess,
    "select": _show_select,
    "platform": _show_platform,
    **dict.fromkeys(("signal", "socket", "time", "resource"), _show_module),
}
