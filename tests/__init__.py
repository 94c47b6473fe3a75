"""The tests. Each folder is named after what it tests: a room of the tournament, the core, the games, the bots."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
