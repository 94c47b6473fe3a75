"""Templates of bots: one folder of `templates/` for each language, one of `templates/bridges/` for each framework.

No other module knows a language or a framework. The SDK for Python as one file is made here too, for bots without
dependencies, from the source of `pitboss.bot`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

import pitboss.bot
from pitboss import __version__
from pitboss.action_range import is_within
from pitboss.errors import ConfigError
from pitboss.text import join_words, suggest_nearest
from pitboss_tournament.config.toml_file import TomlFile
from pitboss_tournament.plan.names import BotName
from pitboss_tournament.plan.paths import BOT_FILE, BUILD_FOLDER
from pitboss_tournament.text.validation import convert_checked

TEMPLATES_FOLDER: Final = Path(__file__).resolve().parents[1] / "templates"
BRIDGES_FOLDER: Final = TEMPLATES_FOLDER / "bridges"  # bots that let programs of other frameworks play
SHARED_FOLDER: Final = BRIDGES_FOLDER / "shared"  # files that several bridges have
SDK_BOTS_FOLDER: Final = TEMPLATES_FOLDER / "sdk"  # bots with the SDK in one file beside them
MODEL_BOTS_FOLDER: Final = TEMPLATES_FOLDER / "models"  # bots that ask a language model
TEMPLATE_FILE: Final = "template.toml"
PLACEHOLDER: Final = "NEWBOT"  # stands for the bot's name in a template's files
GAME_PAGE: Final = "GAME.md"
GAME_WORD: Final = "GAME"  # stands for the game in the commands of a template's files
OPPONENT: Final = "house:random"  # in these commands, too

Import: TypeAlias = ast.Import | ast.ImportFrom
SDK_FILE: Final = "pitboss_bot.py"
STAND_INS: Final = Path(__file__).resolve().parents[1] / "templates" / "sdk" / "stand_ins.py"
OLDEST_PYTHON: Final = "3.10"
REPLACED_PACKAGES: Final = ("msgspec", "pitboss")
PROVENANCE: Final = f"""
This file is `pitboss.bot` of Pitboss {__version__} without dependencies, for Python {OLDEST_PYTHON} or later.
`pitboss new bot python NAME --vendor` makes a new copy. Events are dictionaries here, as on the wire.
"""


class TemplateFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`template.toml`, the description of a template."""

    title: Annotated[str, Meta(description="The language, or the framework, as people write it.")]
    change: Annotated[str, Meta(description="The file with the function to change.")]
    version: Annotated[list[str], Meta(min_length=1, description="A command that prints the version of the tool.")]
    packages: Annotated[list[str], Meta(description="The packages of Debian that bring what the bot needs.")] = []
    aliases: Annotated[list[str], Meta(description="Other words that mean the language.")] = []
    sdk: Annotated[bool, Meta(description="Whether the SDK for Python is put beside it, as one file.")] = False
    shared: Annotated[list[str], Meta(description="Files of `bridges/shared/` that are put beside it.")] = []
    train: Annotated[str, Meta(description="The file that trains it, where it learns to play.")] = ""
    install: Annotated[
        list[str], Meta(description="What pip installs into an environment in the folder, for the framework.")
    ] = []


class Template(Struct, frozen=True, kw_only=True):
    """The template of a bot in one language, or of a bridge to one framework."""

    language: str  # the folder's name, which is what people type; of a bridge the framework's
    folder: Path
    about: TemplateFile


class NewBot(Struct, frozen=True, kw_only=True):
    """A bot to be made from a template."""

    name: BotName
    into: Path  # where its folder is made
    game: str | None = None  # the one that it plays; None: all
    game_page: str | None = None
    opponents: int = 1  # that its game needs at least

    @property
    def other_bots(self) -> list[str]:
        """The bots to name beside it, so that its game has enough players."""
        return [OPPONENT] * self.opponents

    @property
    def folder(self) -> Path:
        """The folder of the new bot."""
        return self.into / self.name


def load_templates(folder: Path = TEMPLATES_FOLDER) -> dict[str, Template]:
    """Return all templates by language."""
    found = sorted(file.parent for file in folder.glob(f"*/{TEMPLATE_FILE}"))
    return {
        here.name: Template(language=here.name, folder=here, about=TomlFile(here / TEMPLATE_FILE).convert(TemplateFile))
        for here in found
    }


def find_template(word: str, known: dict[str, Template]) -> Template:
    """Return the template of a language, by its name or by another word for it.

    Raises:
        ConfigError: there is none.
    """
    words = {
        alias.lower(): one for one in known.values() for alias in (one.language, one.about.title, *one.about.aliases)
    }
    if word.lower() not in words:
        languages = join_words(known, "and")
        raise ConfigError(
            f"there is no template for {word!r}{suggest_nearest(word.lower(), known)}: docs/protocol.md shows what a "
            f"bot in another language has to say; there are templates for {languages}"
        )
    return words[word.lower()]


def find_bridge(word: str) -> Template:
    """Return the template of the bridge to a framework.

    Raises:
        ConfigError: there is none.
    """
    known = load_templates(BRIDGES_FOLDER)
    if word.lower() not in known:
        raise ConfigError(
            f"there is no bridge to {word!r}{suggest_nearest(word.lower(), known)}: docs/existing-bot.md shows how any "
            f"program comes to the table; there are bridges to {join_words(known, 'and')}"
        )
    return known[word.lower()]


def find_sdk_bot(template: Template) -> Template:
    """Return the template of a bot in the same language with the SDK beside it.

    Raises:
        ConfigError: the SDK is in another language.
    """
    known = load_templates(SDK_BOTS_FOLDER)
    if template.language not in known:
        raise ConfigError(
            f"there is no SDK in {template.about.title} to put beside the bot, only in {join_words(known, 'and')}: "
            "leave --vendor out"
        )
    return known[template.language]


def make_bot(new: NewBot, template: Template) -> None:
    """Make a bot's folder.

    Raises:
        ConfigError: a bot cannot have this name, there is something already, or the folder cannot be made.
    """
    convert_checked(asdict(new), NewBot)
    if new.folder.exists():
        raise ConfigError(f"there is a {str(new.folder)!r} already, and nothing is overwritten")
    try:
        for relative, text in render_files(new, template).items():
            path = new.folder / relative
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            f"{str(new.folder)!r} cannot be made: {error.filename}: {(error.strerror or '').lower()}"
        ) from None


def render_files(new: NewBot, template: Template) -> dict[Path, str]:
    """Return the files of a bot's folder."""
    texts = {
        path: (template.folder / path).read_text(encoding="utf-8").replace(PLACEHOLDER, new.name)
        for path in _list_template_files(template)
    }
    if new.game is not None:
        texts = {path: _name_game(text, new) for path, text in texts.items()}
        first, _, others = texts[Path(BOT_FILE)].partition("\n")
        texts[Path(BOT_FILE)] = f'{first}\ngames = ["{new.game}"]\n{others}'
    texts |= {Path(name): (SHARED_FOLDER / name).read_text(encoding="utf-8") for name in template.about.shared}
    if template.about.sdk:
        texts[Path(SDK_FILE)] = render_sdk()
    if new.game_page is not None:
        texts[Path(GAME_PAGE)] = new.game_page
    return texts


def _name_game(text: str, new: NewBot) -> str:
    """Return the text of a file with the bot's game in its commands, and as many bots as the game needs."""
    match = " ".join(("match", str(new.game), ".", *new.other_bots))
    return text.replace(f"match {GAME_WORD} . {OPPONENT}", match).replace(f"games {GAME_WORD}`", f"games {new.game}`")


def _list_template_files(template: Template) -> list[Path]:
    """Return the paths, within the folder, of the files that are copied."""
    paths = [path.relative_to(template.folder) for path in sorted(template.folder.rglob("*")) if path.is_file()]
    return [path for path in paths if not {TEMPLATE_FILE, BUILD_FOLDER, "__pycache__"} & set(path.parts)]


def render_sdk() -> str:
    """Return the text of `pitboss_bot.py`: the source of `pitboss.bot`, with stand-ins for what it imports from others.

    The stand-ins are `templates/sdk/stand_ins.py` and the functions of Pitboss that need nothing themselves.
    """
    sdk, stand_ins = inspect.getsource(pitboss.bot), STAND_INS.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(sdk), clean=False) or ""
    kept = [node for text in (sdk, stand_ins) for node in list_imports(text) if not is_replaced(node)]
    return "\n\n".join(
        [
            f'"""{docstring.replace("pitboss.bot", "pitboss_bot")}{PROVENANCE}"""',
            "\n".join(merge_imports(kept)),
            f"{_cut_head(stand_ins)}\n\n\n{inspect.getsource(is_within)}",
            _cut_head(sdk),
        ]
    )


def list_imports(source: str) -> list[Import]:
    """Return the imports at the head of a module."""
    return [node for node in ast.parse(source).body if isinstance(node, Import)]


def is_replaced(node: Import) -> bool:
    """Tell whether an import is one that stand-ins replace."""
    return isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in REPLACED_PACKAGES


def merge_imports(nodes: list[Import]) -> Iterator[str]:
    """Yield the lines that import the same, `__future__` first, each module once."""
    names: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names.setdefault(node.module or "", set()).update(alias.name for alias in node.names)
    yield f"from __future__ import {', '.join(names.pop('__future__'))}\n"
    yield from sorted(
        {f"import {alias.name}" for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    )
    yield from (f"from {module} import {', '.join(sorted(found))}" for module, found in sorted(names.items()))


def _cut_head(source: str) -> str:
    """Return a module without its docstring and imports."""
    last = list_imports(source)[-1].end_lineno
    return "\n".join(source.splitlines()[last:]).strip("\n") + "\n"
