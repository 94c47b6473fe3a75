"""A league that plays: its versions come and go, and kills lose no finished game."""

from __future__ import annotations

import math
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from time import sleep
from typing import Final

import msgspec
import pytest

from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.counting.live_counts import LiveCounts
from pitboss_tournament.league.book import Book
from pitboss_tournament.league.league_field import draw_up_field
from pitboss_tournament.league.league_folder import read_league
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.running.tournament import Tournament
from pitboss_tournament.statistics.head_to_head import unpack_meetings
from pitboss_tournament.store.store import Store
from tests.league.archives import GOOD_BOT, make_bot_tar
from tests.league.league_process import TIMEOUT_S, LeagueProcess, make_league, run_league, wait_until
from tests.league.page_visitor import PageVisitor
from tests.plugins import load_registry
from tests.tournament.command_line import run_pitboss
from tests.tournament.small_tournaments import load_magpie

pytestmark = pytest.mark.once

RULES: Final = """

placing_games = 4
deals = 1
[faults]
disqualify_after = 3
"""
CRASHING_BOT: Final = GOOD_BOT.replace(b'\'{"type":"act"', b'\'{"type":"nonsense"')


def submit(league: LeagueProcess, name: str, token: str, program: bytes = GOOD_BOT, mark: str = "") -> int:
    """Submit a bot whose files are like no other's; return the number of the submission."""
    answer = league.put(name, token, make_bot_tar({"bot.py": program, "mark.txt": f"{name}{mark}".encode()}))
    assert answer.status == 202, answer.value
    return int(answer.value["number"])


def read_book(folder: Path) -> dict[str, Submission]:
    """Return the submissions of a league by label."""
    with closing(Book(folder / "league.pitboss")) as book:
        return {one.label: one for one in book.submissions()}


def count_games(folder: Path) -> int:
    """Return the number of games in the store of a league; 0 if it has no tournament yet."""
    with closing(sqlite3.connect(folder / "league.pitboss")) as db:
        if not db.execute("select 1 from sqlite_master where name = 'games'").fetchone():
            return 0
        [(games,)] = db.execute("select count(*) from games")
    return int(games)


def list_playing(folder: Path) -> set[str]:
    """Return the labels of the versions that play from the next round on."""
    with closing(Store(folder / "league.pitboss")) as store:
        return {store.header.labels[bot] for bot in store.header.rosters[-1].entries}


def wait_for_states(league: LeagueProcess, states: Mapping[str, str]) -> None:
    """Wait until versions are in these states."""

    def is_so() -> bool:
        known = read_book(league.folder)
        return all(label in known and known[label].state == state for label, state in states.items())

    wait_until(league, is_so)


def wait_for_games(league: LeagueProcess, more: int) -> None:
    """Wait until so many more games are in the store."""
    before = count_games(league.folder)
    wait_until(league, lambda: count_games(league.folder) >= before + more)


def play_first_games(league: LeagueProcess, tokens: Mapping[str, str]) -> None:
    """Submit two bots, and wait for some games between them."""
    submit(league, "fox", tokens["ada"])
    submit(league, "owl", tokens["bob"])
    wait_for_games(league, 3)


@pytest.mark.long
def test_versions_come_and_go_while_games_are_played(tmp_path: Path) -> None:
    """Two bots play as soon as they are valid; a third joins, a new version takes the place of its elder, one leaves. A
    bot that forfeits too often is taken out, and does not come back by the same files. All games are in the store.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    with run_league(folder, "--workers", "2") as league:
        submit(league, "fox", tokens["ada"])
        owl = submit(league, "owl", tokens["bob"])
        wait_for_states(league, {"fox@1": "playing", "owl@1": "playing"})
        submit(league, "hen", tokens["ada"])
        submit(league, "bad", tokens["bob"], CRASHING_BOT)
        wait_for_states(league, {"hen@1": "playing", "bad@1": "retired"})
        again = league.put("bad", tokens["bob"], make_bot_tar({"bot.py": CRASHING_BOT, "mark.txt": b"bad"}))
        assert (again.status, "it forfeited" in again.value["error"]) == (409, True), again.value
        submit(league, "fox", tokens["ada"], mark="2")
        wait_for_states(league, {"fox@1": "retired", "fox@2": "playing"})
        assert league.ask("DELETE", f"/api/submissions/{owl}", tokens["bob"]).status == 200
        wait_until(league, lambda: "owl" not in list_playing(folder))
        wait_for_games(league, 10)
    with closing(Store(folder / "league.pitboss")) as store:
        assert list(find_problems(store, load_magpie())) == []
        header = store.header
        results = list(store.results())
        assert header.labels == ["fox@1", "owl", "hen", "bad", "fox@2"]
        assert list_playing(folder) == {"hen", "fox@2"}
        assert [header.owners[bot] for bot in range(5)] == ["ada", "bob", "ada", "bob", "ada"]
        assert [entry.why for entry in header.entries] == ["replaced by fox@2", "retired", None, "retired", None]
        last = {bot: max(r.game_id for r in results if bot in {s.entrant for s in r.seats}) for bot in range(5)}
        assert max(last[2], last[4]) > max(last[0], last[1], last[3])


@pytest.mark.long
def test_a_league_that_is_stopped_as_it_begins(tmp_path: Path) -> None:
    """A league that is stopped while it begins, also while the games are taken up, ends in good order."""
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    with run_league(folder) as league:
        play_first_games(league, tokens)
    for tenths in (1, 3, 5):
        with run_league(folder) as league:
            sleep(tenths / 10)
            league.process.terminate()
            assert league.process.wait(TIMEOUT_S) == 128 + signal.SIGTERM
        with closing(Store(folder / "league.pitboss")) as store:
            assert store.unended_run() is None


@pytest.mark.long
def test_games_in_progress_are_let_end(tmp_path: Path) -> None:
    """`pitboss stop --after-running` ends the league after them, with exit status 0; the next run goes on."""
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    with run_league(folder) as league:
        play_first_games(league, tokens)
        stopped = run_pitboss("stop", "--after-running", str(folder / "league.pitboss"))
        assert stopped.status == 0, stopped.err
        assert league.process.wait(TIMEOUT_S) == 0
    games = count_games(folder)
    with run_league(folder) as league:
        wait_for_games(league, 1)
    assert count_games(folder) > games


@pytest.mark.long
@pytest.mark.parametrize("word", ["--no-play", "--workers=1"])
def test_a_league_that_plays_nothing_is_stopped(tmp_path: Path, word: str) -> None:
    """`pitboss stop` ends a league that only serves its pages, and one whose games have not begun."""
    folder = tmp_path / "course"
    make_league(folder)
    store = folder / "league.pitboss"

    with run_league(folder, word) as league:
        stopped = run_pitboss("stop", "--after-running", str(store))
        assert stopped.status == 0, stopped.err
        assert stopped.out == (
            f"Process {league.process.pid} serves {folder}, and plays no game; it has been asked to stop …\n"
            "It has stopped. 0 games are kept.\n"
        )
        assert league.process.wait(TIMEOUT_S) != 0

    assert run_pitboss("stop", str(store)).out == f"No run is playing {store}. 0 games are kept.\n"


def test_a_change_of_a_league_is_not_stopped(tmp_path: Path) -> None:
    """`pitboss stop` breaks off no process that changes a league, and does not listen: it says to wait."""
    folder = tmp_path / "course"
    make_league(folder)
    code = (
        "import fcntl, os, sys; place = os.open(sys.argv[1], os.O_RDONLY); fcntl.flock(place, fcntl.LOCK_EX); "
        "print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(folder / "uploads")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        stopped = run_pitboss("stop", str(folder / "league.pitboss"))
        assert process.poll() is None
        process.communicate()

    assert stopped.status == 2
    assert f"process {process.pid} begins or changes this league; wait for its end" in stopped.err


def test_a_version_whose_files_changed(tmp_path: Path) -> None:
    """A version whose files changed plays no more, at no cost to its owner, and the others play on; the host is told
    what changed. Once its files are what they were, the version plays again.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    with run_league(folder, "--no-play") as league:
        for name in ("fox", "owl", "hen"):
            league.wait(submit(league, name, tokens["ada"]), tokens["ada"])
    file = folder / "bots" / read_book(folder)["owl@1"].digest / "bot.py"
    old = file.read_bytes()
    with run_league(folder) as league:
        wait_for_games(league, 6)
        file.chmod(0o644)
        file.write_bytes(old + b"# other\n")
        wait_until(league, lambda: list_playing(folder) == {"fox", "hen"})
    with closing(Store(folder / "league.pitboss")) as store:
        faults = [seat.fault for result in store.results() for seat in result.seats]
    status = run_pitboss("league", "status", str(folder))
    file.write_bytes(old)
    with run_league(folder) as league:
        wait_until(league, lambda: len(list_playing(folder)) == 3)

    assert not any(faults)
    assert {one.state for one in read_book(folder).values()} <= {"placing", "playing"}
    assert "owl@1 of ada cannot play: bot.py in " in (folder / "run.log").read_text()
    assert "owl@1 of ada does not play: " in status.out


@pytest.mark.long
def test_kills_lose_no_finished_game(tmp_path: Path) -> None:
    """A league that is stopped and killed again and again has all games that it had, each once.

    It goes on at its checkpoint as one that reads all of its games.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    had: set[int] = set()
    for run in range(4):
        with run_league(folder, "--workers", "2") as league:
            submit(league, f"bot{2 * run}", tokens["ada"])
            submit(league, f"bot{2 * run + 1}", tokens["bob"])
            wait_for_games(league, 8)
            with closing(Store(folder / "league.pitboss")) as store:
                assert had <= set(store.game_ids())
                had = set(store.game_ids())
            if run % 2:
                league.kill()
    with closing(Store(folder / "league.pitboss")) as store:
        assert had <= set(store.game_ids())
        assert store.rounds.list_checkpoint_parts()
        assert list(find_problems(store, load_magpie())) == []
    whole = take_up(folder, tmp_path / "whole.pitboss", "delete from checkpoint")
    resumed = take_up(folder, tmp_path / "resumed.pitboss", "")
    assert list_differences(resumed, whole) == []


@pytest.mark.long
def test_the_ladder_of_a_league_that_is_started_again(tmp_path: Path) -> None:
    """A league that is started again has its games on the ladder from the first answer on, also when too few versions
    are left for a table.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES)
    with run_league(folder, "--workers", "2") as league:
        numbers = [submit(league, name, tokens[owner]) for name, owner in (("fox", "ada"), ("owl", "bob"))]
        wait_for_games(league, 12)
        league.kill()
    had = count_games(folder)

    with run_league(folder, "--workers", "2") as league:
        first = league.ask("GET", "/api/ladder").value
        for number, owner in zip(numbers, ("ada", "bob"), strict=True):
            assert league.ask("DELETE", f"/api/submissions/{number}", tokens[owner]).status == 200
    with run_league(folder) as league:
        idle = league.ask("GET", "/api/ladder").value
        again = league.put("fox", tokens["ada"], make_bot_tar({"bot.py": GOOD_BOT, "mark.txt": b"fox"}))
        wait_until(league, lambda: bool(league.ask("GET", "/api/ladder").value["newcomers"]))

    assert first["games"] >= had
    assert idle["games"] >= had
    assert ([line["bot"] for line in idle["retired"]], again.status) == (["owl", "fox"], 202)


@pytest.mark.long
def test_the_log_of_the_game_that_put_a_version_out(tmp_path: Path) -> None:
    """The owner of a version that was put out reads the log of that game, though the other games of the deal are never
    played.
    """
    folder = tmp_path / "course"
    tokens = make_league(folder, rules=RULES.replace("disqualify_after = 3", "disqualify_after = 1"))
    with run_league(folder, "--workers", "1") as league:
        submit(league, "bad", tokens["bob"], CRASHING_BOT)
        submit(league, "fox", tokens["ada"])
        wait_for_states(league, {"bad@1": "retired"})
        submit(league, "hen", tokens["bob"])
        wait_for_games(league, 4)
        visitor = PageVisitor(league)
        visitor.log_in(tokens["bob"])
        page = visitor.get("/games/0").text

    with closing(Store(folder / "league.pitboss")) as store:
        assert 1 not in store.game_ids()
    assert "the wire" in page
    assert "still being played" not in page


def list_differences(one: object, other: object, where: str = "") -> list[str]:
    """Return where two values of plain data differ, by more than sums that were made in another order do."""
    if isinstance(one, float) and isinstance(other, float):
        return [] if math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) else [f"{where}: {one} and {other}"]
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [line for key in one for line in list_differences(one[key], other[key], f"{where}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for number, (a, b) in pairs for line in list_differences(a, b, f"{where}/{number}")]
    return [] if one == other else [f"{where}: {one} and {other}"]


def take_up(folder: Path, copy: Path, change: str) -> dict[str, object]:
    """Return what a league knows that goes on with a copy of its store, in which something was changed."""
    with closing(sqlite3.connect(folder / "league.pitboss")) as db, closing(sqlite3.connect(copy)) as target:
        db.backup(target)
        target.execute(change)
        target.commit()
    league = read_league(folder, load_registry())
    with closing(Book(copy)) as book, closing(Store(copy)) as store:
        field = draw_up_field(league, book.submissions(), store.header, workers=1).begin_in(1 << 30)
        live = LiveCounts(store.header)
        tournament = Tournament(field.plan, league.game, store, live=live)
        found = Findings(live._counts, anytime=True)
        known = {
            "totals": live.tally.dump(),
            "open": sorted(result.game_id for block in live.tally.open_blocks for result in block),
            "rounds": tournament.progress.keep_state(),
            "counted": tournament.progress.list_counted(),
            "ratings": found.rate_bots().lines,
            "meetings": sorted(unpack_meetings(found.meetings.totals().pairs).items()),
        }
        return {name: msgspec.json.decode(msgspec.json.encode(value)) for name, value in known.items()}
