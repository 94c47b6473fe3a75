"""What a deal of Spades counts: section 4 of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitboss_spades.options import SpadesOptions

TRICK_POINTS = 10


class PlayerResult(NamedTuple):
    """What a player has bid and taken in a deal."""

    bid: int
    won: int
    is_blind: bool = False


def count_nil(player: PlayerResult, options: SpadesOptions) -> int:
    """S10: return what a nil wins or loses, blind twice as much; 0 for another bid."""
    if player.bid:
        return 0
    worth = options.nil * (2 if player.is_blind else 1)
    return -worth if player.won else worth


def count_side(players: Sequence[PlayerResult], bags: int, options: SpadesOptions) -> tuple[int, int]:
    """Return the points of a side in a deal, and its bags after it; `bags` are those of the earlier deals."""
    bid, won = sum(player.bid for player in players), sum(player.won for player in players)
    points = sum(count_nil(player, options) for player in players)
    if won < bid:  # S8
        return points - TRICK_POINTS * bid, bags
    points += TRICK_POINTS * bid + won - bid  # S7, S9
    bags += won - bid
    if options.bag_limit:
        points -= options.bag_penalty * (bags // options.bag_limit)
        bags %= options.bag_limit
    return points, bags
