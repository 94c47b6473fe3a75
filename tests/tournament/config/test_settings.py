"""Each setting is declared once: fields of a tournament file, options of commands, and what a store keeps of them."""

from __future__ import annotations

import tomllib
from inspect import signature
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import NODEFAULT, to_builtins
from msgspec.structs import asdict, fields

from pitboss.plugins.registry import Registry
from pitboss_tournament.cli.run import match
from pitboss_tournament.cli.setting_words import read_settings
from pitboss_tournament.config.settings_plan import resolve_plan
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.plan.plan import Entrant, Plan, ResolvedSettings
from pitboss_tournament.plan.setting_keys import find_setting_key, list_setting_keys
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
tables_per_bot = 8
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
title=Friday seating=mirrored same_deals=true order=deals rank=points score=matchpoints anchor=one reduce=none
games_at_once=5 verify=2.5 pinned=false ponder=true tables_per_bot=8 opponents=pseudonyms on_broken=skip
admission.games=2 admission.seconds=30 format.rounds=2
clock.start_ms=7000 clock.decision_ms=500 clock.game_ms=9000 clock.increment_ms=3 clock.margin_ms=4
faults.policy=substitute faults.substitutions=2 faults.disqualify_after=4
stop.better_than=one stop.bot=two stop.delta=0.1 stop.ranking=true
limits.memory_mb=512 logs.keep=all
"""
OPTIONS: Final[dict[str, Any]] = {
    "seats": 2,
    "seed": "s",
    "deals": 3,
    "on": "half",
    "workers": 2,
    "sandbox": "none",
    "format": "swiss",
    "store": Path("x.pitboss"),
}
BOTS: Final = [Entrant(name=name, command=("true",)) for name in ("one", "two")]


def test_an_option_sets_a_field() -> None:
    """Options of `match` that are settings have the names of keys."""
    parameters = set(signature(match).parameters)

    own = {"game", "bots", "option", "format_name", "settings", "play_for", "games", "no_store", "new_version"}
    assert parameters - own - {"fail_on_faults", "explain", "as_json"} <= {
        field.name for field in fields(TournamentFile)
    }


def test_each_key_has_a_meaning_and_a_place() -> None:
    """Each field of a tournament file is a key, or a table of keys, and each key says in sentences what it is."""
    keys = list_setting_keys()

    assert {one.place[0] for one in keys} == {field.name for field in fields(TournamentFile)}
    assert [one.key for one in keys if not one.meaning.endswith(".")] == []
    assert len({one.key for one in keys}) == len(keys) > 80
    assert [find_setting_key(one.key) for one in keys] == list(keys)


def test_options_and_files_say_the_same(tmp_path: Path) -> None:
    """The words of a command line make the plan that the file makes."""
    (tmp_path / "x.toml").write_text(FILE + "".join(f'[[bots]]\nbot = "true"\nname = "{bot.name}"\n' for bot in BOTS))
    words = read_settings(WORDS.split(), (), ["max_rounds=1"], **OPTIONS).to_file("racko")
    assert words.limits.memory_mb == 512
    typed = resolve_plan(words, BOTS, Registry(), Path("x.pitboss"))
    written = load_plan(tmp_path / "x.toml", Registry())

    machine = {"entrants", "store"}
    assert {name: value for name, value in asdict(typed).items() if name not in machine} == {
        name: value for name, value in asdict(written).items() if name not in machine
    }


def test_every_setting_in_the_file_is_not_its_default() -> None:
    """Every setting in the file differs from its default, so that the test above would see a field that one of the two
    ways forgets.
    """
    given = tomllib.loads(FILE)
    left = {name for name, setting in describe_settings().items() if name not in given}

    assert left == {"bots", "preset", "out", "build_network", "models", "budget"}
    for field in fields(TournamentFile):
        if field.name in given and field.name not in ("reduce", "game") and field.default is not NODEFAULT:
            assert to_builtins(field.default) != given[field.name]


def test_the_header_has_what_games_depend_on(tmp_path: Path) -> None:
    """A store keeps every setting of the plan but those of the machine; which may change is said with the field."""
    machine = {name for name, setting in describe_settings().items() if setting.is_machine}

    assert set(ResolvedSettings.__struct_fields__) == (
        set(TournamentFile.__struct_fields__) - machine - {"bots", "preset", "limits"}
        | {"sides", "fixed_circles", "escapes_names", "even_order", "seals_deals", "given_deals"}
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
    """A match takes a title and an anchor as settings: the anchor is at zero; an anchor that names no bot
    is refused.
    """
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
    ran = run_pitboss(*words, "--deals", "2", "-s", "anchor=house:random", "-s", "title=Friday", cwd=tmp_path)
    lines = run_pitboss("standings", "--json", "x.pitboss", cwd=tmp_path).json_value["standings"]
    unknown = run_pitboss(*words, "-s", "anchor=nobody", cwd=tmp_path)

    assert ran.status == 0, ran.err
    assert [line["rating"]["mean"] for line in lines if line["name"] == "house:random"] == [0.0]
    assert (unknown.status, "anchor is 'nobody'" in unknown.err) == (2, True)
