"""Evaluation of a Rummy state for search players: expected total by seat, a fast heuristic.

It counts the cards of a hand that fit nothing, which cards may still come for them, and what lies ready: the top
discard for the player on turn, the next cards of a stock that everybody knows. All of it is arithmetic with masks of
places in the pack, so that it takes some microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from pitboss import Turn
from pitboss.parts.melds import BITS, CARDS, SUIT_MASK, mask_of, suit_masks
from pitboss_rummy.deal import POINTS
from pitboss_rummy.melds import RANKS, RUN_STARTS, SUITS, places_of
from pitboss_rummy.state import RummyStateBase

# The chance to go out first: e to the power of these, in relation to those of the others.
# Found from 5500 deals that `house:rummy` played.
# By the number of cards that fit nothing:
READINESS: Final = (2.5, 0.95, 0.35, 0.4, -0.3, -0.8, -0.75, -1.0, -1.1, -1.2, -1.3)
OUT_READINESS: Final = 4.9  # who is on turn, and needs no other card
COMPLETING: Final = 2.3  # if all cards that may come completed a meld
FITTING: Final = 1.0  # if all cards that may come could be laid down with what is there
LAST: Final = 3.9  # the same, if one card is left that fits nothing
SECOND_CARD_SHARE: Final = 0.5  # of the difference that the next card but one makes, if it is known

# tuned by play, as are MELDED_SHARE and RUMMY_FACTOR
DEAD_SHARE: Final = 1.0  # of the points of a card that fits nothing, what it will cost
MELDED_SHARE: Final = 0.5  # the same of one that can be laid down
RUMMY_FACTOR: Final = 2.0  # what the chance of Going Rummy makes of the points

CACHED_SHAPES: Final = 1 << 14  # hands of which is kept what they are

LAST_READINESS: Final = len(READINESS) - 1
PACES: Final = [*map(exp, READINESS)]
PACE_OUT: Final = exp(OUT_READINESS)
ALL_SUITS: Final = sum(1 << RANKS * suit for suit in range(SUITS))
ACES: Final = ALL_SUITS  # the aces
KINGS: Final = ALL_SUITS << RANKS - 1  # the kings


def _points_by_ranks() -> list[int]:
    """Return by mask of ranks the points of these cards of one suit."""
    found = [0]
    for rank in range(RANKS):
        found += [points + POINTS[rank] for points in found]
    return found


HAND_POINTS: Final = _points_by_ranks()


class HandShape(NamedTuple):
    """The cards of a hand by their use, with one another and with the melds on the table."""

    dead: int  # the number of cards that fit nothing
    completing: int  # the mask of the cards that would make a meld with two of these
    fitting: int  # the mask of the cards that could be laid down with the others, or on the table
    points: float  # that it will cost whoever does not go out


def evaluate_state(state: RummyStateBase) -> list[float]:
    """Return by seat the expected total after the deal, negated where the lowest wins.

    A player who needs fewer turns is more likely to go out.
    """
    scoring, totals, turn = state.options.scoring, state.totals, state.turn
    if turn is None:
        return [-total if scoring == "penalty" else total for total in map(float, totals)]
    shapes = [hand_shape(places_of(held), _layoff_mask(state, seat)) for seat, held in enumerate(state.hand_masks)]
    paces = _paces(state, turn, shapes)
    at_stake, whole, unclean = sum([points for _, _, _, points in shapes]), sum(paces), _unclean_seats(state, turn)
    expected = []
    for seat, (total, (_, _, _, points), pace) in enumerate(zip(totals, shapes, paces, strict=True)):
        wins = pace / whole
        loses = (1 - wins) * points
        gains = wins * (at_stake - points) * (1.0 if unclean >> seat & 1 else RUMMY_FACTOR)
        if scoring == "penalty":
            expected.append(-total - loses)
        elif scoring == "chips":
            expected.append(total + gains - loses)
        else:
            expected.append(total + gains)
    return expected


def _paces(state: RummyStateBase, turn: Turn, shapes: Sequence[HandShape]) -> list[float]:
    """Return by seat the relative chance to be the first to go out."""
    zones, masks, (turn_seat, phase) = state.table.zones, state.hand_masks, turn
    stock, pile, seats, has_drawn = zones[state.board.stock], zones[state.board.discard], len(masks), phase == "play"
    order = stock if state.is_stock_public else []
    unseen = mask_of(order or [*stock, *_hidden_cards(state)])
    paces = []
    for seat, hand in enumerate(shapes):
        is_on, at = seat == turn_seat, (seat - turn_seat - has_drawn) % seats
        dead = hand.dead - (is_on and has_drawn)
        saves = _cards_saved(hand, order, at) if order else 0
        if is_on and not has_drawn:
            saves = max(saves, _cards_saved(hand, pile, 0))
        soon = dead - saves
        if is_on and (dead if has_drawn else soon) <= 0:
            paces.append(PACE_OUT)
            continue
        pace = PACES[soon] if 0 < soon < LAST_READINESS else PACES[0 if soon <= 0 else LAST_READINESS]
        if order and (later := soon - _cards_saved(hand, order, at + seats)) < soon:
            pace += SECOND_CARD_SHARE * (PACES[max(0, min(later, LAST_READINESS))] - pace)
        if soon > 0:
            may_come = places_of(unseen & ~masks[seat])
            chance = COMPLETING * (hand.completing & may_come).bit_count()
            chance += (LAST if soon == 1 else FITTING) * (hand.fitting & may_come).bit_count()
            pace *= exp(chance / (may_come.bit_count() or 1))
        paces.append(pace)
    return paces


def _hidden_cards(state: RummyStateBase) -> list[int]:
    """Return the cards in the hands that not everybody knows to be there."""
    known, zones, everybody = state.table.known_by, state.table.zones, state.table.layout.everybody
    return [card for hand in state.board.hands for card in zones[hand] if known[card] != everybody]


def _cards_saved(hand: HandShape, pile: Sequence[int], at: int) -> int:
    """Return by how many the dead cards fall after a turn with the card at depth `at` of a pile."""
    if at >= len(pile):
        return 0
    bit = BITS[pile[-1 - at] % CARDS]
    if hand.completing & bit:
        return 3  # it makes a meld with two of them, and a third is discarded
    return 1 if hand.fitting & bit else 0


def _layoff_mask(state: RummyStateBase, seat: int) -> int:
    """Note 4: return the mask of the cards that the seat may lay off."""
    return state.layoff_mask if not state.options.layoff_needs_meld or seat in state.meld_owners else 0


@lru_cache(CACHED_SHAPES)
def hand_shape(held: int, fits: int) -> HandShape:
    """Return the shape of a hand; the cards in `fits` may be laid off."""
    runs, groups = _runs(held), _groups(held)
    if runs & groups:
        runs, groups = max(
            (runs, _groups(held & ~runs)),
            (_runs(held & ~groups), groups),
            key=lambda both: (both[0] | both[1]).bit_count(),
        )
    melded = held & (runs | groups | fits)
    dead = held ^ melded
    one, two, three, four = suit_masks(dead)
    pairs = one & two | three & four | (one | two) & (three | four)
    beside = dead & dead >> 1 & ~KINGS
    around = dead & dead >> 2 & RUN_STARTS
    completing = pairs * ALL_SUITS | (beside & ~ACES) >> 1 | (beside << 1 & ~KINGS) << 1 | around << 1
    fitting, points = fits, DEAD_SHARE * (HAND_POINTS[one] + HAND_POINTS[two] + HAND_POINTS[three] + HAND_POINTS[four])
    if melded:
        ranks = groups | groups >> 2 * RANKS
        fitting |= (runs & ~ACES) >> 1 | (runs & ~KINGS) << 1 | ((ranks | ranks >> RANKS) & SUIT_MASK) * ALL_SUITS
        points += MELDED_SHARE * sum([HAND_POINTS[ranks] for ranks in suit_masks(melded)])
    return HandShape(dead.bit_count(), completing & ~held, fitting & ~held, points)


def _runs(held: int) -> int:
    runs = held & held >> 1 & held >> 2 & RUN_STARTS
    return runs | runs << 1 | runs << 2 if runs else 0


def _groups(held: int) -> int:
    one, two, three, four = suit_masks(held)
    ranks = (one & two & (three | four)) | (three & four & (one | two))
    return held & ranks * ALL_SUITS if ranks else 0


def _unclean_seats(state: RummyStateBase, turn: Turn) -> int:
    """Return the mask of the seats that cannot go Rummy any more: they have melded or laid off, in this turn too."""
    if state.options.going_rummy == "off":
        return -1
    return state.active_seats | (1 << turn.seat if state.has_melded or state.has_laid_off else 0)
