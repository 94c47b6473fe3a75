"""Knowledge: which seats know where a card is, and for those who do not, what it may be.

A card that a seat cannot place belongs to a *batch*: the cards it was mixed with when the seat lost sight of it. A shuffle makes one batch
of its cards for everybody; a card passed face down out of a hand makes one for those who cannot tell which card went.

A batch is `closed` to a seat if the seat knows exactly which cards are in it (it may lie in several places by now). Otherwise cards came in that the
seat could not place: they may just as well have stayed where their older batch lies. Then `possible[seat]` is everything that
may be in the batch, and `sure[seat]` what the seat saw going in, both as masks of cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Batch(NamedTuple):
    """Cards that were mixed. `chance` is the index of the shuffle in the table's chance record, -1 if nothing was shuffled."""

    chance: int
    closed: int  # mask of seats
    possible: tuple[int, ...] = ()  # by seat, the spectator last; empty if closed to everybody
    sure: tuple[int, ...] = ()


def mask(members: Iterable[int]) -> int:
    """Return the set as a bit mask."""
    bits = 0
    for member in members:
        bits |= 1 << member
    return bits


def mixed(
    cards: Sequence[int], known: Sequence[int], batch: Sequence[int], batches: Sequence[Batch], everybody: int, chance: int
) -> Batch:
    """Return the batch that `cards` make when they are mixed, given what each seat knew before."""
    if all(known[card] == everybody for card in cards):
        return Batch(chance, everybody)
    inside = set(cards)
    closed, possible, sure = 0, [], []
    for seat in range(everybody.bit_length()):
        bit = 1 << seat
        entered = {batch[card] for card in cards if not known[card] & bit}
        seen = mask(card for card in cards if known[card] & bit)
        elsewhere = any(not known[card] & bit and number in entered and card not in inside for card, number in enumerate(batch))
        if not elsewhere and all(batches[number].closed & bit for number in entered):
            closed |= bit
            seen = mask(cards)
            entered = set()
        sure.append(seen)
        possible.append(seen | mask_of_batches(entered, batch, batches, seat))
    return Batch(chance, closed, tuple(possible), tuple(sure))


def mask_of_batches(numbers: Iterable[int], batch: Sequence[int], batches: Sequence[Batch], seat: int) -> int:
    """Return the cards that a seat must reckon with in some batches."""
    bits = 0
    for number in numbers:
        one = batches[number]
        bits |= one.possible[seat] if one.possible else mask(card for card, at in enumerate(batch) if at == number)
    return bits
