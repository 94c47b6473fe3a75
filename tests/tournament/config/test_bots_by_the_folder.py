"""One line names the bots of a class: a pattern of folders, in a file and on the command line; broken ones told."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from pitboss.errors import ConfigError, SeveralErrors
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.bot_checks.bot_under_test import resolve_bot
from pitboss_tournament.cli.exit_status import NO_VERDICT
from pitboss_tournament.config.entrants import expand_pattern, resolve_entrant
from pitboss_tournament.config.tournament_file import load_plan
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.bots.zoo_entrants import ZOO
from tests.marks import first_rows
from tests.tournament.command_line import run_pitboss

FEW = ("--seats", "2", "--deals", "1", "-o", "max_rounds=1", "-o", "max_turns=3", "--seed", "x")
LINE = 'game = "racko"\nseats = 2\nbots = ["submissions/*"]\n'


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """Three bots that play, two that cannot be started or built, and what else lies in such a folder."""
    (tmp_path / "submissions").mkdir()
    for name in ("ada", "grace", "zoe"):
        write_bot(tmp_path, name, 'command = ["{python}", "bot.py"]\n')
    write_bot(tmp_path, "cobol", 'command = ["build/bot"]\nbuild = ["sh", "-c", "echo no compiler; exit 3"]\n')
    write_bot(tmp_path, "typo", 'comand = ["{python}", "bot.py"]\n')
    (tmp_path / "submissions" / ".git").mkdir()
    (tmp_path / "submissions" / "__pycache__").mkdir()
    (tmp_path / "submissions" / "README").write_text("")
    return tmp_path


def write_bot(base: Path, name: str, text: str) -> None:
    """Write a folder with a bot that plays, if the text says how it is started."""
    folder = base / "submissions" / name
    folder.mkdir()
    shutil.copy(ZOO / "good.py", folder / "bot.py")
    shutil.copy(ZOO / "polite.py", folder)
    (folder / "bot.toml").write_text(text)


def test_all_broken_bots_are_named_at_once(base: Path) -> None:
    """All broken bots are named at once, and nothing is played, so that a person who mends the first finds no second at
    the next try.
    """
    (base / "t.toml").write_text(LINE)

    with pytest.raises(SeveralErrors) as caught:
        load_plan(base / "t.toml", Registry())

    told = [str(error) for error in caught.value.errors]
    assert len(told) == 2
    assert "submissions/typo/bot.toml:1: there is no key 'comand'" in told[1]


@pytest.mark.long
@pytest.mark.once
@first_rows(1)(
    "words",
    [("run", "t.toml"), ("match", "racko", "submissions/*", *FEW, "-s", "on_broken=skip")],
    ids=["file", "match"],
)
def test_a_broken_bot_is_named_and_left_out(base: Path, words: Sequence[str]) -> None:
    """A broken bot is named and left out if that is asked for, and the others play."""
    options = "options = { max_rounds = 1, max_turns = 3 }\ndeals = 1\n"
    (base / "t.toml").write_text(f'{LINE}{options}on_broken = "skip"\nseed = "x"\nstore = "racko-x.pitboss"\n')

    ran = run_pitboss(*words, cwd=base)

    assert ran.status == 0, ran.err
    said = " ".join(ran.err.split())
    assert "left out: " in said
    assert "the build command failed with status 3" in said
    assert "there is no key 'comand'" in said
    shown = run_pitboss("standings", "racko-x.pitboss", "--json", cwd=base).json_value
    assert sorted(row["name"] for row in shown["standings"]) == ["ada", "grace", "zoe"]


def test_two_folders_of_one_name(base: Path) -> None:
    """Two folders of one name play under two names, which stay theirs when another folder of that name comes before."""
    shutil.rmtree(base / "submissions" / "cobol")
    (base / "submissions" / "typo" / "bot.toml").write_text('name = "ada"\ncommand = ["{python}", "bot.py"]\n')
    (base / "t.toml").write_text(LINE)

    plan = load_plan(base / "t.toml", Registry())
    Store.for_run(plan.store, make_header(plan, "1", "0")).close()
    shutil.copytree(base / "submissions" / "typo", base / "submissions" / "aaa")
    later = load_plan(base / "t.toml", Registry())
    names = {bot.folder.name: bot.name for bot in later.entrants if bot.folder is not None}

    assert [bot for bot in plan.bots if bot.startswith("ada")] == ["ada", "ada-2"]
    assert "submissions/typo plays as 'ada-2', as there is another 'ada'" in plan.warnings
    assert (names["ada"], names["typo"], names["aaa"]) == ("ada", "ada-2", "ada-3")


def test_what_was_not_unpacked(base: Path) -> None:
    """An archive among the folders is refused by name, not passed over."""
    (base / "submissions" / "ivy 2.ZIP").write_bytes(b"PK")

    assert "submissions/ivy 2.ZIP" in expand_pattern("submissions/*", base)
    assert "submissions/ivy 2.ZIP" not in expand_pattern("submissions/*/", base)
    said = r"'submissions/ivy 2.ZIP' is an archive; unpack it, and name the folder that holds its bot.toml"
    with pytest.raises(ConfigError, match=said):
        resolve_entrant("submissions/ivy 2.ZIP", Registry(), base, "racko")
    with pytest.raises(ConfigError, match=said):
        resolve_bot("submissions/ivy 2.ZIP", Registry(), base, (), Clock(start_ms=1000, decision_ms=1000))


def test_a_folder_in_a_folder(base: Path) -> None:
    """A folder in which an archive was unpacked into a folder of its own is refused with the name of the inner one."""
    (base / "outer").mkdir()
    (base / "submissions" / "zoe").rename(base / "outer" / "zoe")

    with pytest.raises(ConfigError, match=f"holds no bot.toml \\(did you mean '{base}/outer/zoe'\\?\\)"):
        resolve_entrant("outer", Registry(), base, "racko")


def test_what_a_pattern_means(base: Path) -> None:
    """A pattern means folders only, sorted, relative or absolute; a command with a * is no pattern, and a pattern that
    fits none is an error.
    """
    names = ["ada", "cobol", "grace", "typo", "zoe"]
    assert expand_pattern("submissions/*", base) == [f"submissions/{name}" for name in names]
    assert expand_pattern("submissions/*/", base) == [f"submissions/{name}" for name in names]
    assert expand_pattern(f"{base}/sub*/[az]*", Path()) == [f"{base}/submissions/{name}" for name in ("ada", "zoe")]
    assert expand_pattern("python3 bot.py '*'", base) == ["python3 bot.py '*'"]
    assert expand_pattern("house:random", base) == ["house:random"]
    with pytest.raises(ConfigError, match=r"there is no folder 'homework/\*': the pattern fits none"):
        expand_pattern("homework/*", base)


@pytest.mark.long
@pytest.mark.once
def test_bots_that_are_not_there(tmp_path: Path) -> None:
    """Each command names all of them at once, and plays nothing."""
    (tmp_path / "t.toml").write_text('game = "racko"\nbots = ["./no", "./nor", "house:racko"]\n')

    for words in (
        ("run", "t.toml"),
        ("match", "racko", "./no", "./nor", "house:racko"),
        ("compare", "racko", "./no", "./nor"),
    ):
        ran = run_pitboss(*words, cwd=tmp_path)
        named = [line.partition("there is no bot ")[2].partition(":")[0] for line in ran.err.splitlines()]
        assert (words[0], named, ran.out) == (words[0], ["'./no'", "'./nor'"], "")
        assert ran.status == (NO_VERDICT if words[0] == "compare" else 2)

    assert [path.name for path in tmp_path.iterdir()] == ["t.toml"]
