"""Pots: the main pot and the side pots of a hand, the bet that nobody called, and how a pot is split."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_poker.state import SEATS_IN, seats_from


def split_pots(paid: Sequence[int], live: int) -> list[tuple[int, int]]:
    """P2: return the pots, the main pot first: the chips of each, and the mask of the seats that can win it.

    `paid` is what each seat has paid in the hand, `live` is the mask of those with a hand. Every amount that one of
    these has paid ends a pot; what folded players have paid above the highest of them belongs to the last pot.
    """
    if not live & live - 1 or len(levels := {paid[seat] for seat in SEATS_IN[live]}) == 1:  # most hands end so
        return [(sum(paid), live)]
    pots: list[tuple[int, int]] = []
    below = 0
    for level in sorted(levels):
        if level > below:
            chips = sum([min(one, level) - below for one in paid if one > below])
            pots.append((chips, sum(1 << seat for seat in SEATS_IN[live] if paid[seat] >= level)))
            below = level
    if pots and (above := sum([one - below for one in paid if one > below])):
        pots[-1] = (pots[-1][0] + above, pots[-1][1])
    return pots


def find_uncalled(paid: Sequence[int]) -> tuple[int, int]:
    """P1: return the seat that has paid most, and by how much that is more than anybody else's."""
    second, first = sorted(paid)[-2:]
    return paid.index(first), first - second


def share_pot(chips: int, winners: int, button: int) -> dict[int, int]:
    """P3: return what each seat of the mask `winners` gets; odd chips go one each to the first left of the button."""
    if not winners & winners - 1:
        return {winners.bit_length() - 1: chips}
    share, odd = divmod(chips, winners.bit_count())
    return {seat: share + (place < odd) for place, seat in enumerate(seats_from(winners, button))}
