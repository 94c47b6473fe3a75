"""Errors that end a command: what is said of each, and its exit status."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from typing import Final

import typer

from pitboss.errors import ConfigError, PitbossError, SeveralErrors
from pitboss.text import truncate_text
from pitboss_tournament.authoring.bot_build import BuildFailed
from pitboss_tournament.cli.error_hints import print_hints
from pitboss_tournament.cli.exit_status import INTERRUPTED
from pitboss_tournament.config.toml_file import TomlSyntaxError
from pitboss_tournament.store.database import SHOWN_NAME
from pitboss_tournament.text.terminal_text import escape_line

BUILD_LINES: Final = 30  # of what a failed build printed, the last ones


UNUSABLE_FILE: Final = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG, errno.ELOOP)


def report_error(error: BaseException) -> int | None:
    """Print each error of a group, and what it points at; return the exit status, None if one is a bug of ours."""
    errors = list(_flatten_groups(error))
    interrupts = [each for each in errors if isinstance(each, KeyboardInterrupt)]
    if any(not _is_expected(each) for each in errors if each not in interrupts):
        return None
    if interrupts:
        return INTERRUPTED
    for line, excerpt in _list_messages(errors).items():
        typer.echo(f"pitboss: {escape_line(line)}", err=True)
        for shown in excerpt:
            typer.echo(f"    {escape_line(shown)}", err=True)
    print_hints({_error_line(each): (each, _error_line(each)) for each in errors}.values())
    return 2 if _is_persons(errors[0]) else 1


def describe_mistake(error: BaseException) -> list[str]:
    """Return what is to be said of an error that is the person's or a bot's, and what a build printed, line by line;
    nothing if it is another error.
    """
    errors = list(_flatten_groups(error))
    if not all(map(_is_persons, errors)):
        return []
    lines = [line for message, excerpt in _list_messages(errors).items() for line in (message, *excerpt)]
    output = [line for one in errors if isinstance(one, BuildFailed) for line in one.output.splitlines()]
    return [*lines, *output[-BUILD_LINES:]]


def is_no_bug(error: BaseException) -> bool:
    """Whether an error, or each of a group, is none of ours: a sentence says it."""
    return all(map(_is_expected, _flatten_groups(error)))


def _list_messages(errors: Sequence[BaseException]) -> dict[str, Sequence[str]]:
    """Return the sentence of each error, with the lines of a file that it points at."""
    return {_error_line(each): each.excerpt if isinstance(each, TomlSyntaxError) else () for each in errors}


def _is_expected(error: BaseException) -> bool:
    return isinstance(error, PitbossError) or _is_output_error(error) or _is_persons(error)


def _is_persons(error: BaseException) -> bool:
    """Whether it is an error of what the person has asked for, or of a bot."""
    return isinstance(error, ConfigError) or _is_unusable_file(error) or _is_foreign_text(error)


def _flatten_groups(error: BaseException) -> Iterator[BaseException]:
    """Yield the exceptions of a group, which trio raises, or the exception itself."""
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
        if error.errno == errno.ENAMETOOLONG:
            text = f"{truncate_text(str(error.filename), SHOWN_NAME)}: a name of a file has 255 bytes at most"
    elif isinstance(error, UnicodeEncodeError):
        text = f"{truncate_text(error.object, SHOWN_NAME)}: these bytes are no UTF-8; choose another name"
    return " ".join(text.split())


def _is_output_error(error: BaseException) -> bool:
    """Whether standard output could not be written: such an error names no file."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO) and error.filename is None


def _is_foreign_text(error: BaseException) -> bool:
    """Whether a word of the command line, which may be any bytes, cannot be written as UTF-8."""
    return isinstance(error, UnicodeEncodeError) and error.encoding == "utf-8"


def _is_unusable_file(error: BaseException) -> bool:
    """Whether the command cannot do what it has to with a file or a folder: this user may not, or its name cannot be
    one.
    """
    return isinstance(error, OSError) and error.errno in UNUSABLE_FILE and error.filename is not None
