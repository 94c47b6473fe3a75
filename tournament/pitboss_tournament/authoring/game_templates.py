"""Templates of games: one folder of `templates/games/` for each kind. A template is itself a game, called New Game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from pitboss import __version__
from pitboss.errors import ConfigError
from pitboss_tournament.authoring.templates import TEMPLATES_FOLDER

GameKind: TypeAlias = Literal["shedding", "tricks", "dice", "betting"]

GAMES_FOLDER: Final = TEMPLATES_FOLDER / "games"
COMMON_FOLDER: Final = "common"  # what games of all kinds get
GITHUB_FOLDER: Final = "github"  # of it, which is hidden in a game
GAME_NAME: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
MAX_NAME_CHARS: Final = 40


class NewGame(Struct, frozen=True, kw_only=True):
    """A game to be made from a template."""

    name: str  # as people will type it: "four-winds"
    kind: GameKind
    into: Path  # where its folder is made

    @property
    def folder(self) -> Path:
        """The folder of the new game."""
        return self.into / self.name

    @property
    def module(self) -> str:
        """The name of its module: "four_winds"."""
        return self.name.replace("-", "_")

    def rename(self, text: str) -> str:
        """Return a text of the template with the names of this game."""
        words = self.name.split("-")
        title = " ".join(map(str.capitalize, words))
        names = {"newgame": self.module, "NewGame": title.replace(" ", ""), "new-game": self.name, "New Game": title}
        major, minor, *_ = __version__.split(".")
        names["PITBOSS_BOUNDS"] = f">={major}.{minor},<{major}.{int(minor) + 1}"
        return re.sub("|".join(names), lambda found: names[found[0]], text)


def make_game(new: NewGame, installed: Collection[str]) -> None:
    """Make a game's folder; `installed` are the names that games have.

    Raises:
        ConfigError: a game cannot have this name, there is something already, or the folder cannot be made.
    """
    if not GAME_NAME.fullmatch(new.name) or len(new.name) > MAX_NAME_CHARS:
        raise ConfigError(
            f"a game cannot be called {new.name!r}: allowed are up to {MAX_NAME_CHARS} small letters, digits and "
            "single hyphens, a letter first, as in 'four-winds'"
        )
    if new.name in installed:
        raise ConfigError(f"there is a game {new.name!r} already (`pitboss games` lists all games); give another name")
    if new.folder.exists():
        raise ConfigError(f"there is a {str(new.folder)!r} already, and nothing is overwritten")
    if find_spec(new.module) is not None:
        raise ConfigError(f"there is a Python module {new.module!r} already; give the game another name")
    try:
        new.folder.mkdir(parents=True)
        for path, target in _iter_template_files(new.kind):
            made = new.folder / new.rename(target.as_posix())
            made.parent.mkdir(parents=True, exist_ok=True)
            made.write_text(new.rename(path.read_text(encoding="utf-8")), encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"{str(new.folder)!r} cannot be made: {error.filename}: {(error.strerror or '').lower()}"
        ) from None


def _iter_template_files(kind: GameKind) -> Iterator[tuple[Path, Path]]:
    """Yield the files of a template, each with its place in the folder of the game."""
    for folder in (GAMES_FOLDER / COMMON_FOLDER, GAMES_FOLDER / kind):
        for path in sorted(folder.rglob("*")):
            target = path.relative_to(folder)
            if path.is_file() and "__pycache__" not in target.parts:
                is_hidden = target.parts[0] == GITHUB_FOLDER  # whose own name would hide it in a checkout
                yield path, Path(f".{target}") if is_hidden else target
