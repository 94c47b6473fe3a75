"""Faults of a Dask cluster of real processes: what dies, hangs, fills up and comes back costs no game and no bot."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pitboss_tournament.running.dispatcher import MAX_DEATHS_PER_GAME
from tests.plugins import magpie_installed
from tests.soak.process_watch import SeenProcess
from tests.tournament.dask_processes import (
    ClusterRun,
    DaskNodeHome,
    DaskProcesses,
    list_run_workers,
    run_on_cluster,
    wait_until,
)
from tests.tournament.dask_tournaments import play_here, read_store, write_held_bot, write_settings

pytest.importorskip("distributed")
pytestmark = pytest.mark.once

GAMES = 72


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    """Return a scheduler and two nodes."""
    with magpie_installed(), DaskProcesses(tmp_path) as processes:
        processes.start_scheduler()
        for name in ("one", "two"):
            processes.start_node(name)
        yield processes


class HeldTournament:
    """A tournament whose games are slow as long as it is held, and the same one on this machine."""

    def __init__(self, home: Path) -> None:
        self._hold = home / "hold"
        bots = (write_held_bot(home / "held", self._hold), "house:random", "house:first")
        self.file, self._whole = (write_settings(home, name, *bots, deals=12) for name in ("there", "here"))

    @contextmanager
    def run(self, dask: DaskProcesses, pause: float = 0.05) -> Iterator[ClusterRun]:
        """Context manager: it is played with pauses of so many seconds, some games are finished, all nodes play."""
        self._hold.write_text(str(pause))
        with run_on_cluster(self.file, dask.engine) as run:
            run.wait_for_games(2)
            wait_until(lambda: all(node.list_played() for node in dask.nodes), "all nodes play")
            yield run

    def finish(self, run: ClusterRun) -> None:
        """Let it be quick, and check its end."""
        self._hold.unlink()
        assert run.wait() == 0, str(run)
        self.check()

    def carry_on(self, dask: DaskProcesses) -> None:
        """Give the same command again, and check its end."""
        self._hold.unlink()
        with run_on_cluster(self.file, dask.engine) as run:
            assert run.wait() == 0, str(run)
        self.check()

    def check(self) -> None:
        """Compare all games with those that this machine plays: none is lost, counted twice, or blames a bot."""
        assert play_here(self._whole).status == 0
        there, here = read_store(self.file), read_store(self._whole)
        assert len(there.records) == GAMES
        assert there == here


def kill_worker(node: DaskNodeHome) -> None:
    """Kill the Dask worker of a node, which its nanny starts again, and wait until all is gone that played there."""
    worker = node.find_worker()
    assert worker is not None
    played = {(one.pid, one.started) for one in node.list_played()}
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not any((one.pid, one.started) in played for one in node.list_own()), "bots end with the worker")


def kill_node(node: DaskNodeHome) -> None:
    """Kill the nanny and its Dask worker, and wait until all is gone that played there."""
    worker = node.find_worker()
    assert worker is not None
    node.process.kill()
    os.kill(worker, signal.SIGKILL)
    wait_until(lambda: not node.list_played(), "bots end with the node")


def list_bots(node: DaskNodeHome) -> list[SeenProcess]:
    """Return the held bots that play on a node."""
    return [one for one in node.list_played() if "bot.py" in one.command_line]


def wait_for_note(run: ClusterRun, words: str) -> None:
    """Wait until a run has told of a machine."""
    wait_in_run(run, lambda: any('"event":"note"' in line and words in line for line in run.said.splitlines()), words)


def wait_in_run(run: ClusterRun, condition: Callable[[], object], what: str) -> None:
    """Wait until something is so, while a run goes on."""
    wait_until(lambda: run.is_over or condition(), what)
    assert not run.is_over, f"{what}: {run}"


def test_a_dask_worker_is_killed(dask: DaskProcesses, tmp_path: Path) -> None:
    """The games of a killed Dask worker are played elsewhere, and the worker that the nanny starts in its place plays
    too.
    """
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        kill_worker(dask.nodes[0])
        wait_for_note(run, "is lost: ")
        wait_in_run(run, lambda: list_run_workers(dask.nodes[0]), "it plays again")
        held.finish(run)


def test_a_game_outlives_its_machines(tmp_path: Path) -> None:
    """However often a machine dies under a game, the game is not suspected of that, and is played in the end."""
    hold = tmp_path / "hold"
    hold.write_text("600")
    bots = (write_held_bot(tmp_path / "held", hold), "house:random")
    file, whole = (write_settings(tmp_path, name, *bots, deals=2) for name in ("there", "here"))
    with magpie_installed(), DaskProcesses(tmp_path) as dask:
        dask.start_scheduler()
        node = dask.start_node("one")
        with run_on_cluster(file, dask.engine) as run:
            for _ in range(MAX_DEATHS_PER_GAME):
                wait_in_run(run, lambda: list_run_workers(node) and list_bots(node), "it plays")
                kill_worker(node)
            hold.unlink()
            assert run.wait() == 0, str(run)
        assert play_here(whole).status == 0
    assert read_store(file) == read_store(whole)


@pytest.mark.long
def test_a_dask_worker_comes_back_at_its_address(tmp_path: Path) -> None:
    """Dask starts the node anew there, and has it answer in the place of the old one: that one is lost all the same."""
    with magpie_installed(), DaskProcesses(tmp_path) as dask:
        dask.start_scheduler()
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = str(free.getsockname()[1])
        dask.start_node("one", "--worker-port", port)
        held = HeldTournament(tmp_path)
        with held.run(dask) as run:
            kill_worker(dask.nodes[0])
            wait_for_note(run, f"(127.0.0.1:{port}) is lost: ")
            held.finish(run)


def test_a_node_is_killed_and_others_come(dask: DaskProcesses, tmp_path: Path) -> None:
    """The games of a killed node are played elsewhere; a new node, and one that comes back, play too."""
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        kill_node(dask.nodes.pop(0))
        wait_for_note(run, "is lost: ")
        for name in ("one", "three"):
            dask.start_node(name)
        wait_in_run(run, lambda: all(map(list_run_workers, dask.nodes)), "both play")
        held.finish(run)


def test_a_node_leaves(dask: DaskProcesses, tmp_path: Path) -> None:
    """A node that is told to end like a job of Slurm, all its processes at once, costs no game either."""
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        for one in dask.nodes[0].list_own():
            os.kill(one.pid, signal.SIGTERM)
        wait_until(lambda: not dask.nodes[0].list_own() or dask.nodes[0].process.poll() is not None, "it has ended")
        held.finish(run)
    wait_until(lambda: not dask.nodes[0].list_played(), "nothing of it is left")


def test_a_worker_of_pitboss_is_killed(dask: DaskProcesses, tmp_path: Path) -> None:
    """A killed worker of Pitboss is replaced where it was, and its node is not lost."""
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        for node in dask.nodes:
            os.kill(list_run_workers(node)[0].pid, signal.SIGKILL)
        held.finish(run)
        assert '"event":"note"' not in run.said


def test_the_scheduler_is_killed(dask: DaskProcesses, tmp_path: Path) -> None:
    """The run ends with a sentence, nothing is left on the nodes, and the same command carries on with another one."""
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        dask.kill_scheduler()
        wait_until(lambda: not any(node.list_played() for node in dask.nodes), "nobody plays")
        assert run.wait() == 1
        assert run.complaints.startswith("pitboss: nothing is left to play on: ")
        assert f" is lost: the scheduler at {dask.url} does not answer" in run.complaints
        assert run.complaints.count("\n") == 1
    dask.start_scheduler()
    dask.start_node("one")
    held.carry_on(dask)


def test_the_scheduler_comes_back(dask: DaskProcesses, tmp_path: Path) -> None:
    """A run that has not given up yet finds the new scheduler, and plays with its workers."""
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        dask.kill_scheduler()
        wait_for_note(run, "does not answer")
        dask.start_scheduler()
        dask.nodes.clear()
        dask.start_node("three")
        held.finish(run)


def test_a_node_hangs(dask: DaskProcesses, tmp_path: Path) -> None:
    """A node that is stopped for longer than it may be silent is lost; when it goes on, it ends what it has
    and joins.
    """
    held = HeldTournament(tmp_path)
    with held.run(dask, pause=1) as run:
        worker = dask.nodes[0].find_worker()
        assert worker is not None
        before = {one.pid for one in list_run_workers(dask.nodes[0])}
        os.kill(worker, signal.SIGSTOP)
        wait_for_note(run, "is lost: it does not answer")
        os.kill(worker, signal.SIGCONT)

        def has_others() -> bool:
            now = {one.pid for one in list_run_workers(dask.nodes[0])}
            return bool(now) and not now & before

        wait_in_run(run, has_others, "other workers play there")
        held.finish(run)


def test_the_client_is_killed(dask: DaskProcesses, tmp_path: Path) -> None:
    """The nodes notice and end all that plays there; the same command carries on."""
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        run.process.kill()
        wait_until(lambda: not any(node.list_played() for node in dask.nodes), "nobody plays")
    held.carry_on(dask)


@pytest.mark.long
def test_the_client_is_stopped(dask: DaskProcesses, tmp_path: Path) -> None:
    """The nodes end what plays there when the client is stopped; when the client goes on, no game is suspected of that:
    it plays on as before.
    """
    held = HeldTournament(tmp_path)
    with held.run(dask) as run:
        os.kill(run.process.pid, signal.SIGSTOP)
        wait_until(lambda: not any(node.list_played() for node in dask.nodes), "nobody plays")
        os.kill(run.process.pid, signal.SIGCONT)
        wait_for_note(run, "is lost: ")
        held.finish(run)


@contextmanager
def no_room(folder: Path) -> Iterator[None]:
    """Context manager: a cache folder that takes nothing: a full file system where root may mount one, or a file."""
    words = ["mount", "-t", "tmpfs", "-o", "size=4k,mode=755", "tmpfs", str(folder)]
    folder.mkdir(parents=True)
    if os.geteuid() == 0 and subprocess.run(words, capture_output=True, check=False).returncode == 0:
        try:
            yield
        finally:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)
    else:
        (folder / "pitboss").write_bytes(b"")
        yield


def test_a_full_disk(dask: DaskProcesses, tmp_path: Path) -> None:
    """A node that cannot keep the bots is refused with a sentence, and the others play."""
    held, full = HeldTournament(tmp_path), tmp_path / "full"
    with no_room(full), held.run(dask) as run:
        node = dask.start_node("three", env={"XDG_CACHE_HOME": str(full)})
        wait_for_note(run, "does not play: held: its files cannot be written: ")
        assert not node.list_played()
        held.finish(run)


def test_no_machine_can_keep_the_bots(tmp_path: Path) -> None:
    """The run ends with the reason, status 2."""
    full = tmp_path / "full"
    with magpie_installed(), no_room(full), DaskProcesses(tmp_path) as dask:
        dask.start_scheduler()
        dask.start_node("one", env={"XDG_CACHE_HOME": str(full)})
        held = HeldTournament(tmp_path)
        with run_on_cluster(held.file, dask.engine) as run:
            assert run.wait() == 2
            assert "none of the machines can play: " in run.complaints
            assert "held: its files cannot be written: " in run.complaints
