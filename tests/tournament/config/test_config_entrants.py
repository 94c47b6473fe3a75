"""What a person calls a bot: a name, a folder or a command."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.entrants import disambiguate_names, resolve_entrant
from pitboss_tournament.plan.plan import BotAbout, Entrant
from tests.mistakes import each_mistake
from tests.tournament import restricted_bots_plugin

REGISTRY = Registry([EntryPoint("picky", restricted_bots_plugin.__name__, "pitboss")])


def write_bot_folder(folder: Path, text: str, name: str = "bee") -> Path:
    """Write a bot's folder."""
    (folder / name).mkdir()
    (folder / name / "bot.toml").write_text(text)
    return folder / name


def write_program(path: Path) -> Path:
    """Write a program that can be executed."""
    path.parent.mkdir(exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def resolve_error(spec: str, base: Path) -> str:
    """Return what is said of a bot that cannot play Magpie."""
    with pytest.raises(ConfigError) as caught:
        resolve_entrant(spec, REGISTRY, base, "magpie")
    return str(caught.value)


def test_a_name(tmp_path: Path) -> None:
    """A named bot runs with this Python, where the runner runs."""
    found = resolve_entrant("picky:all", REGISTRY, tmp_path, "magpie")

    assert found == Entrant(name="picky:all", command=(sys.executable, "-m", "all"))


def test_a_name_comes_before_a_folder(tmp_path: Path) -> None:
    """A folder that is called as a named bot needs a ./ before it."""
    write_bot_folder(tmp_path, 'name = "mine"\ncommand = ["cat"]', "picky:all")

    assert resolve_entrant("picky:all", REGISTRY, tmp_path, "magpie").name == "picky:all"
    assert resolve_entrant("./picky:all", REGISTRY, tmp_path, "magpie").name == "mine"


def test_a_folder(tmp_path: Path) -> None:
    """A folder's command runs in the folder; a program with a / is the folder's own."""
    text = (
        'name = "Bee"\ncommand = ["build/bot", "{python}", "-v"]\nlanguage = "C"\nversion = "2"\n'
        'games = ["magpie"]\nbuild = ["make"]'
    )
    folder = write_bot_folder(tmp_path, text)
    own = write_program(folder / "build" / "bot")

    found = resolve_entrant("bee", REGISTRY, tmp_path, "magpie")

    about = BotAbout(version="2", language="C")
    assert found == Entrant(name="Bee", command=(str(own), sys.executable, "-v"), folder=folder, about=about)


def test_a_folder_without_a_name_for_the_bot(tmp_path: Path) -> None:
    """The bot is called as its folder, in the letters that names are made of."""
    write_bot_folder(tmp_path, 'command = ["cat"]', "_my bot!")

    assert resolve_entrant("./_my bot!/", REGISTRY, tmp_path, "magpie").name == "my bot-"


def test_a_command(tmp_path: Path) -> None:
    """A command is split as a shell does, and runs where the file is."""
    found = resolve_entrant("cat -u 'a b'", REGISTRY, tmp_path, "magpie")

    assert found == Entrant(name="cat", command=("cat", "-u", "a b"), folder=tmp_path)


def test_a_program_by_its_path(tmp_path: Path) -> None:
    """A program with a / is looked for from the base."""
    own = write_program(tmp_path / "bin" / "deep-rack")

    found = resolve_entrant("bin/deep-rack --fast", REGISTRY, tmp_path, "magpie")

    assert found == Entrant(name="deep-rack", command=(str(own), "--fast"), folder=tmp_path)


@pytest.mark.parametrize("command", ["{python} -S alice.py", "sh alice.py"])
def test_a_script_has_its_own_name(tmp_path: Path, command: str) -> None:
    """An interpreter is not what a person calls the bot."""
    write_program(tmp_path / "alice.py")

    assert resolve_entrant(command, REGISTRY, tmp_path, "magpie").name == "alice"


def test_a_script_that_is_not_there(tmp_path: Path) -> None:
    """A bot is called by the script that was meant, as it is where there is one; what an interpreter is told to do is
    no script.
    """
    names = [
        resolve_entrant(command, REGISTRY, tmp_path, "magpie").name
        for command in ("sh bots/alice.py", "{python} -m alice", "{python} -c 'print(1.5)'")
    ]

    assert names == ["alice", "python-", "python-"]


def test_no_such_bot(tmp_path: Path) -> None:
    """The nearest name, or the nearest folder beside it, is offered for a bot that there is not."""
    write_bot_folder(tmp_path, 'command = ["cat"]')

    rest = ": no name from `pitboss bots`, no folder, and no program"
    assert resolve_error("picky:al", tmp_path) == f"there is no bot 'picky:al' (did you mean 'picky:all'?){rest}"
    assert resolve_error("./bea", tmp_path) == f"there is no bot './bea' (did you mean './bee'?){rest}"
    assert resolve_error("beee", tmp_path) == f"there is no bot 'beee' (did you mean 'bee'?){rest}"
    assert resolve_error("xyzzy", tmp_path) == f"there is no bot 'xyzzy'{rest}"


def test_a_script_without_a_path(tmp_path: Path) -> None:
    """A file here is not a program unless it is said to be here."""
    write_program(tmp_path / "alice.py")

    said = resolve_error("alice.py", tmp_path)

    assert said.startswith("there is no bot 'alice.py' (to run the file write './alice.py'): no name from")


def test_commands_that_cannot_be_started(tmp_path: Path) -> None:
    """A command that cannot be started is an error that says what is missing, and how to put it right."""
    (tmp_path / "plain.py").write_text("")

    said = f"cannot be executed (chmod +x {tmp_path}/plain.py, or name its interpreter before it)"
    assert resolve_error("./plain.py", tmp_path) == f"the program '{tmp_path}/plain.py' {said}"
    assert resolve_error("no-such-program x", tmp_path) == "the program 'no-such-program' is not on the PATH"
    assert resolve_error("bin/no x", tmp_path) == f"the program '{tmp_path}/bin/no' does not exist"
    assert resolve_error("picky:lost", tmp_path) == "the program 'no-such-program' is not on the PATH"


def test_what_is_no_command(tmp_path: Path) -> None:
    """A command with open quotes, or an empty one, is refused."""
    assert resolve_error("cat 'x", tmp_path) == 'the command "cat \'x" cannot be split into words: no closing quotation'
    assert resolve_error(" ", tmp_path).startswith("' ' names no bot; a bot is a name from `pitboss bots`, ")


def test_a_folder_without_bot_toml(tmp_path: Path) -> None:
    """A folder that says nothing cannot be started."""
    said = f"the folder '{tmp_path}' holds no bot.toml; a bot's folder says there how to start it"

    assert resolve_error(".", tmp_path) == said


def test_bot_toml_in_place_of_its_folder(tmp_path: Path) -> None:
    """The folder is the bot."""
    write_bot_folder(tmp_path, 'command = ["cat"]')

    assert (
        resolve_error("bee/bot.toml", tmp_path)
        == "'bee/bot.toml' describes a bot; to name the bot give the folder, 'bee'"
    )


@each_mistake(__file__, "bot_file")
def test_mistakes_in_bot_toml(tmp_path: Path, written: str, said: str) -> None:
    """A bot's own file is named, with its line, in the same words as a tournament file."""
    folder = write_bot_folder(tmp_path, written)

    found = resolve_error("bee", tmp_path)

    expected = f"{folder}/bot.toml:{said.format(folder=folder)}"
    begins = expected.removesuffix("…")
    assert expected == (found if begins == expected else found[: len(begins)] + "…")


def test_a_named_bot_of_other_games(tmp_path: Path) -> None:
    """A bot that says what it plays is not asked for anything else."""
    assert resolve_error("picky:rummy", tmp_path) == "the bot 'picky:rummy' plays rummy and hearts, not magpie"
    assert resolve_entrant("picky:rummy", REGISTRY, tmp_path, "hearts").name == "picky:rummy"


def test_equal_names_in_a_match() -> None:
    """The second of a name is called "-2", unless somebody already is."""
    names = ["a", "a", "a-2", "b", "a"]

    found = disambiguate_names(Entrant(name=name, command=("cat",)) for name in names)

    assert [entrant.name for entrant in found] == ["a", "a-2", "a-2-2", "b", "a-3"]
