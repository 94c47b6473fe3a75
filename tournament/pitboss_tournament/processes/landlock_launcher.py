"""The launcher of level `landlock`: a program that restricts itself, and then becomes `prlimit` and so the bot.

It is run as a file, `python -I -S landlock_launcher.py`, with the arguments of `main`. It imports only what it needs of
the standard library, because each start of a bot waits for it. Whatever of its restrictions the system refuses ends it
with status 1 and a line on standard error; a bot never starts with less than all of them.
"""

from __future__ import annotations

import ctypes
import os
import stat
import sys

OWN_PROCESS = 0x7FFF_FFFF  # in the filter: this process
ABI_WITH_REFER, ABI_WITH_TRUNCATE, ABI_WITH_NETWORK, ABI_WITH_DEVICES, ABI_WITH_SCOPES = 2, 3, 4, 5, 6

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls, the same on all architectures
_ASK_VERSION, _PATH_BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _USE_DEVICE = 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _USE_DEVICE  # rights that a file by itself can have
_RIGHTS = {  # by the letter in front of a path
    "l": _READ_FOLDER,  # list the names in a folder
    "r": _EXECUTE | _READ_FILE | _READ_FOLDER,
    "d": _READ_FILE | _WRITE_FILE | _TRUNCATE | _USE_DEVICE,  # use a device
    "w": (1 << 15) - 1,  # all but the devices
}
_TCP = 3  # to bind and to connect
_SCOPES = 3  # abstract sockets and signals

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
_FILTER_MODE = 2
_KILL_SIGNAL = 9
_CAPABILITY_VERSION = 0x2008_0522
_STEP_BYTES = 8  # of a filter

_libc = ctypes.CDLL(None, use_errno=True)


class FilterProgram(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("count", ctypes.c_ushort), ("steps", ctypes.c_char_p))


class PathRule(ctypes.Structure):
    """The kernel's `struct landlock_path_beneath_attr`."""

    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


def find_abi() -> int:
    """Return the version of Landlock that the kernel has.

    Raises:
        OSError: it has none, or refuses to tell.
    """
    return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)


def create_ruleset(abi: int, paths: list[str], has_network: bool) -> int:
    """Return a descriptor of the rules of Landlock: all is forbidden but what the paths allow.

    Raises:
        OSError: the system does not take them.
    """
    handled = (1 << 13) - 1
    for version, right in ((ABI_WITH_REFER, 1 << 13), (ABI_WITH_TRUNCATE, _TRUNCATE), (ABI_WITH_DEVICES, _USE_DEVICE)):
        handled |= right if abi >= version else 0
    tcp = _TCP if abi >= ABI_WITH_NETWORK and not has_network else 0
    attributes = (ctypes.c_uint64 * 3)(handled, tcp, _SCOPES if abi >= ABI_WITH_SCOPES else 0)
    ruleset = _call(_CREATE_RULESET, attributes, ctypes.c_size_t(ctypes.sizeof(attributes)), 0)
    for word in paths:
        place = os.open(word[1:], os.O_PATH | os.O_CLOEXEC)
        is_folder = stat.S_ISDIR(os.fstat(place).st_mode)
        rights = _RIGHTS[word[0]] & handled & (-1 if is_folder else _OF_FILES)
        _call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(PathRule(rights, place)), 0)
        os.close(place)
    return ruleset


def make_folder(path: str, user: int, group: int) -> None:
    """Make the bot's own temporary folder, or see that it is this user's.

    Raises:
        OSError: it cannot be made.
        ValueError: something else lies there.
    """
    try:
        os.mkdir(path, 0o700)  # noqa: PTH102 - pathlib is slow to import
        if user != os.geteuid():
            os.chown(path, user, group)
    except FileExistsError:  # a trial of the same sandbox, after its bot
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != user:
            raise ValueError(f"{path} is another user's") from None


def drop_rights(user: int, group: int) -> None:
    """Become another user, where this is not that one already, and give up every capability."""
    if os.geteuid() == 0:
        for capability in range(64):
            _libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)  # no such one, or no right to: what follows suffices
        try:  # noqa: SIM105 - contextlib is slow to import
            os.setgroups([])
        except PermissionError:  # a container that maps root alone has no groups to give up
            pass
    if user != os.geteuid():
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
    header, none = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0), (ctypes.c_uint32 * 6)()
    _check(_libc.capset(header, none))


def restrict(ruleset: int, steps: bytes) -> None:
    """Take the rules of Landlock, and the filter of system calls, for this process and all that it starts."""
    _check(_libc.prctl(_PR_SET_PDEATHSIG, _KILL_SIGNAL, 0, 0, 0))
    _check(_libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    _call(_RESTRICT_SELF, ruleset, 0)
    own = os.getpid().to_bytes(4, sys.byteorder)
    steps = steps.replace(OWN_PROCESS.to_bytes(4, sys.byteorder), own)
    program = FilterProgram(len(steps) // _STEP_BYTES, steps)
    _check(_libc.prctl(_PR_SET_SECCOMP, _FILTER_MODE, ctypes.byref(program), 0, 0))


def _call(number: int, *arguments: object) -> int:
    return _check(_libc.syscall(ctypes.c_long(number), *arguments))


def _check(result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def main(
    user: str, group: str, folder: str, temporary: str, abi: str, network: str, steps: str, count: str, *words: str
) -> None:
    """Become the program of `words[count:]`, as a user, in a folder; `words[:count]`: the paths that it may use.

    `temporary`: its own folder, to be made; `abi`: the version of Landlock whose rules it gets; `network`: whether it
    may use TCP ("1" or "0"); `steps`: the filter of system calls, as hexadecimal digits.
    """
    paths, command = [*words[: int(count)], f"w{temporary}"], words[int(count) :]
    try:
        make_folder(temporary, int(user), int(group))
        ruleset = create_ruleset(int(abi), paths, network == "1")
        drop_rights(int(user), int(group))
        os.chdir(folder)
        restrict(ruleset, bytes.fromhex(steps))
        os.execv(command[0], command)
    except (OSError, ValueError) as error:
        sys.exit(f"landlock: {error}")


if __name__ == "__main__":
    main(*sys.argv[1:])
