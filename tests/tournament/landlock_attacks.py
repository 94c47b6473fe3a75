"""Attacks of a bot at level `landlock`, run as a file: `python3 landlock_attacks.py {json}`; prints what succeeded.

It is a bot's program, and uses the standard library only. What it changes is the test's to repair.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import resource
import signal
import socket
import stat
import struct
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
IS_X86 = os.uname().machine == "x86_64"
MPTCP = 262
BUFFER = ctypes.create_string_buffer(128)


def call(x86: int, arm: int, *arguments: object) -> int:
    """Call the system by number; return what it said."""
    result: int = libc.syscall(ctypes.c_long(x86 if IS_X86 else arm), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def list_file_attacks(secret: str, own: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield ways to read, change or unlink a file of the runner's, and the bot's own program."""
    for path in (secret, own):
        yield f"write {path}", partial(os.open, path, os.O_RDWR)
        yield f"truncate {path}", partial(os.truncate, path, 0)
        yield f"open-truncate {path}", partial(os.open, path, os.O_RDONLY | os.O_TRUNC)
        yield f"chmod {path}", partial(os.chmod, path, 0o777)
        yield f"chown {path}", partial(os.chown, path, os.getuid(), os.getgid())
        yield f"utime {path}", partial(os.utime, path, (0, 0))
        yield f"setxattr {path}", partial(os.setxattr, path, "user.pitboss", b"x")
        yield f"unlink {path}", partial(os.unlink, path)
        yield f"rename {path}", partial(os.rename, path, f"{path}-2")
        yield f"link {path}", partial(os.link, path, f"{os.environ['TMPDIR']}/linked")
    yield "read", lambda: Path(secret).read_bytes()
    yield "list", lambda: os.listdir(Path(secret).parent)  # noqa: PTH208
    yield "fchmod", lambda: os.fchmod(os.open(own, os.O_RDONLY), 0o777)
    yield "file flags", lambda: fcntl.ioctl(os.open(own, os.O_RDONLY), 0x40086602, struct.pack("l", 0x80))
    for path in ("/etc/passwd", "/etc/shadow", "/root", "/home", "/var", "/sys", "/tmp", "/dev/shm", "/dev/tty"):
        yield f"open {path}", partial(os.open, path, os.O_RDONLY)
    for folder in ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", str(Path(own).parent), str(Path(secret).parent)):
        yield f"create in {folder}", Path(folder, f"made-{os.getpid()}").touch
        yield f"mkdir in {folder}", Path(folder, f"made-{os.getpid()}").mkdir
        yield f"symlink in {folder}", partial(Path(folder, f"made-{os.getpid()}").symlink_to, "/")
    yield "device", lambda: os.mknod(f"{os.environ['TMPDIR']}/disk", 0o600 | stat.S_IFBLK, os.makedev(8, 0))


def list_process_attacks(victim: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield ways to reach another process of the runner's user."""
    for name in ("environ", "mem", "maps", "fd/0", "root/etc", "cwd/.", "auxv"):
        yield f"/proc/PID/{name}", partial(os.open, f"/proc/{victim}/{name}", os.O_RDONLY)
    yield "oom", lambda: Path(f"/proc/{victim}/oom_score_adj").write_text("1000")
    yield "ptrace", lambda: call(101, 117, 16, victim, 0, 0)
    yield "read memory", lambda: call(310, 270, victim, BUFFER, 1, BUFFER, 1, 0)
    yield "descriptor", lambda: call(438, 438, os.pidfd_open(victim), 0, 0)
    yield "kcmp", lambda: call(312, 272, victim, os.getpid(), 0, 0, 0)
    yield "limits", lambda: resource.prlimit(victim, resource.RLIMIT_NOFILE, (0, 0))
    yield "priority", lambda: os.setpriority(os.PRIO_PROCESS, victim, 19)
    yield "priority of the user", lambda: os.setpriority(os.PRIO_USER, 0, 19)
    yield "i/o priority", lambda: call(251, 30, 1, victim, 3 << 13)
    yield "scheduler", lambda: os.sched_setscheduler(victim, os.SCHED_IDLE, os.sched_param(0))
    yield "processors", lambda: os.sched_setaffinity(victim, {0})
    for number in (0, signal.SIGTERM):
        yield f"kill {number}", partial(os.kill, victim, number)
        yield f"kill group {number}", partial(os.killpg, victim, number)
        yield f"kill by tgkill {number}", partial(call, 234, 131, victim, victim, number)
        yield f"kill by tkill {number}", partial(call, 200, 130, victim, number)
        yield f"kill by pidfd {number}", partial(signal.pidfd_send_signal, os.pidfd_open(victim), number)


def signal_by_file(victim: int) -> None:
    """Let the system send a process a signal when a pipe can be read; the test looks whether it came."""
    outlet, inlet = os.pipe()
    try:
        fcntl.fcntl(outlet, 10, signal.SIGKILL)  # F_SETSIG
        fcntl.fcntl(outlet, fcntl.F_SETOWN, victim)
        fcntl.fcntl(outlet, fcntl.F_SETFL, os.O_ASYNC)
        os.write(inlet, b"x")
    except OSError:
        pass


def list_machine_attacks(port: int) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield ways to the network, and around namespaces."""
    for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, 40):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW):
            yield f"socket {family} {kind}", partial(socket.socket, family, kind)
    yield "multipath TCP", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, MPTCP)
    yield "connect", lambda: socket.create_connection(("127.0.0.1", port), 5)
    yield "pair of datagrams", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    yield "queue", lambda: call(68, 186, 0, 0o1600)
    yield "segment", lambda: call(29, 194, 0, 4096, 0o1600)
    yield "semaphore", lambda: call(64, 190, 0, 1, 0o1600)
    yield "POSIX queue", lambda: call(240, 180, b"pitboss", os.O_RDWR | os.O_CREAT, 0o600, None)
    yield "keyring", lambda: call(250, 219, 0, -3, 0)
    yield "io_uring", lambda: call(425, 425, 1, BUFFER)
    yield "userfaultfd", lambda: call(323, 282, 1)
    yield "perf", lambda: call(298, 241, BUFFER, 0, -1, -1, 0)
    yield "bpf", lambda: call(321, 280, 0, BUFFER, 48)
    yield "inotify", lambda: call(294, 26, 0)
    yield "user namespace", lambda: call(272, 97, 0x1000_0000)
    yield "clone", lambda: call(56, 220, 0x1000_0000 | signal.SIGCHLD, 0, 0, 0, 0) or os._exit(0)
    yield "clone3", lambda: call(435, 435, BUFFER, 88)
    yield "another user", lambda: os.setuid(0 if os.getuid() else 1)
    yield "capabilities", lambda: 1 / int(status_of_self()["CapEff"] + status_of_self()["CapPrm"], 16)
    yield "new rights", lambda: 1 / (status_of_self()["NoNewPrivs"] != "1")


def status_of_self() -> dict[str, str]:
    """Return what the system says of this process."""
    return dict(line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)


def main(secret: str, own: str, victim: int, port: int) -> None:
    """Try everything; print as JSON the names of what succeeded, and what the bot must be able to do that failed."""
    signal_by_file(victim)
    done = []
    attacks = (*list_machine_attacks(port), *list_process_attacks(victim), *list_file_attacks(secret, own))
    for name, attack in attacks:
        try:
            attack()
        except (OSError, ZeroDivisionError):
            continue
        done.append(name)
    print(json.dumps(done))


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
