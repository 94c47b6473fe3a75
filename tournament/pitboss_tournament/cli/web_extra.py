"""The extra `web`: packages that only commands for the browser need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pitboss.errors import ConfigError


@contextmanager
def import_web(command: str) -> Iterator[None]:
    """Context manager around imports of a command for the browser.

    Raises:
        ConfigError: a package is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        raise ConfigError(
            f"{command} needs {error.name}, which is not installed: pitboss install 'pitboss[web]'"
        ) from None
