"""Games of a league that are judged again by another version of the game."""

from __future__ import annotations

import os
import shutil
import subprocess
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss_tournament.league.book import Book
from pitboss_tournament.store.rows import void_game
from pitboss_tournament.store.store import Store
from pitboss_tournament.store.store_lock import acquire_lock
from tests.league.league_process import run_league, wait_until
from tests.league.sealed_leagues import make_valid_league, play_league
from tests.plugins import METADATA, PACKAGE
from tests.tournament.command_line import COMMAND, CommandResult, run_pitboss

pytestmark = pytest.mark.once
GAMES: Final = 24
NEW_VERSION: Final = """
    from pitboss import Outcome
    from pitboss.errors import IllegalAction
    from pitboss.plugins.hookspec import hookimpl
    from pitboss_magpie.magpie import Magpie, MagpieState

    class NewState(MagpieState):
        {change}

    class NewMagpie(Magpie):
        version = "2"

    @hookimpl
    def pitboss_games():
        return [NewMagpie(NewState)]
"""
SAME: Final = "pass"
ONE_MORE: Final = """
        def points(self):
            return [points + (seat == 0 and self.first == 0) for seat, points in enumerate(super().points())]
"""
NO_TAKE: Final = """
        def draw_actions(self):
            return [action for action in super().draw_actions() if self.first or type(action).__name__ == "Lay"]
"""
SHORTER: Final = """
        def end_turn(self, seat):
            if self.first == 0 and self.turns_done == 4:
                self.end_game()
            else:
                super().end_turn(seat)
"""
BROKEN: Final = """
        def points(self):
            raise KeyError("points")
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play some games of a league, once for all tests of this file."""
    folder = tmp_path_factory.mktemp("played") / "course"
    make_valid_league(folder)
    assert play_league(folder) == GAMES
    return folder


@pytest.fixture
def course(played: Path, tmp_path: Path) -> Path:
    """Copy that league."""
    return shutil.copytree(played, tmp_path / "course")


def install_version(folder: Path, change: str) -> dict[str, str]:
    """Install version 2 of Magpie in a folder; return the environment in which it is found."""
    shutil.copytree(METADATA, folder / "plugin")
    [points] = (folder / "plugin").rglob("entry_points.txt")
    points.write_text("[pitboss]\nmagpie = new_magpie\n")
    code = textwrap.dedent(NEW_VERSION).replace("{change}", textwrap.dedent(change).strip().replace("\n", "\n    "))
    (folder / "plugin" / "new_magpie.py").write_text(code)
    return {"PYTHONPATH": os.pathsep.join([str(folder / "plugin"), str(PACKAGE)])}


def rejudge(course: Path, change: str, *words: str) -> CommandResult:
    """Run `pitboss league rejudge` with another version of the game."""
    env = (
        install_version(course.parent, change)
        if not (course.parent / "plugin").exists()
        else {"PYTHONPATH": os.pathsep.join([str(course.parent / "plugin"), str(PACKAGE)])}
    )
    return run_pitboss("league", "rejudge", str(course), *words, env=env)


def check_integrity(course: Path) -> CommandResult:
    """Run `pitboss integrity --replay` with that version."""
    env = {"PYTHONPATH": os.pathsep.join([str(course.parent / "plugin"), str(PACKAGE)])}
    return run_pitboss("integrity", str(course / "league.pitboss"), "--replay", env=env)


def began_by(course: Path, first: int) -> int:
    """Return how many games of Magpie a seat has begun."""
    with closing(Store(course / "league.pitboss")) as store:
        return sum(record.decisions[0].seat == first for _, record in store.records())


def test_the_same_rules_in_another_version(course: Path) -> None:
    """A version with the same rules keeps all games, whole, and of the new version; the trail has the numbers; a second
    time there is nothing to do.
    """
    ran = rejudge(course, SAME)
    again = rejudge(course, SAME)

    assert (ran.status, ran.out, ran.err) == (0, f"magpie 1 -> 2: {GAMES} games kept, 0 void\n", "")
    assert again.out == "The games of the league are of magpie 2: nothing to judge again.\n"
    assert check_integrity(course).status == 0
    with closing(Store(course / "league.pitboss")) as store, closing(Book(course / "league.pitboss")) as book:
        assert (store.header.game_version, store.count_games()) == ("2", GAMES)
        assert {record.game_version for _, record in store.records()} == {"2"}
        last = book.audit()[-1]
        assert (last.who, last.what, last.about) == ("host", "rejudged", ran.out.strip())


@pytest.mark.parametrize(("change", "cause"), [(ONE_MORE, "outcome"), (NO_TAKE, "decision"), (SHORTER, "decision")])
def test_other_rules(course: Path, change: str, cause: str) -> None:
    """The games that other rules concern, those that seat 0 began, are void and gone; the others are kept,
    and replay.
    """
    concerned = began_by(course, 0)
    assert 0 < concerned < GAMES

    found = rejudge(course, change, "--json").json_value

    assert found == {
        "game": "magpie",
        "old_version": "1",
        "new_version": "2",
        "kept": GAMES - concerned,
        "void": concerned,
        "causes": {cause: concerned},
        "is_dry_run": False,
    }
    whole = check_integrity(course)
    assert whole.status == 0, whole.out
    with closing(Store(course / "league.pitboss")) as store:
        assert store.count_games() == GAMES - concerned
        assert store.void_causes() == {"rejudged": concerned}
        assert store.rounds.list_checkpoint_parts() == []


@pytest.mark.long
def test_void_games_are_played_again(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The league goes on by the new rules: first the games that are void are played, at the tables where they were."""
    assert rejudge(course, ONE_MORE).status == 0
    with closing(Store(course / "league.pitboss")) as store:
        void = {one.game_id for one in store.voids()}
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(course.parent / "plugin"), str(PACKAGE)]))
    with run_league(course) as league:
        wait_until(league, lambda: void <= read_games(course))
    assert check_integrity(course).status == 0


def read_games(course: Path) -> set[int]:
    """Return the numbers of the games of a league."""
    with closing(Store(course / "league.pitboss")) as store:
        return set(store.game_ids())


def test_a_dry_run(course: Path) -> None:
    """A dry run counts the games, also while a run has the store, and changes nothing."""
    before = (course / "league.pitboss").read_bytes()
    lock = acquire_lock(course / "league.pitboss")
    try:
        ran = rejudge(course, ONE_MORE, "--dry-run")
    finally:
        os.close(lock)

    concerned = began_by(course, 0)
    assert ran.out.startswith(
        f"magpie 1 -> 2: {GAMES - concerned} games kept, {concerned} void ({concerned} outcome) (nothing is changed)\n"
    )
    assert (course / "league.pitboss").read_bytes() == before


@pytest.mark.long
def test_a_league_that_is_running(course: Path) -> None:
    """The games of a league are not judged again while the league is served, nor while a run has the store."""
    with run_league(course, "--no-play"):
        served = rejudge(course, ONE_MORE)
    lock = acquire_lock(course / "league.pitboss")
    try:
        locked = rejudge(course, ONE_MORE)
    finally:
        os.close(lock)

    assert (served.status, served.err) == (2, f"pitboss: {course}: this league is running; stop it first\n")
    assert (locked.status, locked.err.count("\n")) == (2, 1)
    assert "another run is playing this tournament" in locked.err
    with closing(Store(course / "league.pitboss")) as store:
        assert (store.header.game_version, store.count_games()) == ("1", GAMES)


def test_a_version_that_fails(course: Path) -> None:
    """A bug of the plugin makes no game void: it is told, and nothing is changed."""
    ran = rejudge(course, BROKEN)

    assert (ran.status, ran.out, "Traceback" in ran.err) == (1, "", False)
    assert "KeyError" in ran.err
    with closing(Store(course / "league.pitboss")) as store:
        assert (store.header.game_version, store.count_games()) == ("1", GAMES)


def test_a_league_that_has_not_played(tmp_path: Path) -> None:
    """A league that has not played is an error of one sentence."""
    make_valid_league(tmp_path / "course")

    ran = rejudge(tmp_path / "course", SAME)

    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "the store of a league in which no game has been played yet" in ran.err


@pytest.mark.long
@pytest.mark.parametrize("wait", [0.2, 0.35, 0.5, 0.65, 0.8])
def test_a_kill_in_the_middle(course: Path, wait: float) -> None:
    """A kill at any moment leaves the store whole, of the old version or of the new one, and the same command carries
    on.
    """
    env = {**os.environ, **install_version(course.parent, ONE_MORE)}
    concerned = began_by(course, 0)
    with subprocess.Popen([*COMMAND, "league", "rejudge", str(course)], env=env, stdout=subprocess.DEVNULL) as process:
        sleep(wait)
        process.kill()

    with closing(Store(course / "league.pitboss")) as store:
        assert (store.header.game_version, store.count_games()) in (("1", GAMES), ("2", GAMES - concerned))
        assert [*store.changed_games(), *store.changed_tables()] == []
    assert rejudge(course, ONE_MORE).status == 0
    assert check_integrity(course).status == 0


def test_all_of_it_or_nothing(course: Path) -> None:
    """A rejudging that breaks off while it writes leaves the old records, the old header, and no void game."""
    with closing(Store(course / "league.pitboss")) as store:
        header = replace(store.header, game_version="2")

        def restate_some() -> Iterator[tuple[int, bytes]]:
            yield 3, b"another record"
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            store.rejudge(header, restate_some(), [void_game(1, "rejudged", "")], ("host", "rejudged", "some"))

        assert (store.header.game_version, store.count_games(), store.voids()) == ("1", GAMES, [])
    with closing(Book(course / "league.pitboss")) as book:
        assert book.audit()[-1].what != "rejudged"
    assert run_pitboss("integrity", str(course / "league.pitboss")).status == 0
