"""`pitboss replay` in a terminal: a person presses keys, and junk is not taken for one."""

from __future__ import annotations

import re
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from pitboss_tournament.league.book import Book
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
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
    store: Path, *lines: str, columns: int = 80, words: tuple[str, ...] = (), last_key: str = "", status: int = 0
) -> list[str]:
    """Replay game 0 in a terminal, type these lines and perhaps a key after them, and return what stands between the
    prompts.
    """
    said = run_in_terminal(
        *("replay", str(store), "0", *words),
        typed="".join([*(f"{line}\n" for line in lines), last_key]),
        columns=columns,
        lines=40,
        status=status,
        PYTHONIOENCODING="utf-8:strict",  # as in most locales
    )
    return re.split(r"\[\d+/\d+\] Enter: next, b: back, t: table, 0-\d+: go there, q: quit: ", said)


@pytest.mark.long
def test_stepping_through_a_game(store: Path) -> None:
    """Enter goes on, b goes back, a number goes there, q stops."""
    _, one, two, back, there, end = replay_with_input(store, "", "", "b", "3", "q")

    assert [page.lstrip()[:2] for page in (one, two, back, there)] == ["1.", "2.", "1.", "3."]
    assert end.strip() == ""


@pytest.mark.long
def test_the_whole_table(store: Path) -> None:
    """The next page has what has changed, t shows all of the table, as going back does, or --whole always."""
    _, changed, table, _ = replay_with_input(store, "", "t", "q")
    _, whole, _ = replay_with_input(store, "", "q", words=("--whole",))

    assert len(changed.splitlines()) < len(table.splitlines())
    assert set(changed.splitlines()) < set(table.splitlines())
    assert whole == table


@pytest.mark.long
def test_to_the_next_fault(tmp_path: Path) -> None:
    """Where a bot did wrong, f goes there, and on to the first one after the last."""
    crashes = f"{sys.executable} -S {BOT_TESTS / 'zoo' / 'crashes_later.py'}"
    path = tmp_path / "x.pitboss"
    run_pitboss("match", "magpie", crashes, "house:random", *LONG, "--store", str(path))
    said = run_in_terminal("replay", str(path), "0", typed="f\nf\nq\n", columns=100, lines=40)
    pages = re.split(r"\[\d+/\d+\] Enter: .*, f: fault, .*q: quit: ", said)

    assert "crashed: exited with status" in pages[1]
    assert pages[2].splitlines()[1:3] == pages[1].splitlines()[1:3]


def test_one_decision(store: Path) -> None:
    """`replay STORE GAME DECISION` prints that decision alone, with the whole table; `replay STORE` prints the first
    game.
    """
    whole, one = run_pitboss("replay", str(store), "0").out, run_pitboss("replay", str(store), "0", "3").out
    beyond = run_pitboss("replay", str(store), "0", "9999")

    assert "\n3. " in one
    assert "\n2. " not in one
    assert "\n4. " not in one
    assert run_pitboss("replay", str(store)).out == whole
    assert (beyond.status, beyond.out) == (2, "")
    assert "game 0 has no decision 9999; its decisions are numbered 1 to " in beyond.err


def test_the_end_of_input(store: Path) -> None:
    """Ctrl-D stops, as q does."""
    _, one, end = replay_with_input(store, "", last_key="\x04")

    assert one.lstrip().startswith("1. ")
    assert end.strip("^D\b\r\n ") == ""


def test_back_from_the_deal(store: Path) -> None:
    """Before the deal there is nothing: it is shown again."""
    assert "deal, " in replay_with_input(store, "b", "q")[1]


def test_arrow_keys(store: Path) -> None:
    """The arrow to the right leads on, that to the left back."""
    _, on, back, _ = replay_with_input(store, "\x1b[C", "\x1b[D", "q")

    assert on.lstrip("^[C\r\n ").startswith("1. ")
    assert "deal, " in back


@first_rows(1)("junk", ["hm", "-1", "1.5", "9999", "²", "\udcff"])
def test_junk_is_not_taken_for_next(store: Path, junk: str) -> None:
    """Input that is no key is reported, and the question with the allowed keys is asked again, on the same page."""
    _, said, after, _ = replay_with_input(store, junk, "", "q")

    assert said.splitlines()[-1] == f"not understood: {junk!r}".replace("\\udcff", "\ufffd")
    assert after.lstrip().startswith("1. ")


def test_enter_on_the_last_page(store: Path) -> None:
    """After the end there is no next page: it stops."""
    pages = replay_with_input(store, "1", *[""] * 40)

    assert "The game is over." in pages[-2]


@first_rows(1)("columns", [60, 80])
def test_nothing_is_wider_than_the_terminal(store: Path, columns: int) -> None:
    """A replay is never wider than the terminal, also with the list of what was legal."""
    text = "\n".join(replay_with_input(store, *[""] * 40, columns=columns, words=("--legal",)))

    assert "    0: draw" in text
    assert max(map(len, text.splitlines()[1:])) <= columns  # the first line has the seed, which is not cut


def make_old(path: Path, begin: int = 0) -> None:
    """Let version 0.9 have played the games of a store, whose records begin with the decision `begin` then."""
    Book(path).close()  # with the audit trail, as `rejudge` is for leagues
    with closing(Store(path)) as store:
        old = replace(store.header, game_version="0.9")
        records = [(number, replace(one, game_version="0.9")) for number, one in store.records()]
        packed = [(number, store.packer.pack(replace(one, decisions=one.decisions[begin:]))) for number, one in records]
        store.rejudge(old, packed, [], ("host", "rejudged", "to 0.9"))


def test_games_of_another_version(store: Path, tmp_path: Path) -> None:
    """Games of another version are read and replayed, with a sentence; a run does not carry on with them, and
    `integrity` does not claim that they replay.
    """
    path = tmp_path / "old.pitboss"
    shutil.copy(store, path)
    make_old(path)
    note = "played by version 0.9 of magpie, replayed by version 1, whose rules may differ"

    shown, now = run_pitboss("replay", str(path), "0"), run_pitboss("replay", str(store), "0")
    checked = run_pitboss("replay", str(path), "--check")
    whole = run_pitboss("integrity", "--replay", str(path))
    again = run_pitboss("match", "magpie", "house:first", "house:random", *SHORT, "--store", str(path))
    page = tmp_path / "x.html"
    run_pitboss("replay", str(path), "0", "--html", str(page))

    assert (shown.status, " ".join(shown.out.split()).count(note)) == (0, 1)
    assert shown.out.splitlines()[-5:] == now.out.splitlines()[-5:]
    assert (checked.status, checked.err) == (0, f"pitboss: {note}\n")
    assert "replay as they were recorded" in checked.out
    assert (whole.status, "not replayed: they were played by version 0.9" in whole.err) == (0, True)
    assert "replays as it was recorded" not in whole.out
    assert (again.status, "game_version" in again.err) == (2, True)
    assert f"({note})</title>" in page.read_text()


@pytest.mark.long
def test_rules_that_differ(tmp_path: Path) -> None:
    """A game that another version has played, and that the installed one cannot replay: the sentence names both, and
    what came before is shown.
    """
    path = tmp_path / "x.pitboss"
    run_pitboss("match", "magpie", "house:first", "house:random", *SHORT, "--store", str(path))
    make_old(path, begin=1)

    shown = run_pitboss("replay", str(path), "0")
    page = run_pitboss("replay", str(path), "0", "--html", str(tmp_path / "x.html"))
    [start, end] = replay_with_input(path, "q", status=1)

    assert "seat 0 " in start
    assert "decision 1: Drop(" in end
    assert shown.status == 1
    assert "played by version 0.9 of magpie" in " ".join(shown.out.split())
    assert "decision 1: Drop(" in shown.err
    assert "decision 1: Drop(" in page.err
    assert page.err.endswith("whose rules may differ\n")
