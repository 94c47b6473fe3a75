"""`pitboss serve`: tournaments and their games in the browser."""

from __future__ import annotations

import signal
from pathlib import Path

import trio
import typer

from pitboss_tournament.cli.web_extra import import_web


def serve(paths: list[Path] | None, host: str, port: int) -> None:
    """Run `pitboss serve`."""
    with import_web("serve"):
        from pitboss_tournament.web.server import leave_anyway, run_server  # noqa: PLC0415 - it needs an extra

    async def wait_for_signal() -> None:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for number in signals:
                status.append(128 + number)
                leave_anyway(128 + number)
                return

    status: list[int] = []
    shown = paths or [Path()]
    trio.run(
        run_server,
        shown,
        host,
        port,
        lambda address: typer.echo(f"Pitboss is at {address} (Ctrl-C ends it)"),
        wait_for_signal,
    )
    raise typer.Exit(status[0])
