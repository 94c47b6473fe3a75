"""The command line. This module imports next to nothing, so that `main` can say what is missing where imports fail."""

from __future__ import annotations

import errno
import os
import sys


def main() -> None:
    """Run the command line; one sentence and status 1 if the machine has no memory or no threads left for it.

    The process ends without the interpreter's own end, which takes a fifth of the time of a short command.
    """
    try:
        from pitboss_tournament.cli.app import run_app

        run_app()
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        sys.stderr.flush()
        os._exit(end.code)  # standard output has been flushed
    except BaseException as error:
        lack = _find_lack(error)
        if lack is None:
            raise
        text = " ".join(f"{type(lack).__name__}: {lack}".split()).removesuffix(":")
        os.write(2, f"pitboss: there is too little memory for this command (see `ulimit -a`): {text}\n".encode())
        os._exit(1)  # not even the interpreter's own end can be relied upon


def _find_lack(error: BaseException) -> BaseException | None:
    """Return the error that says that the system refused memory or a thread, also within a group; None if none does."""
    if isinstance(error, BaseExceptionGroup):
        return next(filter(None, map(_find_lack, error.exceptions)), None)
    is_lack = (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or (isinstance(error, ImportError) and ("map segment" in str(error) or "allocate memory" in str(error)))
        or (isinstance(error, RuntimeError) and str(error) == "can't start new thread")
    )
    if is_lack:
        return error
    cause = error.__cause__ or error.__context__
    return None if cause is None else _find_lack(cause)
