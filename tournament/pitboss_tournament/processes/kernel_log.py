"""What the kernel's log says of processes that it has killed because memory was used up.

Of a system that does not let this user read the log nothing is known.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from typing import Final

KERNEL_LOG: Final = "/dev/kmsg"
LOG_RECORD_BYTES: Final = 8_192  # the longest record that the kernel gives
CLOCK_SECONDS: Final = 60.0  # the most by which the clock of the log differs from the monotonic one

_KILL: Final = re.compile(rb"^\d+,\d+,(\d+),.*?Killed process (\d+) .*?anon-rss:(\d+)kB.*?shmem-rss:(\d+)kB")


def find_oom_kill(pids: Collection[int], since: float, records: Iterable[bytes] | None = None) -> int | None:
    """Return the bytes that one of these processes held when the kernel killed it; None if it killed none of them.

    `since`: a monotonic time, from which on records count; `records`: of the log, by default of this machine's.
    """
    for record in read_kernel_log() if records is None else records:
        if kill := _KILL.match(record):
            microseconds, pid, anonymous, shared = map(int, kill.groups())
            if pid in pids and microseconds / 1e6 > since - CLOCK_SECONDS:
                return (anonymous + shared) * 1024
    return None


def read_kernel_log() -> Iterator[bytes]:
    """Yield the records of the kernel's log; none if this user may not read it."""
    with suppress(OSError):
        log = os.open(KERNEL_LOG, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            while True:
                with suppress(BrokenPipeError):  # it was overwritten meanwhile: go on with the oldest there is
                    yield os.read(log, LOG_RECORD_BYTES)
        except BlockingIOError:
            return
        finally:
            os.close(log)
