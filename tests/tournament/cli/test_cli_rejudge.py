"""A store whose game has other files than when its games were played: refused, judged again, played on."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from pitboss_tournament.store.store import Store
from tests.plugins import METADATA, PACKAGE
from tests.tournament.command_line import CommandResult, run_pitboss

pytestmark = pytest.mark.once
RULE: Final = "NewState(MagpieState):\n"
NEW_RULE: Final = """NewState(MagpieState):
    def points(self):
        return [points + (seat == 0 and self.first == 0) for seat, points in enumerate(super().points())]

"""
GAME: Final = f"""
from pitboss.plugins.hookspec import hookimpl
from pitboss_magpie.magpie import Magpie, MagpieState

class {RULE}    pass

class NewMagpie(Magpie):
    pass

@hookimpl
def pitboss_games():
    return [NewMagpie(NewState)]
"""
REFUSED: Final = "this store is of another tournament (game_digest: was "


class Folder:
    """A store, and beside it the module of its game."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "x.pitboss"
        self.module = folder / "plugin" / "new_magpie.py"
        self._env = {"PYTHONPATH": os.pathsep.join([str(folder / "plugin"), str(PACKAGE)])}
        shutil.copytree(METADATA, folder / "plugin")
        [points] = (folder / "plugin").rglob("entry_points.txt")
        points.write_text("[pitboss]\nmagpie = new_magpie\n", encoding="utf-8")
        self.module.write_text(GAME, encoding="utf-8")

    def play(self, deals: int) -> CommandResult:
        """Play a match into the store, or go on with it."""
        bots = ("house:random", "house:first", "--seats", "2", "--deals", str(deals), "--seed", "s")
        return self.run("match", "magpie", *bots, "--store", str(self.store))

    def run(self, *words: str) -> CommandResult:
        """Run `pitboss` with the game of the module."""
        return run_pitboss(*words, env=self._env)

    def count_games(self) -> int:
        """Return how many games the store has."""
        with closing(Store(self.store)) as store:
            return store.count_games()


def test_a_changed_rule(tmp_path: Path) -> None:
    """A game of the same version with another rule adds no games until the games have been judged; then those that end
    otherwise are played again.
    """
    folder = Folder(tmp_path)
    assert folder.play(4).status == 0
    folder.module.write_text(GAME.replace(f"{RULE}    pass", NEW_RULE), encoding="utf-8")

    refused, dry = folder.play(8), folder.run("rejudge", str(folder.store), "--dry-run", "--json").json_value
    kept = folder.count_games()
    told = folder.run("integrity", str(folder.store), "--replay")
    judged = folder.run("rejudge", str(folder.store))
    left = folder.count_games()
    again, played = folder.run("rejudge", str(folder.store)), folder.play(8)

    assert (refused.status, REFUSED in refused.err, "`pitboss rejudge` replays" in refused.err, kept) == (
        2,
        True,
        True,
        8,
    )
    assert (dry["old_version"], dry["new_version"], dry["is_dry_run"]) == ("1", "1", True)
    assert dry["void"] == dry["causes"]["outcome"] == 8 - dry["kept"] > 0
    assert "other files than when these games were played" in told.err
    assert judged.out.startswith(f"magpie 1 -> other files: {dry['kept']} games kept, {dry['void']} void (")
    assert left == dry["kept"]
    assert again.out == "The games of the store are of magpie 1: nothing to judge again.\n"
    assert (played.status, folder.count_games()) == (0, 16)
    assert folder.run("integrity", str(folder.store), "--replay").status == 0


def test_a_changed_word(tmp_path: Path) -> None:
    """Another comment in its files keeps all games of a store, once they have been replayed."""
    folder = Folder(tmp_path)
    assert folder.play(2).status == 0
    folder.module.write_text(f"# Magpie, once more\n{GAME}", encoding="utf-8")

    refused, judged, played = folder.play(3), folder.run("rejudge", str(folder.store)), folder.play(3)

    assert refused.status == 2
    assert judged.out == "magpie 1 -> other files: 4 games kept, 0 void\n"
    assert (played.status, folder.count_games()) == (0, 6)
