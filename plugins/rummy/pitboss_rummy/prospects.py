"""How well everybody stands in the middle of a deal, for players who look ahead in any game: a quick guess, not the best one.

A hand is a mask of places in the pack. All of it is arithmetic with masks, so that it takes some microseconds.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple

from pitboss_rummy.melds import RUN_STARTS
from pitboss_rummy.pack import RANKS, SUIT, SUITS, places_of
from pitboss_rummy.scoring import POINTS

if TYPE_CHECKING:
    from pitboss_rummy.game import RummyState

NEAR: Final = 0.45  # turns that a card saves which lacks only one other to be in a meld
GAP: Final = 0.6  # of that, if it is the one between two
LEAD: Final = 0.35  # a turn ahead multiplies the chance to go out first by e to this power
DEAD: Final = 0.8  # of the points of a card that fits nothing, what is still in the hand at the end
MELDED: Final = 0.5  # the same of a card that can be laid down
CLEAN: Final = 1.6  # what the chance of Going Rummy makes of the points

NOT_LAST: Final = sum(((1 << RANKS - 1) - 1) << RANKS * suit for suit in range(SUITS))  # all ranks but the king
HAND_POINTS: Final = [sum(POINTS[rank] for rank in range(RANKS) if mask >> rank & 1) for mask in range(1 << RANKS)]


class Standing(NamedTuple):
    """What a hand comes to: turns to go out, more or less, and points that it will cost whoever does not."""

    turns: float
    points: float


def prospects(state: RummyState) -> list[float]:
    """Return by seat the total that it may expect after the deal, so that more is better: who needs fewer turns is more likely to go out."""
    hands = [standing(places_of(held), state.fits) for held in state.held]
    paces = [exp(-LEAD * hand.turns) for hand in hands]
    at_stake, whole = sum(hand.points for hand in hands), sum(paces)
    expected = []
    for seat, (total, hand, pace) in enumerate(zip(state.totals, hands, paces, strict=True)):
        wins = pace / whole
        loses = (1 - wins) * hand.points
        gains = wins * (at_stake - hand.points) * (CLEAN if _is_clean(state, seat) else 1.0)
        match state.options.scoring:
            case "penalty":
                expected.append(-total - loses)
            case "chips":
                expected.append(total + gains - loses)
            case _:
                expected.append(total + gains)
    return expected


def standing(held: int, fits: int) -> Standing:
    """Return what a hand comes to; the cards in `fits` may be laid off."""
    one, two, three, four = held & SUIT, held >> RANKS & SUIT, held >> 2 * RANKS & SUIT, held >> 3 * RANKS
    pairs = one & two | three & four | (one | two) & (three | four)
    groups = _in_all_suits((one & two & (three | four)) | (three & four & (one | two)))
    runs = held & held >> 1 & held >> 2 & RUN_STARTS
    melded = held & (runs | runs << 1 | runs << 2 | groups | fits)
    dead = held & ~melded
    beside = held & held >> 1 & NOT_LAST
    around = held & held >> 2 & RUN_STARTS
    near = (dead & (_in_all_suits(pairs) | beside | beside << 1)).bit_count() + GAP * (dead & (around | around << 2)).bit_count()
    return Standing(dead.bit_count() - NEAR * near, DEAD * _points(dead) + MELDED * _points(melded))


def _in_all_suits(ranks: int) -> int:
    return ranks | ranks << RANKS | ranks << 2 * RANKS | ranks << 3 * RANKS


def _points(cards: int) -> int:
    points = HAND_POINTS
    return points[cards & SUIT] + points[cards >> RANKS & SUIT] + points[cards >> 2 * RANKS & SUIT] + points[cards >> 3 * RANKS]


def _is_clean(state: RummyState, seat: int) -> bool:
    """Tell whether the seat can still go Rummy: it has laid nothing down, unless in this turn."""
    if state.options.going_rummy == "off" or state.active >> seat & 1:
        return False
    return not (state.turn is not None and state.turn.seat == seat and (state.melded or state.laid_off))
