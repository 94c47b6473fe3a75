"""A rack, and what it is worth: section 3 of the rule book. A rack is ten numbers, slot #5 first.

At the end, how soon a rack can be filled: for the evaluation and the bot.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

SLOTS: Final = (5, 10, 15, 20, 25, 30, 35, 40, 45, 50)  # S4: what is printed on the rack
RACKO_POINTS: Final = 75  # D13: in all
POINTS_A_CARD: Final = 5
RUN_BONUS: Final = (0, 0, 0, 50, 100, 200, 400)  # by the length of the longest run; six or more count the same


def progress(rack: Sequence[int]) -> int:
    """Return how many cards from #5 on go strictly up (1 to 10)."""
    length = 1
    while length < len(rack) and rack[length - 1] < rack[length]:
        length += 1
    return length


def longest_run(rack: Sequence[int]) -> int:
    """D11: return the most cards in neighbouring slots that go up by exactly 1."""
    longest = length = 1
    for low, high in itertools.pairwise(rack):
        length = length + 1 if high == low + 1 else 1
        longest = max(longest, length)
    return longest


def run_bonus(rack: Sequence[int]) -> int:
    """Return the bonus of the longest run."""
    return RUN_BONUS[min(longest_run(rack), 6)]


def is_racko(rack: Sequence[int], min_run: int) -> bool:
    """Whether the rack goes up all the way and, D9, holds a run of at least `min_run`.

    Cards may be the printed numbers, from 1, or as the table numbers them, from 0.
    """
    last = 0
    for card in rack:
        if card < last:
            return False
        last = card
    return not min_run or longest_run(rack) >= min_run


def is_surely_not_racko(rack: Iterable[int | None]) -> bool:
    """Whether two neighbours go down; None is a card that could be any."""
    last = 0
    for card in rack:
        if card is None:
            last = 0
        elif card < last:
            return True
        else:
            last = card
    return False


def is_surely_not_racko_with_run(rack: Iterable[int | None]) -> bool:
    """Whether the rack is no RACK-O where a run of three is needed; None is a card that could be any."""
    cards = list(rack)
    if is_surely_not_racko(cards):
        return True
    whole = [card for card in cards if card is not None]
    return len(whole) == len(cards) and longest_run(whole) < 3


def points(rack: Sequence[int]) -> int:
    """Return what the rack scores for a player that has not declared it."""
    return POINTS_A_CARD * progress(rack)


def declarer_points(rack: Sequence[int], bonus_runs: bool) -> int:
    """Return what a declared RACK-O scores."""
    return RACKO_POINTS + (run_bonus(rack) if bonus_runs else 0)


def first_dealer(drawn: Sequence[int]) -> int:
    """S5: return the seat that drew the highest number."""
    return max(range(len(drawn)), key=drawn.__getitem__)


UNSEEN_WEIGHT: Final = 1.0  # of a card that nobody has seen
DISCARD_WEIGHT: Final = 0.4  # of a card in the discard pile, which is turned over one day
RACK_WEIGHT: Final = 0.1  # of a card that lies in a rack

# In turns, roughly. These numbers were found by playing variants against each other.
PACE: Final = 0.25  # the larger, the longer it takes to fill several slots from few cards
UNFILLABLE: Final = 50.0  # for a slot that no card can fill

# By slots between two cards that are kept: their number, and the fewest and the most turns that it takes to fill them.
# Not more cards can come than all cards; a little less, so that rounding does not matter.
GAPS: Final = tuple(
    (slots, slots + 0.999 * PACE * slots * slots, UNFILLABLE * slots) for slots in range(len(SLOTS) + 1)
)


def least_turns(walls: Sequence[int], below: Sequence[float], pace: float) -> list[float]:
    """Return by wall the fewest turns to fill all slots before it if its card is kept.

    `walls` are the cards of a rack between 0 and the highest card plus 1.
    """
    least: list[float] = []
    for to, high in enumerate(walls):
        least.append(_find_least(to, high, walls, least, below, pace))
    return least


def _find_least(
    to: int, high: int, walls: Sequence[int], least: Sequence[float], below: Sequence[float], pace: float
) -> float:
    """Return the fewest turns to fill all slots before the wall `to` if it shows `high`."""
    until = below[high - 1]
    at, best = to, UNFILLABLE * to
    for slots, fewest, most in GAPS[:to]:
        at -= 1
        if fewest >= best:
            break
        low = walls[at]
        if low < high and (turns := least[at]) + fewest < best:
            if slots:
                coming = until - below[low]
                gap = slots + pace * slots * slots / coming if high - low > slots and coming > 0 else most
                turns += gap if gap < most else most
            if turns < best:
                best = turns
    return best


class RackFilling:
    """The fewest turns to complete a rack, also if another card is placed in it. Slots are counted from 1."""

    def __init__(self, rack: Sequence[int], below: Sequence[float], pace: float, size: int) -> None:
        """`below`: by printed number, from 0 on, the weight of all cards up to it that may still come."""
        self.walls: Final = [0, *rack, size + 1]
        least = least_turns(self.walls, below, pace)
        self.turns: Final = least[-1]  # with the rack as it is
        self._forward: Final = (self.walls, least, below, pace)
        # the same upside down, so that the slots after a card are those before it
        walls, mirrored = [size + 1 - wall for wall in reversed(self.walls)], [below[size] - weight for weight in below]
        mirrored = mirrored[size::-1]
        self._backward: Final = (walls, least_turns(walls, mirrored, pace), mirrored, pace)
        self._size: Final = size

    def turns_before(self, slot: int, card: int) -> float:
        """Return the fewest turns to fill the slots before one that shows `card`."""
        return _find_least(slot, card, *self._forward)

    def turns_after(self, slot: int, card: int) -> float:
        """Return the fewest turns to fill the slots after one that shows `card`."""
        return _find_least(len(SLOTS) + 1 - slot, self._size + 1 - card, *self._backward)

    def turns_with(self, card: int, slot: int) -> float:
        """Return the fewest turns if `card` goes into a slot and stays there."""
        return self.turns_before(slot, card) + self.turns_after(slot, card)

    def find_slots(self, cards: Sequence[int]) -> list[tuple[float, int]]:
        """Return by card the fewest turns if it is placed where it helps most, and that slot; 0: it helps nowhere.

        `cards` go up.
        """
        found = [(self.turns, 0)] * len(cards)
        if cards:
            for slot in range(1, len(SLOTS) + 1):
                before, after = self.turns_before(slot, cards[-1]), self.turns_after(slot, cards[0])
                self._try_slot(slot, cards, 0, len(cards) - 1, before, after, found)
        return found

    def _try_slot(
        self,
        slot: int,
        cards: Sequence[int],
        first: int,
        last: int,
        before: float,
        after: float,
        found: list[tuple[float, int]],
    ) -> None:
        """Improve what is found for the cards `first` to `last` by a slot.

        The higher a card, the fewer turns are left `before` it, and the more `after` it. So the turns before the last
        card and after the first one, together, are a bound for all of them.
        """
        if before + after >= self.turns:
            return
        if first == last:
            found[first] = min(found[first], (before + after, slot))
            return
        middle = (first + last) // 2
        self._try_slot(slot, cards, first, middle, self.turns_before(slot, cards[middle]), after, found)
        self._try_slot(slot, cards, middle + 1, last, before, self.turns_after(slot, cards[middle + 1]), found)
