"""Programs of this machine, and what the machine needs to run one: links on the way to it, and interpreters.

A program is found by its bare name on the runner's PATH, or by a path. Behind the shim of a version manager the real
one is found. What a script, a link or a virtual environment leads to counts only if it belongs to root or the runner.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from pitboss_tournament.processes.start_errors import MachineError

SHEBANG_BYTES: Final = 256
MANAGER_SECONDS: Final = 10.0  # for a version manager to name the program behind a shim
_SHIM: Final = re.compile(r'exec "?([^"\s]+)"? exec\b')  # the last line of a shim of pyenv, rbenv, nodenv, asdf
_ENV_OPTIONS: Final = ("-u", "--unset", "-C", "--chdir")  # of `env`: these take a word


def locate_program(word: str, folder: Path | None) -> Path | None:
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


def list_programs(word: str, program: Path, folder: Path | None) -> Iterator[Path]:
    """Yield what the machine needs to run a program, links and interpreters included.

    A program that is named by a path may be the bot's, where there is a bot's folder, unless it is our own Python: what
    it leads to counts if the machine knows it by its name.
    """
    if "/" not in word or folder is None or is_own_python(program):
        yield from _link_chain(program)
        return
    real = program.resolve()
    if real != program:
        yield from find_machine_program(str(real))
    interpreter = _interpreter(real)
    if interpreter:
        yield from find_machine_program(interpreter)


def find_machine_program(word: str) -> Iterator[Path]:
    """Yield the files that a word of a command needs if it is a program of this machine: its links and interpreters.

    Yield nothing for another word, such as the path of a bot's own program.
    """
    if "/" in word and Path(word).resolve() == Path(sys.executable).resolve():
        yield Path(word).resolve()
        return
    found = locate_program(Path(word).name, None)
    if found and ("/" not in word or Path(word).resolve() == found.resolve()):
        yield from _link_chain(found)


def is_own_python(program: Path) -> bool:
    """Tell whether a program is the Python that runs Pitboss."""
    return find_prefix(program) == Path(sys.prefix) and program.name.startswith("python")


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


def find_prefix(file: Path) -> Path | None:
    """Return the folder whose `bin` a program lies in; None if it lies in none."""
    return file.parent.parent if file.parent.name == "bin" else None


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
    interpreter = locate_program(word, None) if word else None
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
