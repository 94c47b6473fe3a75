"""Commands that print something of their own, or build, when they start a bot: what goes wrong names the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss_tournament.match.fault_causes import find_link_hint, find_start_hint
from pitboss_tournament.plan.plan import Entrant
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss
from tests.tournament.sandbox_programs import needs_bubblewrap
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("npm", "start"), "npm prints lines of its own to standard output: add --silent behind it"),
        (("/usr/bin/npm", "run", "bot"), "npm prints lines"),
        (("npm", "--silent", "start"), ""),
        (("cargo", "run", "--release"), "`cargo run` builds at each start, and the bot's folder is read-only then"),
        (("go", "run", "."), "`go run` builds"),
        (("cargo",), ""),
        (("python3", "bot.py"), ""),
    ],
)
def test_what_is_known_of_a_command(command: tuple[str, ...], said: str) -> None:
    """The hints say nothing of a usual command."""
    hint = find_start_hint(command)

    assert hint.startswith(said)
    assert bool(hint) == bool(said)


@pytest.mark.once
@first_rows(1)(
    ("name", "words", "script", "said"),
    [
        ("npm", ("start",), "read hello; echo; echo '> bot@1.0.0 start'; read bye", "the line '' is not a message"),
        ("cargo", ("run",), "echo 'Read-only file system (os error 30)' >&2; exit 101", "exited with status 101"),
    ],
)
def test_a_fault_names_the_cure(tmp_path: Path, name: str, words: tuple[str, ...], script: str, said: str) -> None:
    """A fault at a bot's first line, and one when it ends before that, name the cure."""
    program = tmp_path / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    bot = Entrant(name="x", command=(str(program), *words))

    _, games = play_tournament(make_plan(tmp_path / "x.pitboss", bot, zoo_entrant("good"), deals=1))

    message = games[0][1].faults[0].message
    assert said in message
    assert find_start_hint(bot.command) in message


def test_a_link_out_of_the_folder_is_named(tmp_path: Path) -> None:
    """A link out of the folder, to a model that lies elsewhere, is named; links within the folder, to the system, and
    of an environment are no trouble.
    """
    bot, elsewhere = tmp_path / "bot", tmp_path / "models" / "net.bin"
    (bot / "weights").mkdir(parents=True)
    (bot / ".venv" / "bin").mkdir(parents=True)
    elsewhere.parent.mkdir()
    elsewhere.write_text("")
    (bot / ".venv" / "pyvenv.cfg").write_text("")
    (bot / ".venv" / "bin" / "python").symlink_to(elsewhere)
    (bot / "sh").symlink_to("/usr/bin/env")
    (bot / "own").symlink_to("weights")
    assert find_link_hint(bot) == ""

    (bot / "weights" / "net.bin").symlink_to(elsewhere)
    assert find_link_hint(bot).startswith(f"'weights/net.bin' is a link out of the folder, to '{elsewhere}', which")


@pytest.mark.once
@needs_bubblewrap
def test_check_names_the_link(tmp_path: Path) -> None:
    """`check` names the link where the bot fails for want of it."""
    (tmp_path / "net.bin").write_text("weights")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "net.bin").symlink_to(tmp_path / "net.bin")
    (folder / "bot.py").write_text("open('net.bin')\n")
    (folder / "bot.toml").write_text('command = ["python3", "bot.py"]\n')

    ran = run_pitboss("check", str(folder), "--game", "magpie", "--seats", "2", "--only", "stays-up")

    assert ran.status == 1
    assert "'net.bin' is a link out of the folder" in " ".join(ran.out.split())
