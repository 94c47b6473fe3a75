"""A bot that tries to deceive whoever reads what it wrote, and a store with games in which it did."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from pitboss_tournament.plan.plan import Entrant, FaultRules
from tests.tournament.small_tournaments import make_plan, play_tournament, zoo_entrant

FORGED_LINE: Final = "seat 0 (good): 99 points"

_ROGUE: Final = r"""
import os, sys
for line in sys.stdin:
    kind = line[9:].partition('"')[0]
    if kind == "hello":
        os.write(1, b'{"type":"ready"}\n')
    elif kind == "decide":
        number = int(line.partition('"id":')[2].partition(",")[0])
        os.write(2, b"\x1b[2J\x1b]0;owned\x07\xff\n\rFORGED\n\xe2\x80\xae\xc2\x9b31m\n")
        if number % 2:
            os.write(1, b'{"type":"act","id":%d,"choose":0,"note":"\\u001b[2J\\nFORGED\xc2\x9b31m"}\n' % number)
        else:
            os.write(1, b'\x1b[2J\xff\n0.1 > {"type":"bye"}\n')
"""


def play_rogue(folder: Path) -> Path:
    """Play a good bot against the rogue: two decisions of it are substituted, then it forfeits; and return the
    store.
    """
    (folder / "rogue.py").write_text(_ROGUE.replace("FORGED", FORGED_LINE), encoding="utf-8")
    rogue = Entrant(name="rogue", command=(sys.executable, "-S", str(folder / "rogue.py")))
    rules = FaultRules(policy="substitute", substitutions=2, disqualify_after=2)
    made = make_plan(folder / "x.pitboss", zoo_entrant("good"), rogue, faults=rules, workers=1, games_at_once=1)
    play_tournament(made)
    return made.store
