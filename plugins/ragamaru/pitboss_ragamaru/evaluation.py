"""Evaluation of a RAGAMARU state for search players: expected points by seat, a fast heuristic.

Each seat has log-odds: a seat with 1 more is placed before another in 73 of 100 games. Terms: plays that the hand still
needs, cards that fit the field, the turn, and threats. The weights were fitted to 18 000 games of `house:ragamaru` with
itself (one action of 25 at random), two to four players: they predict from a state in mid-game which of two seats is
placed before the other. Weights that came out alike were made one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final, NamedTuple

from pitboss.outcome import spread_over_sides
from pitboss_ragamaru.deck import ATTACKS, HIGHEST, KINDS, NUMBERS
from pitboss_ragamaru.field import OF_KIND, Attack, answering_cards, count_stuck, mask_of
from pitboss_ragamaru.state import RagamaruStateBase

PLAY: Final = -0.17  # for each play that a hand still takes
WILD: Final = 0.19  # for a card that always fits: it offsets the play that it takes
RAGAMARU: Final = 0.34
STUCK: Final = -0.4  # for a card that goes only in answer to an attack, or by an Advantage
ANSWER: Final = 0.09  # for each kind of attack that can be answered with the same kind
TMO: Final = 0.13
NO_WAY_OUT: Final = -0.09  # for a hand without a number card
LAST: Final = {1: 0.31, 2: 0.11}  # by the plays to go out, for a hand with a number card
FINISHER: Final = {1: 1.87, 2: 0.39, 3: 0.15}  # likewise, for a hand with a RAGAMARU too

FITTING: Final = 0.65  # times the share of cards that fit the field, by number of players; for seats not on turn
NEXT: Final = (0.94, 0.53, 0.43)  # for a seat that can go out on this field and plays next, second, third
REST: Final = -0.15  # for each turn that a seat has to rest, or will have to

ON_TURN: Final = 0.15  # for the seat on turn, if a card fits
UNFIT: Final = -0.11  # for the seat on turn, if no card fits
GOES_OUT: Final = 3.7  # for the seat on turn, if it can go out
SWEEP: Final = 1.3  # likewise, after a RAGAMARU
ONE_BEFORE: Final = 0.2  # for the seat on turn, if it takes two plays to go out
HIT: Final = -0.065  # for each card that the seat on turn has to draw
PASSED_ON: Final = 0.06  # for each card of an attack that it can answer
WON: Final = 6.0

NUMBER_BITS: Final = (1 << HIGHEST) - 1
KIND_BITS: Final = mask_of(range(0, 4 * len(KINDS), 4))
WILD_CARDS: Final = OF_KIND["RES"] | OF_KIND["SIN"]
RAGAMARUS: Final = OF_KIND["RAG"]
TMOS: Final = OF_KIND["TMO"]
TRIES, PENALTY_GOALS, DROP_GOALS = (OF_KIND[kind] for kind in ATTACKS)


class HandWorth(NamedTuple):
    """Evaluation of a hand for any field."""

    worth: float
    plays: int  # to go out, RAGAMARUs not counted; 0 if no number card can be the last
    has_ragamaru: bool


def evaluate_state(state: RagamaruStateBase) -> Sequence[float]:
    """Return by seat the expected points of its side, on the scale of the game's points.

    They are the sum over the other sides of the chance to be placed before each. Any member may go out for its side, so
    the odds of members are added up.
    """
    odds, board = [*map(exp, log_odds(state))], state.board
    totals = odds if board.team is None else [sum([odds[seat] for seat in side]) for side in board.sides]
    expected = [sum([own / (own + other) for other in totals]) - 0.5 for own in totals]
    return expected if board.team is None else spread_over_sides(expected, board.sides)


def log_odds(state: RagamaruStateBase) -> list[float]:
    """Return by seat the log-odds of being placed before an average opponent."""
    masks, fits, rests_left, turn = state.hand_masks, state.top.fits, state.rests_left, state.turn
    most, fitting = state.options.max_same, FITTING / state.board.seats
    hands = [judge_hand(held, most) for held in masks]
    favour = [
        worth + REST * rests + fitting * (held & fits).bit_count() / (held.bit_count() or 1)
        for (worth, _, _), held, rests in zip(hands, masks, rests_left, strict=True)
    ]
    if turn is None:
        return favour
    seat = turn.seat
    favour[seat] = hands[seat].worth + _turn_odds(state, hands[seat], masks[seat])
    for other, nearness in zip(state.circle[seat][:-1], NEXT, strict=False):
        _, plays, has_ragamaru = hands[other]
        if plays == 1 and not has_ragamaru and masks[other] & fits and not rests_left[other]:
            favour[other] += nearness
    return favour


def _turn_odds(state: RagamaruStateBase, hand: HandWorth, held: int) -> float:
    """Return the log-odds that the seat on turn has beside those of its hand: by the threat to it, or by its plays."""
    threat = state.threat
    if isinstance(threat, Attack):
        can_answer = held & answering_cards(threat.kind, threat.converted) and held.bit_count() > 1  # 2.5
        return (PASSED_ON if can_answer else HIT) * threat.draw
    if threat is not None:
        return 0.0 if held & OF_KIND["SIN"] and held.bit_count() > 1 else REST * threat.rests
    if not held & state.top.fits:
        return UNFIT
    if hand.plays == 1:
        return ON_TURN + (SWEEP if hand.has_ragamaru else GOES_OUT)
    return ON_TURN + ONE_BEFORE if hand.plays == 2 and not hand.has_ragamaru else ON_TURN


@lru_cache(1 << 15)
def judge_hand(held: int, most: int) -> HandWorth:
    """Return the evaluation of a hand; at most `most` cards of one number or kind go together."""
    if not held:
        return HandWorth(WON, 0, False)
    numbers = _count_plays(
        held & NUMBER_BITS,
        held >> HIGHEST & NUMBER_BITS,
        held >> 2 * HIGHEST & NUMBER_BITS,
        held >> 3 * HIGHEST & NUMBER_BITS,
        most,
    )
    coloured = held >> NUMBERS
    kinds = _count_plays(
        coloured & KIND_BITS, coloured >> 1 & KIND_BITS, coloured >> 2 & KIND_BITS, coloured >> 3 & KIND_BITS, most
    )
    wild = (held & WILD_CARDS).bit_count()
    ragamarus, stuck = (held & RAGAMARUS).bit_count(), count_stuck(held)
    plays = numbers + kinds + wild
    worth = PLAY * plays + WILD * wild + RAGAMARU * ragamarus + STUCK * stuck
    if held.bit_count() > most:
        attacks = (held & TRIES != 0) + (held & PENALTY_GOALS != 0) + (held & DROP_GOALS != 0)
        worth += ANSWER * attacks + (TMO if held & TMOS else 0.0)
    if not numbers:
        return HandWorth(worth + NO_WAY_OUT, 0, ragamarus > 0)
    return HandWorth(worth + (FINISHER if ragamarus else LAST).get(plays + stuck, 0.0), plays + stuck, ragamarus > 0)


def _count_plays(red: int, yellow: int, blue: int, black: int, most: int) -> int:
    """Return the plays that cards take; the masks are by colour, and equal bits in them may go together."""
    plays = (red | yellow | blue | black).bit_count()
    if most == 2:
        plays += (red & yellow & (blue | black) | blue & black & (red | yellow)).bit_count()
    elif most == 3:
        plays += (red & yellow & blue & black).bit_count()
    return plays
