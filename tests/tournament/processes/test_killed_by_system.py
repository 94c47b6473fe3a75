"""A bot that the system kills for want of memory: its own fault if it has reached its limit, else the machine's."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic

import pytest

from pitboss_tournament.plan.limits import MEBIBYTE
from pitboss_tournament.processes import reaper
from pitboss_tournament.processes.bot_process import find_oom_kill
from pitboss_tournament.processes.cgroups import ControlGroup, GroupParents, find_group_parents
from tests.tournament.sandbox_programs import make_mark

KILL = (
    b"4,1523,%d,-;Memory cgroup out of memory: Killed process 13019 (python3) total-vm:3376kB, anon-rss:2048kB, "
    b"file-rss:1748kB, shmem-rss:1024kB, UID:65534 pgtables:40kB oom_score_adj:1000\n SUBSYSTEM=memory\n"
)

KILLED_V1 = {"memory.oom_control": "under_oom 0\noom_kill 1\n", "memory.limit_in_bytes": "67108864\n"}


@pytest.mark.parametrize(
    ("files", "is_own", "is_of_others"),
    [
        ({"memory.events": "low 0\nhigh 0\nmax 9\noom 1\noom_kill 1\n"}, True, False),
        ({"memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 1\n"}, False, True),
        ({"memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\n"}, False, False),
        ({**KILLED_V1, "memory.max_usage_in_bytes": "67108864\n"}, True, False),
        ({**KILLED_V1, "memory.max_usage_in_bytes": "50000000\n"}, False, True),
        (
            {**KILLED_V1, "memory.max_usage_in_bytes": "67108864\n", "memory.oom_control": "under_oom 0\noom_kill 0\n"},
            *(False, False),
        ),
    ],
)
def test_what_a_group_tells(tmp_path: Path, files: Mapping[str, str], is_own: bool, is_of_others: bool) -> None:
    """A group whose limit was reached has itself to blame, by the files of cgroup v2 and v1."""
    group = ControlGroup("x", GroupParents(memory=tmp_path))
    [folder] = tmp_path.iterdir()
    for name, text in files.items():
        (folder / name).write_text(text)

    assert (group.has_run_out_of_memory(), group.has_lost_process()) == (is_own, is_of_others)


def test_what_the_log_tells() -> None:
    """The log tells of a process of the bot, killed since its start, how much memory it held."""
    now = monotonic()
    records = [b"6,1522,1,-;eth0: link is up\n", KILL % round(now * 1e6)]

    assert find_oom_kill({13019, 13020}, now, records) == 3 * MEBIBYTE
    assert find_oom_kill({13020}, now, records) is None
    assert find_oom_kill({13019}, now + 3_600, records) is None
    assert find_oom_kill({13019}, now, [b"", b"4,1523,9999999999999,-;Killed process x"]) is None


@pytest.mark.once
def test_a_group_within_a_group_without_memory() -> None:
    """The kernel itself: a process is killed because the group around its own is full."""
    parent = find_group_parents().memory
    if parent is None:
        pytest.skip("this user can limit no memory here")
    mark, inner = make_mark(), None
    around = parent / f"{reaper.GROUP_PREFIX}{mark}"
    outer = ControlGroup(mark, GroupParents(memory=parent))
    try:
        outer.limit_memory(32 * MEBIBYTE)
        if (control := around / "cgroup.subtree_control").exists():
            control.write_text("+memory")
        inner = ControlGroup(make_mark(), GroupParents(memory=around))
        inner.limit_memory(512 * MEBIBYTE)
        code = "x = []\nwhile len(x) < 128: x.append(b'x' * (1 << 20))"
        with subprocess.Popen([*inner.join_args(), sys.executable, "-I", "-S", "-c", code]) as process:
            assert process.wait() == -signal.SIGKILL

        assert inner.has_lost_process()
        assert not inner.has_run_out_of_memory()
    finally:
        if inner is not None:
            inner.remove()
        outer.remove()
