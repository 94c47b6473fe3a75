"""Kept report: the page from what a run leaves in its store is the page from its games."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.audit.store_audit import find_problems
from pitboss_tournament.counting.kept import seal_kept
from pitboss_tournament.counting.pair_choice import MAX_PAIRED_BOTS
from pitboss_tournament.counting.report_findings import KeptReport, MetBots
from pitboss_tournament.counting.stored_findings import (
    MIN_KEPT_GAMES,
    keep_findings,
    load_kept_findings,
    load_kept_report,
)
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.statistics.running_moments import RunningMoments
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.report_stores import write_tournament_store
from tests.tournament.small_tournaments import make_plan, zoo_entrant


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a store of four bots that keeps what a report tells, open as a run has it."""
    with closing(open_store(tmp_path, 4, MIN_KEPT_GAMES // 2)) as found:
        keep_findings(found)
        yield found


def open_store(folder: Path, bots: int, blocks: int) -> Store:
    """Return a new store, open as a run has it."""
    path = write_tournament_store(folder, bots, 2, blocks)
    made = make_plan(path, *(zoo_entrant("good", f"bot-{number:02}") for number in range(bots)))
    return Store.for_run(path, make_header(made, "1", "0.1"))


def test_the_page_is_that_of_the_games(store: Store) -> None:
    """The page of a kept report is that of the games, to the last character."""
    kept = render_report(store)
    assert load_kept_report(store) is not None
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("delete from kept_standings")

    assert load_kept_report(store) is None
    assert kept == render_report(store)


def test_what_is_kept_is_what_is_shown(store: Store) -> None:
    """No game is read for it; with another anchor the games are."""
    write_kept(store, seal_kept(replace(read_kept(store), blocks=4_321)))

    assert "4,321 complete blocks" in render_report(store)
    assert "4,321 complete blocks" not in render_report(store, anchor="bot-00")


def test_a_game_more_forgets_it(store: Store) -> None:
    """A change of the games forgets the report, as it does the standings."""
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("delete from games where id = 7")

    assert load_kept_report(store) is None
    assert load_kept_findings(store) is None


@first_rows(2)("change", ["code", "seats", "pairs", "bots", "bytes"])
def test_another_report(store: Store, change: str) -> None:
    """A report of other code, or one that cannot be of this tournament, is not used."""
    kept, expected = read_kept(store), render_report(store)
    notable = replace(kept.notable, of_bots={9: 1})
    wrong = {
        "code": b"another version " + msgspec.msgpack.encode(kept),
        "seats": seal_kept(replace(kept, seats=[])),
        "pairs": seal_kept(replace(kept, met=[MetBots(0, 9, RunningMoments())])),
        "bots": seal_kept(replace(kept, notable=notable)),
        "bytes": b"\xc1",
    }[change]
    write_kept(store, wrong)

    assert load_kept_report(store) is None
    assert expected == render_report(store)


def test_integrity_finds_a_forged_one(store: Store) -> None:
    """`integrity` computes a kept report again, and finds a forged one."""
    assert not list_problems_of_report(store)

    write_kept(store, seal_kept(replace(read_kept(store), lengths={1: MIN_KEPT_GAMES})))

    assert list_problems_of_report(store)


def test_a_report_of_a_large_field_is_kept(tmp_path: Path) -> None:
    """A report of a large field keeps the pairs that have met: not all of them are shown, and which ones are depends on
    the ranking.
    """
    with closing(open_store(tmp_path, MAX_PAIRED_BOTS + 1, MIN_KEPT_GAMES // 2)) as store:
        of_games = render_report(store)
        keep_findings(store)

        assert len(read_kept(store).met) == MIN_KEPT_GAMES // 2
        assert of_games == render_report(store)


def read_kept(store: Store) -> KeptReport:
    """Return what is kept."""
    kept = load_kept_report(store)
    assert kept is not None
    return kept


def write_kept(store: Store, sealed: bytes) -> None:
    """Keep something else beside the standings."""
    standings = store.kept.standings()
    assert standings is not None
    store.kept.write_standings(standings, sealed)


def list_problems_of_report(store: Store) -> list[str]:
    """Return the problems that are about what is kept for a report."""
    return [problem.text for problem in find_problems(store) if "for a report" in problem.text]
