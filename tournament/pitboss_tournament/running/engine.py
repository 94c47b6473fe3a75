"""Engines: what plays the batches of games of a tournament. Plugins add theirs by the hook `pitboss_engines`.

An engine opens workers. A tournament tells a worker what `worker_protocol` lets a parent say, and reads from it what a
worker may say there; an engine carries these messages, wherever its workers are. The built-in one, `processes`, has
them on this machine (`worker_pool`). A worker is told the rules of the tournament; each batch that it plays brings its
entrants and its seeds, so that the seed of the tournament, from which all cards follow, stays with the parent.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeAlias

from msgspec import Struct

from pitboss.errors import PitbossError
from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running.worker_protocol import ParentMessage, WorkerMessage


class PlaceLost(PitbossError):
    """A place where workers play is gone: the machine, or the way to it. No game is to blame."""


class EngineWorker(Protocol):
    """A worker as the tournament sees it."""

    @property
    def lost_place(self) -> str | None:
        """Why its place is gone, if it ended with it; no game is then suspected. None: it ended by itself."""

    def send(self, message: ParentMessage) -> None:
        """Queue a message; a worker that does not read blocks nobody. After `request_stop` nothing is sent."""

    async def receive(self) -> WorkerMessage | None:
        """Return the worker's next message; None when it has ended.

        Raises:
            WorkerProtocolError: it said something that is no message.
        """

    def request_stop(self) -> None:
        """Ask the worker to end once it has heard all messages; one that has not after some seconds is killed."""

    def break_off(self) -> None:
        """Ask the worker to end, in the middle of a game too; kill one that has not yet said `ready`."""

    def exit_text(self) -> str:
        """Describe how the worker ended, as text. Only after its block."""


class WorkerPlace(Struct, frozen=True, eq=False, kw_only=True):
    """A place where one worker plays at a time; one that dies is replaced."""

    open_worker: Callable[[], AbstractAsyncContextManager[EngineWorker]]
    """Starts a worker, which has ended when the block is left.

    It raises MachineError if none can be started now, which ends the tournament, or PlaceLost, which ends the place.
    """
    tables: int  # at which the worker plays at a time
    machine: str = ""  # where it is, as text; "": on this one
    kind: str = ""  # of machine: what one plays, others of the same kind may carry on


AddPlace: TypeAlias = Callable[[WorkerPlace], None]
"""Takes a place; it may be called at any time of the run."""


ShowNote: TypeAlias = Callable[[str], None]
"""Takes a sentence for whoever watches the run: that a machine is lost, refused or found."""


class Engine(Struct, frozen=True, kw_only=True):
    """A way to play a tournament's games."""

    name: str  # as people type it: `--on NAME` or `--on NAME:ADDRESS`
    summary: str  # one sentence
    takes_newcomers: bool = False  # bots may join while its places are open; else they are closed and opened again
    address: str = ""  # what may follow the name, as ":N"; "": nothing
    open_places: Callable[[Plan, AddPlace, ShowNote], AbstractAsyncContextManager[None]]
    """A context manager around a whole run. Within it there are the places that it has added, at least one at first.

    The address in the plan's `engine` is the engine's own, to read and to refuse.
    """
