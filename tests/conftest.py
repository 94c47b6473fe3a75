"""Shared by all tests: the option `--cases`, signals, property tests, and the rule for the mark `once`."""

from __future__ import annotations

import os
import platform
import signal
import sys
import threading
from collections.abc import Generator
from importlib.metadata import entry_points
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

from pitboss_tournament.processes.cgroups import find_group_parents
from pitboss_tournament.processes.sandbox_probe import probe_bubblewrap
from pitboss_tournament.processes.visible_paths import find_visible_paths

PROCESS_EVENTS: Final = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "tests.run_pitboss"}

# Property tests are the same in every run, and none fails because the machine is slow; `make soak` has 2,000 examples.
settings.register_profile(
    "pitboss",
    deadline=None,
    derandomize=True,
    max_examples=50,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=False,
)
settings.register_profile(
    "fresh", settings.get_profile("pitboss"), derandomize=False, database=None, max_examples=2_000
)
settings.load_profile("pitboss")

earlier_threads: set[int] = set()  # what they start is no process of the test that runs
started_processes: list[str] = []


def note_process(event: str, arguments: tuple[object, ...]) -> None:
    """Note a process that this thread starts, unless an earlier test left the thread."""
    if event in PROCESS_EVENTS and threading.get_ident() not in earlier_threads:
        started_processes.append(f"{event}{arguments[:2]}")


sys.addaudithook(note_process)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--cases` here, not in `tests/rules`: a bare `pytest` reads only this file before the command line."""
    parser.addoption(
        "--cases",
        action="append",
        default=[],
        metavar="FILE.md",
        help="run the `json case` blocks of this rule book instead of the plugins' own (repeatable); its "
        "name tells the game",
    )


def pytest_sessionstart() -> None:
    """Refuse an installation from before what is built in became a plugin: its entry point is missing."""
    if not entry_points(group="pitboss", name="built_in"):
        raise pytest.UsageError(
            "Pitboss is installed without what is built in: pip install --no-deps --no-build-isolation -e ."
        )


def pytest_configure() -> None:
    """Restore the default handlers of SIGINT and SIGHUP.

    A background shell or nohup ignores these signals, and child processes inherit that.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session", autouse=True)
def cached_probes() -> None:
    """Start the processes that are started once and remembered, so that no test is charged with them.

    What is remembered is that of this Python: later a test may have put Magpie among its paths.
    """
    platform.platform()
    probe_bubblewrap()
    find_group_parents()
    find_visible_paths([sys.executable], None)
    started_processes.clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark each test that is `long` as `once`, too: the fast tests leave it out."""
    for item in items:
        if item.get_closest_marker("long") is not None:
            item.add_marker("once")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Forget the processes that earlier tests started, and note the threads that they left."""
    started_processes.clear()
    earlier_threads.clear()
    earlier_threads.update(
        one.ident for one in threading.enumerate() if one is not threading.main_thread() and one.ident
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that starts a process and is not marked: `make quick` would run it."""
    result = yield
    if started_processes and not any(item.iter_markers("once")):
        pytest.fail(f"this test starts a process: mark it with pytest.mark.once; started: {started_processes}")
    return result


@pytest.hookimpl(optionalhook=True)  # where pytest-xdist is missing, there is no such hook
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use two workers a CPU unless only the fast tests run: the others wait for processes a third of the time."""
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cpus if config.option.markexpr == "not once" else 2 * cpus
