"""Favours: bots that forfeit games with one opponent only, which gains by it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.statistics.head_to_head import HeadToHead

MIN_FORFEITS: Final = 5
FAVOUR_CHANCE: Final = 0.001  # the chance that forfeits of a bot meet one opponent, if they have nothing to do with it


class Favour(Struct, frozen=True):
    """All games that a bot forfeited were with one opponent, though it met others too; bots are numbers."""

    bot: int
    opponent: int
    games: int  # that the bot forfeited


def find_favours(tally: Tally, meetings: HeadToHead) -> Iterator[Favour]:
    """Yield the favours that are no chance, by the share of the bot's blocks in which it met the opponent."""
    for bot, gainers in sorted(tally.gainers.items()):
        forfeits = tally.faults[bot].total()
        if forfeits < MIN_FORFEITS:
            continue
        for opponent, games in sorted(gainers.items()):
            share = meetings.count_blocks(bot, opponent) / max(1, meetings.count_blocks_of(bot))
            if games == forfeits and share**forfeits < FAVOUR_CHANCE:
                yield Favour(bot, opponent, games)
