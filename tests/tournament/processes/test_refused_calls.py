"""System calls that lead around the namespaces of a sandbox: keys, io_uring, sockets, memory that nobody maps."""

from __future__ import annotations

import ctypes
import os

import pytest

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.processes.cgroups import ControlGroup, find_group_parents
from pitboss_tournament.processes.seccomp import build_filter, join_new_keyring
from tests.tournament.sandbox_programs import make_mark, needs_bubblewrap, python_entrant, run_for_output, run_program

pytestmark = [
    pytest.mark.once,
    needs_bubblewrap,
    pytest.mark.skipif(not build_filter(is_memory_counted=True), reason="this system has no known seccomp filter"),
]

CALL = """
import ctypes, errno, mmap, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def show(name, result=-1, error=None):
    print(name, "ok" if result >= 0 else errno.errorcode[error or ctypes.get_errno()])
def attempt(name, function, *arguments):
    try:
        function(*arguments)
        show(name, 0)
    except OSError as error:
        show(name, error=error.errno)
"""
# numbers of (x86_64, aarch64): a program of any language makes system calls by number
ADD_KEY, REQUEST_KEY, KEYCTL, SHMGET, MSGGET, SEMGET = (
    numbers[os.uname().machine == "aarch64"]
    for numbers in ((248, 217), (249, 218), (250, 219), (29, 194), (68, 186), (64, 190))
)
SESSION_KEYRING = -3
GET_KEYRING_ID, SEARCH_KEY = 0, 10


def add_session_key(name: str) -> None:
    """Put a key into a new session keyring of this thread."""
    join_new_keyring()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ADD_KEY, b"user", name.encode(), b"secret", 6, SESSION_KEYRING) < 0:
        pytest.skip(f"no keys can be made here: {os.strerror(ctypes.get_errno())}")


@pytest.mark.parametrize("has_filter", [True, False])
def test_session_keyring(has_filter: bool) -> None:
    """A key of the runner's is not found; without the filter too, because each bot has an empty keyring of its own."""
    add_session_key("pitboss-test")
    code = f"{CALL}\nshow('key', libc.syscall({KEYCTL}, {SEARCH_KEY}, {SESSION_KEYRING}, b'user', b'pitboss-test', 0))"

    assert run_for_output(python_entrant(code), has_filter=has_filter) == f"key {'EPERM' if has_filter else 'ENOKEY'}"


def test_keyring_of_another_bot() -> None:
    """A key in one bot's keyring is found by no other bot, even without the filter."""
    code = f"{CALL}\nprint(libc.syscall({KEYCTL}, {GET_KEYRING_ID}, {SESSION_KEYRING}, 0))"
    keyrings = {run_for_output(python_entrant(code), has_filter=False) for _ in range(2)}

    assert len(keyrings) == 2
    assert all(int(keyring) > 0 for keyring in keyrings)


def test_calls_around_the_namespaces() -> None:
    """The kernel refuses what no namespace contains; common sockets are left, and all processors can be looked up."""
    code = f"""{CALL}
for name, number in {{"add_key": {ADD_KEY}, "request_key": {REQUEST_KEY}, "keyctl": {KEYCTL}}}.items():
    show(name, libc.syscall(number, 0, 0, 0, 0, 0))
for name, number in {{"io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427}}.items():
    show(name, libc.syscall(number, 0, 0, 0, 0, 0))
show("inotify", libc.inotify_init1(0))
show("fanotify", libc.fanotify_init(0, 0))
attempt("affinity", os.sched_setaffinity, 0, os.sched_getaffinity(0))
for name, family in {{"vsock": 40, "alg": 38, "bluetooth": 31, "unix": 1, "inet": 2, "inet6": 10}}.items():
    attempt(name, socket.socket, family, socket.SOCK_STREAM)
attempt("netlink", socket.socket, 16, socket.SOCK_RAW)
"""
    shown = dict(line.split() for line in run_for_output(python_entrant(code)).splitlines())

    assert shown == {
        **dict.fromkeys(("add_key", "request_key", "keyctl"), "EPERM"),
        **dict.fromkeys(("io_uring_setup", "io_uring_enter", "io_uring_register"), "EPERM"),
        **dict.fromkeys(("inotify", "fanotify", "affinity"), "EPERM"),
        **dict.fromkeys(("vsock", "alg", "bluetooth"), "EAFNOSUPPORT"),
        **dict.fromkeys(("unix", "inet", "inet6", "netlink"), "ok"),
    }


MEMORY = f"""{CALL}
show("memfd", libc.memfd_create(b"", 0))
show("sysv", libc.syscall({SHMGET}, 0, 4096, 0o1600))
show("queue", libc.syscall({MSGGET}, 0, 0o1600))
show("semaphores", libc.syscall({SEMGET}, 0, 1, 0o1600))
attempt("shared", mmap.mmap, -1, 4096)
attempt("zeros", mmap.mmap, os.open("/dev/zero", os.O_RDWR), 4096)
attempt("private", mmap.mmap, -1, 4096, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
print("read", os.read(os.open("/dev/zero", os.O_RDONLY), 2) == bytes(2))
"""

FILL = """
import mmap
held = []
while True:
    held.append(mmap.mmap(-1, 1 << 20))
    held[-1].write(bytes(1 << 20))
"""


def test_memory_that_is_not_counted() -> None:
    """A bot whose memory no control group limits is given no memory that counts for no process."""
    shown = dict(line.split() for line in run_for_output(python_entrant(MEMORY)).splitlines())

    assert shown == {
        **dict.fromkeys(("memfd", "sysv", "queue", "semaphores", "shared"), "ENOMEM"),
        "zeros": "ENODEV",
        "private": "ok",
        "read": "True",
    }


def test_memory_that_is_counted() -> None:
    """In a control group that limits the memory, all kinds of it are given, up to the limit."""
    if find_group_parents().memory is None:
        pytest.skip("no memory controller")
    group = ControlGroup(make_mark(), find_group_parents())
    try:
        group.limit_memory(64 << 20)
        shown = dict(line.split() for line in run_for_output(python_entrant(MEMORY), group=group).splitlines())
        assert not group.has_run_out_of_memory()
        done = run_program(python_entrant(FILL, limits=Limits(memory_mb=4096)), group=group)
        assert group.has_run_out_of_memory()
    finally:
        group.remove()

    kinds = ("memfd", "sysv", "queue", "semaphores", "shared", "zeros", "private")
    assert shown == {**dict.fromkeys(kinds, "ok"), "read": "True"}
    assert done.status == -9
