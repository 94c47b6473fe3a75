"""The mark in a bot's environment, by which its processes are found when the runner was killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from pitboss_tournament.processes import reaper


def test_marks_tell_nothing() -> None:
    """Two marks of one runner have no part in common, and no mark tells how many there were."""
    marks = [reaper.make_mark("secret") for _ in range(100)]

    assert len({mark[place : place + 8] for mark in marks for place in (0, 8, 16, 24)}) == 400


def test_own_marks_are_known() -> None:
    """Only the secret that made a mark knows the mark; other texts are nobody's."""
    mark = reaper.make_mark("secret")

    assert reaper.is_mark_of("secret", mark)
    assert not reaper.is_mark_of("another's", mark)
    assert not any(reaper.is_mark_of("secret", text) for text in ("", "1", mark[:-1], f"{mark}0", "\udcff" * 32))


@pytest.mark.once
@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="without /proc no process is found")  # noqa: PTH112
def test_what_left_its_group_ends_with_the_runner() -> None:
    """The reaper of a dead runner kills what carries a mark of that runner, and nothing else."""
    words = [sys.executable, "-c", "print(flush=True); input()"]
    started = [
        subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, reaper.MARK: reaper.make_mark(secret)},
            start_new_session=True,
        )
        for secret in ("secret", "another's")
    ]
    for one in started:
        assert one.stdout
        one.stdout.readline()
    subprocess.run([sys.executable, "-I", "-S", reaper.__file__], input=b"secret\n", check=True)

    ended, spared = (one.communicate(b"\n") and one.returncode for one in started)
    assert (ended, spared) == (-signal.SIGKILL, 0)
