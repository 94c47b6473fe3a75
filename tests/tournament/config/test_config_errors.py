"""Mistakes in a tournament file: one line that names the file, the line, the key and what was allowed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pitboss.errors import ConfigError, SeveralErrors
from pitboss.text import join_words
from pitboss_tournament.config.toml_file import TomlFileError
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.limits import BotClock
from pitboss_tournament.plan.settings import BotTable, TournamentFile
from tests.mistakes import each_mistake
from tests.plugins import load_registry

GOOD = """\
game = "magpie"
seats = 2

[clock]
decision_ms = 500

[options]
turns = 3

[[bots]]
bot = "bots/bee"

[[bots]]
name = "cat"
bot = "cat -u"
"""


TABLES: dict[str, type[msgspec.Struct]] = {"keys": TournamentFile, "bot_keys": BotTable, "clock_keys": BotClock}
KEYS = {name: join_words(table.__struct_encode_fields__, "and") for name, table in TABLES.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot in it."""
    (tmp_path / "bots" / "bee").mkdir(parents=True)
    (tmp_path / "bots" / "bee" / "bot.toml").write_text('name = "bee"\ncommand = ["{python}", "bee.py"]\n')
    return tmp_path


def config_error(folder: Path, text: str) -> str:
    """Return what is said of a tournament file, without the path before the line."""
    path = folder / "friday.toml"
    path.write_text(text)
    with pytest.raises(TomlFileError) as caught:
        load_plan(path, load_registry())
    said = str(caught.value)
    assert said.startswith(f"{path}:")
    assert "\n" not in said
    return said.removeprefix(f"{path}:")


@each_mistake(__file__)
def test_a_mistake(folder: Path, right: str, wrong: str, said: str) -> None:
    """The file is right but for one thing, and the line says what it is."""
    assert GOOD.count(right) == 1

    found = config_error(folder, GOOD.replace(right, wrong))

    expected = said.format(folder=folder, **KEYS)
    begins = expected.removesuffix("…")
    assert expected == (found if begins == expected else found[: len(begins)] + "…")


def test_too_few_bots(folder: Path) -> None:
    """A tournament needs as many bots as the game's smallest table has seats."""
    assert config_error(folder, 'game = "magpie"\n') == "1: 2 seats need at least 2 bots, and there is none"
    assert (
        config_error(folder, 'game = "magpie"\n\n[[bots]]\nbot = "cat"\n')
        == "3: 2 seats need at least 2 bots, and there is only one"
    )


def test_bots_that_are_one_table(folder: Path) -> None:
    """`[bots]` in place of `[[bots]]` is shown how it is written."""
    said = (
        '3: bots is {"bot":"cat"}; it must be a list of folders, ["submissions/*"], or of tables: write [[bots]] for '
        "each bot"
    )

    assert config_error(folder, 'game = "magpie"\n\n[bots]\nbot = "cat"\n') == said


def test_two_bots_of_one_name_by_default(folder: Path) -> None:
    """A bot without a name has its own; the same bot twice plays under two names, as in `match`, and a note says so."""
    file = folder / "twice.toml"
    file.write_text('game = "magpie"\n' + '[[bots]]\nbot = "cat"\n' * 2)
    plan = load_plan(file, load_registry())

    assert plan.bots == ["cat", "cat-2"]
    assert plan.warnings[0] == "cat plays as 'cat-2', as there is another 'cat'"


def test_many_bots_that_cannot_play(folder: Path) -> None:
    """Many bots that cannot play are all reported at once, with each name that is written twice; who has sixty does not
    want to hear of one at a time.
    """
    (folder / "a").mkdir()
    (folder / "a" / "bot.toml").write_text("comand = 1\n")
    file = folder / "friday.toml"
    file.write_text(
        'game = "magpie"\n' + "".join(f'[[bots]]\nbot = "{bot}"\n' for bot in ("a", "cat", "none", "./none", "cat"))
    )

    with pytest.raises(SeveralErrors) as caught:
        load_plan(file, load_registry())
    wrong = [str(error).removeprefix(f"{folder}/").partition(" ")[0] for error in caught.value.errors]
    file.write_text('game = "magpie"\n' + '[[bots]]\nbot = "cat"\nname = "cat"\n' * 3)
    with pytest.raises(SeveralErrors) as caught_again:
        load_plan(file, load_registry())

    assert wrong == ["a/bot.toml:1:", "friday.toml:7:", "friday.toml:9:"]
    assert [str(error).partition(": ")[2] for error in caught_again.value.errors] == [
        "two bots are called 'cat', here and in line 2; give one of them another name"
    ] * 2


def test_a_file_that_is_not_there(folder: Path) -> None:
    """The nearest file of the folder is offered."""
    (folder / "friday.toml").write_text(GOOD)

    with pytest.raises(ConfigError) as caught:
        load_plan(folder / "fridy.toml", load_registry())

    assert str(caught.value) == f"there is no file {str(folder / 'fridy.toml')!r} (did you mean 'friday.toml'?)"


def test_a_folder_in_place_of_a_file(folder: Path) -> None:
    """The error of a folder in place of a file says why it cannot be read."""
    with pytest.raises(ConfigError) as caught:
        load_plan(folder / "bots", load_registry())

    assert str(caught.value) == f"{str(folder / 'bots')!r} cannot be read: is a directory"


def test_a_file_that_is_not_utf8(folder: Path) -> None:
    """The line of the byte is named."""
    (folder / "friday.toml").write_bytes(b'game = "magpie"\n# caf\xe9\n')

    with pytest.raises(TomlFileError) as caught:
        load_plan(folder / "friday.toml", load_registry())

    assert str(caught.value) == f"{folder / 'friday.toml'}:2: byte 0xe9 is not UTF-8; a TOML file is UTF-8 text"


@pytest.mark.parametrize(
    ("text", "excerpt"),
    [
        ("seats 2", ("seats 2", "      ^")),
        ("game = 1\n\tseats 2\n", (" seats 2", "       ^")),
        ("game = [", ("game = [", "        ^")),
        ("# \u2028\nseats 2\n", ("seats 2", "      ^")),
        ("", None),
        ("x = '" + "é" * 100 + "' y", ("é" * 33 + "' y", " " * 35 + "^")),
        ("x y" + "z" * 200, ("x y" + "z" * 69, "  ^")),
    ],
)
def test_a_caret_below_what_is_no_toml(folder: Path, text: str, excerpt: tuple[str, str] | None) -> None:
    """The excerpt of a long line below an error is the part around the mistake."""
    (folder / "friday.toml").write_text(text)

    with pytest.raises(TomlFileError) as caught:
        load_plan(folder / "friday.toml", load_registry())

    assert getattr(caught.value, "excerpt", None) == excerpt


def test_a_file_that_is_nested_too_deeply(folder: Path) -> None:
    """A file made to break the reader is only a mistake, too."""
    (folder / "friday.toml").write_text(f"game = {'[' * 100_000}")

    with pytest.raises(TomlFileError, match=r"nested too deeply|not TOML"):
        load_plan(folder / "friday.toml", load_registry())
