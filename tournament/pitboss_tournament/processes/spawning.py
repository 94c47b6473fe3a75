"""The start of a bot's program, and whose fault it is if there is none."""

from __future__ import annotations

import errno
import subprocess
from typing import Final

from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.processes.bot_launch import BotLaunch
from pitboss_tournament.processes.start_errors import BotStartError, MachineError

# not the bot's fault: no descriptors, memory or processes left
_MACHINE_ERRNOS: Final = (errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN)


def spawn_bot(entrant: Entrant, launch: BotLaunch) -> subprocess.Popen[bytes]:
    """Start a bot.

    Raises:
        BotStartError: its program cannot be run.
        MachineError: the machine cannot start any program now.
    """
    try:
        return launch.start()
    except OSError as error:
        if error.errno in _MACHINE_ERRNOS:
            raise MachineError(f"bot {entrant.name!r} cannot be started: {error.strerror}", "no_process") from None
        where = f" in {entrant.folder}" if entrant.folder else ""
        raise BotStartError(f"{entrant.command[0]!r}{where} cannot be run: {error.strerror}") from None
    except ValueError as error:  # a word that no program can be given
        raise BotStartError(f"its command {list(entrant.command)!r} cannot be run: {error}") from None
