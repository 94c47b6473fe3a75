"""Every command that a page, a help text or a message names is one that the command line takes, and those of a new
bot's next steps and of a fault do what they say.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Final

import pytest

from tests import ROOT
from tests.printed_commands import find_command_lines, find_refusal, read_string_values
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

PAGES: Final = [ROOT / "README.md", ROOT / "bots" / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCE: Final = ROOT / "tournament" / "pitboss_tournament"
OF_EXAMPLES: Final = {"pitboss odds 100"}  # of a plugin that a page shows how to write

CRASHING_BOT: Final = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "decide":
        open("/nowhere/cards.csv")
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_that_a_page_names(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands that a page names have options and arguments that they take, in text, in tables and in blocks."""
    lines = set(find_command_lines(page.read_text(encoding="utf-8"))) - OF_EXAMPLES

    assert {line: why for line in lines if (why := find_refusal(line))} == {}


def test_the_commands_that_messages_name(capsys: pytest.CaptureFixture[str]) -> None:
    """The commands that help texts, next steps, cures and errors name in the source have options and arguments that
    they take.
    """
    files = [file for file in SOURCE.rglob("*.py") if "templates" not in file.parts]
    lines = {line for file in files for text in read_string_values(file) for line in find_command_lines(text)}

    assert len(lines) > 50
    assert {line: why for line in lines if (why := find_refusal(line))} == {}


def test_a_command_that_is_none() -> None:
    """Options, arguments and commands that do not exist are refused; what is left out is not."""
    assert "No such option: --game" in find_refusal("pitboss ask STORE --game N --bot mine")
    assert "unexpected extra argument" in find_refusal("pitboss why STORE mine more")
    assert find_refusal("pitboss wy STORE") == "there is no command 'wy'"
    assert find_refusal("pitboss match") == ""


@pytest.mark.long
@pytest.mark.parametrize(
    "game", ["magpie", *(pytest.param(name, marks=pytest.mark.long) for name in ("dou-dizhu", "bridge"))]
)
def test_the_next_steps_of_a_new_bot(game: str, tmp_path: Path) -> None:
    """The commands that `new bot` prints, and those in the bot's file, play with as many bots as the game needs."""
    made = run_pitboss("new", "bot", "python", "mine", "--game", game, cwd=tmp_path)
    code = (tmp_path / "mine" / "bot.py").read_text(encoding="utf-8")

    places = {tmp_path: made.out, tmp_path / "mine": code}
    told = [(line, folder) for folder, text in places.items() for line in find_command_lines(text)]
    told = [
        (line, folder) for line, folder in told if shlex.split(line)[1] not in ("log", "new")
    ]  # named in a sentence
    for line, folder in told:
        short = {"match": ("--deals", "1", "--no-store"), "check": ("--only", "plays-a-whole-game")}
        _, command, *words = shlex.split(line)
        ran = run_pitboss(command, *words, *short.get(command, ()), cwd=folder)
        assert ran.status == 0, f"{line}: {ran.err}"
    assert sorted(shlex.split(line)[1] for line, _ in told) == ["check", "check", "games", "match", "match"]


@pytest.mark.long
def test_the_commands_behind_a_fault(tmp_path: Path) -> None:
    """`match` tells the cure of a bot's crash once; the commands that it names show the game, and check the bot."""
    bot = tmp_path / "mine"
    bot.mkdir()
    (bot / "bot.py").write_text(CRASHING_BOT, encoding="utf-8")
    (bot / "bot.toml").write_text('command = ["{python}", "bot.py"]\n', encoding="utf-8")
    few = ("--deals", "1", "--seed", "s", "-s", "clock.start_ms=60000", "-s", "clock.decision_ms=60000")

    ran = run_pitboss("match", "magpie", "mine", "house:first", *few, cwd=tmp_path)

    assert ran.out.count("a bot sees its own folder and the system alone") == 1
    lines = [line for line in find_command_lines(ran.out) if len(line.split()) > 2]
    assert sorted(line.split()[1] for line in lines) == ["ask", "check", "log", "replay", "standings"]
    for line in lines:
        _, command, *words = shlex.split(line)
        only = ("--only", "answers-questions") if command == "check" else ()
        done = run_pitboss(command, *words, *only, cwd=tmp_path)
        assert done.status == (1 if command in ("ask", "check") else 0), f"{line}: {done.out}{done.err}"
