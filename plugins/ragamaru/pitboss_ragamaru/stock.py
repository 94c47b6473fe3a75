"""Drawing cards, and the stock made anew: section 2.6 of the rule book."""

from __future__ import annotations

from pitboss_ragamaru.state import RagamaruStateBase


def can_draw(state: RagamaruStateBase) -> bool:
    """D32: whether there is a card to draw: in the stock, or beneath the top card."""
    zones, board = state.table.zones, state.board
    return bool(zones[board.stock] or len(zones[board.pile]) > 1 or zones[board.discards])


def draw_cards(state: RagamaruStateBase, seat: int, count: int) -> None:
    """2.6: draw `count` cards, one at a time; D32: if no card is left, the missing ones are waived."""
    table, board, bits = state.table, state.board, state.book.bits
    zones, stock, hand = table.zones, board.stock, board.hands[seat]
    for _ in range(count):
        if not zones[stock]:
            if not can_draw(state):
                return
            reshuffle(state)
        state.hand_masks[seat] |= bits[table.draw(stock, hand)]
        if state.passed_seats:
            state.passed_seats = 0  # D33: a card was drawn


def reshuffle(state: RagamaruStateBase) -> None:
    """D31: everything beneath the top card, discards too, is shuffled into a new stock."""
    table, board = state.table, state.board
    top = table.zones[board.pile][-1]
    table.turn_over(board.pile, board.stock, "gather")
    table.move(top, board.stock, board.pile, "top")
    if table.zones[board.discards]:
        table.turn_over(board.discards, board.stock, "gather")
    table.shuffle(board.stock, "reshuffle")
