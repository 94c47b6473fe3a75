"""Files a sandboxed bot may see, at their real paths: its own, its interpreter, and those granted in `limits.read`.

Only the machine and the organiser name paths. A bot sees system folders, its own folder, the files that the organiser's
command names, what `limits.read` grants, and the installation of a program that is found by its bare name on the
runner's PATH and belongs to root or to the runner. Whatever lies in the bot's folder (`bot.toml`, the first line of a
script, a link, what a build made) may only name such a program (`machine_programs`): it never adds a path. The home
folder and shared system folders are never shown whole; how what is shown is mounted is the subject of `bind_mounts`.

Of the machine a sandbox shows the system's folders, a few files of /etc, and the network if that is granted. A granted
network is the machine's own: what listens on the machine can be reached, and abstract Unix sockets would be too, if
`seccomp` did not refuse them.
"""

from __future__ import annotations

import os
import re
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from pitboss.errors import ConfigError
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.processes.machine_programs import (
    find_machine_program,
    find_prefix,
    is_own_python,
    list_programs,
    locate_program,
)

SYSTEM_FOLDERS: Final = tuple(
    map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"))
)

_SHARED_FOLDERS: Final = tuple(
    map(Path, ("/", "/home", "/root", "/tmp", "/var", "/var/tmp", "/etc", "/run", "/opt", "/srv", "/mnt", "/media"))
)
_KERNEL_FOLDERS: Final = tuple(map(Path, ("/dev", "/proc", "/sys")))
_FOLDER_VARIABLES: Final = ("PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE")  # these name folders of modules
_MODULE: Final = re.compile(r"\w+(\.\w+)*")

_OWN_FILES: Final = MappingProxyType(  # of the sandbox: one user besides root, and one machine
    {
        "/etc/passwd": b"root:x:0:0:root:/:/usr/sbin/nologin\nbot:x:65534:65534:bot:/tmp:/bin/sh\n",
        "/etc/group": b"root:x:0:\nbot:x:65534:\n",
        "/etc/hosts": b"127.0.0.1 localhost bot\n::1 localhost\n",
        "/etc/nsswitch.conf": b"passwd: files\ngroup: files\nhosts: files\n",
    }
)

_SOME_OF_ETC: Final = (  # what programs cannot do without
    *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "ssl/openssl.cnf"),
    *("java*", "php", "perl", "python3*", "mono"),
)
_NETWORK_FILES: Final = (  # of /etc: names of machines, and whom to trust
    *("resolv.conf", "hosts", "nsswitch.conf", "services", "protocols", "gai.conf"),
    *("ssl/certs", "pki", "ca-certificates", "ca-certificates.conf"),
)
_NO_NETWORK: Final = "--unshare-net"
_NAMESPACES: Final = (
    *("--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--disable-userns", "--uid", "65534", "--gid", "65534", "--hostname", "bot"),
    *("--new-session", "--die-with-parent"),
)


class VisiblePaths(NamedTuple):
    """The command as it is run in the sandbox, the bot's own files, and the search paths."""

    command: tuple[str, ...]
    paths: tuple[Path, ...]  # outside the system's folders; one that contains another comes first
    program_folders: tuple[str, ...]  # folders for the PATH, beside the system's
    module_folders: tuple[str, ...]  # folders for the PYTHONPATH


def find_visible_paths(command: Sequence[str], folder: Path | None, read: Iterable[str] = ()) -> VisiblePaths:
    """Return what a bot needs to see that is started by this command in this folder.

    Raises:
        ConfigError: a path to show is the home folder or a shared system folder.
    """
    program = locate_program(command[0], folder)
    paths = set(_own_paths(command, program, folder))
    search = []
    for file in list_programs(command[0], program, folder) if program else ():
        if not is_system(file) and not file.is_relative_to("/etc"):  # /etc/alternatives is shown anyway
            paths.add(_installation_root(file) or file)
            search.append(str(file.parent))
    paths.update(_installation_root(file) or file for file in _list_base_pythons(folder) if not is_system(file))
    modules: tuple[str, ...] = ()
    if program and is_own_python(program):
        installed, modules = _python_paths()
        paths.update(installed)
    for path in map(Path, read):
        _check_not_shared(path, "limits.read names")
        paths.add(path)
    words = (str(program), *command[1:]) if program else tuple(command)
    return VisiblePaths(words, tuple(_outermost_paths(paths)), tuple(dict.fromkeys(search)), modules)


def find_named_files(command: Sequence[str], folder: Path | None) -> list[Path]:
    """Return the files, none of the system's, that a command names by a path from the bot's folder."""
    place = folder or Path("/")
    words = command[1:] if "/" not in command[0] else command
    files = (path for word in words for path in _named_paths(word, place))
    return [path for path in files if path.is_file() and not is_system(path)]


def is_system(path: Path) -> bool:
    """Tell whether a file is in a system folder, which every bot may read."""
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _own_paths(command: Sequence[str], program: Path | None, folder: Path | None) -> Iterator[Path]:
    """Yield the bot's folder; for a plain command the folders of the files it names."""
    if folder is None:
        return
    if _has_bot_file(folder):
        _check_not_shared(folder, "the bot's folder is")
        yield folder
        return
    if program and "/" in command[0] and not is_system(program):
        named = Path(os.path.normpath(folder / command[0]))
        shown = _installation_root(program) or enclosing_folder(program)
        if _stays_where_named(named.parent, folder) and _stays_where_named(shown, folder):
            yield shown
    for word in command[1:]:
        for path in _named_paths(word, folder):
            shown = enclosing_folder(path)
            if not is_system(path) and not (path.is_dir() and _is_shared(path)) and _stays_where_named(shown, folder):
                yield shown


def _has_bot_file(folder: Path | None) -> bool:
    """Tell whether a folder is one bot's, which says itself in `bot.toml` how it is started."""
    return folder is not None and (folder / BOT_FILE).is_file()


def _stays_where_named(path: Path, folder: Path) -> bool:
    """Tell whether no link on the way to a path leads out of the folder that it lies in.

    Those on the way to `folder` do not count, from which paths are named, nor those of root for a runner that is not.
    """
    for place in (*reversed(path.parents), path):
        if place.is_symlink() and not folder.is_relative_to(place):
            is_of_machine = os.geteuid() != 0 and place.lstat().st_uid == 0
            if not is_of_machine and not place.resolve().is_relative_to(place.parent.resolve()):
                return False
    return True


def _named_paths(word: str, folder: Path) -> Iterator[Path]:
    """Yield the files and folders that a word may mean: `bot.py`, `--weights=net.bin`, `a.jar:lib`, `-m my.module`."""
    for part in {word, *word.partition("=")[2].split(":"), *word.split(":")}:
        module = part.replace(".", "/") if _MODULE.fullmatch(part) else ""
        for spelled in dict.fromkeys(filter(None, (part, module, module and f"{module}.py"))):
            path = Path(os.path.normpath(folder / spelled))
            if "\0" in spelled or any(path.is_relative_to(one) for one in _KERNEL_FOLDERS):
                continue
            if path.is_file() or path.is_dir():
                yield path


def enclosing_folder(path: Path) -> Path:
    """Return the folder of a file; the file itself if too much else lies there."""
    return path if path.is_dir() or _is_shared(path.parent) else path.parent


def _list_base_pythons(folder: Path | None) -> Iterator[Path]:
    """Yield the Pythons of this machine that virtual environments in a bot's folder stand on, whatever starts them."""
    if folder is not None and _has_bot_file(folder):
        for settings in sorted(folder.glob("*/pyvenv.cfg")):
            python = settings.parent / "bin" / "python"
            if python.exists():
                yield from find_machine_program(str(python.resolve()))


def _installation_root(file: Path) -> Path | None:
    """Return the installation folder that a program belongs to, None if it is in none."""
    prefix = find_prefix(file)
    if prefix is None or _is_shared(prefix) or prefix.name == ".local":
        return None
    return prefix if any((prefix / name).exists() for name in ("pyvenv.cfg", "lib", "lib64", "libexec")) else None


@cache
def _python_paths() -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return (paths of this Python and its packages, module folders that it does not find by itself)."""
    finds_more = site.ENABLE_USER_SITE or any(name in os.environ for name in _FOLDER_VARIABLES)
    is_plain = sys.flags.safe_path and not finds_more  # as workers are: Python need not be started to ask it
    by_itself = [*filter(None, sys.path)] if is_plain else _module_folders("-I")
    extra = tuple(folder for folder in _module_folders() if folder not in by_itself) if finds_more else ()
    paths = map(Path, (sys.prefix, sys.base_prefix, *by_itself, *extra))
    return tuple(path for path in paths if path.exists() and not is_system(path) and not _is_shared(path)), extra


def _module_folders(*options: str) -> list[str]:
    code = "import sys; print(*filter(None, sys.path), sep='\\n')"
    return subprocess.run(
        [sys.executable, *options, "-c", code], cwd="/", capture_output=True, text=True, check=True
    ).stdout.splitlines()


def _outermost_paths(paths: Iterable[Path]) -> list[Path]:
    """Return the paths without those that lie in another one."""
    kept: dict[Path, None] = {}
    for path in sorted(paths):
        if not any(place in kept for place in (path, *path.parents)):
            kept[path] = None
    return list(kept)


def _is_shared(path: Path) -> bool:
    """Tell whether a folder is never shown whole: the home folder and all above it, /tmp, /etc and the like."""
    real, home = path.resolve(), Path.home().resolve()
    return (
        real in _SHARED_FOLDERS or home.is_relative_to(real) or any(real.is_relative_to(one) for one in _KERNEL_FOLDERS)
    )


def _check_not_shared(path: Path, what: str) -> None:
    if _is_shared(path):
        raise ConfigError(
            f"{what} {str(path)!r}, which other programs use, too: the sandbox never shows a bot such a folder whole"
        )


def list_namespaces(*, has_network: bool) -> tuple[str, ...]:
    """Return arguments for the namespaces that a sandbox has of its own."""
    return tuple(word for word in _NAMESPACES if not (has_network and word == _NO_NETWORK))


def list_sandbox_files(*, has_network: bool) -> Mapping[str, bytes]:
    """Return the files, by path, that a sandbox has in place of the machine's."""
    if not has_network:
        return _OWN_FILES
    return {path: text for path, text in _OWN_FILES.items() if Path(path).name not in _NETWORK_FILES}


def find_system_files(*, has_network: bool) -> tuple[Path, ...]:
    """Return the few files and folders of /etc that programs need."""
    some = [path for pattern in _SOME_OF_ETC for path in sorted(Path("/etc").glob(pattern))]
    network = [Path("/etc", name) for name in _NETWORK_FILES] if has_network else []
    return tuple(path for path in (*some, *network) if path.exists())


@cache
def find_system_mounts(*, has_network: bool) -> tuple[str, ...]:
    """Return arguments that mount the system's folders and the few files of /etc that programs need."""
    words: list[str] = []
    for folder in SYSTEM_FOLDERS:
        if folder.is_symlink():
            words += ["--symlink", str(folder.readlink()), str(folder)]
        elif folder.is_dir():
            words += ["--ro-bind", str(folder), str(folder)]
    for path in find_system_files(has_network=has_network):
        words += ["--ro-bind", str(path), str(path)]
    return tuple(words)
