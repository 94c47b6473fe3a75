"""`pitboss replay` in a terminal: a person presses keys, and junk is not taken for one."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.tournament.command_line import run_pitboss
from tests.tournament.play_terminal import run_in_terminal
from tests.tournament.small_tournaments import BOT_TESTS

pytestmark = pytest.mark.once

LONG = ("--seats", "2", "-o", "turns=12", "--deals", "1", "--seed", "s", "--sandbox", "none")
SHORT = ("--seats", "2", "-o", "turns=3", "--deals", "1", "--seed", "s")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the store of a short match."""
    path = tmp_path_factory.mktemp("replay") / "x.pitboss"
    ran = run_pitboss("match", "magpie", "house:first", "house:random", *SHORT, "--store", str(path))
    assert ran.status == 0, ran.err
    return path


def replay_with_input(
    store: Path, *lines: str, columns: int = 80, words: tuple[str, ...] = (), last_key: str = ""
) -> list[str]:
    """Replay game 0 in a terminal, type these lines and perhaps a key after them, and return what stands between the
    prompts.
    """
    said = run_in_terminal(
        *("replay", str(store), "0", *words),
        typed="".join([*(f"{line}\n" for line in lines), last_key]),
        columns=columns,
        lines=40,
        PYTHONIOENCODING="utf-8:strict",  # as in most locales
    )
    return re.split(r"\[\d+/\d+\] Enter: next, b: back, t: table, 0-\d+: go there, q: quit: ", said)


def test_stepping_through_a_game(store: Path) -> None:
    """Enter goes on, b goes back, a number goes there, q stops."""
    _, one, two, back, there, end = replay_with_input(store, "", "", "b", "3", "q")

    assert [page.lstrip()[:2] for page in (one, two, back, there)] == ["1.", "2.", "1.", "3."]
    assert end.strip() == ""


def test_the_whole_table(store: Path) -> None:
    """The next page has what has changed, t shows all of the table, as going back does, or --whole always."""
    _, changed, table, _ = replay_with_input(store, "", "t", "q")
    _, whole, _ = replay_with_input(store, "", "q", words=("--whole",))

    assert len(changed.splitlines()) < len(table.splitlines())
    assert set(changed.splitlines()) < set(table.splitlines())
    assert whole == table


def test_to_the_next_fault(tmp_path: Path) -> None:
    """Where a bot did wrong, f goes there, and on to the first one after the last."""
    crashes = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'crashes_later.py'}"
    path = tmp_path / "x.pitboss"
    run_pitboss("match", "magpie", crashes, "house:random", *LONG, "--store", str(path))
    said = run_in_terminal("replay", str(path), "0", typed="f\nf\nq\n", columns=100, lines=40)
    pages = re.split(r"\[\d+/\d+\] Enter: .*, f: fault, .*q: quit: ", said)

    assert "crashed: exited with status" in pages[1]
    assert pages[2].splitlines()[1:3] == pages[1].splitlines()[1:3]


def test_the_end_of_input(store: Path) -> None:
    """Ctrl-D stops, as q does."""
    _, one, end = replay_with_input(store, "", last_key="\x04")

    assert one.lstrip().startswith("1. ")
    assert end.strip("^D\b\r\n ") == ""


def test_back_from_the_deal(store: Path) -> None:
    """Before the deal there is nothing: it is shown again."""
    assert "deal, " in replay_with_input(store, "b", "q")[1]


@pytest.mark.parametrize("junk", ["hm", "-1", "1.5", "9999", "²", "\udcff"])
def test_junk_is_not_taken_for_next(store: Path, junk: str) -> None:
    """What is not a key is said to be none, and the question with what is allowed is asked again, on the same page."""
    _, said, after, _ = replay_with_input(store, junk, "", "q")

    assert said.splitlines()[-1] == f"not understood: {junk!r}".replace("\\udcff", "\ufffd")
    assert after.lstrip().startswith("1. ")


def test_enter_on_the_last_page(store: Path) -> None:
    """After the end there is no next page: it stops."""
    pages = replay_with_input(store, "1", *[""] * 40)

    assert "The game is over." in pages[-2]


@pytest.mark.parametrize("columns", [60, 80])
def test_nothing_is_wider_than_the_terminal(store: Path, columns: int) -> None:
    """With the list of what was legal too."""
    text = "\n".join(replay_with_input(store, *[""] * 40, columns=columns, words=("--legal",)))

    assert "    0: draw" in text
    assert max(map(len, text.splitlines()[1:])) <= columns  # the first line has the seed, which is not cut
