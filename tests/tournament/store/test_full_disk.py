"""A disk that fills up in the middle of a tournament, and is given room again."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss_tournament.store.store import Store
from tests.tournament.command_line import run_pitboss

pytestmark = pytest.mark.once

WORDS = (
    "match",
    "magpie",
    "house:random",
    "house:first",
    "--deals",
    "60",
    "--seed",
    "s",
    "-s",
    "logs.keep=all",
    "-o",
    "turns=3",
)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return the folder of a file system with room for a quarter of a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=755", "none", folder], check=False, capture_output=True
    )
    if os.getuid() != 0 or mounted.returncode:
        pytest.skip("only root can mount a small disk; a limit on file sizes stands in for it in test_runner_trouble")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.long
def test_a_tournament_on_a_full_disk(disk: Path) -> None:
    """A tournament on a full disk stops with a sentence, and nothing that was written is lost; all of it can be looked
    at on the full disk, and with more room the tournament goes on to its end.
    """
    store = disk / "x.pitboss"
    assert run_pitboss(*WORDS, "--deals", "1", "--store", str(store)).status == 0  # for which there is room
    ran = run_pitboss(*WORDS, "--store", str(store))

    assert ran.status == 1
    written = [record for _, record in Store(store).records()]
    assert written
    said = ran.err.splitlines()[-1]
    assert said.startswith(f"pitboss: {store}: cannot be written: ")
    assert said.endswith(f"; {len(written)} games in it are safe: make room, and repeat the command")
    assert "Traceback" not in ran.err
    assert run_pitboss("standings", str(store)).out.splitlines()[0].endswith(f" {len(written):,} games played")
    assert run_pitboss("integrity", str(store), "--replay").status == 0

    subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
    assert run_pitboss(*WORDS, "--store", str(store)).status == 0
    after = dict(Store(store).records())
    assert list(after) == list(range(120))
    assert all(record in after.values() for record in written)
