"""Compare games with OpenSpiel's: the same deals and actions, legal actions and returns at every step.

    tox -e openspiel                        10,000 games of each

Each game has a module, which says what differs.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import perf_counter
from typing import Final

from tests.openspiel import (
    bridge,
    cribbage,
    dou_dizhu,
    eights,
    euchre,
    fireworks,
    gin_rummy,
    hearts,
    oh_hell,
    poker,
    spades,
)

GAMES: Final = 10_000


GAMES_COMPARED: Final[tuple[tuple[str, Callable[[int], int]], ...]] = (
    ("Hearts", hearts.compare_hearts),
    ("Crazy Eights", eights.compare_eights),
    ("Spades", spades.compare_spades),
    ("Cribbage", cribbage.compare_cribbage),
    ("Dou Dizhu", dou_dizhu.compare_dou_dizhu),
    ("Euchre", euchre.compare_euchre),
    ("Fireworks", fireworks.compare_fireworks),
    ("Fireworks, Hanabi Learning Environment", fireworks.compare_with_environment),
    ("Gin Rummy", gin_rummy.compare_gin_rummy),
    ("Oh Hell", oh_hell.compare_oh_hell),
    ("Bridge", bridge.compare_bridge),
    ("Kuhn", poker.compare_kuhn),
    ("Leduc", poker.compare_leduc),
    ("ACPC limit", poker.compare_acpc_limit),
    ("ACPC no limit", poker.compare_acpc_no_limit),
    ("No limit, short stacks", poker.compare_short_stacks),
)


def main() -> None:
    """Compare, and print the counts."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for name, compare in GAMES_COMPARED:
        began = perf_counter()
        compared = [compare(number) for number in range(games)]
        played = sum(map(bool, compared))
        print(f"{name}: {played:,} games, {sum(compared):,} decisions agree ({perf_counter() - began:.0f} s)")
    print(
        f"Spades: {spades.compared_apart:,} of these are leads after spades were broken, where ours allows spades too"
    )
    print(f"Cribbage: in {cribbage.counted_apart:,} cribs four of a suit are counted, where ours has no flush")
    print(f"Crazy Eights: {eights.compared_apart:,} deals are blocked later there: see D5 of its rule book")
    print(f"Gin Rummy: apart are {gin_rummy.compared_apart}: see D2 and D6 of its rule book, and G14")
    for reason, count in dou_dizhu.differences.items():
        print(f"Dou Dizhu: {count:,} actions more in one list than in the other: {reason}")
    print(f"poker: {poker.compared_apart:,} of these came after a short all-in, or where nobody can match a raise")


if __name__ == "__main__":
    main()
