"""Tournaments on a scheduler and workers of Dask that are real processes: the same games as on this machine."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import pytest
import trio
from msgspec.structs import replace

from pitboss_tournament.running.watch_protocol import GameEnd, GameProgress
from pitboss_tournament.web.run_connection import watch_table
from tests.plugins import magpie_installed
from tests.soak.process_watch import find_descendants, list_processes
from tests.tournament.command_line import run_pitboss
from tests.tournament.dask_processes import DaskProcesses, run_on_cluster, wait_until
from tests.tournament.dask_tournaments import (
    CHEAT,
    FORMAT_SETTINGS,
    PlayedStore,
    play_here,
    read_store,
    write_bot,
    write_held_bot,
    write_settings,
    write_zoo_bot,
)
from tests.tournament.watched_matches import GATED_BOT, HOSTILE_NOTE, Shown, run_watched_match, wait_for_tables

pytest.importorskip("distributed")
pytestmark = pytest.mark.once


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaskProcesses]:
    """Return two nodes that all tests of this file share: none of them does these any harm."""
    with magpie_installed(), DaskProcesses(tmp_path_factory.mktemp("dask")) as processes:
        processes.start_scheduler()
        for name in ("one", "two"):
            processes.start_node(name)
        yield processes


def play_on(dask: DaskProcesses, file: Path) -> int:
    """Play a tournament file on the nodes; return the exit status."""
    with run_on_cluster(file, dask.engine) as run:
        status = run.wait()
        assert "Traceback" not in run.complaints, run.complaints
        assert '"event":"note"' not in run.said, run.said  # no machine was lost or refused
        return status


def compare(dask: DaskProcesses, home: Path, *bots: str | Path, **fields: str | int) -> tuple[PlayedStore, PlayedStore]:
    """Play a tournament on the nodes and here; return both, which have ended with the same status."""
    files = [write_settings(home, name, *bots, **fields) for name in ("there", "here")]  # type: ignore[arg-type]
    assert play_on(dask, files[0]) == play_here(files[1]).status
    there, here = map(read_store, files)
    assert here.records
    return there, here


@pytest.mark.parametrize("form", FORMAT_SETTINGS)
def test_formats(dask: DaskProcesses, tmp_path: Path, form: str) -> None:
    """In each format the games, their order by number and the end are those of this machine."""
    assert set(FORMAT_SETTINGS) == {row["name"] for row in run_pitboss("formats", "--json").json_value}
    good = [write_zoo_bot(tmp_path / name, "good") for name in ("good", "better")]
    there, here = compare(dask, tmp_path, "house:random", "house:first", *good, deals=4, settings=FORMAT_SETTINGS[form])

    assert there == here


def test_an_early_end(dask: DaskProcesses, tmp_path: Path) -> None:
    """The verdict is the same; what was played beside it, on however many tables, are games of the same schedule."""
    bots, stop = ("house:racko", "house:random"), '[stop]\nbot = "house:racko"\nbetter_than = "house:random"'
    there, here = compare(dask, tmp_path, *bots, game="racko", options="max_rounds = 1", deals=2000, tables=stop)

    assert there.end is not None
    assert there.end == here.end
    both = there.records.keys() & here.records.keys()
    assert {number: there.records[number] for number in both} == {number: here.records[number] for number in both}
    assert len(both) > 10


def test_disqualification(dask: DaskProcesses, tmp_path: Path) -> None:
    """A bot that always forfeits is out on the nodes too: others' games are complete, and it plays few."""
    bots = ("house:random", "house:first", write_zoo_bot(tmp_path / "illegal", "plays_illegally"))
    there, here = compare(dask, tmp_path, *bots, deals=20, tables="[faults]\ndisqualify_after = 3")

    def others(played: PlayedStore) -> dict[int, object]:
        return {number: record for number, record in played.records.items() if "illegal" not in record.players}

    assert others(there) == others(here)
    assert len(others(there)) == 40
    for played in (there, here):
        assert 3 <= len(played.records) - 40 <= 6  # those that were in play at the other tables then
        assert {incident.fault.kind for record in played.records.values() for incident in record.incidents} == {
            "illegal"
        }


def test_given_deals(dask: DaskProcesses, tmp_path: Path) -> None:
    """The deals of a file are dealt on the nodes too, and to a run that carries on there."""
    deals = tmp_path / "deals.json"
    given = {"game": "racko", "options": "max_rounds = 1", "deals": '"deals.json"'}
    assert run_pitboss("simulate", "racko", "-n", "6", "--write-deals", str(deals)).status == 0
    bots = ("house:random", "house:first", "house:racko")
    files = [write_settings(tmp_path, name, *bots, **given) for name in ("there", "here")]

    for status, words in ((0, ("--games", "7")), (0, ())):
        with run_on_cluster(files[0], dask.engine, *words) as run:
            assert run.wait() == status, run.complaints
    assert play_here(files[1]).status == 0

    there, here = map(read_store, files)
    assert there == replace(here, end=there.end)
    assert len({record.seed for record in there.records.values()}) == 6
    assert {record.seed.partition(":")[0] for record in there.records.values()} == {"stack"}
    assert len(there.records) == 36


def test_faults_and_logs(dask: DaskProcesses, tmp_path: Path) -> None:
    """The evidence of each fault and the logs of all games are what they are here."""
    bots = (write_bot(tmp_path / "cheat", CHEAT), write_zoo_bot(tmp_path / "good", "good"))
    tables = '[faults]\npolicy = "substitute"\nsubstitutions = 100\n[logs]\nkeep = "all"'
    there, here = compare(dask, tmp_path, *bots, deals=4, tables=tables)

    assert there == here
    assert any(b"question 3" in errors for _, _, errors, _ in there.logs)
    assert any("999" in line for _, exchange, _ in there.evidence for line in exchange)


def test_bots_in_a_sandbox(dask: DaskProcesses, tmp_path: Path) -> None:
    """A bot that travels plays in the sandbox of the machine where it arrives."""
    bots = (write_zoo_bot(tmp_path / "good", "good"), "house:random")
    there, here = compare(dask, tmp_path, *bots, deals=3, sandbox="auto")

    assert there == here


async def test_a_table_is_watched(dask: DaskProcesses, tmp_path: Path) -> None:
    """A watcher sees the decisions of a game on a node while the game goes on there."""
    store = tmp_path / "x.pitboss"
    seen: Shown = []
    gated = write_bot(
        tmp_path / "gated", GATED_BOT.format(zoo="unused", gate=str(tmp_path / "gate"), note=HOSTILE_NOTE)
    )
    bots = (str(gated), "house:first")
    with run_watched_match(store, "--on", dask.engine, bots=bots) as run:
        await trio.to_thread.run_sync(wait_for_tables, store, 1, run)
        async with aclosing(watch_table(store, 1)) as messages:
            async for message in messages:
                seen.append(message)
                decided = [one for part in seen if isinstance(part, GameProgress) for one in part.decisions]
                if len([one for one in decided if one.note]) == 2:
                    (tmp_path / "gate").touch()
        run.send_signal(signal.SIGINT)
        await trio.to_thread.run_sync(run.wait)

    assert seen[-1] == GameEnd(is_finished=True)
    assert len([message for message in seen if isinstance(message, GameProgress)]) >= 2


@pytest.mark.parametrize("how", ["SIGINT", "stop", pytest.param("SIGTERM", marks=pytest.mark.long)])
def test_a_run_is_stopped(dask: DaskProcesses, tmp_path: Path, how: str) -> None:
    """Finished games are kept, nothing of the run is left on the nodes, and the same command carries on."""
    hold = tmp_path / "hold"
    hold.write_text("0.05")
    bots = (write_held_bot(tmp_path / "held", hold), "house:random", "house:first")
    file, whole = (write_settings(tmp_path, name, *bots, deals=12) for name in ("there", "here"))
    with run_on_cluster(file, dask.engine) as run:
        run.wait_for_games(3)
        if how == "stop":
            assert run_pitboss("stop", str(file.with_suffix(".pitboss"))).status == 0
        else:
            run.process.send_signal(signal.Signals[how])
        assert run.wait() == (130 if how == "SIGINT" else 143)
        told = run.said.count('"event":"game"')
    wait_until(lambda: not any(node.list_played() for node in dask.nodes), "nothing is left on the nodes")
    assert len(read_store(file).records) == told < 72

    hold.unlink()
    assert (play_on(dask, file), play_here(whole).status) == (0, 0)
    assert read_store(file) == replace(read_store(whole), voids=0)


def test_no_new_games_after_a_hold(dask: DaskProcesses, tmp_path: Path) -> None:
    """`--games` and `stop --after-running` let the games in progress end on the nodes; the rest is played later."""
    bots = (write_zoo_bot(tmp_path / "good", "good"), "house:random", "house:first")
    file, whole = (write_settings(tmp_path, name, *bots) for name in ("there", "here"))
    with run_on_cluster(file, dask.engine, "--games", "7") as run:
        assert run.wait() == 0
    assert len(read_store(file).records) == 7

    assert (play_on(dask, file), play_here(whole).status) == (0, 0)
    assert read_store(file) == read_store(whole)


@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_a_local_cluster_ends_with_its_run(tmp_path: Path, number: signal.Signals) -> None:
    """However a run on `local:2` ends, no process of its cluster is left; the same command carries on."""
    hold = tmp_path / "hold"
    hold.write_text("0.05")
    bots = (write_held_bot(tmp_path / "held", hold), "house:random")
    file, whole = (write_settings(tmp_path, name, *bots, deals=24) for name in ("there", "here"))
    with run_on_cluster(file, "local:2", env={"XDG_CACHE_HOME": str(tmp_path / "cache")}) as run:
        run.wait_for_games(2)
        below = {(one.pid, one.started) for one in find_descendants(run.process.pid, list_processes())}
        os.kill(run.process.pid, number)
        assert run.wait() == (130 if number == signal.SIGINT else -9)
    wait_until(
        lambda: not any((one.pid, one.started) in below for one in list_processes().values() if one.is_alive()),
        "the processes of the cluster have ended",
    )

    hold.unlink()
    with run_on_cluster(file, "local:2", env={"XDG_CACHE_HOME": str(tmp_path / "cache")}) as run:
        assert run.wait() == 0, str(run)
    assert play_here(whole).status == 0
    assert read_store(file) == read_store(whole)


def test_no_scheduler_there(tmp_path: Path) -> None:
    """A cluster without a scheduler is an error of one sentence, with status 2."""
    file = write_settings(tmp_path, "there", "house:random", "house:first")
    with run_on_cluster(file, "dask://127.0.0.1:9") as run:
        assert run.wait() == 2
        assert run.complaints.startswith("pitboss: dask://127.0.0.1:9: no scheduler of Dask answers there: ")
        assert run.complaints.count("\n") == 1


@pytest.mark.long
def test_no_worker_there(tmp_path: Path) -> None:
    """A scheduler without workers is an error of one sentence that says what is missing, with status 2."""
    file = write_settings(tmp_path, "there", "house:random", "house:first")
    with DaskProcesses(tmp_path) as alone:
        alone.start_scheduler()
        with run_on_cluster(file, alone.engine) as run:
            assert run.wait() == 2
            assert run.complaints == f"pitboss: {alone.engine}: no machine is there; start a worker on one\n"
