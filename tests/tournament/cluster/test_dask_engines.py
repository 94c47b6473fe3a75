"""Games whose rules are a program, on workers of Dask: each starts the program by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engines.installed_coin import WELL, install_coin
from tests.tournament.command_line import run_pitboss
from tests.tournament.dask_processes import DaskProcesses, run_on_cluster
from tests.tournament.dask_tournaments import read_store, write_settings

pytest.importorskip("distributed")
pytestmark = pytest.mark.once


def test_a_game_of_a_program(tmp_path: Path) -> None:
    """The games on the nodes are those of this machine, with options that are not the usual ones."""
    env = install_coin(tmp_path, *WELL)
    files = [
        write_settings(
            tmp_path, name, "house:random", "house:first", game="coin-program", options="stake = 5", sandbox="auto"
        )
        for name in ("there", "here")
    ]
    with DaskProcesses(tmp_path / "dask", env) as dask:
        dask.start_scheduler()
        dask.start_node("one")
        with run_on_cluster(files[0], dask.engine, env=env) as run:
            assert run.wait() == 0, run.complaints
            assert '"event":"note"' not in run.said, run.said
    here = run_pitboss("run", str(files[1]), env=env)

    assert here.status == 0, here.err
    there = read_store(files[0])
    assert len(there.records) == 20
    assert there == read_store(files[1])
