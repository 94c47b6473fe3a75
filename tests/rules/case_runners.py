"""The table of the games whose cases can be run. A new game adds one module and one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeAlias

from pitboss_fireworks.game import Fireworks
from pitboss_oh_hell.game import OhHell
from tests import ROOT
from tests.rules import (
    bridge_cases,
    cribbage_cases,
    dou_dizhu_cases,
    eights_cases,
    euchre_cases,
    gin_rummy_cases,
    hearts_cases,
    lucky_maker_cases,
    poker_cases,
    racko_cases,
    ragamaru_cases,
    rummy_cases,
    spades_cases,
)
from tests.rules.trick_cases import make_trick_runner

Runner: TypeAlias = Callable[[dict[str, object]], list[str]]  # a case in, what is wrong with it out

RUNNERS: Final[dict[str, Runner]] = {
    "bridge": bridge_cases.run_case,
    "cribbage": cribbage_cases.run_case,
    "dou_dizhu": dou_dizhu_cases.run_case,
    "eights": eights_cases.run_case,
    "euchre": euchre_cases.run_case,
    "fireworks": make_trick_runner(Fireworks()),
    "gin_rummy": gin_rummy_cases.run_case,
    "hearts": hearts_cases.run_case,
    "lucky_maker": lucky_maker_cases.run_case,
    "oh_hell": make_trick_runner(OhHell()),
    "poker": poker_cases.run_case,
    "racko": racko_cases.run_case,
    "ragamaru": ragamaru_cases.run_case,
    "rummy": rummy_cases.run_case,
    "spades": spades_cases.run_case,
}


class UnknownCaseGame(ValueError):
    """The name of a rule book names none of the games of the table, or several."""


def game_of_file(file: Path) -> str:
    """Return the game whose name is in the file's name; a `RULES.md` is named by the folder that it lies in."""
    name = (file.resolve().parent.name if file.stem.upper() == "RULES" else file.stem).lower().replace("-", "_")
    named = [game for game in RUNNERS if name.endswith(game)] or [game for game in RUNNERS if game in name]
    named = [game for game in named if not any(game in other for other in named if other != game)]  # gin_rummy, rummy
    if len(named) != 1:
        raise UnknownCaseGame(
            f"{str(file)!r} names no game; the end of its name must be one of: {', '.join(sorted(RUNNERS))}"
        )
    return named[0]


def list_rule_books() -> list[Path]:
    """Return the rule books of the plugins, and the further cases beside this file."""
    return sorted(ROOT.glob("plugins/*/RULES.md")) + sorted(Path(__file__).parent.glob("more_*.md"))
