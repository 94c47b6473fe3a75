"""The places of the engines of Dask: nodes are workers of Dask (distributed), which brings the machines together.

`dask://HOST:PORT` is a scheduler of Dask that is running, `local:N` a cluster of N processes of this machine for the
time of the run. A node is an actor on a Dask worker; calls to it go by way of the scheduler, so that only the scheduler
has to be reached from here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

import trio

from pitboss.errors import ConfigError
from pitboss_tournament.cluster.cluster_engine import open_node_places
from pitboss_tournament.cluster.machine import NO_NODE
from pitboss_tournament.cluster.node import ClusterNode
from pitboss_tournament.cluster.remote_node import NodeCalls
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running.engine import AddPlace, ShowNote
from pitboss_tournament.text.host_names import is_loopback

if TYPE_CHECKING:
    from distributed import Client, Future, LocalCluster

CONNECT_SECONDS: Final = 10.0
SCHEDULER_SECONDS: Final = 5.0  # for the scheduler to list its workers
MAX_LOCAL: Final = 256
QUIET_DASK: Final = {  # Dask measures itself less often; by default that takes 2.5 % of a core in each of its processes
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.worker.memory.monitor-interval": "2s",
}

_LOGGERS: Final = (
    "distributed",
    "distributed.client",
    "distributed.gc",
    "tornado.application",
)  # with a level of their own

T = TypeVar("T")

LOOP_END_SECONDS: Final = 10.0  # for the thread to end


class DaskCluster:
    """The workers of a Dask scheduler. Its methods are called from trio, and do their work in Dask's thread."""

    def __init__(self, run: RunInLoop, url: str) -> None:
        self._run = run
        self._url = url
        self._client: Client

    async def connect(self) -> None:
        """Connect to the scheduler. Raises OSError, ValueError or ImportError if that fails."""
        await self._run(self._connect)

    async def close(self) -> None:
        """Leave the scheduler."""
        await self._run(_close, self._client)

    async def list_nodes(self) -> dict[str, int]:
        """Return the addresses of the Dask workers, and how many threads each offers.

        Connect again to a scheduler that was away for longer than Dask's client retries.

        Raises:
            OSError: the scheduler does not answer.
        """
        return await self._run(self._list_workers)

    async def open_node(self, address: str, plan: Plan) -> NodeCalls:
        """Start a node on a Dask worker."""
        return await self._run(self._open_node, address, plan)

    async def ask_scheduler(self) -> dict[str, int]:
        """Return the Dask workers as `list_nodes` does, in Dask's thread, from a scheduler that is connected to.

        Raises:
            ConnectionError: it does not answer.
        """
        try:
            async with asyncio.timeout(SCHEDULER_SECONDS):
                found = await self._client.scheduler.identity(n_workers=-1)
                return {address: worker["nthreads"] for address, worker in found["workers"].items()}
        except Exception:  # noqa: BLE001 - the border to Dask, which may be about to close
            raise ConnectionError(f"the scheduler at {self._url} does not answer") from None

    async def _connect(self) -> None:
        from distributed import Client

        client = Client(self._url, asynchronous=True, timeout=CONNECT_SECONDS, direct_to_workers=False)
        try:
            self._client = await client
        except BaseException:
            await client.close()
            raise

    async def _list_workers(self) -> dict[str, int]:
        if self._client.status == "closed":
            await self._connect()
        return await self.ask_scheduler()

    async def _open_node(self, address: str, plan: Plan) -> DaskNode:
        future = self._client.submit(
            ClusterNode,
            plan.sandbox,
            plan.build_network,
            actor=True,
            workers=[address],
            allow_other_workers=False,
            pure=False,
            retries=0,
        )
        return DaskNode(self._run, self, future, await future)


class DaskNode:
    """A node that is an actor of Dask."""

    def __init__(
        self,
        run: RunInLoop,
        cluster: DaskCluster,
        future: Future,
        actor: Any,  # noqa: ANN401 - Dask's proxy has no type
    ) -> None:
        self._run = run
        self._cluster = cluster
        self._future = future
        self._actor = actor

    async def call(self, method: str, *args: object) -> Any:  # noqa: ANN401 - as the method returns
        """Call a method of the node."""
        return await self._run(self._call, method, args)

    async def release(self) -> None:
        """Let Dask forget the actor."""
        await self._run(self._release)

    async def _call(self, method: str, args: tuple[object, ...]) -> Any:  # noqa: ANN401 - as the method returns
        try:
            return await getattr(self._actor, method)(*args)
        except (OSError, RuntimeError):
            await self._cluster.ask_scheduler()  # it says so if the scheduler is what is gone
            raise

    async def _release(self) -> None:
        self._future.release()


@asynccontextmanager
async def open_dask_places(
    plan: Plan, add_place: AddPlace, show_note: ShowNote, *, needs_tls: bool
) -> AsyncIterator[None]:
    """Context manager: the workers of a running scheduler are places; with `needs_tls` only if all is encrypted.

    Raises:
        ConfigError: Dask is not installed, or no such scheduler answers.
    """
    url = _find_scheduler(plan.engine, needs_tls)
    with start_loop() as run:
        async with (
            _open_cluster(run, plan.engine, url) as cluster,
            open_node_places(plan, cluster, add_place, show_note),
        ):
            yield


@asynccontextmanager
async def open_local_places(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AsyncIterator[None]:
    """Context manager: processes of this machine are places.

    Raises:
        ConfigError: no node can play on this system, Dask is not installed, or the number of processes is not allowed.
    """
    if os.name != "posix":
        raise ConfigError(f"{plan.engine}: {NO_NODE}; without --on it is played here")
    _require_dask(plan.engine)
    import dask
    from distributed import LocalCluster

    _, _, number = plan.engine.partition(":")
    if not number.isdecimal() or not 1 <= int(number) <= MAX_LOCAL:
        raise ConfigError(
            f"{plan.engine!r} is no local cluster; it is local:N, with 1 to {MAX_LOCAL} processes: local:4"
        )

    async def start() -> LocalCluster:
        return await LocalCluster(  # a scheduler with workers, and a watcher for each, which starts it again
            n_workers=int(number),
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            asynchronous=True,
            silence_logs=logging.CRITICAL,
        )

    with start_loop() as run:
        with dask.config.set(QUIET_DASK):
            processes = await run(start)
        try:
            async with (
                _open_cluster(run, plan.engine, processes.scheduler_address) as cluster,
                open_node_places(plan, cluster, add_place, show_note),
            ):
                yield
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(CONNECT_SECONDS):
                await run(_close, processes)


@asynccontextmanager
async def _open_cluster(run: RunInLoop, engine: str, url: str) -> AsyncIterator[DaskCluster]:
    """Context manager: the cluster of the scheduler at a URL.

    Raises:
        ConfigError: it does not answer.
    """
    cluster = DaskCluster(run, url)
    try:
        await cluster.connect()
    except (OSError, ValueError, ImportError, RuntimeError) as error:  # RuntimeError: Dask's settings demand TLS
        raise ConfigError(f"{engine}: no scheduler of Dask answers there: {error}") from None
    try:
        yield cluster
    finally:
        with trio.CancelScope(shield=True), trio.move_on_after(CONNECT_SECONDS):
            await cluster.close()


async def _close(what: Client | LocalCluster) -> None:
    await what.close()


def _find_scheduler(engine: str, needs_tls: bool) -> str:
    """Return the URL by which Dask connects to a scheduler.

    Raises:
        ConfigError: it is no address, or everybody could read and change what is sent to it.
    """
    _require_dask(engine)
    import dask

    _, _, address = engine.partition("://")
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise ConfigError(
            f"{engine!r} is no address of a scheduler; it is dask://HOST:PORT, as in dask://10.0.0.5:8786"
        )
    if not needs_tls:
        return f"tcp://{address}"
    if dask.config.get("distributed.comm.tls.ca-file", None):
        return f"tls://{address}"
    if not is_loopback(host):
        raise ConfigError(
            f"{engine}: what is sent to {host} would not be encrypted, and anyone who can reach this scheduler can "
            "run programs on its machines and on this one; set up Dask's TLS (distributed.comm.tls in its "
            f"configuration), or accept the risk: dask+unencrypted://{address}"
        )
    return f"tcp://{address}"


def _require_dask(engine: str) -> None:
    """Raise ConfigError if Dask is not installed."""
    try:
        import distributed  # noqa: F401 - is it there?
    except ImportError as error:
        raise ConfigError(f"the engine {engine} needs Dask: pitboss install 'pitboss[dask]' ({error})") from None
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what goes wrong is told by the run itself


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
        if sys.platform != "win32":
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
