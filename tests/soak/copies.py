"""Copies of one bot at one table: `python -m tests.soak.copies` plays them in every game of three seats and more, and
counts how often a verdict says that one copy is better than another.

At each table all bots but one are copies: of the game's house bot, beside a random player, and of the random player,
beside the house bot. Whoever acts after the odd one out may profit in every deal. Each row is one long tournament, cut
into tournaments of `--deals` deals, which are judged by the test for a fixed number of games. The last column judges
all deals together: a bias that more deals do not remove shows there first. All games take about an hour.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Final, NamedTuple, get_args

from pitboss.plugins.registry import Registry
from pitboss_tournament.config.versions import find_house_bot
from pitboss_tournament.plan.seating import Seating
from pitboss_tournament.statistics.head_to_head import HeadToHead
from pitboss_tournament.statistics.rank_confidence import RankConfidence
from pitboss_tournament.statistics.ratings import rate_rankings
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store
from tests.soak.promises import PromiseTally
from tests.soak.running_share import RunningShare, is_kept
from tests.tournament.command_line import COMMAND
from tests.tournament.statistics.sample_results import count_rankings

MAX_WRONG: Final = 0.05
RANDOM: Final = "house:random"


class CopiesTable(NamedTuple):
    """A table, with options that make its games short."""

    game: str
    seats: int
    options: tuple[str, ...] = ()


TABLES: Final = (
    CopiesTable("cribbage", 3, ("--preset", "single")),
    CopiesTable("dou-dizhu", 3, ("--preset", "standard")),
    CopiesTable("eights", 4, ("--preset", "single")),
    CopiesTable("gin-rummy", 4, ("--preset", "single")),
    CopiesTable("hearts", 4, ("--preset", "single")),
    CopiesTable("lucky-maker", 3, ("--preset", "single")),
    CopiesTable("lucky-maker", 4, ("--preset", "single")),
    CopiesTable("oh-hell", 4, ("--preset", "single")),
    CopiesTable("poker", 4, ("--preset", "limit")),
    CopiesTable("racko", 3, ("-o", "max_rounds=1")),
    CopiesTable("racko", 4, ("-o", "max_rounds=1")),
    CopiesTable("ragamaru", 4),
    CopiesTable("rummy", 3, ("-o", "deals=1")),
    CopiesTable("rummy", 4, ("-o", "deals=1")),
)


def main(words: Sequence[str] | None = None) -> int:
    """Print a row for each table; return 1 if copies are called different too often."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.copies", description=__doc__)
    parser.add_argument("--deals", type=int, default=30, help="deals of a tournament (default: %(default)s)")
    parser.add_argument("--tournaments", type=int, default=10, help="tournaments of a row (default: %(default)s)")
    parser.add_argument("--seating", choices=get_args(Seating), help="default: that of Pitboss")
    parser.add_argument("--only", nargs="+", default=[], help="only these games")
    asked = parser.parse_args(words)
    promises, registry, whole = PromiseTally(), Registry(), RunningShare()
    for table in TABLES:
        if asked.only and table.game not in asked.only:
            continue
        house = find_house_bot(registry.find_game(table.game), registry)
        for copy, other in ((house, RANDOM), (RANDOM, house)):
            blocks = play_copies(table, copy, other, asked.deals * asked.tournaments, asked.seating)
            cut = [blocks[first : first + asked.deals] for first in range(0, len(blocks), asked.deals)]
            wrong = RunningShare()
            for own in cut:
                wrong.add([calls_copies_different(own)])
                whole.add([calls_copies_different(own)])
            row = f"{table.game} {table.seats}, copies of {copy} beside {other}"
            in_all = "told apart" if calls_copies_different(blocks) else "not told apart"
            print(f"{row:64} {100 * wrong.share:5.1f} % of {len(cut)}; all {len(blocks)} deals: {in_all}", flush=True)
    if whole.trials:
        sentence = f"verdicts among copies in {100 * whole.share:.1f} ± {200 * whole.error:.1f} % of {whole.trials}"
        promises.check(is_kept(whole, 0.0, MAX_WRONG), f"{sentence} tournaments, of 5 %")
    return promises.exit_status()


def play_copies(table: CopiesTable, copy: str, other: str, deals: int, seating: str | None) -> list[list[GameResult]]:
    """Play a tournament in which bot 0 is `other` and all others are copies; return its blocks, by deal."""
    with tempfile.TemporaryDirectory(prefix="pitboss-copies-") as folder:
        store = Path(folder) / "copies.pitboss"
        bots = [other, *[copy] * (table.seats - 1)]
        words = ["--seats", str(table.seats), "--deals", str(deals), "--seed", "copies", "--store", str(store)]
        words += ["--seating", seating] if seating else []
        words += ["--sandbox", "none", "-s", "clock.decision_ms=20000", "-s", "pinned=false"]
        command = [*COMMAND, "match", table.game, *bots, *words, *table.options]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        with closing(Store(store)) as played:
            blocks: dict[int, list[GameResult]] = {}
            for result in played.results(with_times=False):
                blocks.setdefault(result.deal, []).append(result)
    return [blocks[deal] for deal in sorted(blocks)]


def calls_copies_different(blocks: Iterable[list[GameResult]]) -> bool:
    """Tell whether the test for a fixed number of games calls a copy (any bot but 0) better than another."""
    games = [game for block in blocks for game in block]
    bots = range(len(games[0].seats))
    rated = rate_rankings(count_rankings(games), [f"bot{bot}" for bot in bots])
    order = [line.entrant for line in rated.lines]
    verdict = RankConfidence(HeadToHead(len(bots)), rated, order, anytime=False)
    return any(verdict.is_better(one, two) for one, two in permutations(bots[1:], 2))


if __name__ == "__main__":
    sys.exit(main())
