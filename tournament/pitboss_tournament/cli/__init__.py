"""The command line. This module imports next to nothing, so that `main` can say what is missing where imports fail."""

from __future__ import annotations

import os
import sys

from pitboss_tournament.cli.memory_shortage import keep_reserve, report_lack


def main() -> None:
    """Run the command line; one sentence and status 1 if the machine has no memory or no threads left for it.

    The process ends without the interpreter's own end, which takes a fifth of the time of a short command.
    """
    status = 0
    try:
        keep_reserve()
        from pitboss_tournament.cli.app import run_app  # noqa: PLC0415 - the import itself may fail for lack of memory

        run_app()
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        status = end.code
    except BaseException as error:
        if not report_lack(error):
            raise
        os._exit(1)  # not even the interpreter's own end can be relied upon
    sys.stderr.flush()
    os._exit(status)  # standard output has been flushed, and stores are closed: nothing refers to them any more
