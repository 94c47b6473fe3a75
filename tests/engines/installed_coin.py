"""The coin as an installed plugin: `coin_program.py` behind `ProcessEngine`."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import Final

from tests.tournament.command_line import install_plugin

COIN_PROGRAM: Final = Path(__file__).with_name("coin_program.py")
WELL: Final = (sys.executable, str(COIN_PROGRAM), "well")


def install_coin(folder: Path, *command: str) -> dict[str, str]:
    """Install a plugin with the game of this command; return the environment."""
    code = f"""
        from pitboss.foreign.engine_game import EngineGame
        from pitboss.plugins.hookspec import hookimpl
        from pitboss_engines.process_engine import ProcessEngine

        @hookimpl
        def pitboss_games():
            return [EngineGame(ProcessEngine({list(command)!r}, folder={str(folder)!r}))]
    """
    return install_plugin(folder, "coin", textwrap.dedent(code))
