"""What a deal of Spades counts: section 4 of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitboss_spades.messages import SpadesOptions

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


def helps_partner(bid: int, failed_nil: str) -> bool:
    """S10: return whether the tricks of a player help to keep the bid of its side; else they are bags."""
    return bid > 0 or failed_nil == "helps"


def count_side(players: Sequence[PlayerResult], bags: int, options: SpadesOptions) -> tuple[int, int]:
    """Return the points of a side in a deal, and its bags after it; `bags` are those of the earlier deals."""
    bid = sum(player.bid for player in players)
    helping = sum(player.won for player in players if helps_partner(player.bid, options.failed_nil))
    over = sum(player.won for player in players) - helping + max(0, helping - bid)
    points = sum(count_nil(player, options) for player in players)
    points += TRICK_POINTS * (bid if helping >= bid else -bid) + over  # S7 to S9
    bags += over
    if options.bag_limit:
        points -= options.bag_penalty * (bags // options.bag_limit)
        bags %= options.bag_limit
    return points, bags
