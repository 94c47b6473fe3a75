"""Files a sandboxed bot may see, at their real paths: its own, its interpreter, and those granted in `limits.read`.

Only the machine and the organiser name paths. A bot sees system folders, its own folder, the files that the organiser's
command names, what `limits.read` grants, and the installation of a program that is found by its bare name on the
runner's PATH and belongs to root or to the runner. Whatever lies in the bot's folder (`bot.toml`, the first line of a
script, a link, what a build made) may only name such a program: it never adds a path. Sockets and named pipes do not
come along with the folder that they lie in.

A folder is bound whole, unless something in it must stay hidden (the tournament's store, which holds the seed): then
its entries are bound one by one, so that entries that appear later stay hidden too. The home folder and shared system
folders are never bound whole.
"""

from __future__ import annotations

import os
import re
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from pitboss.errors import ConfigError
from pitboss_tournament.plan.paths import BOT_FILE
from pitboss_tournament.processes.start_errors import MachineError

SYSTEM_FOLDERS: Final = tuple(
    map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"))
)
SHEBANG_BYTES: Final = 256
MAX_ENTRIES: Final = 400  # bound one by one: bubblewrap takes 9,000 arguments, and each mount costs time

_SHARED_FOLDERS: Final = tuple(
    map(Path, ("/", "/home", "/root", "/tmp", "/var", "/var/tmp", "/etc", "/run", "/opt", "/srv", "/mnt", "/media"))
)
_KERNEL_FOLDERS: Final = tuple(map(Path, ("/dev", "/proc", "/sys")))
_SQLITE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")
MANAGER_SECONDS: Final = 10.0  # for a version manager to name the program behind a shim
_SHIM: Final = re.compile(r'exec "?([^"\s]+)"? exec\b')  # the last line of a shim of pyenv, rbenv, nodenv, asdf
_FOLDER_VARIABLES: Final = ("PYTHONHOME", "PYTHONPATH", "PYTHONUSERBASE")  # these name folders of modules
_ENV_OPTIONS: Final = ("-u", "--unset", "-C", "--chdir")  # of `env`: these take a word
_MODULE: Final = re.compile(r"\w+(\.\w+)*")


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
    program = _locate_program(command[0], folder)
    paths = set(_own_paths(command, program, folder))
    search = []
    for file in _list_programs(command[0], program, folder) if program else ():
        if not is_system(file) and not file.is_relative_to("/etc"):  # /etc/alternatives is shown anyway
            paths.add(_installation_root(file) or file)
            search.append(str(file.parent))
    paths.update(_installation_root(file) or file for file in _list_base_pythons(folder) if not is_system(file))
    modules: tuple[str, ...] = ()
    if program and _is_own_python(program):
        installed, modules = _python_paths()
        paths.update(installed)
    for path in map(Path, read):
        _check_not_shared(path, "limits.read names")
        paths.add(path)
    words = (str(program), *command[1:]) if program else tuple(command)
    return VisiblePaths(words, tuple(_outermost_paths(paths)), tuple(dict.fromkeys(search)), modules)


def bind_args(path: Path, hidden: Iterable[Path] = ()) -> list[str]:
    """Return bubblewrap arguments that mount `path` read-only, except what is in `hidden`, sockets and named pipes.

    A socket comes along if it is `path` itself.

    Raises:
        ConfigError: the folder is too large to be mounted in parts.
    """
    secret = {Path(f"{file.resolve()}{ending}") for file in hidden for ending in _SQLITE_SUFFIXES}
    words = list(_iter_bind_args(path, secret))
    if len(words) > 3 * MAX_ENTRIES:
        raise ConfigError(
            f"the folder {str(path)!r} holds the tournament's files, so that a bot in there is shown its entries "
            f"one by one, and there are more than {MAX_ENTRIES}; give the bot a folder of its own"
        )
    return words


def bind_args_for_all(path: Path) -> list[str]:
    """Return bubblewrap arguments that mount `path` for every user, entry by entry where a folder is private."""
    return list(_iter_bind_args(path, set(), is_for_all=True))


def find_locked_folder(path: Path) -> Path | None:
    """Return the outermost folder on the way to `path` that other users cannot enter; None if there is none."""
    for place in (*reversed(path.parents), path):
        needed = 0o005 if place == path else 0o001
        if place.is_dir() and place.stat().st_mode & needed != needed:
            return place
    return None


def find_named_files(command: Sequence[str], folder: Path | None) -> list[Path]:
    """Return the files, none of the system's, that a command names by a path from the bot's folder."""
    place = folder or Path("/")
    words = command[1:] if "/" not in command[0] else command
    files = (path for word in words for path in _named_paths(word, place))
    return [path for path in files if path.is_file() and not is_system(path)]


def read_shebang(program: Path) -> str:
    """Return the line of a script that names its interpreter, as far as the system reads it; "" if there is none."""
    if not program.is_file():  # a pipe or a terminal would be waited for
        return ""
    try:
        with program.open("rb") as file:
            line = file.readline(SHEBANG_BYTES).decode("utf-8", "replace").rstrip("\n")
    except OSError:
        return ""
    return line if line.startswith("#!") else ""


def is_system(path: Path) -> bool:
    """Tell whether a file is in a system folder, which every bot may read."""
    return any(path.is_relative_to(folder) for folder in SYSTEM_FOLDERS)


def _iter_bind_args(path: Path, secret: set[Path], *, is_for_all: bool = False) -> Iterator[str]:
    real = path.resolve()
    if real in secret:
        return
    is_private = is_for_all and path.stat().st_mode & 0o005 != 0o005
    if not path.is_dir() or not (is_private or any(file.is_relative_to(real) for file in secret)):
        yield from ("--ro-bind", str(path), str(path))
        for special in () if is_for_all or not path.is_dir() else _list_special_files(path):
            yield from ("--ro-bind", "/dev/null", special)
        return
    yield from ("--dir", str(path))
    for entry in sorted(path.iterdir()):
        if entry.is_symlink():
            yield from ("--symlink", str(entry.readlink()), str(entry))
        elif entry.is_file() or entry.is_dir():
            yield from _iter_bind_args(entry, secret, is_for_all=is_for_all)


@cache
def _list_special_files(folder: Path) -> tuple[str, ...]:
    """Return what `_find_special_files` finds, once: an installation that a thousand bots are shown is large."""
    return tuple(_find_special_files(folder))


def _find_special_files(folder: Path) -> Iterator[str]:
    """Yield what in a folder is neither a file, a folder nor a link: who is let at a socket can ask the process there.

    A folder that the runner cannot read is left out: a bot cannot read it either.
    """
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _find_special_files(Path(entry.path))
        elif not entry.is_symlink() and not entry.is_file(follow_symlinks=False):
            yield entry.path


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


def _locate_program(word: str, folder: Path | None) -> Path | None:
    """Return the program that a word means; behind the shim of a version manager, the real one."""
    if "\0" in word:
        return None
    if "/" in word:
        path = (folder or Path()) / word
        return path.parent.resolve() / path.name if path.exists() else None
    places = [place for place in os.environ.get("PATH", os.defpath).split(os.pathsep) if Path(place).is_absolute()]
    found = shutil.which(word, path=os.pathsep.join(places)) if word else None
    if not found:
        return None
    path = Path(found)
    return _resolve_shim(path) if path.parent.name == "shims" or _is_rustup_proxy(path) else path


def _is_rustup_proxy(path: Path) -> bool:
    """Tell whether a program is a link to rustup, which looks for the real one in the home folder."""
    return path.name != "rustup" and path.resolve().name == "rustup"


@cache
def _resolve_shim(shim: Path) -> Path:
    """Return the program behind a shim; the shim itself if its manager does not name one.

    The manager is asked outside the bot's folder, which might name another program.

    Raises:
        MachineError: the manager takes longer than MANAGER_SECONDS.
    """
    found = None if _is_rustup_proxy(shim) else _SHIM.search(shim.read_text(errors="replace"))
    manager = found[1] if found else str(shim.with_name("rustup"))
    if not Path(manager).exists():
        return shim
    try:
        done = subprocess.run(
            [manager, "which", shim.name],
            cwd="/",
            capture_output=True,
            text=True,
            timeout=MANAGER_SECONDS,
            check=False,
        )
    except OSError:
        return shim
    except subprocess.TimeoutExpired:
        error = f"{manager} has not told in {MANAGER_SECONDS:g} s which program {shim.name!r} is"
        raise MachineError(error, "overloaded") from None
    real = Path(done.stdout.strip())
    return real if done.returncode == 0 and real.is_file() else shim


def _list_programs(word: str, program: Path, folder: Path | None) -> Iterator[Path]:
    """Yield what the machine needs to run a program, links and interpreters included.

    A program that is named by a path may be the bot's, where there is a bot's folder, unless it is our own Python: what
    it leads to counts if the machine knows it by its name.
    """
    if "/" not in word or folder is None or _is_own_python(program):
        yield from _link_chain(program)
        return
    real = program.resolve()
    if real != program:
        yield from _machine_program(str(real))
    interpreter = _interpreter(real)
    if interpreter:
        yield from _machine_program(interpreter)


def _list_base_pythons(folder: Path | None) -> Iterator[Path]:
    """Yield the Pythons of this machine that virtual environments in a bot's folder stand on, whatever starts them."""
    if folder is not None and _has_bot_file(folder):
        for settings in sorted(folder.glob("*/pyvenv.cfg")):
            python = settings.parent / "bin" / "python"
            if python.exists():
                yield from _machine_program(str(python.resolve()))


def _is_own_python(program: Path) -> bool:
    return _prefix(program) == Path(sys.prefix) and program.name.startswith("python")


def _machine_program(word: str) -> Iterator[Path]:
    """Yield a program of this machine, and what it leads to; nothing for a path that is not that of such a program."""
    if "/" in word and Path(word).resolve() == Path(sys.executable).resolve():
        yield Path(word).resolve()
        return
    found = _locate_program(Path(word).name, None)
    if found and ("/" not in word or Path(word).resolve() == found.resolve()):
        yield from _link_chain(found)


def _link_chain(program: Path) -> Iterator[Path]:
    """Yield a program of this machine, every symlink target on its way, and the same for its shebang interpreter.

    Nothing that belongs to others than root and the runner.
    """
    path = program
    for _ in range(40):  # as many as the system follows
        if path.lstat().st_uid not in (0, os.geteuid()):
            return
        yield path
        if not path.is_symlink():
            break
        path = path.parent.resolve() / path.readlink()
        path = path.parent.resolve() / path.name
    word = _interpreter(path)
    interpreter = _locate_program(word, None) if word else None
    if interpreter and interpreter != program and path.is_file():
        yield from _link_chain(interpreter)


def _interpreter(script: Path) -> str:
    """Return the program that the first line of a script names; "" if it names none."""
    words = read_shebang(script)[2:].split()
    if not words or Path(words[0]).name != "env":
        return words[0] if words else ""
    rest = iter(words[1:])
    for word in rest:
        if word in _ENV_OPTIONS:
            next(rest, None)
        elif not word.startswith("-") and "=" not in word:
            return word
    return ""


def _installation_root(file: Path) -> Path | None:
    """Return the installation folder that a program belongs to, None if it is in none."""
    prefix = _prefix(file)
    if prefix is None or _is_shared(prefix) or prefix.name == ".local":
        return None
    return prefix if any((prefix / name).exists() for name in ("pyvenv.cfg", "lib", "lib64", "libexec")) else None


def _prefix(file: Path) -> Path | None:
    return file.parent.parent if file.parent.name == "bin" else None


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
    kept: list[Path] = []
    for path in sorted(paths):
        if not any(path.is_relative_to(one) for one in kept):
            kept.append(path)
    return kept


def _is_shared(path: Path) -> bool:
    """Tell whether a folder is never shown whole: the home folder and all above it, /tmp, /etc and the like."""
    real, home = path.resolve(), Path.home().resolve()
    return (
        real in _SHARED_FOLDERS or home.is_relative_to(real) or any(real.is_relative_to(one) for one in _KERNEL_FOLDERS)
    )


def _check_not_shared(path: Path, what: str) -> None:
    if _is_shared(path):
        raise ConfigError(
            f"{what} {str(path)!r}, which is not only the bot's: the sandbox never shows a bot a folder like that whole"
        )
