"""`pitboss install` and `uninstall`: plugins, by the program that made the environment of this Pitboss."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from msgspec import Meta, Struct, convert, field

from pitboss.errors import ConfigError
from pitboss.foreign_input import InputRefused, read_json, read_toml
from pitboss.plugins.hookspec import OWN_DISTRIBUTION, PROJECT
from pitboss.text import join_words
from pitboss_tournament.cli.output import print_paragraph
from pitboss_tournament.cli.registry import load_registry

Installer = Literal["pip", "uv pip", "uv tool", "pipx"]

UV_RECEIPT: Final = "uv-receipt.toml"
PIPX_RECEIPT: Final = "pipx_metadata.json"
_NAME: Final = re.compile(r"([A-Za-z0-9][\w.-]*)(.*)", re.DOTALL)
_ARCHIVES: Final = (".whl", ".tar.gz", ".zip")


class Wishes(Struct, frozen=True):
    """What to install: requirements as pip writes them, editable folders, files of requirements."""

    requirements: tuple[str, ...] = ()
    editable: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


class Environment(Struct, frozen=True):
    """The environment of this Pitboss, and the program that installs packages there."""

    installer: Installer
    prefix: Path
    program: tuple[str, ...]


class ReceiptEntry(Struct, frozen=True):
    """A requirement in the receipt of `uv tool`."""

    name: str
    specifier: str = ""
    extras: tuple[str, ...] = ()
    marker: str = ""
    path: str = ""
    directory: str = ""
    editable: str = ""
    url: str = ""
    git: str = ""


class ReceiptTool(Struct, frozen=True):
    """What `uv tool` has noted of a tool that it installed: the tool first, then each `--with`."""

    requirements: Annotated[tuple[ReceiptEntry, ...], Meta(min_length=1)]
    python: str = ""
    options: Mapping[str, object] = field(default_factory=dict)


class Receipt(Struct, frozen=True):
    """The receipt of `uv tool`."""

    tool: ReceiptTool


def install(plugins: list[str] | None, editable: list[str] | None, requirements: list[Path] | None) -> None:
    """Run `pitboss install`."""
    wishes = Wishes(
        tuple(map(read_requirement, plugins or ())),
        tuple(map(_find_folder, editable or ())),
        tuple(map(_find_file, requirements or ())),
    )
    if wishes == Wishes():
        raise ConfigError("name a plugin to install, as in `pitboss install racko`, -e FOLDER, or -r FILE")
    before = set(load_registry().games)
    _run(install_words(find_environment(), wishes))
    _print_games(before)


def uninstall(plugins: list[str]) -> None:
    """Run `pitboss uninstall`."""
    registry = load_registry()
    known, sources = set(registry.games), registry.list_distributions("pitboss_games")
    names = [sources[word].split()[0] if word in known else read_requirement(word) for word in plugins]
    for name in names:
        if normalize_name(name) in (PROJECT, OWN_DISTRIBUTION):
            raise ConfigError(f"{name!r} is Pitboss itself, which the program that installed it uninstalls")
    _run(uninstall_words(find_environment(), names))
    _print_games(known)


def read_requirement(word: str) -> str:
    """Return what a person has written for a plugin as pip takes it: a path that is absolute, or a requirement whose
    name begins with `pitboss-`.

    Raises:
        ConfigError: it is none, or there is no such path.
    """
    if "://" in word:
        return word
    if word.startswith(".") or "/" in word or os.sep in word or word.endswith(_ARCHIVES):
        path = Path(word).expanduser()
        if not path.exists():
            raise ConfigError(f"there is no folder or wheel {word!r}")
        return str(path.resolve())
    found = _NAME.fullmatch(word)
    if found is None:
        raise ConfigError(f"{word!r} is no name of a plugin, and no path: write a folder as ./FOLDER")
    name, rest = found.groups()
    if normalize_name(name) == PROJECT and rest.startswith("["):
        return OWN_DISTRIBUTION + rest  # has the same extras, and can be added to a tool of uv or pipx
    is_full = normalize_name(name) == PROJECT or normalize_name(name).startswith(f"{PROJECT}-")
    return word if is_full else f"{PROJECT}-{word}"


def normalize_name(name: str) -> str:
    """Return the name of a distribution as an index compares it: "Pitboss_Racko" is "pitboss-racko"."""
    return re.sub(r"[-_.]+", "-", name).lower()


def find_environment() -> Environment:
    """Return the environment of this process, and the program that installs packages there.

    Raises:
        ConfigError: packages cannot be installed there, or the program is missing.
    """
    prefix = Path(sys.prefix)
    if (prefix / UV_RECEIPT).is_file():
        return Environment("uv tool", prefix, (_find_program("uv", "uv tool", prefix),))
    if (prefix / PIPX_RECEIPT).is_file():
        return Environment("pipx", prefix, (_find_program("pipx", "pipx", prefix),))
    if sys.prefix == sys.base_prefix and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").is_file():
        raise ConfigError(
            f"the packages of {sys.executable} are managed by the system, which installs nothing else: install "
            "Pitboss by `uv tool install` or `pipx install`, or in an environment of your own (python3 -m venv)"
        )
    if (uv := shutil.which("uv")) is not None and _is_of_uvx(uv, prefix):
        raise ConfigError(
            "uvx has made this environment for one command: name plugins there, as in "
            "`uvx --with pitboss-NAME pitboss games`, or `uv tool install pitboss` to keep one"
        )
    if find_spec("pip") is not None:
        return Environment("pip", prefix, (sys.executable, "-m", "pip"))
    if uv is not None:
        return Environment("uv pip", prefix, (uv, "pip"))
    raise ConfigError(
        f"the environment {prefix} has no program that installs: neither pip in it nor uv on the PATH; "
        f"`{shlex.join([sys.executable, '-m', 'ensurepip'])}` installs pip"
    )


def install_words(environment: Environment, wishes: Wishes) -> list[str]:
    """Return the command that installs all of this."""
    prefix, program = environment.prefix, environment.program
    editable = [word for path in wishes.editable for word in ("--editable", path)]
    files = [word for path in wishes.files for word in ("--requirement", path)]
    match environment.installer:
        case "pip":
            return [*program, "install", *editable, *files, *wishes.requirements]
        case "uv pip":
            return [*program, "install", "--python", sys.executable, *editable, *files, *wishes.requirements]
        case "pipx":
            if wishes.editable and (wishes.requirements or wishes.files):
                raise ConfigError("pipx installs all of a command as editable, or nothing: use two commands")
            words = [
                *program,
                "inject",
                *_list_scope(prefix),
                prefix.name,
                *(["--editable"] if wishes.editable else []),
            ]
            return [*words, *wishes.editable, *files, *wishes.requirements]
        case "uv tool":
            added = [
                *_with("--with", wishes.requirements),
                *_with("--with-editable", wishes.editable),
                *_with("--with-requirements", wishes.files),
            ]
            return [*program, "tool", "install", *_list_kept(_read_receipt(prefix), without=()), *added]


def uninstall_words(environment: Environment, names: Sequence[str]) -> list[str]:
    """Return the command that uninstalls these distributions.

    Raises:
        ConfigError: one of them came with another one that the environment was made for.
    """
    prefix, program = environment.prefix, environment.program
    match environment.installer:
        case "pip":
            return [*program, "uninstall", "--yes", *names]
        case "uv pip":
            return [*program, "uninstall", "--python", sys.executable, *names]
        case "pipx":
            return [*program, "uninject", *_list_scope(prefix), prefix.name, *names]
        case "uv tool":
            receipt = _read_receipt(prefix)
            own = {normalize_name(entry.name) for entry in receipt.tool.requirements[1:]}
            for name in names:
                if normalize_name(name) not in own:
                    has = join_words(sorted(own), "and") or "nothing"
                    raise ConfigError(
                        f"{name!r} was not added to this tool of uv: added was {has}; what comes with "
                        f"{receipt.tool.requirements[0].name} stays"
                    )
            return [*program, "tool", "install", *_list_kept(receipt, without={*map(normalize_name, names)})]


def _list_scope(prefix: Path) -> list[str]:
    """Return the option for an environment that pipx has made for all users."""
    place = os.environ.get("PIPX_GLOBAL_HOME") or "/opt/pipx"
    return ["--global"] if prefix.is_relative_to(place) else []


def _with(option: str, values: Sequence[str]) -> Iterator[str]:
    for value in values:
        yield from (option, value)


def _list_kept(receipt: Receipt, without: Sequence[str] | set[str]) -> Iterator[str]:
    """Yield the words that repeat a receipt: `uv tool install` removes what its command does not name again."""
    tool, *added = receipt.tool.requirements
    if receipt.tool.python:
        yield from ("--python", receipt.tool.python)
    for option, value in receipt.tool.options.items():
        yield from _repeat_option(option, value)
    yield from ("--editable", tool.editable) if tool.editable else (_write_entry(tool),)
    for entry in added:
        if normalize_name(entry.name) not in without:
            yield from ("--with-editable", entry.editable) if entry.editable else ("--with", _write_entry(entry))


def _repeat_option(option: str, value: object) -> Iterator[str]:
    """Yield an option of the receipt as words. An index is a table with its address."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield from ("--default-index" if one.get("default") else "--index", str(one.get("url", "")))
        elif one is True:
            yield f"--{option}"
        elif isinstance(one, str):
            yield from (f"--{option}", one)


def _write_entry(entry: ReceiptEntry) -> str:
    """Return an entry of the receipt as a requirement."""
    name = f"{entry.name}[{','.join(entry.extras)}]" if entry.extras else entry.name
    if place := entry.path or entry.directory:
        return f"{name} @ {Path(place).as_uri()}"
    if entry.git:
        return f"{name} @ git+{entry.git.replace('?rev=', '@')}"
    if entry.url:
        return f"{name} @ {entry.url}"
    return f"{name}{entry.specifier}" + (f" ; {entry.marker}" if entry.marker else "")


def _read_receipt(prefix: Path) -> Receipt:
    file = prefix / UV_RECEIPT
    try:
        return convert(read_toml(file.read_text(encoding="utf-8")), Receipt)
    except (OSError, ValueError, InputRefused) as error:
        raise ConfigError(f"{file}, which uv has written, cannot be read: {error}") from None


def _find_program(name: str, maker: str, prefix: Path) -> str:
    """Return the path of a program.

    Raises:
        ConfigError: it is not on the PATH.
    """
    path = shutil.which(name)
    if path is None:
        raise ConfigError(f"{maker} has made this environment ({prefix}), but {name!r} is not on the PATH")
    return path


def _is_of_uvx(uv: str, prefix: Path) -> bool:
    """Return whether uvx has made an environment: whether uv did, and it lies in the cache of uv."""
    if not any("uv = " in line for line in _read_lines(prefix / "pyvenv.cfg")):
        return False
    ran = subprocess.run([uv, "cache", "dir"], capture_output=True, text=True, check=False)
    return ran.returncode == 0 and prefix.resolve().is_relative_to(Path(ran.stdout.strip()).resolve())


def _read_lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8", errors="replace").splitlines() if file.is_file() else []


def _find_folder(word: str) -> str:
    path = Path(word).expanduser()
    if not path.is_dir():
        raise ConfigError(f"there is no folder {word!r} to install as editable")
    return str(path.resolve())


def _find_file(path: Path) -> str:
    if not path.is_file():
        raise ConfigError(f"there is no file {str(path)!r}")
    return str(path.resolve())


def _run(words: Sequence[str]) -> None:
    """Print a command and run it.

    Raises:
        ConfigError: it fails.
    """
    typer.echo(f"$ {shlex.join(words)}")
    sys.stdout.flush()
    status = subprocess.run(words, check=False).returncode
    if status:
        raise ConfigError(f"{Path(words[0]).name} ended with status {status}: nothing was changed, or not all of it")


def _print_games(before: set[str]) -> None:
    """Print the games that were added, those that are gone, and all installed games, as a new process lists them."""
    words = (sys.executable, "-m", "pitboss_tournament.cli", "games", "--json")
    ran = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if ran.returncode:
        raise ConfigError("what is installed now keeps Pitboss from listing its games: `pitboss plugins` says more")
    games = [game.name for game in read_json(ran.stdout, list[_ListedGame])]
    for what, names in (("Added", [name for name in games if name not in before]), ("Gone", before - {*games})):
        if names:
            print_paragraph(f"{what}: {', '.join(sorted(names))}.")
    print_paragraph(f"Games that are installed: {', '.join(games) or 'none'}.", hanging=4)


class _ListedGame(Struct, frozen=True):
    name: str
