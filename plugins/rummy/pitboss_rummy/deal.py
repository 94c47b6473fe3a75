"""A deal, its scores, and one deal after another: sections 1, 2.2, 2.3 and 3 of the rule book."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss.parts.melds import CARDS
from pitboss_rummy.melds import RANKS
from pitboss_rummy.messages import RummyOptions
from pitboss_rummy.state import DealResult, RummyStateBase, public_cards

POINTS: Final = tuple(min(card % RANKS + 1, 10) for card in range(2 * CARDS))  # D1: ace 1, court cards 10
BONUS: Final = 10  # note 7


def hand_points(cards: Iterable[int]) -> int:
    """D16: count every card that is left in a hand, a complete meld too."""
    return sum(map(POINTS.__getitem__, cards))


def deal_scores(left: Sequence[int], winner: int | None, rummy: bool, options: RummyOptions) -> tuple[int, ...]:
    """Section 3: return what the deal adds to each total.

    `left` are the points of each hand; no `winner`: the deal is stalled.
    """
    if winner is None:
        return _stalled_scores(left, options)
    factor = 2 if rummy and options.going_rummy == "double" else 1
    scores = _winner_scores([factor * points for points in left], winner, options)
    if rummy and options.going_rummy == "plus10":
        scores[winner] += BONUS
    return tuple(scores)


def _winner_scores(left: Sequence[int], winner: int, options: RummyOptions) -> list[int]:
    """Return who scores what where one seat has won what is left in the hands; its own hand counts nothing."""
    if options.scoring == "penalty":  # note 8
        return list(left)
    scores = [0 if options.scoring == "winner" else -points for points in left]
    scores[winner] = sum(left)
    return scores


def _stalled_scores(left: Sequence[int], options: RummyOptions) -> tuple[int, ...]:
    """D14: void; or the lowest hand, if one seat alone has it, wins what the others hold beyond it. No Going Rummy."""
    if options.stalled_deal == "void":
        return (0,) * len(left)
    if options.scoring == "penalty":
        return tuple(left)
    lowest = min(left)
    if left.count(lowest) > 1:
        return (0,) * len(left)
    return tuple(_winner_scores([points - lowest for points in left], left.index(lowest), options))


def is_over(totals: Sequence[int], deals_played: int, options: RummyOptions) -> bool:
    """2.3: enough deals have been played, or somebody's total is `points` or more."""
    if options.deals is not None and deals_played >= options.deals:
        return True
    return options.points is not None and max(totals) >= options.points


def start_game(state: RummyStateBase) -> None:
    """S3: the first dealer is drawn by lot, unless the options name one."""
    dealer = state.options.first_dealer
    start_deal(state, state.table.draw_lot(len(state.board.hands)) if dealer == "random" else dealer)


def start_deal(state: RummyStateBase, dealer: int) -> None:
    """S4: collect all cards, shuffle and deal."""
    state.collect_and_shuffle(state.board.stock, f"deal-{state.deal_no}")
    deal_cards(state, dealer)


def deal_cards(state: RummyStateBase, dealer: int) -> None:
    """S4 to S6: deal from the stock as it lies, the first card to the dealer's left (D4), and turn one up."""
    table, board, size = state.table, state.board, state.options.hand_size or 0
    seats = len(board.hands)
    to = [board.hands[(dealer + step) % seats] for step in range(1, seats + 1)]
    state.dealer = dealer
    state.clear_deal()
    table.tell("deal", deal=state.deal_no, dealer=dealer, hand_size=size)
    table.deal(board.stock, to, size, event="hands")
    table.draw(board.stock, board.discard, "up_card")
    state.count_hands()
    state.turn = board.draw_turns[board.left_neighbour[dealer]]


def go_out(state: RummyStateBase, seat: int) -> None:
    """2.2, D8: the hand is empty, so the deal ends at once.

    It is Going Rummy if no earlier turn had a meld or a layoff.
    """
    rummy = state.options.going_rummy != "off" and not state.active_seats >> seat & 1
    state.turns_done += 1
    state.table.tell("out", seat=seat, rummy=rummy)
    end_deal(state, seat, rummy)


def end_deal(state: RummyStateBase, winner: int | None, rummy: bool) -> None:
    """2.3: show and count all remaining hands.

    Then the left neighbour of the dealer deals (S3), or the game is over.
    """
    table, board = state.table, state.board
    for hand in board.hands:
        if table.zones[hand]:
            table.reveal(hand, "hand")
    scores = deal_scores([hand_points(table.zones[hand]) for hand in board.hands], winner, rummy, state.options)
    state.totals = [total + score for total, score in zip(state.totals, scores, strict=True)]
    shown = tuple(tuple(public_cards(state, seat)) for seat in range(len(board.hands)))
    state.last_deal = DealResult(winner, rummy, scores, shown, state.turns_done)
    table.tell("deal_end", winner=winner, scores=list(scores), totals=list(state.totals))
    if is_over(state.totals, state.deal_no, state.options):
        state.turn = None
    else:
        state.deal_no += 1
        start_deal(state, board.left_neighbour[state.dealer])
