"""The engines of Dask, `dask` and `local`. What they need is imported when their places are opened."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Final

from pitboss_tournament.plan.plan import Plan
from pitboss_tournament.running.engine import AddPlace, Engine, ShowNote


def _open_encrypted(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AbstractAsyncContextManager[None]:
    from pitboss_tournament.cluster.dask_engine import open_dask_places

    return open_dask_places(plan, add_place, show_note, needs_tls=True)


def _open_unencrypted(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AbstractAsyncContextManager[None]:
    from pitboss_tournament.cluster.dask_engine import open_dask_places

    return open_dask_places(plan, add_place, show_note, needs_tls=False)


def _open_local(plan: Plan, add_place: AddPlace, show_note: ShowNote) -> AbstractAsyncContextManager[None]:
    from pitboss_tournament.cluster.dask_engine import open_local_places

    return open_local_places(plan, add_place, show_note)


DASK: Final = Engine(
    name="dask",
    address="://HOST:PORT",
    summary="The machines of a Dask scheduler: --on dask://HOST:PORT.",
    open_places=_open_encrypted,
)
UNENCRYPTED: Final = Engine(
    name="dask+unencrypted",
    address="://HOST:PORT",
    summary="The same without encryption: whoever reaches the scheduler can run programs on its machines and on yours.",
    open_places=_open_unencrypted,
)
LOCAL: Final = Engine(
    name="local",
    address=":N",
    summary="A Dask cluster of processes of this machine for the time of the run: --on local:4.",
    open_places=_open_local,
)
