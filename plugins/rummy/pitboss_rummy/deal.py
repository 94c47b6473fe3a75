"""A deal from its shuffle to its end, and one deal after another: sections 1, 2.2 and 2.3 of the rule book."""

from __future__ import annotations

from pitboss_rummy.scores import deal_scores, hand_points, is_over
from pitboss_rummy.state import DealResult, RummyStateBase
from pitboss_rummy.view import public_cards


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
