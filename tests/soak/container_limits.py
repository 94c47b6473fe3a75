"""Run a command as a container of Docker with default settings would: `container_limits.py UID COMMAND…`, as root.

No capability is left, no program brings new privileges, and the calls that Docker's profile refuses are refused:
namespaces, mounts, keys, other processes' memory. It is a file of its own that runs without Pitboss.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from typing import Final

libc: Final = ctypes.CDLL(None, use_errno=True)
EPERM, ENOSYS = 1, 38
SET_NO_NEW_PRIVS, SET_SECCOMP, DROP_CAPABILITY = 38, 22, 24
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NAMESPACE_FLAGS = 0x7E020000  # of clone
X86_64 = 0xC000003E
CLONE = 56
REFUSED: Final = {  # numbers of x86_64
    "ptrace": (101, EPERM),
    "pivot_root": (155, EPERM),
    "mount": (165, EPERM),
    "umount2": (166, EPERM),
    "add_key": (248, EPERM),
    "request_key": (249, EPERM),
    "keyctl": (250, EPERM),
    "unshare": (272, EPERM),
    "setns": (308, EPERM),
    "bpf": (321, EPERM),
    "io_uring_setup": (425, EPERM),
    "clone3": (435, ENOSYS),  # as Docker: its flags lie in memory, which no filter reads
}


def make_instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """Return an instruction of a packet filter."""
    return struct.pack("HBBI", code, if_true, if_false, value)


def build_filter() -> bytes:
    """Return the filter: the number of the call is compared, then the flags of clone."""
    parts = [make_instruction(0x20, 0)]
    for number, error in REFUSED.values():
        parts += [make_instruction(0x15, number, 0, 1), make_instruction(0x06, REFUSE | error)]
    parts += [make_instruction(0x15, CLONE, 0, 3), make_instruction(0x20, 16)]
    parts += [make_instruction(0x45, NAMESPACE_FLAGS, 0, 1), make_instruction(0x06, REFUSE | EPERM)]
    return b"".join([*parts, make_instruction(0x06, ALLOW)])


class ContainerFilter(ctypes.Structure):
    """The filter as the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("address", ctypes.c_void_p))


def call_prctl(*arguments: int) -> None:
    """Call prctl.

    Raises:
        OSError: the kernel refused.
    """
    if libc.prctl(*map(ctypes.c_ulong, arguments)):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def main(words: list[str]) -> None:
    """Give up what a container has not, and become the command."""
    user, command = int(words[0]), words[1:]
    text = build_filter()
    buffer = ctypes.create_string_buffer(text, len(text))
    for capability in range(64):
        try:
            call_prctl(DROP_CAPABILITY, capability, 0, 0, 0)
        except OSError:
            break  # the kernel has no more
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    call_prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    program = ContainerFilter(len(text) // 8, ctypes.addressof(buffer))
    call_prctl(SET_SECCOMP, 2, ctypes.addressof(program), 0, 0)
    os.environ["HOME"] = "/data"
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(sys.argv[1:])
