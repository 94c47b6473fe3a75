"""Ember Duel, the example of a game with decks, for this process and for those that it starts."""

from __future__ import annotations

import os
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from pitboss.plugins.registry import Registry
from tests import ROOT

FOLDER: Final = ROOT / "examples/plugins/pitboss-duel"


def load_duel_registry() -> Registry:
    """Return the registry of all installed plugins and Ember Duel."""
    return Registry([*entry_points(group="pitboss"), EntryPoint("duel", "duel", "pitboss")])


def install_duel(folder: Path) -> dict[str, str]:
    """Return the environment in which Ember Duel is installed, beside all that is anyway; its entry is in a folder."""
    info = folder / "pitboss_duel-0.1.0.dist-info"
    info.mkdir(parents=True)
    book = (FOLDER / "RULES.md").read_text(encoding="utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pitboss-duel\nVersion: 0.1.0\n\n{book}")
    (info / "entry_points.txt").write_text("[pitboss]\nduel = duel\n")
    return {"PYTHONPATH": os.pathsep.join([str(FOLDER), str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])}
