"""How many games duplicate deals save: prints the table of docs/formats.md.

`python bench/duplicates.py [--blocks N] [--only GAME]` plays tournaments of the house's bots in each game.

Each row is one table. "equal": all play as the house's bot for that game does, with a slip in 1 of 20 decisions
(without slips copies of one bot would make of each deal the same game, and every block would be level); "mixed": half
of them play at random. The figures are those of the report, with their 95 % intervals: how many games it would take for
as narrow an interval if each were a deal of its own, for one that is played in blocks.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final, NamedTuple

from pitboss_command import play_stored_match
from pitboss_tournament.statistics.blocks import Measure, margins, place_scores, points
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reduction


class DuplicateTable(NamedTuple):
    """A game, its number of seats, and the options that make it as short as in a tournament."""

    game: str
    seats: int
    options: tuple[str, ...]

    def bots(self, mixed: bool) -> list[str]:
        """Return the specifications of the bots."""
        random = self.seats // 2 if mixed else 0
        return [f"{sys.executable} {NOISY_BOT} {self.game} 5"] * (self.seats - random) + ["house:random"] * random


NOISY_BOT: Final = Path(__file__).with_name("noisy_bot.py")
RACKO: Final = ("max_rounds=1",)
RUMMY: Final = ("deals=1",)
POKER: Final = (
    DuplicateTable("poker", 2, ("betting=limit",)),
    DuplicateTable("poker", 2, ()),
    DuplicateTable("poker", 6, ()),
)
TABLES: Final = (
    DuplicateTable("racko", 2, RACKO),
    DuplicateTable("racko", 4, RACKO),
    DuplicateTable("ragamaru", 2, ()),
    DuplicateTable("ragamaru", 4, ()),
    DuplicateTable("ragamaru", 6, ()),
    DuplicateTable("rummy", 2, RUMMY),
    DuplicateTable("rummy", 4, RUMMY),
    DuplicateTable("lucky-maker", 3, ("games=1",)),
    DuplicateTable("lucky-maker", 4, ("games=1",)),
    *POKER,
)
MEASURES: Final[tuple[Measure, ...]] = (points, margins, place_scores)


def main() -> None:
    """Play, and print a row for each tournament."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=150, help="deals of a tournament (default: %(default)s)")
    parser.add_argument("--only", choices=sorted({table.game for table in TABLES}), help="only this game")
    given = parser.parse_args()
    print("| game | seats | options | bots | points | above the mean of the table | place scores | games |")
    print("|---|---|---|---|---|---|---|---|")
    for table in TABLES:
        if given.only in (None, table.game):
            for mixed in (False, True):
                print(_play_row(table, mixed, given.blocks), flush=True)


def _play_row(table: DuplicateTable, mixed: bool, blocks: int) -> str:
    options = [part for option in table.options for part in ("--option", option)]
    words = (
        "--seats",
        str(table.seats),
        *options,
        "-s",
        "seating=rotations",
        "-s",
        "pinned=false",
        "--sandbox",
        "none",
    )
    with play_stored_match(table.game, table.bots(mixed), blocks, "duplicates", *words) as store:
        games = list(store.results(with_times=False))
    cells = [table.game, str(table.seats), ", ".join(table.options), "mixed" if mixed else "equal"]
    return f"| {' | '.join([*cells, *(_format_saving(games, measure) for measure in MEASURES), f'{len(games):,}'])} |"


def _format_saving(games: list[GameResult], measure: Measure) -> str:
    return format_reduction(estimate_reduction(games, measure))


def format_reduction(saved: VarianceReduction) -> str:
    """Return a variance reduction with its interval."""
    if saved.ratio is None or saved.low is None or saved.high is None:
        return "?"
    return f"{saved.ratio:.2f} ({saved.low:.2f} to {saved.high:.2f})"


if __name__ == "__main__":
    main()
