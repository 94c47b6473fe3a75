"""The keeper of the zoo: gives each bot a folder of its own to start from, compiles what is to be compiled, and hands
out entrants.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pitboss_tournament.plan.limits import Limits
from pitboss_tournament.plan.plan import Entrant
from tests.bots.zoo_catalogue import ZOO_BOTS, ZooBot

ZOO: Final = Path(__file__).with_name("zoo")
ZOO_LIMITS: Final = Limits(memory_mb=256, processes=32, open_files=64, disk_mb=16, cpu_s=60)


class ZooBuilder:
    """Keeps the bots in `home`, each in a folder that it may spoil. `mark` is a last argument of every bot, by which
    its processes are found.
    """

    def __init__(self, home: Path, port: int, mark: str = "from-the-zoo") -> None:
        self._home = home
        self._port = port
        self._mark = mark

    def build_entrant(self, bot: ZooBot) -> Entrant:
        """Return a bot, ready to be started, in a fresh folder."""
        folder = self._home / bot.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        words = [word.format(home=str(self._home).replace("/", "+"), port=self._port) for word in bot.arguments]
        command = (*_build_command(ZOO / bot.file, folder), *words, self._mark)
        return Entrant(name=bot.name, command=command, folder=folder, limits=ZOO_LIMITS)

    def build_good_bot(self, name: str = "good") -> Entrant:
        """Return the bot that plays as it should and sees what the others cost it."""
        return self.build_named_bot("watches", name)

    def build_named_bot(self, bot_name: str, name: str | None = None) -> Entrant:
        """Return a bot by the name of its kind."""
        [found] = (one for one in ZOO_BOTS if one.name == bot_name)
        entrant = self.build_entrant(found)
        return Entrant(name=name or bot_name, command=entrant.command, folder=entrant.folder, limits=entrant.limits)


@contextmanager
def open_zoo(home: Path, mark: str = "from-the-zoo") -> Iterator[ZooBuilder]:
    """Open the zoo in a folder that is there and empty, with a port that listens, for the bot that looks for one."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield ZooBuilder(home, listener.getsockname()[1], mark)


def entrant_in_place(name: str, entrant_name: str | None = None) -> Entrant:
    """Return a bot in Python or shell that runs right in `zoo`: one that does not spoil the folder that it is started
    from.
    """
    [file] = (file for file in ZOO.glob(f"{name}.*") if file.suffix in (".py", ".sh"))
    return Entrant(name=entrant_name or name, command=(*_interpreter_command(file), str(file)), folder=ZOO)


def describe_bot(bot: ZooBot) -> str:
    """Return in a sentence what a bot does: the first line of its file."""
    first = (ZOO / bot.file).read_text().splitlines()[0]
    return first.strip('"#/* ')


def _build_command(file: Path, folder: Path) -> tuple[str, ...]:
    """Copy or compile a bot into its folder, and return how to start it."""
    match file.suffix:
        case ".c":
            compiler = shutil.which("cc") or "gcc"
            subprocess.run([compiler, "-O1", "-pthread", "-o", folder / file.stem, file], check=True)
            return (str(folder / file.stem),)
        case suffix:
            for part in (file, ZOO / f"polite{suffix}"):
                shutil.copy(part, folder)
            return (*_interpreter_command(file), file.name)


def _interpreter_command(file: Path) -> tuple[str, ...]:
    return ("sh",) if file.suffix == ".sh" else (sys.executable, "-S")
