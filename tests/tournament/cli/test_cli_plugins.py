"""`pitboss plugins`: what each adds, and what was left out; `pitboss rules`: the rule book of a game."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import pitboss
from tests.tournament.command_line import OTHER_GAME_PLUGIN, complete_words, install_plugin, run_pitboss

pytestmark = pytest.mark.once

RACKO = f"pitboss-racko {pitboss.__version__}"
OTHER = OTHER_GAME_PLUGIN.format(deal="return super().deal(seats, options, rng)")


def test_what_each_plugin_adds() -> None:
    """Each plugin is a line with what it adds and its version; the status is 0 if all plugins are whole."""
    ran = run_pitboss("plugins")
    found = {one["plugin"]: one for one in run_pitboss("plugins", "--json").json_value["plugins"]}

    assert ran.status == 0
    assert found[RACKO] == {
        "plugin": RACKO,
        "games": ["racko"],
        "bots": ["house:racko"],
        "packs": [],
        "formats": [],
        "exporters": [],
        "importers": [],
        "report_sections": [],
        "engines": [],
        "commands": [],
        "requires": ["msgspec>=0.20", "pitboss-core>=0.1"],
    }
    assert found[f"pitboss-ragamaru {pitboss.__version__}"]["packs"] == ["ragamaru"]
    told = " ".join(ran.out.split())
    assert f"{RACKO}: games racko; bots house:racko; requires msgspec>=0.20, pitboss-core>=0.1 " in told


def test_what_was_left_out(tmp_path: Path) -> None:
    """A plugin that was left out is a sentence with the reason, in place of the note that other commands print; the
    status is 1.
    """
    env = install_plugin(tmp_path, "broken", "raise RuntimeError('not today')")
    ran, found = run_pitboss("plugins", env=env), run_pitboss("plugins", "--json", env=env)

    assert (ran.status, ran.err, found.status) == (1, "", 1)
    [reason] = found.json_value["left_out"]
    assert reason == ("plugin 'broken' (from pitboss-broken 7.0) is broken and was left out: RuntimeError: not today")
    assert " ".join(ran.out.split()).endswith(reason)
    assert "racko" in ran.out


def test_a_plugin_with_many_games(tmp_path: Path) -> None:
    """The games of a plugin that has 97 are names in lines that a screen of 80 columns shows."""
    code = dedent(OTHER) + dedent("""
        @hookimpl
        def pitboss_games():
            return [type(f"Other{at}", (Other,), {"name": f"other-{at}"})() for at in range(97)]
    """)
    ran = run_pitboss("plugins", env=install_plugin(tmp_path, "other", code))

    assert ran.status == 0
    assert "pitboss-other 7.0: games other-0, other-1, other-10, " in " ".join(ran.out.split())
    assert max(map(len, ran.out.splitlines())) <= 80


def test_what_this_pitboss_breaks_in_a_plugin(tmp_path: Path) -> None:
    """`plugins --check` names for each plugin the requirement that is not met, the hook of another signature, the
    command that cannot be imported; the status is 1, and 0 where all plugins are whole.
    """
    code = """
        from pitboss.plugins.hookspec import hookimpl
        @hookimpl
        def pitboss_games(registry):
            return []
    """
    env = install_plugin(tmp_path, "odd", dedent(code))
    info = tmp_path / "pitboss_odd-7.0.dist-info"
    with (info / "METADATA").open("a") as metadata:
        metadata.write(
            "Requires-Dist: pitboss-core>=9\nRequires-Dist: absent\nRequires-Dist: x>1; extra == 'y'\n"
            "Requires-Dist: msgspec<1; python_version < '3'\nRequires-Dist: pluggy>=1\n"
        )
    with (info / "entry_points.txt").open("a") as entries:
        entries.write("[pitboss.commands]\nelo = absent:run\n")

    listed, whole = run_pitboss("plugins", "--check", "--json", env=env), run_pitboss("plugins", "--check")
    faults = {one["plugin"]: one["faults"] for one in listed.json_value["checked"]}

    assert (listed.status, whole.status) == (1, 0)
    assert faults[RACKO] == []
    version, absent, hook, command = faults["pitboss-odd 7.0"]
    assert version == f"it requires pitboss-core>=9, but pitboss-core {pitboss.__version__} is installed"
    assert absent == "it requires absent, which is not installed"
    assert "registry" in hook
    assert command == "its command 'elo' cannot be loaded: ModuleNotFoundError: No module named 'absent'"
    assert f"ok      {RACKO}" in whole.out.splitlines()


def test_commands_that_cannot_be_called(tmp_path: Path) -> None:
    """A command with an option's name, with a control character or with a name of Pitboss's own is left out, and the
    plugin named; the list of the commands and the shell's completion go on with those that are left, broken or not.
    """
    env = install_plugin(tmp_path, "odd", "raise BaseException('not today')")
    with (tmp_path / "pitboss_odd-7.0.dist-info" / "entry_points.txt").open("a") as entries:
        entries.write("[pitboss.commands]\n")
        entries.writelines(f"{name} = odd_plugin:run\n" for name in ("-h", "\x1b[31mred", "match", "elo"))

    helped, listed, completed = run_pitboss("-h", env=env), run_pitboss("plugins", env=env), complete_words([""], env)

    assert helped.status == 0
    assert helped.out.endswith("Of plugins:\n  elo         Of the plugin pitboss-odd 7.0.\n")
    told = " ".join(listed.out.split())
    assert listed.status == 1
    assert "\x1b" not in told
    for name in (r"'\x1b[31mred'", "'-h'", "'match'"):
        assert f"the command {name} of the plugin pitboss-odd 7.0 was left out: " in told
    assert "games" in completed
    assert run_pitboss("elo", env=env).err == (
        "pitboss: the command 'elo' of the plugin pitboss-odd 7.0 cannot be loaded: BaseException: not today\n"
    )


def test_a_command_that_fails_while_it_runs(tmp_path: Path) -> None:
    """The plugin and the line are named; what typer and Pitboss raise on purpose goes its usual way."""
    code = """
import typer
from pitboss.errors import ConfigError
def fail(how: str) -> None:
    {"bug": lambda: 1 / 0, "end": lambda: exit(7), "config": lambda: throw(ConfigError("no such thing"))}[how]()
def throw(error):
    raise error
"""
    env = install_plugin(tmp_path, "odd", code)
    with (tmp_path / "pitboss_odd-7.0.dist-info" / "entry_points.txt").open("a") as entries:
        entries.write("[pitboss.commands]\nfail = odd_plugin:fail\n")

    bug, end, config = (run_pitboss("fail", how, env=env) for how in ("bug", "end", "config"))
    unknown = run_pitboss("fail", "--how", env=env)
    developer = run_pitboss("fail", "bug", env={**env, "PYTHONDEVMODE": "1"})

    assert bug.status == 1
    assert bug.err == (
        "pitboss: the command 'fail' of the plugin pitboss-odd 7.0 failed: ZeroDivisionError: division by zero "
        f"({tmp_path / 'odd_plugin.py'}, line 5; PYTHONDEVMODE=1 prints the traceback)\n"
    )
    assert end.status == 7
    assert (config.status, config.err) == (2, "pitboss: no such thing\n")
    assert (unknown.status, "No such option: --how" in unknown.err) == (2, True)
    assert "Traceback" in developer.err


def test_the_rule_book(tmp_path: Path) -> None:
    """`rules` prints all of the rule book, as the distribution has it; what a terminal could take for commands is
    escaped.
    """
    env = install_plugin(tmp_path, "other", OTHER)
    with (tmp_path / "pitboss_other-7.0.dist-info" / "METADATA").open("a") as metadata:
        metadata.write("Description-Content-Type: text/markdown\n\n# Rules\n\n1. Play.\n\n2. Win\x1b[2J.\n")

    ran = run_pitboss("rules", "other", env=env)

    assert (ran.status, ran.out) == (0, "# Rules\n\n1. Play.\n\n2. Win\\x1b[2J.\n")
    assert run_pitboss("rules", "racko").out.startswith("# RACK-O")


def test_a_game_without_a_rule_book(tmp_path: Path) -> None:
    """`pitboss rules` shows the first paragraph of the module of a game without a rule book, and how an author names a
    book.
    """
    env = install_plugin(tmp_path, "other", '"""A game of others.\n\nMore of it.\n"""\n' + dedent(OTHER))
    ran = run_pitboss("rules", "other", env=env)

    assert ran.status == 0
    assert ran.out == (
        "A game of others.\n\n(pitboss-other 7.0 has no rule book: its author can name one as `readme`.)\n"
    )


def test_no_such_game() -> None:
    """The error names those that are there."""
    ran = run_pitboss("rules", "rako")

    assert ran.status == 2
    assert "no game 'rako' is installed (did you mean 'racko'?)" in ran.err
