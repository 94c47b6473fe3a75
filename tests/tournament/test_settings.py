"""Each setting is declared once: fields of a tournament file, options of commands, and what a store keeps of them."""

from __future__ import annotations

import tomllib
from inspect import signature
from pathlib import Path
from typing import Final

import pytest
import typer
from msgspec import NODEFAULT, to_builtins
from msgspec.structs import asdict, fields

from pitboss.plugins.registry import Registry
from pitboss_tournament.cli.run import match
from pitboss_tournament.cli.settings import OPTIONS, SettingWords
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.plan import Entrant, Plan, ResolvedSettings
from pitboss_tournament.plan.settings import TournamentFile, describe_settings
from pitboss_tournament.store.header import Header, make_header
from tests.tournament.command_line import run_pitboss

FILE: Final = """
game = "racko"
title = "Friday"
seats = 2
seed = "s"
deals = 3
seating = "mirrored"
same_deals = true
order = "deals"
rank = "points"
score = "matchpoints"
anchor = "one"
reduce = "none"
games_at_once = 5
on = "half"
verify = 2.5
workers = 2
pinned = false
sandbox = "none"
ponder = true
opponents = "pseudonyms"
on_broken = "skip"
admission = { games = 2, seconds = 30 }
options = { max_rounds = 1 }
format = { name = "swiss", rounds = 2 }
clock = { start_ms = 7000, decision_ms = 500, game_ms = 9000, increment_ms = 3, margin_ms = 4 }
faults = { policy = "substitute", substitutions = 2, disqualify_after = 4 }
stop = { better_than = "one", bot = "two", delta = 0.1, ranking = true }
limits = { memory_mb = 512 }
logs = { keep = "all" }
store = "x.pitboss"
"""
WORDS: Final = """
--title Friday --seats 2 --seed s --deals 3 --seating mirrored --same-deals --order deals --anchor one
--reduce none --games-at-once 5
--on half
--verify 2.5 --workers 2 --no-pin --sandbox none --ponder --opponents pseudonyms -o max_rounds=1 --format swiss
--format-option rounds=2
--start-ms 7000 --decision-ms 500 --game-ms 9000 --increment-ms 3 --margin-ms 4 --policy substitute
--rank points --score matchpoints
--substitutions 2 --disqualify-after 4 --stop-better-than one --stop-bot two --stop-delta 0.1 --stop-ranking
--limit memory_mb=512 --keep-logs all --store x.pitboss --on-broken skip
--admission-games 2 --admission-seconds 30
"""
BOTS: Final = [Entrant(name=name, command=("true",)) for name in ("one", "two")]


def test_each_field_is_an_option_of_match() -> None:
    """Or it says why it is none. An option that sets no field is the command's own."""
    set_by_options = {option.place[0] for option in OPTIONS}
    said = describe_settings()

    assert {field.name for field in fields(TournamentFile)} == {
        *set_by_options,
        *(name for name, setting in said.items() if setting.no_option),
    }
    assert not {name for name, setting in said.items() if setting.no_option} & set_by_options
    parameters = signature(match).parameters
    assert {option.parameter for option in OPTIONS} <= set(parameters)
    own = set(parameters) - {option.parameter for option in OPTIONS}
    own_words = {"game", "bots", "play_for", "games", "no_store", "new_version", "fail_on_faults", "explain", "as_json"}
    assert own == own_words


def test_options_and_files_say_the_same(tmp_path: Path) -> None:
    """The words of a command line make the plan that the file makes."""
    (tmp_path / "x.toml").write_text(FILE + "".join(f'[[bots]]\nbot = "true"\nname = "{bot.name}"\n' for bot in BOTS))
    words = SettingWords(_parse_words(WORDS.split())).to_file("racko")
    assert words.limits.memory_mb == 512
    typed = resolve_plan(words, BOTS, Registry(), Path("x.pitboss"))
    written = load_plan(tmp_path / "x.toml", Registry())

    machine = {"entrants", "store"}
    assert {name: value for name, value in asdict(typed).items() if name not in machine} == {
        name: value for name, value in asdict(written).items() if name not in machine
    }


def _parse_words(words: list[str]) -> dict[str, object]:
    """Return what `pitboss match` would hand over for these words, by parameter."""
    found: dict[str, object] = {}
    app = typer.Typer()
    parameters = signature(match).parameters

    def catch(**given: object) -> None:
        found.update(given)

    catch.__signature__ = signature(match).replace(  # type: ignore[attr-defined]
        parameters=[parameters[option.parameter] for option in OPTIONS]
    )
    catch.__annotations__ = {option.parameter: option.type for option in OPTIONS}
    app.command()(catch)
    app(words, standalone_mode=False)
    return found


def test_every_setting_in_the_file_is_not_its_default() -> None:
    """So the test above would see a field that one of the two ways forgets."""
    given = tomllib.loads(FILE)
    left = {name for name, setting in describe_settings().items() if name not in given}

    assert left == {"bots", "preset", "build_network", "models", "budget"}
    for field in fields(TournamentFile):
        if field.name in given and field.name not in ("reduce", "game") and field.default is not NODEFAULT:
            assert to_builtins(field.default) != given[field.name]


def test_the_header_has_what_games_depend_on(tmp_path: Path) -> None:
    """A store keeps every setting of the plan but those of the machine; which may change is said with the field."""
    machine = {name for name, setting in describe_settings().items() if setting.is_machine}

    assert set(ResolvedSettings.__struct_fields__) == (
        set(TournamentFile.__struct_fields__) - machine - {"bots", "preset", "limits"}
        | {"sides", "fixed_circles", "escapes_names"}
    )
    assert set(ResolvedSettings.__struct_fields__) <= set(Plan.__struct_fields__) & set(Header.__struct_fields__)
    settings = TournamentFile(game="racko", title="t", ponder=True, sandbox="none")
    plan = resolve_plan(settings, BOTS, Registry(), tmp_path / "x")
    header = make_header(plan, "1", "1")
    assert (header.title, header.ponder, [entry.limits for entry in header.entries]) == (
        "t",
        True,
        [bot.limits for bot in BOTS],
    )


@pytest.mark.once
def test_a_match_with_a_title_and_an_anchor(tmp_path: Path) -> None:
    """What only a file could say, an option says: the anchor is at zero; a bot that it names must exist."""
    words = (
        "match",
        "magpie",
        "house:first",
        "house:random",
        "--seed",
        "s",
        "--store",
        "x.pitboss",
        "--sandbox",
        "none",
    )
    ran = run_pitboss(*words, "--deals", "2", "--anchor", "house:random", "--title", "Friday", cwd=tmp_path)
    lines = run_pitboss("standings", "--json", "x.pitboss", cwd=tmp_path).json_value["standings"]
    unknown = run_pitboss(*words, "--anchor", "nobody", cwd=tmp_path)

    assert ran.status == 0, ran.err
    assert [line["rating"]["mean"] for line in lines if line["name"] == "house:random"] == [0.0]
    assert (unknown.status, "anchor is 'nobody'" in unknown.err) == (2, True)
