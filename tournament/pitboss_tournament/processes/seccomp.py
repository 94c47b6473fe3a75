"""The system calls that the kernel refuses a bot in the sandbox, as a seccomp filter in classic BPF.

Refused is what leads out of the bot's namespaces, because the kernel has no namespace for it: keyrings, sockets of
unusual families, io_uring, notices of what happens to shared files, other processors. A bot that has no network
namespace gets no Unix sockets either: those with abstract names belong to the network. If no control group limits the
bot's memory, memory is refused too that would count for no process.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from pathlib import Path
from typing import Final, NamedTuple


class Architecture(NamedTuple):
    """What the kernel calls an architecture, and where the numbers of its system calls stand in `_CALLS`."""

    audit_number: int
    column: int


_ARCHITECTURES: Final = {"x86_64": Architecture(0xC000_003E, 0), "aarch64": Architecture(0xC000_00B7, 1)}
_CALLS: Final[dict[str, tuple[int | None, int | None]]] = {  # x86_64, aarch64
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "sched_setaffinity": (203, 122),
    "memfd_create": (319, 279),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "socket": (41, 198),
    "mmap": (9, 222),
}
_REFUSED: Final = (
    *("add_key", "request_key", "keyctl", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("inotify_init", "inotify_init1", "fanotify_init", "sched_setaffinity"),
)
_REFUSED_UNCOUNTED: Final = ("memfd_create", "shmget", "msgget", "semget")
_AF_UNIX: Final = 1
_FAMILIES: Final = (_AF_UNIX, 2, 10, 16)  # and AF_INET, AF_INET6, AF_NETLINK: a network namespace contains them
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_X32_CALLS: Final = 0x4000_0000  # numbers from here on are x86_64's second set of system calls

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF instructions
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16  # of `struct seccomp_data`
_ALLOW: Final = 0x7FFF_0000
_KILL: Final = 0x8000_0000
_ERROR: Final = 0x0005_0000
_JOIN_SESSION_KEYRING: Final = 1


def build_filter(*, is_memory_counted: bool, has_unix_sockets: bool = True) -> bytes:
    """Return the filter for `bwrap --seccomp`; empty if this system has none, or its architecture is not known.

    Programs of another architecture (32 bits) are killed: their calls have other numbers.
    """
    architecture = _own_architecture()
    if architecture is None or not Path("/proc/sys/kernel/seccomp").exists():
        return b""
    number = {name: numbers[architecture.column] for name, numbers in _CALLS.items()}
    code = [_step(_LOAD, _ARCHITECTURE_AT), _step(_EQUAL, architecture.audit_number, 1, 0), _step(_RETURN, _KILL)]
    code += [_step(_LOAD, _NUMBER_AT)]
    code += [_step(_AT_LEAST, _X32_CALLS, 0, 1), _refuse(errno.ENOSYS)]
    for name in _REFUSED:
        code += _if_call(number[name], [_refuse(errno.EPERM)])
    allowed = [family for family in _FAMILIES if has_unix_sockets or family != _AF_UNIX]
    families = [_step(_EQUAL, family, len(allowed) - place, 0) for place, family in enumerate(allowed)]
    code += _if_call(
        number["socket"], [_load_argument(0), *families, _refuse(errno.EAFNOSUPPORT), _step(_RETURN, _ALLOW)]
    )
    if not is_memory_counted:
        for name in _REFUSED_UNCOUNTED:
            code += _if_call(number[name], [_refuse(errno.ENOMEM)])
        is_shared = [_step(_ANY_BIT, _MAP_ANONYMOUS, 0, 2), _step(_ANY_BIT, _MAP_SHARED, 0, 1), _refuse(errno.ENOMEM)]
        code += _if_call(number["mmap"], [_load_argument(3), *is_shared, _step(_RETURN, _ALLOW)])
    return b"".join((*code, _step(_RETURN, _ALLOW)))


def join_new_keyring() -> None:
    """Give this thread, and what it starts from now on, an empty session keyring of its own.

    Raises:
        OSError: the user has too many keyrings. (Where the system has none, or lets nobody use them, all is well.)
    """
    architecture = _own_architecture()
    number = architecture and _CALLS["keyctl"][architecture.column]
    if not number:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(ctypes.c_long(number), _JOIN_SESSION_KEYRING, None) < 0:
        error = ctypes.get_errno()
        if error not in (errno.ENOSYS, errno.EPERM):
            raise OSError(error, os.strerror(error))


def _own_architecture() -> Architecture | None:
    is_64_bit = sys.platform.startswith("linux") and sys.maxsize > 1 << 32
    return _ARCHITECTURES.get(os.uname().machine) if is_64_bit else None


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return one instruction; a comparison jumps over so many instructions."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _step(_RETURN, _ERROR | error)


def _load_argument(place: int) -> bytes:
    """Load the lower half of an argument of the system call; both architectures are little-endian."""
    return _step(_LOAD, _ARGUMENTS_AT + 8 * place)


def _if_call(number: int | None, then: list[bytes]) -> list[bytes]:
    """Return the instructions for one system call, which end in a return; none if the architecture lacks it."""
    return [] if number is None else [_step(_EQUAL, number, 0, len(then)), *then]
