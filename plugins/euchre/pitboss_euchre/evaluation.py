"""Evaluation of a Euchre state for search players: the expected totals after the deal, a fast heuristic."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pitboss.outcome import spread_over_sides
from pitboss.parts.suits import TrickOrder
from pitboss.parts.trick_estimate import chance_of_at_least, share_tricks
from pitboss.table.cards import Deck
from pitboss_euchre.cards import rank_with
from pitboss_euchre.state import HAND, MAJORITY, SEATS, SIDES, EuchreStateBase, count_deal

TRICK_DEVIATION: Final = 0.6  # of the makers' tricks to come, by the square root of their number
TRUMP_WORTH: Final = 1.0


def evaluate_state(state: EuchreStateBase) -> Sequence[float]:
    """Return by seat the expected total of its side after this deal; before somebody makes trumps that of now."""
    totals = [float(total) for total in state.totals]
    maker = state.maker
    if state.turn is None or maker is None:
        return totals
    won = state.tricks_won()
    left = HAND - sum(won)
    playing = [state.hands[seat] for seat in range(SEATS) if (seat + 2) % SEATS not in state.loners]
    shares = share_tricks(state, worths_of(state.table.layout.deck, state.order), playing, left)
    seats = [seat for seat in range(SEATS) if (seat + 2) % SEATS not in state.loners]
    made = sum(share for seat, share in zip(seats, shares, strict=True) if (seat - maker) % 2 == 0)
    taken = won[maker] + won[(maker + 2) % SEATS]
    is_alone, is_defended_alone = maker in state.loners, True in state.defences
    chances = [chance_of_at_least(tricks - taken, made, left, TRICK_DEVIATION) for tricks in (1, MAJORITY, HAND)]
    if left == 0:
        chances = [float(taken >= tricks) for tricks in (1, MAJORITY, HAND)]
    shares_of_results = (1 - chances[0], chances[0] - chances[1], chances[1] - chances[2], chances[2])
    results = [count_deal(tricks, is_alone, is_defended_alone, state.options) for tricks in (0, 1, MAJORITY, HAND)]
    makers, defenders = (
        sum(chance * result[side] for chance, result in zip(shares_of_results, results, strict=True)) for side in (0, 1)
    )
    gained = (makers, defenders) if maker % 2 == 0 else (defenders, makers)
    return [total + more for total, more in zip(totals, spread_over_sides(gained, SIDES), strict=True)]


@lru_cache(maxsize=64)
def worths_of(deck: Deck, order: TrickOrder) -> list[float]:
    """Return by card how readily it takes a trick."""
    worths = []
    for face, suit in zip(map(str, deck.faces), order.suits, strict=True):
        height = ((rank_with(face, order.trump) - 6) / 9) ** 2 if rank_with(face, order.trump) > 6 else 0.0
        worths.append(height + (TRUMP_WORTH if suit == order.trump else 0.0))
    return worths
