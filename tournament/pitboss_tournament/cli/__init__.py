"""The command line. This module imports next to nothing, so that `main` can say what is missing where imports fail."""

from __future__ import annotations

import os
import sys

from pitboss_tournament.cli.memory_shortage import keep_reserve, report_lack


def main() -> None:
    """Run the command line; one sentence and status 1 if the machine has no memory or no threads left for it.

    The process ends without the interpreter's own end, which takes a fifth of the time of a short command.
    """
    try:
        keep_reserve()
        from pitboss_tournament.cli.app import run_app

        run_app()
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        sys.stderr.flush()
        os._exit(end.code)  # standard output has been flushed
    except BaseException as error:
        if not report_lack(error):
            raise
        os._exit(1)  # not even the interpreter's own end can be relied upon
