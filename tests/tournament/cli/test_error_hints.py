"""Errors of commands with --json: each says what to do next, and docs/agents.md lists what is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import pitboss
import pitboss_tournament
from pitboss.errors import ConfigError, PitbossError, ReplayDiffers
from pitboss_tournament.cli.error_hints import HINTS_BY_CLASS, HINTS_BY_WORDS, find_hint, tabulate_hints
from tests import ROOT
from tests.tournament.command_line import run_pitboss

COVERED = {  # by the hint of their base class
    *("SeveralErrors", "TomlSyntaxError", "DamagedVersion", "NumberRefused"),
    *("MalformedLine", "FloodedLine", "OutOfTurn", "WrongPolicy"),
}


def list_errors(kind: type[PitbossError]) -> Iterator[type[PitbossError]]:
    """Yield all classes of errors below one."""
    for one in kind.__subclasses__():
        yield one
        yield from list_errors(one)


@pytest.mark.once
@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("match racko house:rack house:random", "write house:racko in its place"),
        ("match rako house:racko", "write racko in its place"),
        ("match racko nix house:random", "`pitboss bots` lists the named bots; another bot is a folder"),
        ("match racko house:racko", "name as many bots as there are seats"),
        ("match racko house:racko house:random --preset x", "`pitboss games GAME` lists a game's presets"),
        ("match racko", "`pitboss match --help` lists the arguments and options"),
        ("why nothing.pitboss x", "give the path of a file that is there"),
        ("standings x.pitboss --nope", "`pitboss standings --help` lists the arguments and options"),
        ("whi x", "write why in its place"),
        ("compare racko house:racko", "`pitboss compare --help` tells what is allowed"),
        ("match racko false house:random --deals 1 --no-store --sandbox none", "`pitboss check BOT --failed --json`"),
    ],
)
def test_the_last_line_has_a_hint(tmp_path: Path, words: str, hint: str) -> None:
    """The last line of standard error is an object by its schema, with the message of the line for people."""
    ran = run_pitboss(*words.split(), "--json", cwd=tmp_path)
    plain = run_pitboss(*words.split(), cwd=tmp_path)

    *lines, last = ran.err.splitlines()
    said = json.loads(last)
    Draft202012Validator(json.loads(run_pitboss("schema", "error").out)).validate(said)
    assert said["errors"][0]["hint"].startswith(hint)
    assert said["errors"][0]["message"] in " ".join(" ".join(lines).split())
    assert ran.status == plain.status > 0
    assert '"hint"' not in plain.err


def test_every_class_of_errors_has_a_hint() -> None:
    """A new class of errors says what to do next, and no hint is of a class that is gone."""
    for package in (pitboss, pitboss_tournament):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if "__main__" not in module.name and ".templates" not in module.name:
                import_module(module.name)
    names = {one.__name__ for one in list_errors(PitbossError) if one.__module__.startswith("pitboss")}

    assert names - COVERED - HINTS_BY_CLASS.keys() == set()
    assert HINTS_BY_CLASS.keys() - names == {"OSError", "UnicodeEncodeError", "UsageError"}


def test_words_come_before_the_class_and_the_nearest_class_first() -> None:
    """A message that is known has its own hint; another one that of its class, or of the nearest base class."""
    assert find_hint(ConfigError("no logs of game 3"), "no logs of game 3") == HINTS_BY_WORDS["no logs of game",]
    assert find_hint(ReplayDiffers("x"), "x") == HINTS_BY_CLASS["ReplayDiffers"]
    assert find_hint(ValueError("x"), "x").endswith("--help` tells what is allowed")


def test_the_page_for_agents_lists_all_hints() -> None:
    """The tables of docs/agents.md are those of the code (`tabulate_hints` writes them)."""
    assert tabulate_hints() in (ROOT / "docs/agents.md").read_text(encoding="utf-8")
