"""The luck of the draw in a tournament: measured from its records, kept in its store, taken out of what is shown."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import pytest
from msgspec.structs import replace

from pitboss import Random
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.records.luck import estimate_luck
from pitboss.records.record import Decision, Record, dumps
from pitboss.simulation.random_play import choose_from, play_on
from pitboss_tournament.audit import luck_measurement, record_pool
from pitboss_tournament.audit.luck_measurement import (
    find_unmeasured,
    keep_luck,
    measure_luck_of_games,
    time_luck,
)
from pitboss_tournament.counting.stored_findings import StoredFindings, kept_luck
from pitboss_tournament.plan.plan import StopBounds
from pitboss_tournament.processes.cpu import available_cpus
from pitboss_tournament.processes.logs import compress_text
from pitboss_tournament.reporting.page import render_report
from pitboss_tournament.results.notes import luck_text
from pitboss_tournament.showing.version_comparison import comparison_lines, judge_stored
from pitboss_tournament.store.header import Header
from pitboss_tournament.store.store import Store
from tests.synthetic_tournaments import game_result
from tests.tournament.cli.test_cli_match import GOOD
from tests.tournament.command_line import run_pitboss
from tests.tournament.statistics.sample_luck import value_luck
from tests.tournament.stored_games import StoredGame, take_back_entries

RUMMY: Final = Registry().games["rummy"]
OPTIONS: Final = {"deals": 1, "max_turns": 5}
BLOCKS: Final = 30


def play_random_rummy(number: int) -> Record:
    """Return a game of Rummy for two in which nobody thinks."""
    options = resolve_options(RUMMY, 2, overrides=OPTIONS)
    state = RUMMY.deal(2, options, Random(f"{number}"))
    seats: list[int] = []
    choose = choose_from(Random(f"{number}/players"))

    def choose_and_note(at: object, legal: object) -> object:
        assert state.turn is not None
        seats.append(state.turn.seat)
        return choose(state, state.legal())

    actions = play_on(state, choose_and_note)
    return Record(
        game="rummy",
        game_version=RUMMY.version,
        options=msgspec.to_builtins(options),
        seed=f"{number}",
        players=["a", "b"],
        decisions=[
            Decision(seat=seat, action=msgspec.to_builtins(action)) for seat, action in zip(seats, actions, strict=True)
        ],
        outcome=state.outcome(),
    )


def store_rummy_games(path: Path, header: Header, count: int) -> Store:
    """Return a store of some games."""
    store = Store.for_run(path, replace(header, game="rummy", options=OPTIONS, reduce="luck"))
    records = [play_random_rummy(number) for number in range(count)]
    for number, record in enumerate(records):
        game = game_result(0, number // 2, number % 2, (0, 1), list(record.outcome.points))
        store.add([StoredGame(replace(game, game_id=number), compress_text(dumps(record)))])
    return store


@pytest.fixture
def lucky_store(tmp_path: Path, header: Header) -> Store:
    """Return a store of blocks in which bot 0 is ahead by its luck and a little more, with that luck."""
    store, rng = Store.for_run(tmp_path / "x.pitboss", replace(header, reduce="luck")), random.Random(1)
    luck = [rng.gauss(0, 10) for _ in range(2 * BLOCKS)]
    packed = compress_text(dumps(play_random_rummy(0)))
    for number, had in enumerate(luck):
        ahead = had / 2 + rng.gauss(2, 1)
        points = [ahead, -ahead]
        seats, scored = ((0, 1), points) if number % 2 == 0 else ((1, 0), points[::-1])
        game = game_result(0, number // 2, number % 2, seats, scored)
        store.add([StoredGame(replace(game, game_id=number), packed)])
    halves = [[value_luck(had / 2), value_luck(-had / 2)] for had in luck]
    store.kept.add_luck((number, rows if number % 2 == 0 else rows[::-1]) for number, rows in enumerate(halves))
    return store


def test_games_without_luck_are_measured_and_kept(tmp_path: Path, header: Header) -> None:
    """Each game has the luck that its record tells, whoever opens the store; it is kept, and not measured again."""
    store_rummy_games(tmp_path / "x.pitboss", header, 2).close()
    store = Store(tmp_path / "x.pitboss")
    shown, said = list[None](), list[str]()

    assert (store.kept.luck(), find_unmeasured(store)) == ({}, [0, 1])
    found = keep_luck(store, RUMMY, [0, 1], lambda: shown.append(None), said.append)
    assert found == {number: estimate_luck(store.record(number), RUMMY) for number in (0, 1)}
    assert any(found[0][0])
    assert (len(shown), said) == (2, [])
    assert Store(store.path).kept.luck() == found
    assert find_unmeasured(Store(store.path)) == []
    store.close()


def test_the_luck_of_a_game_does_not_change() -> None:
    """The luck of a recorded game stays the same from version to version: stores keep what earlier ones measured."""
    of_first, of_second = estimate_luck(play_random_rummy(0), RUMMY)

    assert of_first == pytest.approx([8.530197172, 1.25, 3.109676823, -1.074992582, 0.0, -2.336593599])
    assert of_second[:-1] == pytest.approx([-value for value in of_first[:-1]])


def test_a_store_that_cannot_be_written(tmp_path: Path, header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    """The games of a store that cannot be written are measured all the same, and a message says once that the luck is
    not kept.
    """
    monkeypatch.setattr(luck_measurement, "GAMES_A_WRITE", 1)
    store = store_rummy_games(tmp_path / "x.pitboss", header, 2)
    store._db.execute("pragma query_only = on")
    said: list[str] = []

    found = keep_luck(store, RUMMY, [0, 1], lambda: None, said.append)
    assert found == {number: estimate_luck(store.record(number), RUMMY) for number in (0, 1)}
    assert [line.partition(":")[0] for line in said] == ["the luck of the draw is not kept"]
    store.close()


def test_a_store_of_an_earlier_version(tmp_path: Path, header: Header) -> None:
    """A store of an earlier version is only read: its luck is not kept, and the message says why."""
    store_rummy_games(tmp_path / "x.pitboss", header, 1).close()
    take_back_entries(tmp_path / "x.pitboss")
    with closing(sqlite3.connect(tmp_path / "x.pitboss")) as db:
        db.executescript("drop table checksums; pragma user_version = 4")
    said: list[str] = []
    with closing(Store(tmp_path / "x.pitboss")) as store:
        keep_luck(store, RUMMY, [0], lambda: None, said.append)

    assert "an earlier Pitboss has written it; the next run of its tournament brings it up to date" in said[0]


def test_points_of_a_comparison(lucky_store: Store) -> None:
    """The difference of two bots of a store, by the points of the game, is much more exact without their luck."""
    bounds = StopBounds(low=0, high=25, alpha=0.05, beta=0.05)
    plain, less = (judge_stored(lucky_store, "b", "a", bounds, luck=luck) for luck in (None, kept_luck(lucky_store)))

    assert plain.points_ahead is not None
    assert less.points_ahead is not None
    assert (plain.points_ahead.half_width or 99) > 3 * (less.points_ahead.half_width or 99)
    assert less.points_ahead.mean == pytest.approx(4, abs=1)
    assert plain.sentence == less.sentence
    assert "by points without the luck of the draw: a over b +" in " ".join(comparison_lines(less))


def test_what_the_measurement_would_take(tmp_path: Path, header: Header) -> None:
    """The time of the measurement is estimated from some games of the store; it is unknown if they do not replay."""
    store = store_rummy_games(tmp_path / "x.pitboss", header, 2)
    other = Registry().games["racko"]

    assert 0 < (time_luck(store, RUMMY) or 0) < 1
    assert time_luck(store, other) is None
    store.close()


def test_the_luck_is_taken_out_of_the_results(lucky_store: Store) -> None:
    """Points and wins lose it, and the factor is said; places and ratings keep it."""
    plain, without = StoredFindings(lucky_store), StoredFindings(lucky_store, luck=kept_luck(lucky_store))
    widths = [line.points.half_width or 0 for line in (plain.standings[0], without.standings[0])]
    [pair], [fair_pair] = plain.comparisons, without.comparisons

    assert widths[0] > 3 * widths[1] > 0
    assert without.standings[0].points.mean == pytest.approx(2, abs=0.5)
    assert (pair.points.estimate.half_width or 0) > 3 * (fair_pair.points.estimate.half_width or 0)
    assert pair.places == fair_pair.places
    assert without.ratings.lines == plain.ratings.lines
    assert without.luck_removal is not None
    saved = without.luck_removal.estimate_reduction("points")
    assert saved.ratio is not None
    assert saved.ratio == pytest.approx((widths[0] / widths[1]) ** 2, rel=0.3)
    assert "measured in 60 of 60 games: it is taken out of points and wins" in luck_text(without.luck_removal, 60)
    lucky_store.close()


def test_the_report_says_what_it_saved(lucky_store: Store) -> None:
    """The report shows what taking out the luck saved, with the points of the standings; without luck it has no such
    table.
    """
    page, plain = render_report(lucky_store, luck=kept_luck(lucky_store)), render_report(lucky_store)

    assert "What taking out the luck of the draw saved" in page
    assert "luck-table" not in plain
    assert page != plain
    lucky_store.close()


def test_too_few_blocks(tmp_path: Path, header: Header) -> None:
    """The results of too few blocks are as they are, and that is said: a weight is fitted on ten other blocks."""
    store = Store.for_run(tmp_path / "x.pitboss", header)
    summary = StoredFindings(store, luck={})

    assert summary.luck_removal is not None
    assert luck_text(summary.luck_removal, 0) == "Luck of the draw: it is taken out from 11 blocks on."
    store.close()


@pytest.mark.once
@pytest.mark.skipif(available_cpus() < 2, reason="one processor: no more processes")
def test_several_processes(tmp_path: Path, header: Header, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes find the same luck as one does, in the same order."""
    store = store_rummy_games(tmp_path / "x.pitboss", header, 6)
    alone = list(measure_luck_of_games(store, range(6), RUMMY))
    monkeypatch.setattr(record_pool, "GAMES_A_PROCESS", 2)

    assert list(measure_luck_of_games(store, range(6), RUMMY)) == alone
    assert [number for number, _ in alone] == list(range(6))
    store.close()


@pytest.mark.once
def test_on_the_command_line(tmp_path: Path) -> None:
    """`match -s reduce=luck` measures its games when all are played; `standings` shows it, or not, as it is asked."""
    words = ["--deals", "1", "--seed", "s", "-o", "turns=3", "--store", "x"]
    done = run_pitboss("match", "magpie", GOOD, GOOD, *words, "-s", "reduce=luck", cwd=tmp_path)

    assert "measuring the luck of the draw in 2 games …" in done.err
    assert "Luck of the draw: it is taken out from 11 blocks on." in " ".join(done.out.split())
    assert run_pitboss("standings", "x", "--json", cwd=tmp_path).json_value["luck"]["measured"] == 2
    assert run_pitboss("standings", "x", "--reduce", "none", "--json", cwd=tmp_path).json_value["luck"] is None


@pytest.mark.long
@pytest.mark.once
def test_luck_that_is_asked_for_later(tmp_path: Path) -> None:
    """`standings --reduce luck` measures once what a store lacks, also of several stores; `plan` says what it takes."""
    for store in ("x", "y"):
        words = ["--deals", "2", "--seed", store, "-o", "turns=3", "--store", store]
        run_pitboss("match", "magpie", GOOD, GOOD, *words, cwd=tmp_path)
    first, again = (run_pitboss("standings", "x", "y", "--reduce", "luck", "--json", cwd=tmp_path) for _ in range(2))
    planned = run_pitboss("plan", "--from", "x", "--json", cwd=tmp_path)
    words = ["compare", "--from", "x", "--from", "y", "good", "good-2", "--json"]
    plain, less = (run_pitboss(*words, *more, cwd=tmp_path).json_value for more in ([], ["--reduce", "luck"]))

    assert first.err.count("measuring the luck of the draw in 4 games …") == 2
    assert "measuring" not in again.err
    assert first.json_value["luck"]["measured"] == again.json_value["luck"]["measured"] == 8
    assert {"seconds", "luck_seconds", "luck_saving"} <= planned.json_value.keys()
    assert (plain["is_without_luck"], less["is_without_luck"]) == (False, True)
    assert plain["points_ahead"] == less["points_ahead"]  # of so few blocks nothing is learned
    assert "luck" not in run_pitboss("standings", "x", cwd=tmp_path).out
