"""The kind of command whose exit status is a verdict, so that no error may end it with the status of a verdict."""

from __future__ import annotations

import os
import sys
import traceback
from typing import Any, Final

import typer

from pitboss_tournament.cli.command_kind import PitbossCommand
from pitboss_tournament.cli.exit_status import INTERRUPTED, NO_VERDICT
from pitboss_tournament.cli.memory_shortage import report_lack

USAGE_ERROR: Final = 2  # typer's own status


class VerdictCommand(PitbossCommand):
    """A command that ends with NO_VERDICT where others end with 1 or 2 after an error."""

    def make_context(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401 - typer's own click
        """Parse the command line."""
        try:
            return super().make_context(*args, **extra)
        except Exception as error:
            if getattr(error, "exit_code", None) == USAGE_ERROR:  # typer does not export the class
                error.exit_code = NO_VERDICT  # type: ignore[attr-defined]
            raise

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401 - typer's own click
        """Run the command."""
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, SystemExit):
            raise
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is no verdict
            if report_lack(error):
                os._exit(NO_VERDICT)  # not even the interpreter's own end can be relied upon
            from pitboss_tournament.cli.error_report import report_error  # noqa: PLC0415 - only after an error

            status = report_error(error)
            if status is None:  # a bug of ours
                traceback.print_exc()
            sys.exit(INTERRUPTED if status == INTERRUPTED else NO_VERDICT)
