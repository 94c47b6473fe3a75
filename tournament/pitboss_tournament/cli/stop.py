"""`pitboss stop`: let a tournament that runs elsewhere stop in good order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pitboss_tournament.cli.parameters import StoreFile

if TYPE_CHECKING:
    from pathlib import Path

    from pitboss_tournament.results.holder import Holder


def stop(file: StoreFile) -> None:
    """Stop the tournament that is being played into STORE, as Ctrl-C in its terminal does: finished games are kept, and `pitboss run` carries on.

    It returns when the tournament has stopped. If none is running, it says so.
    """
    from pitboss_tournament.results.holder import holder, is_held
    from pitboss_tournament.results.store import Store

    Store(file)  # or a sentence that it is none
    found = holder(file)
    if found is not None:
        with found:
            _stop(found, file)
    elif is_held(file):
        _cannot_see(file)
    else:
        typer.echo(f"No run is playing {file}. {_games(file)}")


def _stop(found: Holder, file: Path) -> None:
    from pitboss.errors import ConfigError

    try:
        found.stop()
    except PermissionError:
        raise ConfigError(
            f"{file}: process {found.pid} plays it, and belongs to another user: only that user may stop it"
        ) from None
    typer.echo(f"Process {found.pid} plays {file}; it has been asked to stop …")
    found.wait()
    typer.echo(f"It has stopped. {_games(file)}")


def _cannot_see(file: Path) -> None:
    from pitboss.errors import ConfigError

    raise ConfigError(
        f"{file}: a run is playing it, but its process cannot be seen from here (another user's, another machine's or container's): press Ctrl-C where it runs"
    )


def _games(file: Path) -> str:
    from pitboss_tournament.results.store import Store

    return f"{Store(file).count():,} games are kept."
