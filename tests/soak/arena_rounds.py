"""Rounds of arenas without a model: `python -m tests.soak.arena_rounds --game poker --rounds 200`.

Two entrants with equal bots play that many rounds, and the rounds with a named winner are counted: at most 5 % of them
may have one. With `--planted` one of the two plays well more often. A pilot measures by how much it is better at least,
`pitboss plan` says how many deals show that with 80 %, and rounds of that many deals name the better one at that rate.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from math import sqrt
from pathlib import Path
from typing import Any, Final

from pitboss.plugins.registry import Registry
from pitboss_tournament.arena.arena_folder import read_arena
from pitboss_tournament.arena.measures import read_scores
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.store.store import Store

POWER: Final = 0.8
ERROR: Final = 0.05
BOT: Final = '''"""A bot that plays well with a probability, else at random."""
import random
from pitboss.bot import run
from pitboss_{game} import bot

luck = random.Random()

def choose(decision):
    if luck.random() < {strength}:
        return bot.{well}(decision)
    return luck.randrange(len(decision.legal))

run(choose)
'''
BOT_FILE: Final = """name = "{name}"
language = "Python"
command = ["{{python}}", "bot.py"]
"""
GAMES: Final[dict[str, dict[str, Any]]] = {
    "poker": {"options": ["hands=1"], "deals": 40, "well": "call"},
    "limit-poker": {"options": ["hands=1", 'betting="limit"'], "deals": 40, "well": "make_bot().choose"},
    "bridge": {"options": ["deals=1"], "deals": 20, "well": "choose"},
}


def main() -> int:
    """Print what the rounds have named; return 1 if that is not what it should be."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", choices=GAMES, default="poker")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--planted", action="store_true")
    parser.add_argument("--strengths", type=float, nargs=2, default=(0.5, 0.6), help="the first: of equal bots, too")
    parser.add_argument("--deals", type=int, help="of a round between equal bots; by default the game's")
    parser.add_argument("--pilot", type=int, default=400)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pitboss-rounds-") as folder:
        here = Path(folder)
        weak, strong = given.strengths if given.planted else (given.strengths[0],) * 2
        for name, strength in (("ann", weak), ("bea", strong)):
            write_bot(here / "bots" / name, name, given.game, strength)
        deals = given.deals or GAMES[given.game]["deals"]
        if given.planted:
            deals = plan_deals(here, given.game, given.pilot)
        winners = play_rounds(here, given.game, given.rounds, deals)
    named = sum(winners.values()) - winners[None]
    print(f"{given.game}: {given.rounds} rounds of {deals} deals: {dict(winners)}")
    if not given.planted:
        print(f"a winner among equal bots: {named / given.rounds:.1%} (asked: at most {ERROR:.0%})")
        return int(named > ERROR * given.rounds)
    share = winners["bea"] / given.rounds
    error = 1.96 * sqrt(POWER * (1 - POWER) / given.rounds)
    print(f"the better one named: {share:.1%} (planned {POWER:.0%} ± {error:.1%})")
    print(f"the worse one named: {winners['ann']} times")
    return int(share < POWER - error)


def name_game(arena: str) -> str:
    """Return the name of the game that is played in one of GAMES."""
    return arena.rpartition("-")[2]


def write_bot(folder: Path, name: str, game: str, strength: float) -> None:
    """Write a bot that plays well with a probability."""
    folder.mkdir(parents=True)
    (folder / "bot.py").write_text(BOT.format(game=name_game(game), well=GAMES[game]["well"], strength=strength))
    (folder / "bot.toml").write_text(BOT_FILE.format(name=name))


def run_pitboss(*words: str) -> str:
    """Run a command to its good end; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "pitboss_tournament.cli", *words], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def plan_deals(folder: Path, game: str, pilot: int) -> int:
    """Play a pilot, and return how many deals show the least difference that it leaves possible."""
    store = folder / "pilot.pitboss"
    options = [word for option in GAMES[game]["options"] for word in ("-o", option.replace('"', ""))]
    bots = [str(folder / "bots" / name) for name in ("ann", "bea")]
    run_pitboss("match", name_game(game), *bots, *options, "--deals", str(pilot), "--store", str(store))
    found = StoredFindings(Store(store))
    measured = found.point_differences.compare(*(found.names.index(name) for name in ("bea", "ann")))
    assert measured is not None
    lead = measured.estimate
    assert lead.mean is not None and lead.half_width is not None and lead.mean > lead.half_width, lead
    print(f"pilot of {pilot} deals: bea is {lead.mean:+.3f} ±{lead.half_width:.3f} points a game ahead")
    planned = json.loads(
        run_pitboss("plan", "--from", str(store), "--difference", f"{lead.mean - lead.half_width:.4f}", "--json")
    )
    print(f"pitboss plan: {planned}")
    return int(planned["deals"])


def play_rounds(folder: Path, game: str, rounds: int, deals: int) -> Counter[str | None]:
    """Play an arena of that many rounds; return how often each entrant, or nobody (None), was named."""
    agents = folder / "agents"
    agents.mkdir()
    (agents / "idle.py").write_text("")
    entrants = folder / "entrants.toml"
    table = '[entrants.{name}]\nedit = ["{{python}}", "agents/idle.py"]\nstart = "bots/{name}"\n'
    entrants.write_text("\n".join(table.format(name=name) for name in ("ann", "bea")))
    root = folder / "arena"
    run_pitboss(
        "arena", "init", str(root), "--game", name_game(game), "--rounds", str(rounds), "--entrants", str(entrants)
    )
    file = root / "arena.toml"
    text = file.read_text()
    for old, new in (
        ("deals = 50", f"deals = {deals}"),
        ("practice = 20", "practice = 1\nanchors = []"),
        ("check = true", "check = false"),
        ("why = true", "why = false"),
        ("[edit]", "[options]\n" + "\n".join([*GAMES[game]["options"], "\n[edit]"])),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    file.write_text(text)
    run_pitboss("arena", "run", str(root))
    arena = read_arena(root, Registry())
    found = [read_scores(arena, number, "judged") for number in range(1, rounds + 1)]
    return Counter(one.winner for one in found if one is not None)


if __name__ == "__main__":
    sys.exit(main())
