"""How the command line begins and ends: quickly, with one line for a mistake, and quietly when nobody listens."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import pitboss
from pitboss_tournament.cli.app import COMMAND_GROUPS, SOURCES, WIDEST_HELP
from tests.marks import first_rows
from tests.tournament.command_line import COMMAND, OTHER_GAME_PLUGIN, complete_words, install_plugin
from tests.tournament.command_line import run_pitboss as run

pytestmark = pytest.mark.once

LIST_MODULES = """
import sys
from pitboss_tournament.cli.app import run_app
sys.argv = ["pitboss", {words}]
try:
    run_app()
except SystemExit as end:
    assert not end.code, end.code
print(*sys.modules, file=sys.stderr)
"""
SLOW: Final = {"importlib.metadata", "email", "pydoc", "rich", "asyncio"}  # a start is over before these are imported
HEAVY: Final = {*SLOW, "trio", "sqlite3", "msgspec", "rich.live", "pluggy", "pitboss"}


BODIES: Final = {f"pitboss_tournament.cli.{source.module}" for source in SOURCES.values()}
SIGNATURES: Final = {f"pitboss_tournament.cli.commands.{source.module}" for source in SOURCES.values()}


@pytest.mark.parametrize(("words", "own"), [('"--help"', set()), ('"simulate", "--help"', {"simulate"})])
def test_help_loads_nothing_heavy(words: str, own: set[str]) -> None:
    """`--help` answers at once: nothing is imported that only a command needs, and no other command's signature."""
    out, modules = run_and_list_modules(words)

    assert "Usage: pitboss" in out
    assert modules & (HEAVY | BODIES) == set()
    assert modules & SIGNATURES == {f"pitboss_tournament.cli.commands.{name}" for name in own}


def test_the_list_of_games_loads_the_games_and_little_else() -> None:
    """`games` imports no other command's module, and nothing that plays tournaments, counts or draws."""
    out, modules = run_and_list_modules('"games"')

    assert "racko" in out
    assert modules & BODIES == {"pitboss_tournament.cli.installed"}
    assert modules & {*SLOW, "trio", "sqlite3", "statistics", "tomllib"} == set()
    assert {name.split(".")[1] for name in modules if name.startswith("pitboss_tournament.")} <= {
        "authoring",
        "built_in",
        "cli",
        "formats",
        "simulation",
        "text",
    }


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.long) for name in SOURCES])
def test_every_command_is_in_its_module(name: str) -> None:
    """Every command of the list can be called in the module that the list names."""
    assert run(name, "--help").out.startswith(f"Usage: pitboss {name} ")


@pytest.mark.long
def test_a_match_without_a_screen_loads_no_screen() -> None:
    """Where standard output is no terminal a match imports nothing that draws, measures luck, checks games and bots, or
    asks other machines.
    """
    out, modules = run_and_list_modules(
        '"match", "magpie", "house:first", "house:random", "--deals", "1", "--no-store"'
    )

    assert "house:first" in out
    assert modules & {*SLOW, "multiprocessing", "pitboss.testing"} == set()
    assert modules & {"pitboss_tournament.showing.live_screen", "pitboss_tournament.bot_checks"} == set()


def run_and_list_modules(words: str) -> tuple[str, set[str]]:
    """Return what a command prints, and the modules that it has imported."""
    code = LIST_MODULES.format(words=words)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout, set(done.stderr.split())


def test_every_command_is_helped_with_sentences() -> None:
    """The list of commands, in groups, says in a sentence what each does, none cut off."""
    _, *groups = run("--help").out.split("\n\n")[2:]
    lines = [line for group in groups for line in group.splitlines()[1:]]

    assert [group.splitlines()[0].removesuffix(":") for group in groups] == list(COMMAND_GROUPS)
    assert [line.split()[0] for line in lines] == list(SOURCES)
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []


def test_help_is_as_wide_as_the_screen() -> None:
    """Help is as wide as the screen, up to 120 columns, also the help of a command."""
    for words in (("--help",), ("match", "--help")):
        wide, narrow = (run(*words, env={"COLUMNS": columns}).out.splitlines() for columns in ("140", "60"))

        assert 100 < max(map(len, wide)) <= WIDEST_HELP
        assert max(map(len, narrow)) <= 60


@pytest.mark.long
def test_the_first_hour(tmp_path: Path) -> None:
    """`pitboss` alone says in ten lines what there is, and three commands to type next, which work as they stand."""
    shown = run()
    commands = [re.split(r"  +", line.strip())[0] for line in shown.out.splitlines() if line.startswith("  pitboss ")]

    assert (shown.status, shown.err, len(commands), len(shown.out.splitlines())) == (0, "", 3, 10)
    assert re.search(r"^Installed: \d+ games, \d+ named bots, \d+ formats: see ", shown.out, re.MULTILINE)
    assert re.search(
        r"^This machine: \d+ processors?; the sandbox is (bubblewrap|landlock|none); ", shown.out, re.MULTILINE
    )
    for command in commands:
        words = shlex.split(command)[1:]
        short = ["--deals", "1"] if words[0] == "match" else []
        ran = subprocess.run(
            [*COMMAND, *words, *short],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert ran.returncode == 0, (command, ran.stderr)
    later = run(cwd=tmp_path).out
    assert "  pitboss check first  " in later
    assert "  pitboss standings racko-" in later


def test_version() -> None:
    """`--version` says which Pitboss it is."""
    assert run("--version") == (0, f"pitboss {pitboss.__version__}\n", "")


def test_an_unknown_command_names_the_nearest() -> None:
    """A mistyped command ends with status 2 and the command that was meant."""
    ran = run("gamse")

    assert (ran.status, ran.out) == (2, "")
    assert "No such command 'gamse'. Did you mean 'games'?" in ran.err


def test_a_mistake_is_one_line_and_status_2() -> None:
    """The name of a game that does not exist is reported in one line on standard error."""
    ran = run("simulate", "magpei")

    assert ran[:2] == (2, "")
    assert re.fullmatch(
        r"pitboss: no game 'magpei' is installed \(did you mean 'magpie'\?\); there are: .*magpie.*\n", ran[2]
    )


@pytest.mark.parametrize(
    ("words", "allowed"),
    [
        (("simulate", "magpie", "--games", "-3"), "a whole number, at least 1"),
        (("simulate", "magpie", "--games", "1.5"), "a whole number, at least 1"),
        (("serve", "--port", "65536"), "a whole number from 0 to 65535"),
        (("plan", "magpie", "a", "b", "--power", "many"), "a number from 50 to 99.9"),
        (("check-game", "magpie", "--seconds", "nan"), "a number, at least 0"),
        (("check-game", "magpie", "--seconds", "inf"), "a number, at least 0"),
    ],
)
def test_a_number_that_is_not_allowed(words: tuple[str, ...], allowed: str) -> None:
    """The error names the option, what stands there, and what is allowed."""
    ran = run(*words)

    assert (ran.status, ran.out) == (2, "")
    assert f"Invalid value for '{words[-2]}'" in ran.err
    assert ran.err.endswith(f": {words[-1]} is not allowed: it has to be {allowed}.\n")


def test_an_empty_seed() -> None:
    """An empty seed is refused, and not treated as if none were given; so is a seed that no tournament file
    could have.
    """
    for seed in ("", "s" * 201):
        ran = run("match", "magpie", "house:first", "house:random", "--seed", seed)

        assert (ran.status, ran.out) == (2, "")
        shown = f"{seed[:60]!r}… (201 characters)" if seed else "''"
        assert ran.err.endswith(f"{shown} is not allowed: it has to be a text of 1 to 200 characters.\n")


def test_a_folder_that_may_not_be_read(tmp_path: Path) -> None:
    """A folder that may not be read is named, with the reason, in one line."""
    folder = tmp_path / "closed"
    folder.mkdir()
    (folder / "bot.toml").write_text('command = ["true"]')
    folder.chmod(0)
    may_all = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if os.geteuid() == 0 else ()
    ran = subprocess.run(
        [*may_all, *COMMAND, "match", "magpie", "closed", "house:random"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    folder.chmod(0o700)

    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "pitboss: closed/bot.toml: cannot be used: Permission denied\n"


def test_a_file_that_is_not_toml(tmp_path: Path) -> None:
    """The line that is no TOML stands below the error, with a caret at the mistake; what a terminal would obey is
    escaped.
    """
    (tmp_path / "x.toml").write_text('game = "magpie"\nseats = = "\u202e"\n')

    said = f"pitboss: {tmp_path}/x.toml:2: not TOML, column 9: invalid value\n"
    assert run("run", str(tmp_path / "x.toml")) == (2, "", f'{said}    seats = = "\\u202e"\n            ^\n')


def test_a_broken_game_is_one_line_and_status_1(tmp_path: Path) -> None:
    """A game whose code fails is named with what it takes to see it again; it is not the person's mistake."""
    env = install_plugin(tmp_path, "other", OTHER_GAME_PLUGIN.format(deal='raise ValueError("no\\ncards")'))

    ran = run("simulate", "other", "--seed", "s", env=env)

    said = "pitboss: other broke in a random game of 2 players, seed 's/game-1', decision 0: ValueError: no cards\n"
    assert ran == (1, "", said)


def test_a_broken_plugin_is_named_once_and_left_out(tmp_path: Path) -> None:
    """A plugin that cannot be loaded does not stop the command: one line on standard error names it."""
    env = install_plugin(tmp_path, "sick", 'raise OSError("flu\\nfever")')

    ran = run("games", "--json", env=env)

    assert "magpie" in [game["name"] for game in ran.json_value]
    assert ran.status == 0
    assert ran.err == "pitboss: plugin 'sick' (from pitboss-sick 7.0) is broken and was left out: OSError: flu fever\n"


def test_interrupted(tmp_path: Path) -> None:
    """Ctrl-C ends a command with status 130 and not a word."""
    waits = 'print("playing", flush=True); import time; all(time.sleep(0.01) is None for _ in iter(int, 1))'
    env = {**os.environ, **install_plugin(tmp_path, "other", OTHER_GAME_PLUGIN.format(deal=waits))}

    with subprocess.Popen([*COMMAND, "simulate", "other"], stdout=-1, stderr=-1, text=True, env=env) as playing:
        assert playing.stdout is not None
        assert playing.stdout.readline() == "playing\n"
        playing.send_signal(signal.SIGINT)
        _, err = playing.communicate()

    assert (playing.returncode, err) == (130, "")


@first_rows(1)("words", [["--help"], ["games", "magpie"], ["schema", "tournament"], ["games", "--json"]])
def test_standard_output_is_closed(words: list[str]) -> None:
    """A closed pipe, as of `pitboss … | head`, is no reason to complain, and no error."""
    assert run_with_closed_stdout(words, {}) == (0, "")


@pytest.mark.parametrize(
    ("words", "status"),
    [(["games", "magpie"], 0), (["nosuch"], 2), (["compare", "nosuch", "house:first", "house:first"], 3)],
)
@first_rows(1)("closed", ["2>&-", ">&- 2>&-", "<&- >&- 2>&-", "2>&1 | true"])
def test_closed_streams_do_not_change_the_status(words: list[str], status: int, closed: str) -> None:
    """The exit status is that of the command, whichever streams are closed, and whoever has stopped reading."""
    script = f'{shlex.join([*COMMAND, *words])} {closed}; exit "${{PIPESTATUS[0]}}"'

    assert subprocess.run(["bash", "-c", script], capture_output=True, check=False).returncode == status


def test_standard_output_is_closed_at_exit(tmp_path: Path) -> None:
    """Output that was printed but not yet written when a command ends is no reason to complain, either."""
    env = install_plugin(tmp_path, "other", OTHER_GAME_PLUGIN.format(deal='print("x"); raise KeyboardInterrupt'))

    assert run_with_closed_stdout(["simulate", "other"], env) == (130, "")


def run_with_closed_stdout(words: list[str], env: dict[str, str]) -> tuple[int, str]:
    """Run a command whose standard output is a closed pipe; return its status, and what it says on standard error."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, *words],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": "", **env},
    )
    os.close(writing)
    return done.returncode, done.stderr


def test_completion_of_games_and_presets() -> None:
    """Tab offers games, and of the game that stands there presets, options and their few values."""
    assert complete_words(["simulate", "mag"]) == ["magpie"]
    assert complete_words(["simulate", "magpie", "--preset", "g"]) == ["graves"]
    assert complete_words(["simulate", "--seats", "3", "magpie", "-o", "g"]) == ["graves="]
    assert complete_words(["plan", "mag"]) == ["magpie"]
    assert complete_words(["plan", "magpie", "house:random", "--preset", "g"]) == ["graves"]
    assert complete_words(["compare", "magpie", "house:random", "house:first", "-o", "g"]) == ["graves="]
    assert complete_words(["simulate", "magpie", "-o", "graves="]) == ["graves=false", "graves=true"]
    assert complete_words(["schema", "t"]) == ["tournament"]


def test_completion_of_a_preset_loads_one_plugin_only(tmp_path: Path) -> None:
    """A plugin that is named as the game on the line is enough: no other one is loaded."""
    tell_tale = f'open({str(tmp_path / "loaded")!r}, "w").close()'

    assert complete_words(
        ["simulate", "magpie", "--preset", "gr"], env=install_plugin(tmp_path, "slow", tell_tale)
    ) == ["graves"]
    assert not (tmp_path / "loaded").exists()


BASH_WORDS: Final = [
    (["match", "magpie", "house", ":", "fi"], ["first"]),
    (["match", "magpie", "house", ":"], ["random", "first"]),
    (["match", "magpie", "-s", "seating", "=", "mi"], ["mirrored"]),
    (["match", "magpie", "-s", "clock.ga"], ["clock.game_ms="]),
    (["match", "magpie", "house", ":", "first", "-s", "format", "=", "sw"], ["swiss"]),
    (["compare", "mag"], ["magpie"]),
    (["standings", ""], ["games/", "x.pitboss"]),
    (["run", ""], ["games/", "x.toml"]),
    (["help", "league", "in"], ["init"]),
]


@first_rows(1)(("words", "offered"), BASH_WORDS)
def test_completion_in_bash(tmp_path: Path, words: list[str], offered: list[str]) -> None:
    """Bash breaks words at colons and equals signs, and is told what comes behind; no page is offered as a store."""
    for name in ("x.pitboss", "x.toml", "x.html"):
        (tmp_path / name).touch()
    (tmp_path / "games").mkdir()
    (tmp_path / "pitboss").write_text(f'#!/bin/sh\nexec {shlex.join(COMMAND)} "$@"\n')
    (tmp_path / "pitboss").chmod(0o755)
    script = subprocess.run(
        COMMAND, env={**os.environ, "_PITBOSS_COMPLETE": "source_bash"}, capture_output=True, text=True, check=True
    ).stdout
    typed = shlex.join(["pitboss", *words])
    ask = f"COMP_WORDS=({typed}); COMP_CWORD={len(words)}; _pitboss_completion ./pitboss; echo ${{COMPREPLY[@]}}"
    ran = subprocess.run(["bash", "-c", f"{script}\n{ask}"], cwd=tmp_path, capture_output=True, text=True, check=True)

    assert set(offered) <= set(ran.stdout.split()), ran.stderr
    assert words[0] == "match" or "x.html" not in ran.stdout


def test_completion_goes_on_without_broken_plugins(tmp_path: Path) -> None:
    """Tab offers what there is, and does not print errors into the prompt."""
    env = install_plugin(tmp_path, "sick", "raise OSError")

    assert complete_words(["games", "mag"], env=env) == ["magpie"]
