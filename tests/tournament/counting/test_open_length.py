"""Which tournaments have a number of games that was fixed beforehand: only there tests for a fixed number hold."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from pitboss_tournament.counting.open_length import (
    BOTS_CHANGED,
    DEALS_CHANGED,
    IMPORTED_GAMES,
    INCOMPLETE,
    MAY_STOP,
    NOTHING_PLANNED,
    RESULTS_DECIDE,
    explain_open_length,
)
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.exchange.pooling import merge_stores, open_pooled
from pitboss_tournament.plan.plan import FormatChoice, Roster, StopRules
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.reporting.plain_summary import describe_summary
from pitboss_tournament.store.header import IMPORTED, MERGED
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import SyntheticTournament
from tests.tournament.command_line import run_pitboss
from tests.tournament.parsed_page import ParsedPage
from tests.tournament.stored_games import make_record, make_test_header

GAMES: Final = 40
MATCH: Final = ("--seats", "2", "-o", "turns=3", "-s", "clock.start_ms=60000", "--sandbox", "none", "--seed", "s")


def write_store(
    path: Path, runs: Sequence[tuple[int, int | None]] = ((0, GAMES),), *, seed: str = "s", **changes: object
) -> Path:
    """Write a store of forty games of two bots that are far apart, with these runs: games played then, and planned."""
    header = replace(make_test_header(path.parent), seed=seed, **changes)
    world = SyntheticTournament(strengths=(2.0, -2.0), seats=2)
    with closing(Store.for_run(path, header)) as store:
        games = []
        for number, game in enumerate(world.games(GAMES // 2, Random(seed))):
            players = [header.bots[seat.entrant] for seat in game.seats]
            record = replace(make_record(number, f"{seed}/{number // 2}"), players=players)
            games.append((replace(game, game_id=number), store.packer.pack(record), ()))
        store.add(games)
        for played, total in runs:
            store.begin_run(played, total)
    return path


def explain(path: Path) -> str | None:
    """Return why the length of a stored tournament is open."""
    store = Store(path)
    return explain_open_length(store, store.count_games())


@pytest.mark.parametrize(
    ("runs", "why"),
    [
        ([], None),  # written by hand, or by an early version
        ([(0, 40)], None),
        ([(0, 40), (10, 40), (26, 40)], None),  # broken off, and carried on to its number
        ([(0, 40), (40, 20), (40, 40)], None),  # fewer deals, then as many as before: nothing was played
        ([(0, 60), (0, 20), (0, 40)], None),  # changed before there was a result to look at
        ([(0, 60)], INCOMPLETE),
        ([(0, 20), (20, 40)], DEALS_CHANGED),
        ([(0, 60), (10, 40)], DEALS_CHANGED),  # fewer, after the first ones had been seen
        ([(0, 40), (10, 20), (20, 40)], DEALS_CHANGED),
        ([(0, None)], NOTHING_PLANNED),
    ],
)
def test_runs_that_planned_so_many_games(tmp_path: Path, runs: list[tuple[int, int | None]], why: str | None) -> None:
    """The number is fixed if it is the one that was planned before the first result."""
    assert explain(write_store(tmp_path / "x.pitboss", runs)) == why


def test_tournaments_of_open_length(tmp_path: Path) -> None:
    """A tournament is of open length if its bots change, a test may stop it, its format decides as it goes, or its
    games are imported.
    """
    runs = ((0, 20), (20, 40))
    settle = FormatChoice(name="settle", may_grow=False)
    rosters = (Roster(first_round=1, entries=(0, 1), deals=9), Roster(first_round=9, entries=(0, 1), deals=20))

    assert explain(write_store(tmp_path / "stop.pitboss", stop=StopRules(ranking=True))) == MAY_STOP
    assert explain(write_store(tmp_path / "settle.pitboss", runs, format=settle)) == RESULTS_DECIDE
    assert explain(write_store(tmp_path / "bots.pitboss", rosters=rosters)) == BOTS_CHANGED
    imported = write_store(tmp_path / "imported.pitboss", (), format=FormatChoice(name=IMPORTED))
    assert explain(imported) == IMPORTED_GAMES


def test_a_pool_of_fixed_stores(tmp_path: Path) -> None:
    """A pool of fixed stores has no fixed number of games, as one may pool until the verdict pleases: everybody is
    told, and the test holds at any time.
    """
    paths = [write_store(tmp_path / f"{number}.pitboss", seed=str(number)) for number in range(3)]

    merge_stores(paths[:2], tmp_path / "two.pitboss")
    with open_pooled([tmp_path / "two.pitboss", paths[2]]) as pool:
        summary = StoredFindings(pool)
        data, page = describe_summary(summary, None), ParsedPage(render_report(pool))

    assert [explain(path) for path in paths] == [None] * 3
    assert explain(tmp_path / "two.pitboss") == "This is a pool of 2 stores"
    assert (data.anytime, data.test, data.open_length) == (True, "anytime", "This is a pool of 3 stores")
    assert "sure: a is better than b" in data.verdict[0]
    assert "Beware: this is a pool of 3 stores" in page.text
    assert "This is a pool of 3 stores: intervals are wider" in page.text
    assert describe_summary(StoredFindings(Store(paths[0])), None).test == "holm"


def test_a_pool_of_an_earlier_pitboss(tmp_path: Path) -> None:
    """A pool of an earlier Pitboss, which planned the games that it has and does not say how many stores it holds, is a
    pool all the same.
    """
    path = write_store(tmp_path / "x.pitboss", format=FormatChoice(name=MERGED))

    assert explain(path) == "This is a pool of several stores"


@pytest.mark.long
@pytest.mark.once
def test_a_match_that_was_made_longer(tmp_path: Path) -> None:
    """Standings say so; a match that was only broken off is judged as it was planned."""

    def match(*words: str) -> None:
        done = run_pitboss("match", "magpie", "house:random", "house:first", *MATCH, *words, cwd=tmp_path)
        assert done.status == 0, done.err

    def find_reason(name: str) -> object:
        return run_pitboss("standings", name, "--json", cwd=tmp_path).json_value["open_length"]

    match("--deals", "3", "--store", "short.pitboss", "--games", "4")
    assert find_reason("short.pitboss") == INCOMPLETE
    match("--deals", "3", "--store", "short.pitboss")
    assert find_reason("short.pitboss") is None
    match("--deals", "4", "--store", "short.pitboss")

    assert find_reason("short.pitboss") == DEALS_CHANGED
    shown = run_pitboss("standings", "short.pitboss", cwd=tmp_path).out
    assert f"{DEALS_CHANGED}: intervals are wider" in " ".join(shown.split())
