"""`bot.toml`: every key is read and counts, every mistake is told with its line, and what a bot asks for is granted or
refused aloud.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from pitboss_tournament.config.bot_file import BotFile, read_bot_file
from pitboss_tournament.config.entrants import apply_limits, list_unmet_limits, resolve_entrant
from pitboss_tournament.config.toml_file import TomlFileError
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.limits import AskedLimits, Limits
from pitboss_tournament.plan.plan import BotAbout
from pitboss_tournament.store.header import find_changes, make_header
from tests import ROOT
from tests.marks import first_rows
from tests.mistakes import each_mistake
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

REGISTRY = load_registry()
WHOLE = """\
name = "Bee"
version = "2.1"
author = "Ann O'Nymous"
language = "shell"
command = ["cat"]
games = ["magpie"]
presets = ["defaults", "graves"]
seats = [2, 3]
build = ["true"]
needs = ["cat", "true"]

[limits]
memory_mb = 64
processes = 300
cpu_s = 7200
"""
TOURNAMENT = """\
game = "magpie"
deals = 1
[limits]
memory_mb = 512
cpu_s = 600
[[bots]]
bot = "bee"
[[bots]]
bot = "bee"
name = "Bee 2"
limits = { processes = 400 }
"""


def write_bot_folder(place: Path, text: str = WHOLE) -> Path:
    """Write a bot's folder."""
    folder = place / "bee"
    folder.mkdir()
    (folder / "bot.toml").write_text(text)
    return folder


def test_all_keys(tmp_path: Path) -> None:
    """A file with every key is read, and it fits the schema that `pitboss schema bot` prints."""
    _, bot = read_bot_file(write_bot_folder(tmp_path))

    assert set(BotFile.__struct_fields__) == set(msgspec.to_builtins(bot))
    assert bot.limits == AskedLimits(memory_mb=64, processes=300, cpu_s=7200)
    schema = run_pitboss("schema", "bot").json_value
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(msgspec.to_builtins(bot))


def test_what_a_bot_says_of_itself(tmp_path: Path) -> None:
    """Version, author and language go with the bot into the store; another version carries the same tournament on."""
    write_bot_folder(tmp_path)
    (tmp_path / "two.toml").write_text(f'seed = "s"\n{TOURNAMENT}')

    plan = load_plan(tmp_path / "two.toml", REGISTRY)
    (tmp_path / "bee" / "bot.toml").write_text(WHOLE.replace("2.1", "2.2"))
    later = load_plan(tmp_path / "two.toml", REGISTRY)

    assert plan.entrants[0].about == BotAbout(version="2.1", author="Ann O'Nymous", language="shell")
    assert make_header(later, "1", "1").entries[0].about.version == "2.2"
    assert find_changes(make_header(plan, "1", "1"), make_header(later, "1", "1")) == []


def test_what_is_asked_for_is_granted_as_far_as_it_is_allowed(tmp_path: Path) -> None:
    """Less than allowed is given as asked, more as allowed, what is not asked for in full."""
    bot = resolve_entrant(str(write_bot_folder(tmp_path)), REGISTRY, tmp_path, "magpie")

    given = apply_limits(bot, Limits(processes=200, open_files=99))

    assert given.limits == Limits(memory_mb=64, processes=200, open_files=99, cpu_s=3600)
    assert list_unmet_limits([given]) == [
        "the bot 'Bee' asks for more than it gets: processes = 300 (200 is allowed) and cpu_s = 7200 (3600 is allowed)"
    ]


def test_a_tournament_decides(tmp_path: Path) -> None:
    """The limits of a tournament, and of a bot in it, are the most that there is; who asks for more is named when it
    starts.
    """
    write_bot_folder(tmp_path)
    (tmp_path / "two.toml").write_text(TOURNAMENT)

    plan = load_plan(tmp_path / "two.toml", REGISTRY)

    assert [bot.limits.memory_mb for bot in plan.entrants] == [64, 64]
    assert [bot.limits.processes for bot in plan.entrants] == [128, 300]
    assert [warning for warning in plan.warnings if "Bee" in warning] == [
        "the bot 'Bee' asks for more than it gets: processes = 300 (128 is allowed) and cpu_s = 7200 (600 is allowed)",
        "the bot 'Bee 2' asks for more than it gets: cpu_s = 7200 (600 is allowed)",
    ]


@first_rows(1)(
    "command",
    [
        ["match", "magpie", "bee", "house:first", "--deals", "1", "-o", "turns=2"],
        ["check", "bee", "--only", "says-ready"],
    ],
)
def test_a_request_on_the_command_line(tmp_path: Path, command: list[str]) -> None:
    """`pitboss match` and `pitboss check` say too what a bot does not get, and `-s limits.…` lets it have more."""
    write_bot_folder(
        tmp_path, 'name = "Bee"\ncommand = ["house"]\nlimits = { memory_mb = 4096 }\n'.replace('"house"', '"cat"')
    )
    quick = ("-s", "clock.start_ms=300", "--sandbox", "none")

    refused = run_pitboss(*command, *quick, cwd=tmp_path)
    granted = run_pitboss(*command, *quick, "-s", "limits.memory_mb=5000", "--seed", "other", cwd=tmp_path)

    said = "the bot 'Bee' asks for more than it gets: memory_mb = 4096 (1024 is allowed)"
    assert said in " ".join((refused.out + refused.err).split())
    assert "asks for more" not in granted.out + granted.err


@each_mistake(__file__)
def test_mistakes(tmp_path: Path, right: str, wrong: str, said: str) -> None:
    """A mistake in a bot.toml is reported with the file, the line, the key, what right allowed, and the nearest key."""
    assert right in WHOLE
    folder = write_bot_folder(tmp_path, WHOLE.replace(right, wrong))

    with pytest.raises(TomlFileError) as caught:
        resolve_entrant(str(folder), REGISTRY, tmp_path, "magpie")

    assert str(caught.value).startswith(f"{folder}/bot.toml:{said}")


def test_the_table_of_keys() -> None:
    """bots/README.md names every key, and every limit that a bot may ask for."""
    page = (ROOT / "bots" / "README.md").read_text()

    assert [key for key in BotFile.__struct_fields__ if f"`{key}`" not in page and f"`[{key}]`" not in page] == []
    assert [limit for limit in AskedLimits.__struct_fields__ if f"\n{limit} = " not in page] == []
