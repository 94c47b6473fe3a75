"""Mistakes on a command line are answered with what was meant."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.cli.exit_status import NO_VERDICT
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

MATCH: Final = ("match", "magpie", "house:first", "house:random", "-o", "turns=1", "--deals", "1", "--seed", "s")
MISTAKES: Final = [
    ("run x.pitboss", "is a store, but the first word must be a tournament file; `pitboss run x.toml` carries on"),
    ("x.toml", "No such command 'x.toml': did you mean `pitboss run x.toml`?"),
    ("plan x.toml", "plays a pilot, and `pitboss plan --from x.pitboss` plans from it"),
    ("match x.toml", "x.toml is a tournament file: `pitboss run x.toml` plays it"),
    ("match x.toml a b", "is a tournament file, but the first word must be a game: `pitboss run x.toml` plays it"),
    ("match x.pitboss a b", "did you mean `pitboss standings x.pitboss`?"),
    ("play nogame", "no game 'nogame' is installed"),
    ("play magpy", "(did you mean 'magpie'?)"),
    ("match house:first magpie", "the game comes first: pitboss match magpie house:first"),
    (
        "compare house:first magpie house:random",
        "the game comes first: pitboss compare magpie house:first house:random",
    ),
    ("compare house:first house:random", "which game is played? for example: pitboss compare racko house:first"),
    ("match magpie house:first", "and there is only one; a bot may be named twice, and plays as two"),
    ("standings", "Missing argument 'STORE…'. Stores here: x.pitboss"),
    ("standings x.toml", "x.toml: this is a tournament file; its games are in a store, by default x.pitboss"),
    ("why x.pitboss", "Missing argument 'BOT'. A bot is "),
    ("new python x", "did you mean `pitboss new bot python x` or `pitboss new game python x`?"),
    ("league make x racko", "did you mean `pitboss league init x racko`?"),
    ("results x.pitboss", "did you mean `pitboss standings x.pitboss`?"),
    ("tokens", "did you mean `pitboss token`?"),
    ("match magpie a b -s rounds=3", "there is no key 'rounds'"),
    ("match magpie a b -s game_ms=3", "(did you mean 'clock.game_ms'?)"),
    ("match magpie a b -s clock=3", "clock is a table; its keys are clock.start_ms, clock.decision_ms, "),
    ("match magpie a b -s deals", "a setting is written KEY=VALUE, as clock.game_ms=60000"),
    ("match magpie a b --deals 3 -s deals=4", "deals is given twice; the other one is --deals 3"),
    ("match magpie a b -s seating=mirored", "(did you mean 'mirrored'?)"),
    ("match magpie a b -s game=racko", "the game is the first word of a command"),
    ("plan magpie a b -s format=swiss", "this command has no use for format; it takes seats, "),
    ("run x.toml -s deals=4", "-s deals=4: games depend on deals; write it into the file"),
    ("run x.toml -s anchor=nobody", "-s anchor=nobody: anchor is 'nobody'"),
    ("help macpie", "did you mean 'magpie'?"),
]
FORMER: Final = [
    ("match magpie a b --decision-ms 200", "it is -s clock.decision_ms=VALUE"),
    ("match magpie a b --clock 200", "it is -s clock.KEY=VALUE, as -s clock.decision_ms=200"),
    ("match magpie a b --stop-ranking", "it is -s stop.ranking=VALUE"),
    ("match magpie a b --keep-logs all", "it is -s logs.keep=all"),
    ("match magpie a b --no-pin", "it is -s pinned=false"),
    ("match magpie a b --limit memory_mb=64", "it is -s limits.NAME=VALUE"),
    ("match magpie a b --format-option rounds=3", "it is -s format.NAME=VALUE"),
    ("check a --start-ms 5", "it is -s clock.start_ms=VALUE"),
    ("compare a b --game magpie", "it is the first word: compare GAME OLD NEW"),
    ("ask --record x.pitboss", "it is the first word: ask STORE GAME DECISION"),
    ("ask x.pitboss -g 1", "it is the second word: ask STORE GAME DECISION"),
    ("ask x.pitboss 0 --decision 1", "it is the third word: ask STORE GAME DECISION"),
    ("plan magpie --bots a b", "it is behind the game: plan GAME BOT BOT"),
    ("league init x --game magpie", "it is the second word: league init FOLDER GAME"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store and a tournament file."""
    folder = tmp_path_factory.mktemp("meant")
    assert run_pitboss(*MATCH, "--sandbox", "none", "--store", "x.pitboss", cwd=folder).status == 0
    (folder / "x.toml").write_text('game = "magpie"\nsandbox = "none"\nbots = ["house:first", "house:random"]\n')
    return folder


@pytest.mark.parametrize(("words", "answer"), [*MISTAKES, *FORMER], ids=lambda text: text)
def test_a_mistake_is_answered(folder: Path, words: str, answer: str) -> None:
    """The command says what was meant, and ends with status 2; `compare`, where that is a verdict, with 3."""
    ran = run_pitboss(*words.split(), cwd=folder)

    assert answer in " ".join(ran.err.split())
    assert ran.status == (NO_VERDICT if words.startswith("compare") else 2)


@pytest.mark.long
def test_a_seed_with_other_bots(tmp_path: Path) -> None:
    """A seed names a store; one in which other bots have played is not played on by that."""
    first = run_pitboss(*MATCH, "--sandbox", "none", cwd=tmp_path)
    other = run_pitboss("match", "magpie", "house:first", "house:first", *MATCH[4:], "--sandbox", "none", cwd=tmp_path)
    again = run_pitboss(*MATCH, "--sandbox", "none", cwd=tmp_path)

    assert (first.status, again.status, other.status) == (0, 0, 2)
    assert "magpie-s.pitboss has the games of this seed, without house:first-2 and with house:random: " in other.err
    assert "take another --seed, or another file by --store FILE" in other.err
