"""Kept standings: those that a run leaves in its store are used as long as they are those of its games."""

from __future__ import annotations

import sqlite3
from array import array
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from pitboss_tournament.audit.store_audit import StoreProblem, find_problems
from pitboss_tournament.cli.tournament_run import play_games
from pitboss_tournament.counting.findings import KeptFindings
from pitboss_tournament.counting.kept import seal_kept
from pitboss_tournament.counting.stored_findings import (
    MIN_KEPT_GAMES,
    StoredFindings,
    keep_findings,
    load_kept_findings,
)
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.statistics.head_to_head import PairedBlocks, pack_meetings
from pitboss_tournament.statistics.packed_matrix import PackedMatrix
from pitboss_tournament.statistics.proven_ranks import RankRange
from pitboss_tournament.store.header import make_header
from pitboss_tournament.store.store import Store
from tests.marks import first_rows
from tests.tournament.report_stores import write_tournament_store
from tests.tournament.small_tournaments import make_plan, open_tournament, zoo_entrant

BOTS = ("bot-00", "bot-01", "bot-02")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Return a store that keeps standings, of as many games as that takes, open as a run has it."""
    path = write_tournament_store(tmp_path, len(BOTS), 2, MIN_KEPT_GAMES // 2)
    made = make_plan(path, *(zoo_entrant("good", name) for name in BOTS))
    with closing(Store.for_run(path, make_header(made, "1", "0.1"))) as found:
        keep_findings(found)
        yield found


def test_they_are_those_of_the_games(store: Store) -> None:
    """All that is shown of kept standings is what the games say."""
    kept = StoredFindings(store)
    assert load_kept_findings(store) is not None
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("delete from kept_standings")
    of_games = StoredFindings(store)

    assert load_kept_findings(store) is None
    assert list_bot_rows(kept) == list_bot_rows(of_games)
    assert kept.dump() == of_games.dump()
    assert kept.anytime == of_games.anytime
    assert kept.rank_ranges == of_games.rank_ranges
    assert kept.ratings == of_games.ratings


def test_those_of_results_that_are_scored_anew(tmp_path: Path) -> None:
    """The standings kept of results that are scored anew are computed in the same way by an audit, which finds nothing
    wrong with matchpoints.
    """
    path = write_tournament_store(tmp_path, len(BOTS), 2, MIN_KEPT_GAMES // 2)
    made = make_plan(path, *(zoo_entrant("good", name) for name in BOTS), score="matchpoints")
    with closing(Store.for_run(path, make_header(made, "1", "0.1"))) as store:
        keep_findings(store)
        assert load_kept_findings(store) is not None
        told = [str(problem) for problem in find_problems(store)]

    assert [line for line in told if "standings" in line] == []


def test_standings_of_other_bots(store: Store) -> None:
    """Standings of other bots that somebody has put into a store are not taken for those of its tournament."""
    kept = load_kept_findings(store)
    assert kept is not None
    expected = list_bot_rows(StoredFindings(store))
    for wrong in (
        replace(kept, tally=replace(kept.tally, games_of=[7])),
        replace(kept, meetings=replace(kept.meetings, pairs=pack_meetings({(0, 7): PairedBlocks()}))),
        replace(kept, ranks=replace(kept.ranks, order=[0, 1, 7])),
        replace(kept, ranks=replace(kept.ranks, worse=[b"\xff"] * 3)),
        replace(kept, cycles=[(0, 1, 7)]),
        replace(kept, ratings=replace(kept.ratings, covariance=PackedMatrix("d", 3, b"short"))),
    ):
        store.kept.write_standings(seal_kept(wrong))
        assert load_kept_findings(store) is None
        assert list_bot_rows(StoredFindings(store)) == expected


def test_ranks_and_cycles_are_kept(store: Store) -> None:
    """A store keeps the ranks and cycles that the end of a run found, as long as the test is the same."""
    kept = load_kept_findings(store)
    assert kept is not None
    other = replace(kept, ranks=replace(kept.ranks, worse=[b"\0"] * 3), cycles=[(0, 1, 2)])
    store.kept.write_standings(seal_kept(other))

    assert {RankRange(1, 3)} == {*StoredFindings(store).rank_ranges.values()}
    assert [(0, 1, 2)] == StoredFindings(store).cycles
    store.kept.write_standings(seal_kept(replace(other, anytime=not kept.anytime)))
    assert {RankRange(1, 3)} != {*StoredFindings(store).rank_ranges.values()}


def test_with_another_anchor_the_games_are_read(store: Store) -> None:
    """The rating of the anchor is 0, and kept ratings are by the header's."""
    found = StoredFindings(store, anchor="bot-00")

    assert found.ratings.rating_of(0).points.mean == 0 != StoredFindings(store).ratings.rating_of(0).points.mean


@pytest.mark.parametrize(
    "change",
    [
        "insert into games select 100000, result, record, checksum from games where id = 7",
        "update games set result = replace(result, '900', '901') where id = 7",
        "delete from games where id = 7",
        "update tournament set header = replace(header, 'magpie', 'magpie ')",
    ],
)
def test_whatever_changes_games_or_header_forgets_them(store: Store, change: str) -> None:
    """A change of games or header forgets kept standings: the file itself sees to that, whichever program
    changes it.
    """
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute(change)

    assert load_kept_findings(store) is None


@pytest.mark.long
def test_of_other_code_or_unreadable(store: Store) -> None:
    """Kept standings of other code, or that are unreadable, are not used, and are no problem of the store."""
    kept = load_kept_findings(store)
    assert kept is not None

    for encoded in (b"another version " + msgspec.msgpack.encode(kept), seal_kept(kept)[:-1], b"\xc1", b""):
        store.kept.write_standings(encoded)
        assert load_kept_findings(store) is None
        assert StoredFindings(store).tally.games == MIN_KEPT_GAMES
        assert not list(_find_problems_of_standings(store))


def test_forged_ones_are_found(store: Store) -> None:
    """`pitboss integrity` computes kept standings again, and finds forged ones."""
    kept = load_kept_findings(store)
    assert kept is not None
    assert not list(_find_problems_of_standings(store))

    better = msgspec.convert(msgspec.to_builtins(kept), KeptFindings, strict=False)
    better.tally.wins[0].mean += 0.01
    store.kept.write_standings(seal_kept(better))
    assert list(_find_problems_of_standings(store))


@first_rows(1)("factor", [1 + 1e-12, 1.01])
def test_covariances_are_compared_as_numbers(store: Store, factor: float) -> None:
    """Another processor rounds them in another way; more than that is a problem."""
    kept = load_kept_findings(store)
    assert kept is not None
    cells = array("d", kept.ratings.covariance.cells)
    cells[0] *= factor

    ratings = replace(kept.ratings, covariance=replace(kept.ratings.covariance, cells=cells.tobytes()))
    store.kept.write_standings(seal_kept(replace(kept, ratings=ratings)))

    assert (factor == 1.01) == any(_find_problems_of_standings(store))


def test_readers_do_not_change_a_store(tmp_path: Path) -> None:
    """A reader that only shows standings keeps none in the store."""
    path = write_tournament_store(tmp_path, len(BOTS), 2, MIN_KEPT_GAMES // 2)
    before = path.read_bytes()

    assert StoredFindings(Store(path)).standings
    assert before == path.read_bytes()
    assert load_kept_findings(Store(path)) is None


def test_a_run_keeps_them_at_its_end(tmp_path: Path) -> None:
    """A run, also one that had nothing left to play, keeps standings at its end; of a few games none are kept."""
    for blocks in (MIN_KEPT_GAMES // 2, 10):
        path = write_tournament_store(tmp_path, 2, 2, blocks)
        made = make_plan(path, *(zoo_entrant("good", name) for name in BOTS[:2]), deals=blocks)
        tournament = open_tournament(made)
        play_games(tournament, as_events=False, is_quiet=True)

        assert (blocks > 10) == (load_kept_findings(tournament.store) is not None)
        tournament.store.close()


def _find_problems_of_standings(store: Store) -> Iterator[StoreProblem]:
    return (problem for problem in find_problems(store) if "standings" in str(problem))
