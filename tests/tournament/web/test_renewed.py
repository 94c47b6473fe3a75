"""A value that is made again when its source has changed: when it is made, by whom, and who gets which."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from pitboss.errors import ConfigError
from pitboss_tournament.web.renewed import Renewed, stamp_file

PAUSE = 2.0
REST = 20.0


class Source:
    """A source that counts how often it is looked at, on a clock that stands still."""

    def __init__(self) -> None:
        self.state = 1
        self.now = 100.0
        self.looks = 0
        self.names: list[str] = []
        self.making_seconds = 0.0
        self.error: Exception | None = None
        self.hold: Callable[[], object] = bool  # what takes long
        self.renewed = Renewed(
            self.look, self.make, pause=PAUSE, rest=REST, clock=self.read_clock, work_clock=self.read_clock
        )

    def read_clock(self) -> float:
        """Return the time."""
        return self.now

    def look(self) -> int:
        """Return the state."""
        self.looks += 1
        return self.state

    def make(self, name: str) -> int:
        """Return ten times the state."""
        self.names.append(name)
        self.now += self.making_seconds
        self.hold()
        if self.error is not None:
            raise self.error
        return 10 * self.state


@pytest.fixture
def source() -> Source:
    """Return a source at which nobody has looked."""
    return Source()


async def test_looks_have_pauses(source: Source) -> None:
    """However many ask, the source is looked at once within a pause."""
    for state in (1, 2, 3):
        source.state = state
        assert await source.renewed.read() == 10
    assert source.looks == 1

    source.now += PAUSE
    assert await source.renewed.read() == 30
    assert source.looks == 2


async def test_a_source_that_stays_the_same(source: Source) -> None:
    """The value of a source that stays the same is made once."""
    for _ in range(5):
        await source.renewed.read()
        source.now += PAUSE

    assert (source.looks, len(source.names)) == (5, 1)


async def test_each_value_has_a_name_of_its_own(source: Source) -> None:
    """Each value has a name of its own, also another than the values of an earlier process."""
    for state in (1, 2, 3):
        source.state = state
        await source.renewed.read()
        source.now += PAUSE
    later = Source()
    await later.renewed.read()

    assert len({*source.names, *later.names}) == 4


async def test_the_rest_after_a_slow_making(source: Source) -> None:
    """The rest after a slow making is a multiple of the time that it took."""
    source.making_seconds = 3.0
    await source.renewed.read()
    source.state = 2

    source.now += 3 * REST - 1
    assert await source.renewed.read() == 10
    source.now += 1
    assert await source.renewed.read() == 20


async def test_an_error_is_for_all(source: Source) -> None:
    """An error is raised for all until the next look. A slow failure is followed by a rest, as a slow making is."""
    await source.renewed.read()
    source.state, source.error, source.making_seconds = 2, ConfigError("it is broken"), 1.0
    source.now += PAUSE
    for _ in range(3):
        with pytest.raises(ConfigError, match="it is broken"):
            await source.renewed.read()
    assert len(source.names) == 2

    source.error = None
    source.now += REST - 1
    with pytest.raises(ConfigError):
        await source.renewed.read()
    source.now += 1
    assert await source.renewed.read() == 20


async def test_a_bug_is_not_kept(source: Source) -> None:
    """A bug, which is no error of Pitboss, reaches its caller and is not kept; the next call tries again."""
    source.error = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        await source.renewed.read()

    source.error = None
    assert await source.renewed.read() == 10


async def test_while_it_is_made(source: Source) -> None:
    """Other callers get the latest value while a new one is made; without one they wait for the first, which is made
    once.
    """
    began, may_end = trio.Event(), threading.Event()
    found = []

    def hold() -> None:
        trio.from_thread.run_sync(began.set)
        may_end.wait()

    async def ask() -> None:
        found.append(await source.renewed.read())

    source.hold = hold
    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(ask)
        await began.wait()
        await trio.testing.wait_all_tasks_blocked()
        assert not found
        may_end.set()
    assert (found, source.looks, len(source.names)) == ([10, 10, 10], 1, 1)

    began, source.state = trio.Event(), 2
    may_end.clear()
    source.now += PAUSE
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await began.wait()
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        so_far = found[3:]
        may_end.set()
    assert so_far == [10]
    assert await source.renewed.read() == 20


async def test_nobody_waits_for_it(source: Source) -> None:
    """A value is made to the end, though its caller has left."""
    began, may_end = trio.Event(), threading.Event()
    asking = trio.CancelScope()

    def hold() -> None:
        trio.from_thread.run_sync(began.set)
        may_end.wait()

    async def ask() -> None:
        with asking:
            await source.renewed.read()

    source.hold = hold
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        await began.wait()
        asking.cancel()
        await trio.testing.wait_all_tasks_blocked()
        has_left = asking.cancelled_caught
        may_end.set()

    assert has_left
    assert await source.renewed.read() == 10
    assert len(source.names) == 1


@pytest.mark.parametrize("ending", ["", "-wal"])
def test_the_stamp_of_a_store(tmp_path: Path, ending: str) -> None:
    """The stamp of a store changes with the file, and with its write-ahead log; there need not be either."""
    path = tmp_path / "x.pitboss"
    before = stamp_file(path)
    path.with_name(path.name + ending).write_bytes(b"one")

    assert before == stamp_file(tmp_path / "y.pitboss")
    assert stamp_file(path) == stamp_file(path) != before
