"""`pitboss models`: language models that bots ask."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from pitboss.errors import ConfigError
from pitboss_tournament.models.fake_server import FakeModels, make_fake_server, server_url


def fake(port: int, script: Path | None, key_env: str) -> None:
    """Run `pitboss models fake`."""
    if key_env and not os.environ.get(key_env):
        raise ConfigError(f"--key-env is {key_env!r}, and this environment variable is not set")
    try:
        answers = script.read_text(encoding="utf-8").splitlines() if script else []
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--script: {script} cannot be read: {error}") from None
    try:
        server = make_fake_server(FakeModels(answers), port, os.environ.get(key_env, "") if key_env else "")
    except OSError as error:
        raise ConfigError(f"--port {port} cannot be served: {error.strerror}") from None
    with server:
        typer.echo(f"Fake models are at {server_url(server)} (Ctrl-C ends it)")
        server.serve_forever()
