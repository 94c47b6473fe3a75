"""The `build` step of a bot's folder, and whether it has to run again.

A build is current if no file of the folder has been added, removed or written since; build/ and hidden files do not
count. A digest of the files is kept in build/.pitboss; without the digest the bot is built again. The command runs in a
sandbox in which only the bot's folder can be written to. Without one it runs as the person would run it.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pitboss.errors import ConfigError
from pitboss_tournament.config.bot_file import BotFile, check_needs, read_bot_file
from pitboss_tournament.config.toml_file import TomlFile, TomlFileError
from pitboss_tournament.config.tournament_file import list_bots
from pitboss_tournament.plan.paths import BOT_FILE, BUILD_FOLDER, PYTHON, STORE_ENDING
from pitboss_tournament.plan.plan import SandboxChoice
from pitboss_tournament.plan.settings import TournamentFile
from pitboss_tournament.processes.bot_contents import list_source_files
from pitboss_tournament.processes.build_sandbox import run_build
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.processes.sandbox import bare_environment
from pitboss_tournament.processes.sandbox_probe import resolve_sandbox

STAMP: Final = ".pitboss"

Announce: TypeAlias = Callable[[str], None]
SourceFiles: TypeAlias = dict[str, tuple[int, int]]  # size and modification time, by path within the folder


class BuildRules(Struct, frozen=True):
    """How builds run: in the sandbox or without one, with the network or not; which files they are not shown."""

    sandbox: SandboxChoice = "auto"
    has_network: bool = False
    hidden: tuple[Path, ...] = ()  # of the tournament, because they hold the seed


DEFAULT_RULES: Final = BuildRules()


class BuildFailed(TomlFileError):
    """A build command failed; `output` is what it printed, unless that was shown at once."""

    def __init__(self, text: str, output: str = "") -> None:
        super().__init__(text)
        self.output = output


def announce_nothing(text: str) -> None:
    """Announce nothing."""


def build(
    folder: Path,
    announce: Announce,
    rules: BuildRules = DEFAULT_RULES,
    *,
    always: bool = False,
    is_shown: bool = True,
) -> bool:
    """Build a bot if it has a build step and its build is not current (or `always`); return whether it was built.

    `announce` gets a line before the build. The command's output goes to standard error or, unless `is_shown`, into the
    error.

    Raises:
        ConfigError: its bot.toml is wrong, a program is missing that it needs, its folder cannot be written to, or the
            sandbox is asked for and does not work here.
        MachineError: it is unknown now whether the sandbox works.
        BuildFailed: the command failed.
    """
    file, bot = read_bot_file(folder)
    if bot.build is None or (is_current(folder, bot) and not always):
        return False
    check_needs(file, bot)
    with _lock_build(folder):
        if is_current(folder, bot) and not always:  # another process has built it meanwhile
            return False
        level, warning = resolve_sandbox(rules.sandbox)
        if warning:
            announce(warning)
        announce(f"building {folder}{'' if level != 'none' else ' without a sandbox'}: {shlex.join(bot.build)}")
        _run_build(folder, file, bot, bot.build, replace(rules, sandbox=level), is_shown)
    return True


def build_changed(spec: str, base: Path, announce: Announce, rules: BuildRules, *, is_shown: bool = True) -> None:
    """Build a bot (a name, a command, a folder relative to `base`) if it has a build that is not current.

    Raises:
        ConfigError, BuildFailed: as `build`.
    """
    if (base / spec / BOT_FILE).is_file():
        build(base / spec, announce, rules, is_shown=is_shown)


def read_tournament_builds(tournament: Path) -> tuple[list[str], BuildRules]:
    """Return the bots of a tournament file, those of a pattern one by one, and how they are built.

    Raises:
        TomlFileError: the file is not valid.
    """
    source = TomlFile(tournament)
    file = source.convert(TournamentFile)
    store = tournament.parent / (file.store or tournament.stem + STORE_ENDING)
    rules = BuildRules(file.sandbox, file.build_network, (tournament, store))
    return [one.table.bot for one in list_bots(source, file)], rules


def is_current(folder: Path, bot: BotFile) -> bool:
    """Whether no source changed since the last build and the program exists."""
    try:
        stamp = _stamp_path(folder).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False
    return stamp == _digest(_list_sources(folder)) and _has_program(folder, bot)


def _run_build(
    folder: Path, file: TomlFile, bot: BotFile, command: Sequence[str], rules: BuildRules, is_shown: bool
) -> None:
    before = _list_sources(folder)
    _stamp_path(folder).write_bytes(b"")
    words = [word.replace(PYTHON, sys.executable) for word in command]
    complaint, output = _run_command(words, folder, bot.needs, rules, is_shown)
    _check_no_links(folder)
    if not complaint and not _has_program(folder, bot):
        complaint = f"the build command ended well, and there still is no program {bot.command[0]!r}"
    if complaint:
        raise BuildFailed(str(file.error_at(("build",), complaint)), output)
    _make_build_folder(folder)
    sources = {**_list_sources(folder), **before}  # a source written during the build causes another one next time
    _stamp_path(folder).write_text(_digest(sources), encoding="ascii")


def _run_command(
    command: Sequence[str], folder: Path, programs: Sequence[str], rules: BuildRules, is_shown: bool
) -> tuple[str, str]:
    """Run the build command; return its failure as a sentence ("" if none) and its captured output."""
    sys.stderr.flush()
    to = sys.stderr.fileno() if is_shown else subprocess.PIPE
    errors = None if is_shown else subprocess.STDOUT
    level, _ = resolve_sandbox(rules.sandbox)
    try:
        _check_runnable(command[0], folder)
        if level == "none":
            done = subprocess.run(
                command,
                cwd=folder,
                env=bare_environment(),
                stdin=subprocess.DEVNULL,
                stdout=to,
                stderr=errors,
                check=False,
            )
            status, raw = done.returncode, done.stdout or b""
        else:
            status, raw = run_build(
                command,
                folder,
                programs,
                level=level,
                hidden=rules.hidden,
                has_network=rules.has_network,
                stdout=to,
                stderr=errors,
            )
    except OSError as error:
        return f"the build command {shlex.join(command)!r} cannot be run: {(error.strerror or '').lower()}", ""
    output = raw.decode("utf-8", "replace")
    if not status:
        return "", output
    how = f"status {status}" if status > 0 else f"signal {-status}"
    where = "" if level == "none" else " in the sandbox" if rules.has_network else " in the sandbox, without network"
    return f"the build command failed with {how}{where}: {shlex.join(command)}", output


def _check_runnable(program: str, folder: Path) -> None:
    """Raise OSError if there is no such program or it may not be run: in the sandbox only a launcher would say so."""
    path = folder / program if "/" in program else Path(shutil.which(program) or program)
    if not path.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
    if not os.access(path, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


@contextmanager
def _lock_build(folder: Path) -> Iterator[None]:
    """Hold the folder's build lock."""
    try:
        _check_no_links(folder)
        _make_build_folder(folder)
        with _stamp_path(folder).open("a") as lock:
            lock_file(lock.fileno(), waits=True)
            yield
    except OSError as error:
        raise ConfigError(
            f"the bot in {str(folder)!r} cannot be built: {error.filename}: {(error.strerror or '').lower()}"
        ) from None


def _make_build_folder(folder: Path) -> None:
    """Make the folder build/ unless it exists, with the owner of the bot's folder."""
    build_folder = _stamp_path(folder).parent
    with suppress(FileExistsError):
        build_folder.mkdir()
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            os.chown(build_folder, folder.stat().st_uid, folder.stat().st_gid)


def _check_no_links(folder: Path) -> None:
    """Check that build/ is no link to another place, to which the build would write.

    Raises:
        ConfigError: build/ or the file in it is a symbolic link.
    """
    for path in (_stamp_path(folder).parent, _stamp_path(folder)):
        if path.is_symlink():
            raise ConfigError(f"{str(path)!r} is a symbolic link; a bot is built in its own folder: remove the link")


def _stamp_path(folder: Path) -> Path:
    return folder / BUILD_FOLDER / STAMP


def _has_program(folder: Path, bot: BotFile) -> bool:
    return "/" not in bot.command[0] or (folder / bot.command[0]).exists()


def _list_sources(folder: Path) -> SourceFiles:
    """Return the files that a build may depend on."""
    found = {}
    for path in list_source_files(folder):
        with suppress(FileNotFoundError):  # an editor's temporary file
            status = path.lstat()
            found[str(path.relative_to(folder))] = (status.st_size, status.st_mtime_ns)
    return found


def _digest(files: SourceFiles) -> str:
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
