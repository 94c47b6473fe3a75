"""`pitboss new bot`: the folder that it makes, what it refuses, and what each template promises. That the bots play:
tests/languages.
"""

from __future__ import annotations

import json
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.authoring.templates import (
    PLACEHOLDER,
    TEMPLATES_FOLDER,
    NewBot,
    Template,
    find_template,
    load_templates,
    render_files,
)
from pitboss_tournament.config.bot_file import read_bot_file
from tests import ROOT
from tests.mistakes import each_mistake
from tests.tournament.command_line import complete_words, run_pitboss

pytestmark = pytest.mark.once

SOURCE: Final = ROOT / "tournament" / "pitboss_tournament" / "templates"
TEMPLATES: Final = load_templates()
WANTED: Final = "awk bash c cpp go java javascript lua perl php python python-learned python-torch ruby rust typescript"

each_template = pytest.mark.parametrize("begun", TEMPLATES.values(), ids=list(TEMPLATES))


def read_tree(folder: Path) -> dict[str, str]:
    """Return the files of a folder, but for what was built there."""
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.is_file() and not {"build", "__pycache__"} & set(path.parts)
    }


def test_the_languages() -> None:
    """There is a template for each language that was promised, and each is installed as it stands in the source."""
    assert set(WANTED.split()) <= set(TEMPLATES)
    assert read_tree(TEMPLATES_FOLDER) == read_tree(SOURCE)


def test_a_new_bot(tmp_path: Path) -> None:
    """The folder of a new bot is made with the bot's name; the next steps are printed, and the bot plays."""
    made = run_pitboss("new", "bot", "python", "My bot", "--into", "bots", cwd=tmp_path)

    assert made.status == 0
    assert made.out.splitlines() == [
        "bots/My bot is a bot in Python that plays any game at random.",
        "",
        "  the function to change   choose in bots/My bot/bot.py",
        "  check it                 pitboss check 'bots/My bot'",
        "  let it play              pitboss match GAME 'bots/My bot' house:random",
    ]
    assert sorted(read_tree(tmp_path)) == ["bots/My bot/bot.py", "bots/My bot/bot.toml"]
    assert read_bot_file(tmp_path / "bots" / "My bot")[1].name == "My bot"
    short = ("--deals", "1", "-o", "turns=3", "--json")
    played = run_pitboss("match", "magpie", "bots/My bot", "house:random", *short, cwd=tmp_path)
    standings = json.loads(played.out.splitlines()[-1])["standings"]
    assert {bot["name"]: bot["faults"] for bot in standings} == {"My bot": {}, "house:random": {}}


def test_a_bot_for_a_game_of_three(tmp_path: Path) -> None:
    """The command that lets it play names as many bots as the game needs."""
    made = run_pitboss("new", "bot", "python", "farmer", "--game", "dou-dizhu", cwd=tmp_path)

    said = made.out.splitlines()[-1]
    assert said.endswith("  pitboss match dou-dizhu farmer house:random house:random")


def test_a_bot_for_a_game(tmp_path: Path) -> None:
    """A bot for a game plays that game only, and a page about the game lies beside it."""
    made = run_pitboss("new", "bot", "js", "bee", "--game", "magpie", "--json", cwd=tmp_path)

    where = {"folder": "bee", "change": "bee/bot.js", "page": "bee/GAME.md"}
    assert made.json_value == {**where, "language": "javascript", "game": "magpie"}
    assert (tmp_path / "bee" / "bot.toml").read_text().splitlines()[:2] == ['name = "bee"', 'games = ["magpie"]']
    assert (tmp_path / "bee" / "GAME.md").read_text().startswith("# Magpie: what your bot sees, and what it may do\n")
    assert (
        "the bot 'bee' plays magpie, not rummy" in run_pitboss("match", "rummy", "bee", "house:first", cwd=tmp_path).err
    )


@pytest.mark.parametrize("is_folder", [True, False])
def test_something_is_there_already(tmp_path: Path, is_folder: bool) -> None:
    """A folder or a file of that name stays as it is."""
    if is_folder:
        (tmp_path / "bee").mkdir()
        (tmp_path / "bee" / "notes").write_text("mine")
    else:
        (tmp_path / "bee").write_text("mine")
    before = read_tree(tmp_path)

    refused = run_pitboss("new", "bot", "c", "bee", cwd=tmp_path)

    assert (refused.status, refused.err) == (2, "pitboss: there is a 'bee' already, and nothing is overwritten\n")
    assert read_tree(tmp_path) == before


@each_mistake(__file__)
def test_what_is_refused(tmp_path: Path, written: str, said: str) -> None:
    """A mistake is reported in one line, with the nearest word; nothing is made."""
    (tmp_path / "file").write_text("")

    refused = run_pitboss("new", "bot", *shlex.split(written), cwd=tmp_path)

    assert refused.status == 2
    assert refused.err.startswith(f"pitboss: {said}")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("word", "language"),
    [("C++", "cpp"), ("js", "javascript"), ("TypeScript", "typescript"), ("golang", "go"), ("PYTHON", "python")],
)
def test_other_words_for_a_language(word: str, language: str) -> None:
    """A language is known by its folder, its title and other words, in any case."""
    assert find_template(word, TEMPLATES).language == language


def test_words_that_mean_two_languages() -> None:
    """No word means two languages."""
    words = [
        word.lower()
        for one in TEMPLATES.values()
        for word in {one.language, one.about.title.lower(), *one.about.aliases}
    ]

    assert sorted(words) == sorted(set(words))


def test_the_list() -> None:
    """The list has all languages, and says whether what they need is here."""
    lines = run_pitboss("new", "bot", "--list").out.splitlines()[1:]
    plain = {one["language"]: one for one in run_pitboss("new", "bot", "--list", "--json").json_value}

    assert [line.split()[0] for line in lines] == list(plain) == list(TEMPLATES)
    assert plain["c"]["needs"] == ["cc"]
    assert plain["c"]["has"] == (shutil.which("cc") is not None)


def test_completion() -> None:
    """The shell offers the languages, and the games."""
    assert {"perl", "php", "python"} <= set(complete_words(["new", "bot", "p"]))
    assert complete_words(["new", "bot", "c", "bee", "--game", "mag"]) == ["magpie"]


@each_template
def test_a_template(begun: Template) -> None:
    """A template leads to the function to change and to the commands; its bot.toml begins with the name, and lists the
    Debian packages of its tools.
    """
    made = render_files(NewBot(name="bee", into=Path()), begun)
    source = made[Path(begun.about.change)]
    about = tomllib.loads(made[Path("bot.toml")])

    assert made[Path("bot.toml")].startswith('name = "bee"\nlanguage = ')
    assert about["language"] == begun.about.title.partition(" with ")[0]
    assert "choose" in source.partition("wire")[0]
    assert all(
        words in source
        for words in ("pitboss check .", "pitboss match GAME . house:random", "`pitboss games GAME`", "GAME.md")
    )
    assert begun.about.packages or not about.get("needs")
    assert not any(PLACEHOLDER in text for text in made.values())
    assert all(len(line) <= 160 for text in made.values() for line in text.splitlines())


@each_template
def test_a_template_for_a_game(begun: Template) -> None:
    """The bot.toml of a template for a game is as it was but for the game's line."""
    plain = tomllib.loads(render_files(NewBot(name="bee", into=Path()), begun)[Path("bot.toml")])
    for_magpie = tomllib.loads(render_files(NewBot(name="bee", into=Path(), game="magpie"), begun)[Path("bot.toml")])

    assert for_magpie == {**plain, "games": ["magpie"]}


def test_a_path_for_a_name(tmp_path: Path) -> None:
    """The path before a name is where the folder is made."""
    for words in (("bot", "python", "some/where/mine"), ("game", "sub/four-winds"), ("bot", "c", f"{tmp_path}/other/")):
        assert run_pitboss("new", *words, cwd=tmp_path).status == 0

    assert (tmp_path / "some/where/mine/bot.py").is_file()
    assert (tmp_path / "sub/four-winds/four_winds.py").is_file()
    assert (tmp_path / "other/bot.c").is_file()
