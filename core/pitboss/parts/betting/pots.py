"""Seats as masks, and the pots of a hand: who can win which chips, what nobody has called, how a pot is shared.

Sets of seats are masks: bit s stands for seat s. All numbers of chips are by seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

MAX_PLAYERS: Final = 10
SEATS_IN: Final[list[tuple[int, ...]]] = [()]  # by mask: its seats, ascending
for _seat in range(MAX_PLAYERS):
    SEATS_IN.extend([(*seats, _seat) for seats in SEATS_IN])
NOBODY: Final = -1


class PotResult(Struct, frozen=True):
    """A pot that was won: its chips, the winners, and the strength they won with (0 without a showdown)."""

    chips: int
    winners: tuple[int, ...]
    strength: int
    ranking: int = 0  # the number of the ranking by which the strength counts


def seats_from(mask: int, seat: int) -> tuple[int, ...]:
    """Return the seats of a mask clockwise, the first one left of `seat` first."""
    ahead = mask >> seat + 1 << seat + 1
    return SEATS_IN[ahead] + SEATS_IN[mask ^ ahead]


def first_seat_after(mask: int, seat: int) -> int:
    """Return the first seat of a mask, which is not empty, left of `seat`."""
    ahead = mask >> seat + 1 << seat + 1 or mask
    return (ahead & -ahead).bit_length() - 1


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


def find_best(strengths: Mapping[int, int], seats: int) -> tuple[int, int]:
    """Return the mask of the seats with the best hand among those of a mask, and its strength."""
    best, winners = -1, 0
    for seat, strength in strengths.items():
        if seats >> seat & 1:
            if strength > best:
                best, winners = strength, 1 << seat
            elif strength == best:
                winners |= 1 << seat
    return winners, best
