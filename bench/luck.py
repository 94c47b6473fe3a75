"""How much of the variance is luck of the draw: prints a row for each game and number of seats.

`python bench/luck.py [--blocks N] [--only GAME]` plays tournaments of the house's bots in each game and measures the
luck in their records. All play as the house's bot for that game does, with a slip in 1 of 20 decisions, as in
`bench/duplicates.py`. The figures are those of `standings --reduce luck`, with their 95 % intervals: how many games it
would take for as narrow an interval with the luck in it, for one game without; and the processor time a game.
"""

from __future__ import annotations

import argparse
from time import process_time
from typing import Final

from duplicates import POKER, RACKO, RUMMY, DuplicateTable, format_reduction
from pitboss.plugins.registry import Registry
from pitboss.records.luck import estimate_luck
from pitboss_command import play_stored_match
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.statistics.control_variate import MEASURES

TABLES: Final = (
    DuplicateTable("racko", 2, RACKO),
    DuplicateTable("racko", 4, RACKO),
    DuplicateTable("rummy", 2, RUMMY),
    DuplicateTable("rummy", 4, RUMMY),
    DuplicateTable("ragamaru", 2, ()),
    DuplicateTable("ragamaru", 4, ()),
    DuplicateTable("lucky-maker", 3, ("games=1",)),
    *POKER,
)


def main() -> None:
    """Play, and print a row for each tournament."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=300, help="deals of a tournament (default: %(default)s)")
    parser.add_argument("--only", choices=sorted({table.game for table in TABLES}), help="only this game")
    given = parser.parse_args()
    print("| game | seats | points | wins | games | ms a game |")
    print("|---|---|---|---|---|---|")
    for table in TABLES:
        if given.only in (None, table.game):
            print(_play_row(table, given.blocks), flush=True)


def _play_row(table: DuplicateTable, blocks: int) -> str:
    options = [part for option in table.options for part in ("--option", option)]
    words = ("--seats", str(table.seats), *options, "-s", "pinned=false", "--sandbox", "none")
    game = Registry().find_game(table.game)
    with play_stored_match(table.game, table.bots(mixed=False), blocks, "luck", *words) as store:
        began = process_time()
        luck = {number: estimate_luck(record, game) for number, record in store.records()}
        ms = 1000 * (process_time() - began) / len(luck)
        removal = StoredFindings(store, luck=luck).luck_removal
    assert removal is not None
    saved = [format_reduction(removal.estimate_reduction(measure)) for measure in MEASURES]
    return f"| {table.game} | {table.seats} | {' | '.join(saved)} | {len(luck):,} | {ms:.0f} |"


if __name__ == "__main__":
    main()
