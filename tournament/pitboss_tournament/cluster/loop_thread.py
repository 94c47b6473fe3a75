"""An event loop of asyncio in a thread, for libraries that are made for one; trio keeps the main thread."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final, TypeVar

import trio

LOOP_END_SECONDS: Final = 10.0  # for the thread to end

T = TypeVar("T")


class RunInLoop:
    """Runs coroutines of asyncio in a thread that has an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    async def __call__(self, function: Callable[..., Coroutine[Any, Any, T]], *args: object) -> T:
        """Return what a coroutine function returns, or raise what it raises; cancelled, it is cancelled too."""
        done, token = trio.Event(), trio.lowlevel.current_trio_token()

        def wake(_: object) -> None:
            with suppress(trio.RunFinishedError):
                token.run_sync_soon(done.set)

        running = asyncio.run_coroutine_threadsafe(function(*args), self._loop)
        running.add_done_callback(wake)
        try:
            await done.wait()
        except trio.Cancelled:
            running.cancel()
            raise
        return running.result()


@contextmanager
def start_loop() -> Iterator[RunInLoop]:
    """Context manager: a thread with an event loop; what still runs at its end is cancelled."""
    begun, end, found = threading.Event(), asyncio.Event(), list[asyncio.AbstractEventLoop]()

    async def serve() -> None:
        # Ctrl-C is for the tournament; the processes that are started from here inherit this
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGHUP})
        found.append(asyncio.get_running_loop())
        begun.set()
        await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="asyncio", daemon=True)
    thread.start()
    begun.wait()
    [loop] = found
    try:
        yield RunInLoop(loop)
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(LOOP_END_SECONDS)
