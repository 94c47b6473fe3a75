"""Which sandbox is used, how bots end in it, and what is said where it does not work."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.errors import ConfigError
from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import SandboxLevel
from pitboss_tournament.processes.sandbox_probe import probe_bubblewrap, probe_landlock, resolve_sandbox
from pitboss_tournament.processes.sandbox_trial import SandboxProbe, TrialFailure
from tests.tournament.sandbox_programs import (
    make_entrant,
    needs_bubblewrap,
    needs_landlock,
    python_entrant,
    run_program,
    start_program,
)

pytestmark = pytest.mark.once

MODES = [pytest.param("bubblewrap", marks=needs_bubblewrap), pytest.param("landlock", marks=needs_landlock), "none"]


@pytest.fixture
def fresh_probe() -> Iterator[None]:
    """Let bubblewrap be probed anew, in this test and after it."""
    probe_landlock()  # which is remembered: the test may have another PATH
    probe_bubblewrap.cache_clear()
    yield
    probe_bubblewrap.cache_clear()
    probe_bubblewrap()  # so that no other test is charged with it


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Return a folder that all users may look into, unlike pytest's own."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def install_failing_bwrap(folder: Path, monkeypatch: pytest.MonkeyPatch, says: str) -> None:
    """Put a bubblewrap on the PATH that only says why it does not work."""
    program = folder / "bwrap"
    program.write_text(f"#!/bin/sh\necho '{says}' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_machine_where_bubblewrap_works() -> None:
    """If bubblewrap can make a simple sandbox here, ours works too: the tests that need it are not skipped for a fault
    of ours.
    """
    simple = [
        "bwrap",
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "--proc",
        "/proc",
        "true",
    ]
    if shutil.which("bwrap") is None or subprocess.run(simple, capture_output=True, check=False).returncode:
        pytest.skip("bubblewrap does not work here")

    assert probe_bubblewrap() == SandboxProbe()


@needs_bubblewrap
def test_sandbox_that_works() -> None:
    """A sandbox that works is used, without a warning, if it is asked for or if nothing is said; not if
    none is wanted.
    """
    assert resolve_sandbox("auto") == ("bubblewrap", None)
    assert resolve_sandbox("bubblewrap") == ("bubblewrap", None)
    assert resolve_sandbox("none") == ("none", None)


@pytest.mark.usefixtures("fresh_probe")
def test_sandbox_that_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox that is not installed is an error if it is asked for by name; else a weaker level is taken, with a
    warning that says why and what to do.
    """
    monkeypatch.setenv("PATH", str(tmp_path))

    level, warning = resolve_sandbox("auto")
    assert warning is not None
    if problem := probe_landlock().problem:
        assert level == "none"
        assert warning.startswith("bots run without a sandbox, they can read and change what you can: ")
        assert problem in warning
    else:
        assert level == "landlock"
        assert warning.startswith("bots run at the weaker level landlock of the sandbox")
    assert "bwrap is not installed" in warning
    with pytest.raises(
        ConfigError, match=r'^sandbox is "bubblewrap", but bwrap is not installed; install the package bubblewrap'
    ):
        resolve_sandbox("bubblewrap")
    assert resolve_sandbox("none") == ("none", None)


@pytest.mark.usefixtures("fresh_probe")
@pytest.mark.parametrize(
    ("says", "cure"),
    [
        ("bwrap: setting up uid map: Permission denied", ""),
        ("bwrap: Unknown option --disable-userns", "0.8 or newer is needed"),
    ],
)
def test_sandbox_that_does_not_work(open_folder: Path, monkeypatch: pytest.MonkeyPatch, says: str, cure: str) -> None:
    """The warning about a sandbox that does not work quotes its own words, with a cure."""
    install_failing_bwrap(open_folder, monkeypatch, says)

    found = probe_bubblewrap()

    assert found.problem == f"bubblewrap does not work ({says})"
    assert found.remedy
    assert cure in found.remedy


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGTERM])
def test_death_by_a_signal(mode: SandboxLevel, number: signal.Signals) -> None:
    """A death by a signal is reported in the sandbox as of any process."""
    assert run_program(make_entrant("sh", "-c", f"kill -{number.value} $$"), mode).status == -number


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("status", [0, 1, 3, 127, 255])
def test_exit(mode: SandboxLevel, status: int) -> None:
    """The exit status of a bot is passed on."""
    assert run_program(make_entrant("sh", "-c", f"exit {status}"), mode).status == status


@pytest.mark.parametrize("mode", MODES)
def test_program_that_cannot_be_run(mode: SandboxLevel, tmp_path: Path) -> None:
    """A program that cannot be run is distinguished from one that ended by itself."""
    broken = tmp_path / "broken"
    broken.write_text("#!/no/such/interpreter\n")
    broken.chmod(0o755)

    text = tmp_path / "text"
    text.write_text("echo hello")

    for program in ("no-such-program", str(broken), str(text)):
        with start_program(make_entrant(program), mode) as (popen, launch, _):
            assert launch.is_exec_failure(popen.wait())
    with start_program(make_entrant("false"), mode) as (popen, launch, _):
        assert not launch.is_exec_failure(popen.wait())


@needs_bubblewrap
def test_sandbox_that_fails_later(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sandbox that fails after the start is found by a trial, each time."""
    install_failing_bwrap(open_folder, monkeypatch, "bwrap: Creating new namespace failed: No space left on device")

    with start_program(make_entrant("echo", "hello")) as (popen, launch, _):
        assert popen.wait() == 1
        assert launch.try_sandbox() == TrialFailure(
            "bwrap: Creating new namespace failed: No space left on device", is_lasting=False
        )


@needs_bubblewrap
def test_bot_that_pleads_a_failed_sandbox() -> None:
    """A bot that says what a failed sandbox says is not believed."""
    with start_program(make_entrant("sh", "-c", "echo 'bwrap: Creating new namespace failed' >&2; exit 1")) as (
        popen,
        launch,
        _,
    ):
        popen.wait()
        assert launch.try_sandbox() is None


def test_limits_without_a_sandbox() -> None:
    """The limits of single processes hold; the number of processes does not, because it would count all of the
    user's. What a bot computes is limited by game: a limit for the process would make its own clock inexact.
    """
    limits = Limits(memory_mb=64, open_files=33, disk_mb=3, cpu_s=100, processes=7)
    cpu = resource.getrlimit(resource.RLIMIT_CPU)
    code = (
        "import resource as r\n"
        "print(*(r.getrlimit(getattr(r, f'RLIMIT_{name}')) for name in ('NOFILE', 'FSIZE', 'CPU', 'CORE')))"
    )

    assert run_program(python_entrant(code, limits=limits), "none").out == f"(33, 33) (3145728, 3145728) {cpu} (0, 0)\n"


def test_environment_without_a_sandbox(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A bot without a sandbox has its mark, what programs need to be found, and nothing else of our environment; it
    runs in its folder.
    """
    monkeypatch.setenv("API_KEY", "secret")
    monkeypatch.setenv("JAVA_HOME", "/opt/java")
    code = "echo $API_KEY $JAVA_HOME $PATH $LANG $PITBOSS_BOT; pwd"

    said = run_program(make_entrant("sh", "-c", code, folder=tmp_path), "none").out
    assert re.fullmatch(rf"/opt/java {re.escape(os.environ['PATH'])} C.UTF-8 [0-9a-f]{{32}}\n{tmp_path}\n", said)


@pytest.mark.parametrize("mode", MODES)
def test_first_to_go(mode: SandboxLevel) -> None:
    """Once its memory has been looked at, the system will end the bot before others, should the machine run out of
    memory.
    """
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux can be told so")
    with start_program(python_entrant("print(flush=True)\ninput()"), mode) as (popen, _, tree):
        assert popen.stdout and popen.stdout.readline()
        tree.memory_bytes(1 << 40)
        pid = tree.pids()[-1]

        assert Path(f"/proc/{pid}/oom_score_adj").read_text() == "1000\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux ends a process with its parent")
def test_killed_runner_without_a_sandbox() -> None:
    """Without a sandbox too a bot ends with the runner that started it."""
    runner = """
import subprocess, sys
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.sandbox import build_launch
code = "import time; print('ready', flush=True); time.sleep(60); print('outlived')"
launch = build_launch(Entrant(name="bot", command=(sys.executable, "-c", code)), "m", "none")
subprocess.Popen(launch.argv, env=launch.env, start_new_session=True).wait()
"""
    with subprocess.Popen([sys.executable, "-c", runner], stdout=subprocess.PIPE, text=True) as popen:
        assert popen.stdout and popen.stdout.readline() == "ready\n"
        popen.kill()
        rest = popen.stdout.read()  # ends when the bot, which holds it too, has ended

    assert rest == ""
