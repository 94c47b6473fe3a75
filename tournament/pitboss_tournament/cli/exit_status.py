"""How the command line ends: the exit status of each kind of error, and what is printed about it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from typing import Final

import typer

NOT_BETTER: Final = 1  # of `compare`, which ends with 0 if the new bot is better
UNDECIDED: Final = 2  # of `compare`
NO_VERDICT: Final = 3  # of `compare`: after an error
BOT_FAULTS: Final = 3  # a bot never played; or a bot did wrong, and --fail-on-faults was given
INTERRUPTED: Final = 130  # the exit status that shells give to Ctrl-C


def signal_status(number: int) -> int:
    """Return the exit status that shells give to a signal: 130 to Ctrl-C, 143 to SIGTERM."""
    return 128 + number


def report_error(error: BaseException) -> int | None:
    """Print each error of a group, and what it points at; return the exit status, None if one is a bug of ours."""
    from pitboss.errors import ConfigError, PitbossError
    from pitboss_tournament.config.toml_file import TomlSyntaxError
    from pitboss_tournament.text.terminal_text import escape_line

    errors = list(_flatten_groups(error))
    expected = [
        each for each in errors if isinstance(each, PitbossError) or _is_output_error(each) or _is_forbidden_file(each)
    ]
    interrupts = [each for each in errors if isinstance(each, KeyboardInterrupt)]
    if len(expected) + len(interrupts) < len(errors):
        return None
    if interrupts:
        return INTERRUPTED
    said = {_error_line(each): each.excerpt if isinstance(each, TomlSyntaxError) else () for each in expected}
    for line, excerpt in said.items():
        typer.echo(f"pitboss: {escape_line(line)}", err=True)
        for shown in excerpt:
            typer.echo(f"    {escape_line(shown)}", err=True)
    return 2 if isinstance(expected[0], ConfigError) or _is_forbidden_file(expected[0]) else 1


def flush_output() -> None:
    """Flush standard output."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter would try again at its end
        raise


def _flatten_groups(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions of a group, which trio raises, or the exception itself."""
    from pitboss.errors import SeveralErrors

    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _flatten_groups(inner)
    elif isinstance(error, SeveralErrors):
        yield from error.errors
    else:
        yield error


def _error_line(error: BaseException) -> str:
    """Return an error's message as one line."""
    text = str(error)
    if isinstance(error, OSError):
        what = "standard output: cannot be written" if error.filename is None else f"{error.filename}: cannot be used"
        text = f"{what}: {error.strerror}"
    return " ".join(text.split())


def _is_output_error(error: BaseException) -> bool:
    """Whether standard output could not be written: such an error names no file."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO) and error.filename is None


def _is_forbidden_file(error: BaseException) -> bool:
    """Whether this user may not do with a file or a folder what the command has to."""
    return isinstance(error, PermissionError) and error.filename is not None
