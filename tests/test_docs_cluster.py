"""The page about many machines tells the truth: its commands run, its settings and times are those of the code, and its
arithmetic is right.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.cluster import cluster_engine, node, travelling_bots
from pitboss_tournament.cluster.dask_engine import QUIET_DASK
from pitboss_tournament.running import run_workers
from tests import ROOT
from tests.free_port import find_free_port
from tests.tournament.command_line import COMMAND, TIMEOUT_S

pytest.importorskip("distributed")
pytestmark = pytest.mark.once

PAGE: Final = (ROOT / "docs/cluster.md").read_text(encoding="utf-8")
[DASK_SH] = re.findall(r"<!-- file: dask.sh -->\n```sh\n(.*?)```", PAGE, re.DOTALL)
STEPS: Final = dict(re.findall(r"<!-- step: (\w+) -->\n```sh\n(.*?)```", PAGE, re.DOTALL))
SSH: Final = '#!/bin/sh\nshift\nexec sh -c "$*"\n'  # every machine is this one


@pytest.fixture
def home(tmp_path: Path) -> Mapping[str, str]:
    """Return the environment of somebody with nothing in their home folder, and with an `ssh` that stays here."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "ssh").write_text(SSH)
    (programs / "ssh").chmod(0o755)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])
    here = {name: value for name, value in os.environ.items() if name != "XDG_CACHE_HOME"}
    return {**here, "HOME": str(tmp_path), "PATH": path}


@contextmanager
def run_script(script: str, cwd: Path, env: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """Run a script of bash in the block; afterwards end all that it has started and left."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        ["bash", "-c", script], cwd=cwd, env=env, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    ) as running:
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


def read_final_lines(script: str, cwd: Path, env: Mapping[str, str]) -> str:
    """Run a script whose last command leaves the others behind; return what it says."""
    with run_script(f"{script}\necho the end $?", cwd, env) as running:
        assert running.stdout and running.stderr
        said = ""
        while not re.search(r"^the end \d+$", said, re.MULTILINE):
            line = running.stdout.readline()
            assert line, running.stderr.read()
            said += line
        return said


def test_a_cluster_of_this_machine(tmp_path: Path, home: Mapping[str, str]) -> None:
    """The command of the page plays."""
    [words] = re.findall(r"^\$ pitboss (.+)$", PAGE, re.MULTILINE)

    ran = subprocess.run(
        [*COMMAND, *shlex.split(words)], cwd=tmp_path, env=home, capture_output=True, timeout=TIMEOUT_S, check=False
    )

    assert ran.returncode == 0, ran.stderr
    assert b"Verdict" in ran.stdout


@pytest.mark.long
def test_a_scheduler_and_a_worker(tmp_path: Path, home: Mapping[str, str]) -> None:
    """A scheduler and a worker in terminals of their own are found by `--on`."""
    [served, played] = re.findall(r"own:\n\n```sh\n(.*?)```\n\n```sh\n(.*?)```", PAGE, re.DOTALL)[0]
    script = "".join(f"{line} >& /dev/null &\n" for line in served.splitlines()) + played

    said = read_final_lines(script.replace("8786", str(find_free_port())), tmp_path, home)

    assert "Verdict" in said
    assert "the end 0" in said


@pytest.mark.long
def test_three_machines(tmp_path: Path, home: Mapping[str, str]) -> None:
    """With the certificate and the settings of the page, a tournament is played by TLS on machines that ssh reaches."""
    [tournament_file] = re.findall(
        r"<!-- file: friday.toml -->\n```toml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL
    )
    bots = tournament_file.replace('"python3 mybot.py"', '"house:first"').replace(
        '"{python} sorter.py"', '"house:racko"'
    )
    (tmp_path / "friday.toml").write_text(bots)
    subprocess.run(["bash", "-c", STEPS["certificate"]], env=home, capture_output=True, check=True)
    (tmp_path / ".pitboss/dask.sh").write_text(DASK_SH)
    script = STEPS["start"].replace("10.0.0.5", "127.0.0.1").replace("8786", str(find_free_port()))
    quiet = re.sub(r" &$", " >& /dev/null &", script, flags=re.MULTILINE)

    said = read_final_lines(quiet, tmp_path, home)

    assert "Verdict" in said
    assert "the end 0" in said


@pytest.mark.long
def test_the_scheduler_is_killed(tmp_path: Path, home: Mapping[str, str]) -> None:
    """The run ends with one line, what was played is kept, and the same command carries on with a new cluster."""
    [served] = re.findall(r"own:\n\n```sh\n(.*?)```", PAGE, re.DOTALL)
    port = str(find_free_port())
    cluster = "".join(f"{line} >& /dev/null &\n" for line in served.replace("8786", port).splitlines())
    words = (
        "match",
        "racko",
        "house:racko",
        "house:first",
        "--preset",
        "short",
        "--deals",
        "2000",
        "--json",
        "--seed",
        "x",
    )
    match = [*COMMAND, *words, "--on", f"dask://127.0.0.1:{port}"]
    pipe = subprocess.PIPE

    with (
        run_script(cluster + "wait", tmp_path, home) as running,
        subprocess.Popen(match, cwd=tmp_path, env=home, stdout=pipe, stderr=pipe, text=True) as first,
    ):
        assert first.stdout and first.stderr
        assert any('"event":"game"' in line for line in first.stdout)
        os.killpg(running.pid, signal.SIGKILL)
        first.stdout.read()
        said = first.stderr.read()
    with run_script(cluster + "wait", tmp_path, home):
        again = subprocess.run(
            [*match, "--games", "1"], cwd=tmp_path, env=home, capture_output=True, text=True, check=False
        )

    assert first.returncode == 1
    assert re.fullmatch(r"pitboss: nothing is left to play on: .+", said.splitlines()[-1])
    assert "Traceback" not in said
    assert again.returncode == 0, again.stderr
    [begun] = re.findall(r'"games":4000,"played":(\d+)', again.stdout.splitlines()[0])
    assert 0 < int(begun) < 4_000


def test_a_network_without_encryption(tmp_path: Path) -> None:
    """The address of the page is refused where there is no certificate."""
    words = ("match", "racko", "house:first", "house:first", "--on", "dask://10.0.0.5:8786")
    env = {name: value for name, value in os.environ.items() if not name.startswith("DASK_")}

    ran = subprocess.run([*COMMAND, *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)

    assert ran.returncode != 0
    assert "dask+unencrypted://10.0.0.5:8786" in ran.stderr


def test_the_settings_of_the_page() -> None:
    """The settings of the page are those of a cluster on this machine."""
    said = dict(re.findall(r"^export DASK_(\w+)=(.+)$", DASK_SH, re.MULTILINE))
    named = {key.replace(".", "__").replace("-", "_").upper(): str(value) for key, value in QUIET_DASK.items()}

    assert {key: value for key, value in said.items() if "TLS" not in key and "ENCRYPTION" not in key} == named


def test_the_times_of_the_page() -> None:
    """Seconds, and the size of the cache, are those of the code."""
    text = " ".join(PAGE.split())

    assert f"has not answered for {node.SILENCE_SECONDS:.0f} seconds" in text
    assert f"tried again {cluster_engine.RETRY_SECONDS:.0f} seconds later" in text
    assert (run_workers.NEW_PLACE_SECONDS, travelling_bots.MAX_CACHED_BYTES) == (30, 2 << 30)
    assert "waits for half a minute" in text
    assert "(up to 2 GB;" in text


def test_the_arithmetic_of_the_page() -> None:
    """Calls and shares follow from the measured parts that stand above them."""
    [per_game] = re.findall(r"client needs (\S+) ms", PAGE)
    [(client_call, scheduler_call)] = re.findall(r"^\| a call of a node \| (\S+) \| (\S+) \|", PAGE, re.MULTILINE)
    rows = re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| (\S+) % \| (\S+) % \|$", PAGE, re.MULTILINE)

    assert len(rows) == 6
    for row in rows:
        cores, games, said_calls, client, scheduler = (float(cell.replace(",", "")) for cell in row)
        calls = min(games, 2 * ceil(cores / 16)) + 2 * games / 20
        assert said_calls == pytest.approx(calls, abs=0.51)
        assert client == pytest.approx((games * float(per_game) + calls * float(client_call)) / 10, rel=0.05, abs=0.051)
        assert scheduler == pytest.approx(calls * float(scheduler_call) / 10, rel=0.05, abs=0.051)
