"""A command of a plugin: imported, and guarded, so that no bug of the plugin looks like one of Pitboss."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from typing import Any, Final

import typer

from pitboss.errors import ConfigError, PitbossError
from pitboss.text import describe_exception
from pitboss_tournament.cli.error_report import is_no_bug

CLICK_EXCEPTION: Final[Any] = typer.BadParameter.__mro__[2]  # ClickException, which typer does not export


def load_guarded(what: str, load: Callable[[], Any]) -> Any:  # noqa: ANN401 - typer's own click
    """Return the command that `load` imports; `what` names it in errors.

    Raises:
        ConfigError: it cannot be imported.
    """
    try:
        command = load()
    except (KeyboardInterrupt, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - the border to a plugin's code
        raise ConfigError(f"{what} cannot be loaded: {describe_exception(error)}") from None
    command.invoke = _guard_plugin(what, command.invoke)
    return command


def _guard_plugin(what: str, invoke: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that does the same, but raises a PitbossError in place of an exception that is a plugin's bug.

    Python's development mode (`python -X dev`) prints the traceback first.
    """

    def invoke_guarded(context: Any) -> Any:  # noqa: ANN401 - typer's own click
        try:
            return invoke(context)
        except (KeyboardInterrupt, MemoryError, SystemExit, typer.Exit, typer.Abort, CLICK_EXCEPTION):
            raise
        except BaseException as error:
            if is_no_bug(error):
                raise
            if sys.flags.dev_mode:
                traceback.print_exception(error)
            *_, last = traceback.extract_tb(error.__traceback__)
            where = f"{last.filename}, line {last.lineno}; PYTHONDEVMODE=1 prints the traceback"
            raise PitbossError(f"{what} failed: {describe_exception(error)} ({where})") from None

    return invoke_guarded
