"""`pitboss stop`: let a tournament that runs elsewhere stop in good order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pitboss_tournament.cli.parameters import StoreFile

if TYPE_CHECKING:
    from pathlib import Path

    from pitboss_tournament.store.store_lock import StoreHolder


def stop(file: StoreFile) -> None:
    """Stop the tournament that is being played into STORE, as Ctrl-C in its terminal does: finished games are kept, and
    `pitboss run` carries on.

    It returns when the tournament has stopped. If none is running, it says so.
    """
    from pitboss_tournament.store.store import Store
    from pitboss_tournament.store.store_lock import find_holder, is_locked

    Store(file)  # or a sentence that it is none
    found = find_holder(file)
    if found is not None:
        with found:
            _stop_process(found, file)
    elif is_locked(file):
        _refuse_hidden_process(file)
    else:
        typer.echo(f"No run is playing {file}. {_count_games(file)}")


def _stop_process(found: StoreHolder, file: Path) -> None:
    from pitboss.errors import ConfigError

    try:
        found.stop()
    except PermissionError:
        raise ConfigError(
            f"{file}: process {found.pid} plays it, and belongs to another user: only that user may stop it"
        ) from None
    typer.echo(f"Process {found.pid} plays {file}; it has been asked to stop …")
    found.wait()
    typer.echo(f"It has stopped. {_count_games(file)}")


def _refuse_hidden_process(file: Path) -> None:
    from pitboss.errors import ConfigError

    raise ConfigError(
        f"{file}: a run is playing it, but its process cannot be seen from here (another user's, "
        "another machine's or container's): press Ctrl-C where it runs"
    )


def _count_games(file: Path) -> str:
    from pitboss_tournament.store.store import Store

    return f"{Store(file).count_games():,} games are kept."
