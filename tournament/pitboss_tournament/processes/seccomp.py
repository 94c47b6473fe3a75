"""The system calls that the kernel refuses a bot in the sandbox, as a seccomp filter in classic BPF.

Refused is what leads out of the bot's namespaces, because the kernel has no namespace for it: keyrings, sockets of
unusual families, io_uring, notices of what happens to shared files, other processors. A bot that has no network
namespace gets no Unix sockets either: those with abstract names belong to the network. If no control group limits the
bot's memory, memory is refused too that would count for no process.

A bot that shares the machine's namespaces (level `landlock`) is refused much more: whatever a namespace would contain,
and what Landlock does not know. It has no sockets at all but pairs of them, unless it is granted the network.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from pitboss_tournament.processes.landlock_launcher import ABI_WITH_SCOPES, ABI_WITH_TRUNCATE, OWN_PROCESS

_Rules: TypeAlias = dict[str, list[bytes]]  # the instructions for each system call


class Architecture(NamedTuple):
    """What the kernel calls an architecture, and the place of its system calls in `_CALLS`."""

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
    "socketpair": (53, 199),
    "mmap": (9, 222),
    # of other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "move_pages": (279, 239),
    "migrate_pages": (256, 238),
    "perf_event_open": (298, 241),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "prlimit64": (302, 261),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    # of the machine
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "open_by_handle_at": (304, 265),
    "unshare": (272, 97),
    "setns": (308, 268),
    "clone": (56, 220),
    "clone3": (435, 435),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgctl": (71, 187),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # of files, whoever may open them
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
    "truncate": (76, 45),
    "open": (2, None),
    "openat": (257, 56),
    "openat2": (437, 437),
}
_REFUSED: Final = (
    *("add_key", "request_key", "keyctl", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("inotify_init", "inotify_init1", "fanotify_init", "sched_setaffinity"),
)
_REFUSED_UNCOUNTED: Final = ("memfd_create", "shmget", "msgget", "semget")
_REFUSED_SHARED: Final = (  # what a namespace would contain, and what leads to other processes
    *("ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_getfd", "kcmp"),
    *("move_pages", "migrate_pages", "perf_event_open", "bpf", "userfaultfd", "open_by_handle_at", "unshare", "setns"),
    *("shmget", "shmat", "shmctl", "msgget", "msgctl", "msgsnd", "msgrcv", "semget", "semctl", "semop", "semtimedop"),
    *("mq_open", "mq_unlink"),
)
_REFUSED_OF_FILES: Final = (  # they change files that need not be opened, of the user's own
    *("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat"),
    *("utime", "utimes", "futimesat", "utimensat", "setxattr", "lsetxattr", "fsetxattr", "setxattrat"),
    *("removexattr", "lremovexattr", "fremovexattr", "removexattrat", "file_setattr"),
)
_OWN_PRIORITY: Final[dict[str, tuple[tuple[int, int], ...]]] = {  # calls by the (argument, value) that mean the caller
    "setpriority": ((0, 0), (1, 0)),
    "ioprio_set": ((0, 1), (1, 0)),
    "sched_setscheduler": ((0, 0),),
    "sched_setparam": ((0, 0),),
    "sched_setattr": ((0, 0),),
    "prlimit64": ((0, 0),),
}
_SIGNAL_CALLS: Final = ("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo")  # first the process
_STREAMS: Final = (1, 5)  # SOCK_STREAM, SOCK_SEQPACKET: once connected they reach nobody else, unlike SOCK_DGRAM
_SOCKET_TYPE: Final = 0xF
_NEW_USER_NAMESPACE: Final = 0x1000_0000
_SET_OWNER: Final = (8, 15)  # F_SETOWN, F_SETOWN_EX: who gets a signal when a file can be read
_SET_OWNER_BY_IOCTL: Final = (0x8901, 0x8902)  # FIOSETOWN, SIOCSPGRP
_SET_FILE_FLAGS: Final = (0x4008_6602, 0x401C_5820, 0x4080_6685)  # FS_IOC_SETFLAGS, …_FSSETXATTR, …_ENABLE_VERITY
_ACCESS_MODE, _TRUNCATE = 0o3, 0o1000  # of `open`
_AF_UNIX: Final = 1
_FAMILIES: Final = (_AF_UNIX, 2, 10, 16)  # and AF_INET, AF_INET6, AF_NETLINK: a network namespace contains them
_MAP_SHARED, _MAP_ANONYMOUS = 0x01, 0x20
_X32_CALLS: Final = 0x4000_0000  # numbers from here on are x86_64's second set of system calls

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # BPF instructions
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16  # of `struct seccomp_data`
_ALLOW: Final = 0x7FFF_0000
_KILL: Final = 0x8000_0000
_AND: Final = 0x54
_ERROR: Final = 0x0005_0000
_JOIN_SESSION_KEYRING: Final = 1


def build_filter(*, is_memory_counted: bool, has_unix_sockets: bool = True) -> bytes:
    """Return the filter for `bwrap --seccomp`; empty if this system has none, or its architecture is not known.

    Programs of another architecture (32 bits) are killed: their calls have other numbers.
    """
    if not has_filters():
        return b""
    families = [family for family in _FAMILIES if has_unix_sockets or family != _AF_UNIX]
    rules = _common_rules(families, is_memory_counted=is_memory_counted)
    if not has_unix_sockets:
        rules["socketpair"] = _allow_values(1, _STREAMS, errno.EAFNOSUPPORT, mask=_SOCKET_TYPE)
    return _assemble(rules)


def build_shared_filter(
    *, is_memory_counted: bool, has_network: bool, has_own_user: bool, changes_rights: bool, abi: int
) -> bytes:
    """Return the filter for a bot that shares the machine's namespaces; empty if `has_filters` is false.

    `abi`: the version of Landlock, which cannot refuse everything itself before version 6. `OWN_PROCESS` in the filter
    has to be replaced by the number of the process that becomes the bot. Unless it `changes_rights`, it is refused to
    change rights, owners, times and attributes of files: Landlock knows only what opens them.
    """
    if not has_filters():
        return b""
    families = [family for family in _FAMILIES if has_network and family != _AF_UNIX]
    rules = _common_rules(families, is_memory_counted=is_memory_counted)
    rules["socketpair"] = _allow_values(1, _STREAMS, errno.EAFNOSUPPORT, mask=_SOCKET_TYPE)
    rules |= {name: [_refuse(errno.EPERM)] for name in _REFUSED_SHARED}
    rules["clone"] = _refuse_bits(0, _NEW_USER_NAMESPACE)
    rules["clone3"] = [_refuse(errno.ENOSYS)]  # its flags lie in memory; the C library then calls `clone`
    for name, own in _OWN_PRIORITY.items():
        rules[name] = [step for place, value in own for step in _allow_values(place, [value], errno.EPERM)[:-1]]
        rules[name] += [_step(_RETURN, _ALLOW)]
    refused_by_ioctl = list[int]()
    if not changes_rights:
        rules |= {name: [_refuse(errno.EPERM)] for name in _REFUSED_OF_FILES}
        refused_by_ioctl += _SET_FILE_FLAGS
    if not has_own_user:
        rules |= _rules_for_old_landlock(abi)
        refused_by_ioctl += _SET_OWNER_BY_IOCTL
    if refused_by_ioctl:
        rules["ioctl"] = _refuse_values(1, refused_by_ioctl)
    return _assemble(rules)


def _rules_for_old_landlock(abi: int) -> _Rules:
    """Return what replaces the rules that this version of Landlock lacks."""
    rules: _Rules = {}
    if abi < ABI_WITH_TRUNCATE:
        rules["truncate"] = [_refuse(errno.EPERM)]
        rules["openat2"] = [_refuse(errno.ENOSYS)]
        truncates = _ACCESS_MODE | _TRUNCATE  # with O_RDONLY; else Landlock refuses to open it for writing
        for name, place in (("open", 1), ("openat", 2)):
            rules[name] = _refuse_values(place, [_TRUNCATE], mask=truncates)
    if abi < ABI_WITH_SCOPES:
        rules["pidfd_send_signal"] = [_refuse(errno.EPERM)]
        for name in _SIGNAL_CALLS:
            rules[name] = _allow_values(0, [0, OWN_PROCESS], errno.EPERM)
        rules["fcntl"] = _refuse_values(1, _SET_OWNER)
    return rules


def has_filters() -> bool:
    """Tell whether this system has filters, and the numbers of its system calls are known."""
    return _own_architecture() is not None and Path("/proc/sys/kernel/seccomp").exists()


def _common_rules(families: Sequence[int], *, is_memory_counted: bool) -> _Rules:
    """Return what holds for all bots. `families`: the sockets that they may make."""
    rules = {name: [_refuse(errno.EPERM)] for name in _REFUSED}
    rules["socket"] = _allow_values(0, families, errno.EAFNOSUPPORT)
    if not is_memory_counted:
        rules |= {name: [_refuse(errno.ENOMEM)] for name in _REFUSED_UNCOUNTED}
        is_shared = [_step(_ANY_BIT, _MAP_ANONYMOUS, 0, 2), _step(_ANY_BIT, _MAP_SHARED, 0, 1), _refuse(errno.ENOMEM)]
        rules["mmap"] = [_load_argument(3), *is_shared, _step(_RETURN, _ALLOW)]
    return rules


def _assemble(rules: _Rules) -> bytes:
    """Return the filter that follows the rules, each a list of instructions that ends in a return."""
    architecture = _own_architecture()
    assert architecture is not None
    code = [_step(_LOAD, _ARCHITECTURE_AT), _step(_EQUAL, architecture.audit_number, 1, 0), _step(_RETURN, _KILL)]
    code += [_step(_LOAD, _NUMBER_AT)]
    code += [_step(_AT_LEAST, _X32_CALLS, 0, 1), _refuse(errno.ENOSYS)]
    for name, then in rules.items():
        code += _if_call(_CALLS[name][architecture.column], then)
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
    """Return one instruction; a comparison jumps over a number of instructions."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _step(_RETURN, _ERROR | error)


def _load_argument(place: int) -> bytes:
    """Load the lower half of an argument of the system call; both architectures are little-endian."""
    return _step(_LOAD, _ARGUMENTS_AT + 8 * place)


def _allow_values(place: int, values: Sequence[int], error: int, mask: int = 0) -> list[bytes]:
    """Return the instructions that refuse a system call unless an argument has one of these values."""
    masked = [_step(_AND, mask)] if mask else []
    tests = [_step(_EQUAL, value, len(values) - index, 0) for index, value in enumerate(values)]
    return [_load_argument(place), *masked, *tests, _refuse(error), _step(_RETURN, _ALLOW)]


def _refuse_values(place: int, values: Sequence[int], mask: int = 0) -> list[bytes]:
    """Return the instructions that refuse a system call if an argument has one of these values."""
    masked = [_step(_AND, mask)] if mask else []
    tests = [_step(_EQUAL, value, len(values) - index, 0) for index, value in enumerate(values)]
    return [_load_argument(place), *masked, *tests, _step(_RETURN, _ALLOW), _refuse(errno.EPERM)]


def _refuse_bits(place: int, bits: int) -> list[bytes]:
    """Return the instructions that refuse a system call if an argument has one of these bits."""
    return [_load_argument(place), _step(_ANY_BIT, bits, 0, 1), _refuse(errno.EPERM), _step(_RETURN, _ALLOW)]


def _if_call(number: int | None, then: list[bytes]) -> list[bytes]:
    """Return the instructions for one system call, which end in a return; none if the architecture lacks it."""
    return [] if number is None else [_step(_EQUAL, number, 0, len(then)), *then]
