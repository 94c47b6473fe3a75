"""Commands that print something of their own, or build, when they start a bot: what goes wrong names the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.start_hints import find_start_hint
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
    """Nothing is said of a usual one."""
    hint = find_start_hint(command)

    assert hint.startswith(said)
    assert bool(hint) == bool(said)


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "words", "script", "said"),
    [
        ("npm", ("start",), "read hello; echo; echo '> bot@1.0.0 start'; read bye", "the line '' is not a message"),
        ("cargo", ("run",), "echo 'Read-only file system (os error 30)' >&2; exit 101", "exited with status 101"),
    ],
)
def test_a_fault_names_the_cure(tmp_path: Path, name: str, words: tuple[str, ...], script: str, said: str) -> None:
    """At its first line, and when it ends before it."""
    program = tmp_path / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    bot = Entrant(name="x", command=(str(program), *words))

    _, games = play_tournament(make_plan(tmp_path / "x.pitboss", bot, zoo_entrant("good"), deals=1))

    message = games[0][1].faults[0].message
    assert said in message
    assert find_start_hint(bot.command) in message
