"""Files that a command writes: whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pitboss.errors import ConfigError

_STORE_SUFFIXES: Final = ("", "-wal", "-shm", "-journal")


@contextmanager
def write_whole_file(target: Path, *stores: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `target` at the end; `target` itself if it is a pipe or device.

    Raises:
        ConfigError: the target is one of the stores, or it cannot be written.
    """
    beside = [store.with_name(f"{store.name}{end}") for store in stores for end in _STORE_SUFFIXES]  # SQLite's files
    if target.exists() and any(path.exists() and target.samefile(path) for path in beside):
        raise ConfigError(f"{target}: this is the store itself; name another file with --output")
    try:
        if target.exists() and not target.is_file():
            yield target
            return
        real = target.resolve()
        part = real.with_name(f".{real.name}.part")
        try:
            yield part
            part.replace(real)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise ConfigError(f"{target}: cannot be written: {error.strerror or error}") from None


def require_new(target: Path) -> None:
    """Check that nothing would be overwritten.

    Raises:
        ConfigError: there is something.
    """
    if target.exists():
        raise ConfigError(f"{target}: this exists already; remove it, or name another file with --output")
