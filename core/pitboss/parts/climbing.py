"""A climbing round: combinations of cards are laid in turn, each beats the one before, until all others have passed.

A game says which combinations there are; here is what beats what, whose turn it is, and arithmetic with the ranks of
cards. A set of cards of which only the ranks matter is a number with five bits for each rank: how many cards of it
there are, at most eight. Two sets are joined by `+`; `1 << RANK_BITS * rank` is one card of a rank.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

RANK_BITS: Final = 5
RANK_MASK: Final = (1 << RANK_BITS) - 1  # all bits of the lowest rank
_NOBODY: Final[frozenset[int]] = frozenset()
_ONES: Final = sum(1 << RANK_BITS * rank for rank in range(16))  # a card of each of sixteen ranks
_GUARDS: Final = _ONES << RANK_BITS - 1


class ClimbingCombination(NamedTuple):
    """A combination of cards, as far as it matters for what beats it."""

    kind: str
    size: int  # cards
    rank: int
    power: int = 0  # of a bomb: it beats whatever has less

    def beats(self, other: ClimbingCombination) -> bool:
        """Return whether this can be laid on another: it is higher and of the same kind and size, or has more power."""
        if self.power != other.power:
            return self.power > other.power
        return self.rank > other.rank and self.kind == other.kind and self.size == other.size


class ClimbingRound(NamedTuple):
    """A round: what lies on top, and whose turn it is. It does not change: `lay` and `add_pass` return the next one.

    Where `passes_lock`, who has passed may not lay again until the round is over. Seats that have laid their last card
    (`finished`) are passed over; the game is over when the game says so.
    """

    seats: int
    turn: int  # who lays or passes next
    top: ClimbingCombination | None = None  # what has to be beaten; None: the seat on turn leads
    owner: int | None = None  # who laid it
    passed: frozenset[int] = _NOBODY  # since then, or in this round if passes lock
    finished: frozenset[int] = _NOBODY
    passes_lock: bool = False

    def can_lay(self, combination: ClimbingCombination) -> bool:
        """Return whether a combination leads, or beats what lies on top."""
        return self.top is None or combination.beats(self.top)

    def lay(self, combination: ClimbingCombination, *, is_last: bool = False) -> ClimbingRound:
        """Return the round after a combination that can be laid; `is_last`: the seat has no card left."""
        seats, turn = self.seats, self.turn
        if not (is_last or self.passes_lock or self.finished):  # as in most games
            return ClimbingRound(seats, (turn + 1) % seats, combination, turn)
        finished = self.finished | {turn} if is_last else self.finished
        passed = self.passed if self.passes_lock else _NOBODY
        return _go_on(seats, turn, combination, turn, passed, finished, self.passes_lock)

    def add_pass(self) -> ClimbingRound:
        """Return the round after a pass; when all others have passed, the owner of the top play leads again.

        If the owner has finished, the next seat that has not finished leads.
        """
        seats, turn, top, owner, passed, finished, passes_lock = self
        return _go_on(seats, turn, top, owner, passed | {turn}, finished, passes_lock)


def _go_on(
    seats: int,
    turn: int,
    top: ClimbingCombination | None,
    owner: int | None,
    passed: frozenset[int],
    finished: frozenset[int],
    passes_lock: bool,
) -> ClimbingRound:
    """Return the round after the seat `turn` has laid or passed; the next round if nobody else may lay."""
    for step in range(1, seats):
        seat = (turn + step) % seats
        if seat != owner and seat not in passed and seat not in finished:
            return ClimbingRound(seats, seat, top, owner, passed, finished, passes_lock)
    leader = turn if owner is None else owner
    while leader in finished and len(finished) < seats:
        leader = (leader + 1) % seats
    return ClimbingRound(seats, leader, finished=finished, passes_lock=passes_lock)


def ranks_by_count(cards: int) -> tuple[int, int, int, int, int, int, int, int]:
    """Return the ranks of which there are at least one, two, … eight cards, each as a set with one card each."""
    one, two, four, eight = cards & _ONES, cards >> 1 & _ONES, cards >> 2 & _ONES, cards >> 3 & _ONES
    both, most = one & two, four | eight
    return (
        one | two | most,
        two | most,
        both | most,
        most,
        four & (one | two) | eight,
        four & two | eight,
        four & both | eight,
        eight,
    )


def has_cards(held: int, cards: int) -> bool:
    """Return whether a set holds another: of each rank as many cards or more."""
    return (held | _GUARDS) - cards & _GUARDS == _GUARDS


@lru_cache(1 << 14)
def find_runs(ranks: int, length: int = 1) -> tuple[int, ...]:
    """Return the runs of `length` ranks in a row, the lowest first; `ranks` and runs have one card of each rank."""
    starts = following = ranks
    for _ in range(length - 1):
        following >>= RANK_BITS
        starts &= following
    run = _ONES & (1 << RANK_BITS * length) - 1
    found = []
    while starts:
        low = starts & -starts
        found.append(run * low)
        starts ^= low
    return tuple(found)
