"""The folder of an arena: its paths, how it is made, and how one process holds it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from pitboss.errors import ConfigError
from pitboss.game import AnyGame, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss.text import join_words
from pitboss_tournament.arena.arena_file import NEW_ARENA, NEW_ENTRANTS, ArenaFile, EntrantTable
from pitboss_tournament.arena.journal import GameKind
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.config.versions import find_house_bot
from pitboss_tournament.plan.names import BotName
from pitboss_tournament.plan.paths import STORE_ENDING
from pitboss_tournament.processes.bot_contents import sync_folder
from pitboss_tournament.processes.edit_run import EditBounds
from pitboss_tournament.processes.file_lock import lock_file
from pitboss_tournament.processes.sandbox import check_variable
from pitboss_tournament.text.validation import convert_checked

ARENA_FILE: Final = "arena.toml"
BOT_FOLDER: Final = "bot"  # in a work space
MARK_DIGITS: Final = 12


class ArenaFolder(NamedTuple):
    """The paths of an arena, absolute."""

    root: Path

    @property
    def file(self) -> Path:
        """What the arena is."""
        return self.root / ARENA_FILE

    @property
    def judge(self) -> Path:
        """The folder that no entrant sees."""
        return self.root / "judge"

    @property
    def journal(self) -> Path:
        """What was done."""
        return self.judge / "journal.jsonl"

    @property
    def secret(self) -> Path:
        """The secret from which the seeds follow."""
        return self.judge / "secret"

    @property
    def versions(self) -> Path:
        """The folder of the copies of bots, each named by its digest."""
        return self.judge / "versions"

    def workspace(self, entrant: str) -> Path:
        """Return the folder in which an entrant edits."""
        return self.root / "workspaces" / entrant

    def given(self, entrant: str) -> Path:
        """Return the folder with the judge's copies of what it has put into an entrant's work space."""
        return self.judge / "given" / entrant

    def round(self, number: int) -> Path:
        """Return the folder of a round."""
        return self.judge / "rounds" / f"{number:03}"

    def before(self, number: int, entrant: str) -> Path:
        """Return the copy of a work space as it was before a round."""
        return self.round(number) / "before" / entrant

    def store(self, number: int, kind: GameKind) -> Path:
        """Return the store with the games of a round."""
        return self.round(number) / f"{kind}{STORE_ENDING}"

    @property
    def mark(self) -> str:
        """How the marks of the processes of its entrants begin."""
        return f"arena{sha256(os.fsencode(self.root)).hexdigest()[:MARK_DIGITS]}"


class Arena(NamedTuple):
    """An arena: where it is, what its file says, and its game."""

    folder: ArenaFolder
    file: ArenaFile
    game: AnyGame
    seats: int
    anchors: list[str]  # as a person calls these bots

    @property
    def title(self) -> str:
        """What it is called."""
        return self.file.title or self.folder.root.name

    @property
    def clock(self) -> Clock:
        """The clock of its games."""
        return Clock(**asdict(self.file.clock))

    def find_bounds(self, entrant: str, number: int) -> EditBounds:
        """Return what an entrant may use while it edits in a round.

        Raises:
            ConfigError: a variable that it is to get is not set.
        """
        edit, own = self.file.edit, self.file.entrants[entrant]
        minutes, cpu_minutes = own.minutes or edit.minutes, own.cpu_minutes or edit.cpu_minutes
        names = edit.env if own.env is None else own.env
        for name in names:
            check_variable(name)
        read = edit.read if own.read is None else own.read
        return EditBounds(
            seconds=60 * minutes,
            cpu_s=60 * cpu_minutes,
            workspace_mb=edit.workspace_mb,
            memory_mb=edit.memory_mb,
            has_network=edit.network if own.network is None else own.network,
            read=tuple(str(self.folder.root / path) for path in read),
            env={
                **{name: os.environ[name] for name in names},
                "PITBOSS_ARENA_NAME": entrant,
                "PITBOSS_ARENA_ROUND": str(number),
            },
        )


def create_arena(root: Path, game: AnyGame, preset: str | None, rounds: int, entrants: Path | None) -> ArenaFolder:
    """Make the folder of an arena with its file. `entrants`: a file with [entrants.NAME] tables, which are taken over.

    Raises:
        ConfigError: there is something in the folder already, or the file of entrants is wrong.
    """
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise ConfigError(f"{str(root)!r} exists and is not an empty folder; give the arena a folder of its own")
    said = NEW_ENTRANTS if entrants is None else _take_over(read_entrants(entrants), entrants.absolute().parent)
    folder = ArenaFolder(root.absolute())
    folder.root.mkdir(parents=True, exist_ok=True)
    text = NEW_ARENA.format(
        game=_write_toml(game.name),
        preset="" if preset is None else f"preset = {_write_toml(preset)}\n",
        rounds=rounds,
        entrants=said,
    )
    part = folder.root / f".{ARENA_FILE}.part"
    part.write_text(text, encoding="utf-8")
    part.replace(folder.file)
    sync_folder(folder.root)
    return folder


class EntrantsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A file of entrants: the tables [entrants.NAME] of an arena."""

    entrants: dict[BotName, EntrantTable]


def read_entrants(path: Path) -> Mapping[str, EntrantTable]:
    """Return the entrants of a file.

    Raises:
        TomlFileError: it is wrong.
    """
    return TomlFile(path).convert(EntrantsFile).entrants


def _take_over(entrants: Mapping[str, EntrantTable], base: Path) -> str:
    """Return the tables of entrants as TOML; what they name by a path from the folder `base` is absolute."""
    lines = list[str]()
    for name, one in entrants.items():
        lines.append(f"[entrants.{_write_toml(name)}]")
        for key, value in asdict(one).items():
            if value is None:
                continue
            if key == "edit":
                value = [str(base / word) if (base / word).exists() else word for word in value]
            elif key == "start":
                value = str(base / value)
            elif key == "read":
                value = [str(base / path) for path in value]
            lines.append(f"{key} = {_write_toml(value)}".replace('","', '", "'))
        lines.append("")
    return "\n".join(lines)


def _write_toml(value: object) -> str:
    """Return a word, a number, a truth value or a list of them as TOML, which writes them as JSON does."""
    return msgspec.json.encode(value).decode().replace("\x7f", "\\u007f")


def read_arena(root: Path, registry: Registry) -> Arena:
    """Read what an arena is.

    Raises:
        ConfigError: there is none.
        TomlFileError: its file is wrong.
    """
    folder = ArenaFolder(root.absolute())
    if not folder.file.is_file():
        raise ConfigError(
            f"{str(root)!r} holds no {ARENA_FILE}; `pitboss arena init FOLDER --game GAME` makes an arena"
        )
    source = TomlFile(root / ARENA_FILE)
    file = source.convert(ArenaFile)
    with source.locate_errors("game"):
        game = registry.find_game(file.game)
    seats = min(game.seats) if file.seats is None else file.seats
    if seats not in game.seats:
        raise source.error_at(("seats",), f"seats is {seats}; {game.name} is played by {join_words(game.seats)}")
    with source.locate_errors():
        convert_checked(file.options, game.Options, at=("options",))
    with source.locate_errors("options"):
        resolve_options(game, seats, file.preset, file.options)
    if not file.entrants:
        raise source.error_at(("entrants",), "there are no entrants; add [entrants.NAME] with edit = [command]")
    house = find_house_bot(game, registry)
    anchors = [*dict.fromkeys(["house:random", house])] if file.judge.anchors is None else file.judge.anchors
    return Arena(folder, file, game, seats, anchors)


@contextmanager
def hold_arena(folder: ArenaFolder) -> Iterator[None]:
    """Context manager: this process alone plays an arena.

    Raises:
        ConfigError: another process does, or this system has no locks of folders.
    """
    if os.name != "posix":
        raise ConfigError("an arena needs Linux or macOS: this system has no locks of folders, nor process groups")
    descriptor = os.open(folder.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            lock_file(descriptor, waits=False)
        except BlockingIOError:
            raise ConfigError(f"{folder.root}: another process plays this arena; stop that one first") from None
        yield
    finally:
        os.close(descriptor)
