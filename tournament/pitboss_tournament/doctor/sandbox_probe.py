"""Runs in the sandbox in a bot's place, attempts what a bot must not do, and prints what was possible.

`pitboss doctor` runs it as a file with the arguments of `main` as a JSON object. It uses the standard library only and
prints one JSON object: for each promise of the sandbox null, or what was possible. Then it allocates memory, prints how
many bytes, and waits until its input closes.
"""

from __future__ import annotations

import ctypes
import json
import mmap
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

if sys.platform != "win32":  # the module is imported there, too
    import resource

MEBIBYTE = 1 << 20
HELD_BYTES = 64 * MEBIBYTE
SHARED_MEMORY_BYTES = 16 * MEBIBYTE  # what /dev/shm holds
NEW_USER_NAMESPACE = 0x1000_0000
ALLOWED_NAMES = {"PATH", "HOME", "LANG", "TMPDIR", "TZ", "PWD", "PITBOSS_BOT", "PYTHONPATH", "LC_CTYPE"}


def try_network(port: int) -> str | None:
    """Attempt to connect to this machine and to the network; return what was possible, None if nothing."""
    for family, address in (
        (socket.AF_INET, ("127.0.0.1", port)),
        (socket.AF_INET, ("192.0.2.1", 53)),
        (socket.AF_UNIX, f"\0pitboss-{port}"),
    ):
        try:
            with socket.socket(family, socket.SOCK_STREAM) as one:
                one.settimeout(0.2)
                one.connect(address)
        except TimeoutError:
            return f"packets to {address!r} leave"
        except OSError:
            continue
        return f"{address!r} was reached"
    return None


def try_processes(runner: int) -> str | None:
    """Attempt to list other processes and to signal the runner; return what was possible."""
    others = [
        entry.name
        for entry in Path("/proc").iterdir()
        if entry.name.isdigit() and int(entry.name) not in (1, os.getpid())
    ]
    if others:
        return f"processes {', '.join(others[:5])} can be seen"
    try:
        os.kill(runner, 0)
    except OSError:
        return None
    return f"a signal can be sent to process {runner}"


def try_reaching(runner: int) -> str | None:
    """Attempt to signal, look into and slow down the runner, which may be seen; return what was possible."""
    attempts: dict[str, Callable[[], object]] = {
        "a signal can be sent to": lambda: os.kill(runner, 0),
        "limits can be set for": lambda: resource.prlimit(runner, resource.RLIMIT_CORE, (0, 0)),
        "the scheduler can be told of": lambda: os.sched_setscheduler(runner, os.SCHED_BATCH, os.sched_param(0)),
        "the environment can be read of": lambda: Path(f"/proc/{runner}/environ").read_bytes(),
        "the memory can be read of": lambda: os.open(f"/proc/{runner}/mem", os.O_RDONLY),
    }
    for what, attempt in attempts.items():
        with suppress(OSError):
            attempt()
            return f"{what} process {runner}"
    return None


def try_reading(secret: str) -> str | None:
    """Attempt to open files of other users, and folders of everybody's; return what was possible."""
    for path in (secret, str(Path(secret).parent), "/etc/passwd", "/etc/shadow", "/home", "/root", "/var", "/sys"):
        with suppress(OSError):
            os.close(os.open(path, os.O_RDONLY))
            return f"{path} can be read"
    return None


def try_changing(secret: str) -> str | None:
    """Attempt to change, without opening it, a file of the runner's and the bot's own; return what was possible."""
    for path in (secret, __file__):
        attempts: dict[str, Callable[[str], object]] = {
            "the rights": lambda path: os.chmod(path, Path(path).stat().st_mode),  # noqa: PTH101
            "the times": lambda path: os.utime(path, None),
            "the owner": lambda path: os.chown(path, os.getuid(), os.getgid()),
            "the name": lambda path: os.rename(path, path),  # noqa: PTH104
        }
        for what, attempt in attempts.items():
            with suppress(OSError):
                attempt(path)
                return f"{what} of {path} can be changed"
    return None


def try_temporary(allowed: int) -> str | None:
    """Attempt to use the machine's temporary folders, and to write a larger file than is allowed to the own one."""
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/run"):
        with suppress(OSError):
            Path(folder, f"fill-{os.getpid()}").touch()
            return f"{folder} can be written to"
    own = os.environ["TMPDIR"]
    if os.listdir(own) or Path(own).stat().st_mode & 0o077:  # noqa: PTH208
        return f"{own} is not its own"
    with suppress(OSError), Path(own, "fill").open("wb") as file:
        file.truncate(allowed + 1)
        return f"a file of {allowed + 1:,} bytes fits into {own}"
    return None


def try_files(secret: str, shown: list[str]) -> str | None:
    """Attempt to read files of other users, beside what a bot is `shown`; return what was possible."""
    if len(Path("/etc/passwd").read_text().splitlines()) > 2:  # root, and the bot
        return "the machine's users can be seen"
    for path in (secret, "/etc/shadow", "/home", "/root"):
        if (stray := find_stray(path, shown)) is not None:
            return f"{stray} can be seen"
    return None


def find_stray(path: str, shown: list[str]) -> str | None:
    """Return what can be seen at or below `path` beside what is shown and the ways there; None if nothing.

    An empty folder at `path` itself counts as nothing.
    """
    if path in shown or not os.path.exists(path):  # noqa: PTH110
        return None
    try:
        inside = [f"{path}/{name}" for name in sorted(os.listdir(path))]  # noqa: PTH208
    except NotADirectoryError:
        return path
    except OSError:  # it may not be listed
        return None
    for one in inside:
        is_way = any(place.startswith(f"{one}/") for place in shown)
        if one not in shown and not is_way:
            return one
        if is_way and (stray := find_stray(one, shown)) is not None:
            return stray
    return None


def try_writing() -> str | None:
    """Attempt to write into the system's folders and the bot's; return what was possible."""
    for folder in ("/", "/usr", "/usr/bin", "/etc", "/dev", str(Path(__file__).parent)):
        path = Path(folder, ".pitboss-probe")
        with suppress(OSError):
            path.write_text("!")
            path.unlink()
            return f"{folder} can be written to"
    return None


def try_disk(allowed: int) -> str | None:
    """Attempt to write more than is allowed to /tmp and /dev/shm; return what was possible."""
    return _fill_folder("/tmp", allowed) or _fill_folder("/dev/shm", SHARED_MEMORY_BYTES)


def _fill_folder(folder: str, allowed: int) -> str | None:
    written, paths = 0, [Path(folder, f"fill-{number}") for number in range(100)]
    part = b"x" * (MEBIBYTE // 4)
    for path in paths:
        with suppress(OSError), path.open("wb", buffering=0) as file:
            while written <= allowed:
                written += file.write(part)
    for path in paths:
        path.unlink(missing_ok=True)
    return f"{written / MEBIBYTE:.0f} MiB fit into {folder}" if written > allowed else None


def try_many_processes(allowed: int) -> str | None:
    """Attempt to start more processes than are allowed; return what was possible."""
    inlet, outlet = os.pipe()
    started = 0
    while started <= allowed:
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            os.close(outlet)
            os.read(inlet, 1)  # it ends when its parent has closed the pipe
            os._exit(0)
        started += 1
    for one in (inlet, outlet):
        os.close(one)
    for _ in range(started):
        os.wait()
    return f"{started} processes could be started" if started > allowed else None


def try_open_files(allowed: int) -> str | None:
    """Attempt to open more files than are allowed; return what was possible."""
    opened: list[int] = []
    with suppress(OSError):
        while len(opened) <= allowed:
            opened.append(os.open("/dev/null", os.O_RDONLY))
    for one in opened:
        os.close(one)
    return f"{len(opened)} files could be opened" if len(opened) > allowed else None


def try_memory(allowed: int) -> str | None:
    """Attempt to allocate more than is allowed; return what was possible."""
    held: list[mmap.mmap] = []
    with suppress(OSError, ValueError):
        while len(held) * 16 * MEBIBYTE <= allowed:
            held.append(mmap.mmap(-1, 16 * MEBIBYTE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS))
    count = len(held)
    for one in held:
        one.close()
    return f"{count * 16} MiB could be allocated" if count * 16 * MEBIBYTE > allowed else None


def try_rights(may_be_root: bool = False) -> str | None:
    """Look for capabilities and attempt to get some; return what was found."""
    status = dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    if (os.getuid() == 0 and not may_be_root) or int(status["CapEff"], 16) or status["NoNewPrivs"] != "1":
        return f"user {os.getuid()}, capabilities {status['CapEff']}"
    if ctypes.CDLL(None).unshare(NEW_USER_NAMESPACE) == 0:
        return "a user namespace can be made"
    if resource.getrlimit(resource.RLIMIT_CORE) != (0, 0):
        return "core files can be written"
    return None


def try_calls() -> str | None:
    """Attempt system calls that no namespace contains; return those that were possible."""
    libc = ctypes.CDLL(None)
    keyctl = 219 if os.uname().machine == "aarch64" else 250
    results = {
        "keyrings": libc.syscall(keyctl, 0, -3, 0),
        "io_uring": libc.syscall(425, 1, ctypes.create_string_buffer(120)),
        "sockets to the host": libc.socket(40, socket.SOCK_STREAM, 0),
        "notices of shared files": libc.inotify_init1(0),
        "files in memory": libc.memfd_create(b"", 0),
    }
    possible = [name for name, result in results.items() if result >= 0]
    return f"{', '.join(possible)} can be used" if possible else None


def read_environment() -> str | None:
    """Look for variables that should not be in the environment; return what was found."""
    told = sorted(os.environ.keys() - ALLOWED_NAMES)
    return f"the environment says {', '.join(told[:5])}" if told else None


def find_descriptors() -> str | None:
    """Look for inherited open files; return what was found."""
    left = []
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the listing's own
            left += [str(path.readlink())] if int(path.name) > 2 else []
    return f"{', '.join(left)} is open" if left else None


def main(
    names: list[str],
    port: int,
    runner: int,
    secret: str,
    shown: list[str],
    disk_bytes: int,
    most: int,
    most_files: int,
    data_bytes: int,
) -> None:
    """Print the result of each attempt with one of these names; then hold memory until standard input ends."""
    tried: dict[str, Callable[[], str | None]] = {
        "descriptors": find_descriptors,
        "environment": read_environment,
        "rights": try_rights,
        "no_rights": lambda: try_rights(may_be_root=True),
        "calls": try_calls,
        "network": lambda: try_network(port),
        "processes": lambda: try_processes(runner),
        "reaching": lambda: try_reaching(runner),
        "files": lambda: try_files(secret, shown),
        "reading": lambda: try_reading(secret),
        "read_only": try_writing,
        "changing": lambda: try_changing(secret),
        "temporary": lambda: try_temporary(disk_bytes),
        "disk": lambda: try_disk(disk_bytes),
        "many": lambda: try_many_processes(most),
        "open_files": lambda: try_open_files(most_files),
        "memory": lambda: try_memory(data_bytes),
    }
    print(json.dumps({name: tried[name]() for name in names}), flush=True)
    held = b"x" * HELD_BYTES
    print(len(held), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
