"""The view (observation) of a seat: sections 2.4 and 6.3 of the rule book."""

from __future__ import annotations

from pitboss_rummy.messages import View
from pitboss_rummy.pack import BITS, NO_CARD
from pitboss_rummy.state import RummyStateBase


def build_view(state: RummyStateBase, seat: int) -> View:
    """Return what a seat, or the spectator, may know."""
    board, zones = state.board, state.table.zones
    seats = range(len(board.hands))
    drawn, stock, faces = visible_drawn_card(state, seat), zones[board.stock], board.faces
    own = board.sorted_faces(state.hand_masks[seat]) if seat in seats else []
    return View(
        dealer=state.dealer,
        deal=state.deal_no,
        turns_done=state.turns_done,
        max_turns=state.options.max_turns,
        hand=own,
        drawn=drawn,
        taken=drawn if state.has_taken else None,
        counts=[len(zones[hand]) for hand in board.hands],
        known=[own[:] if owner == seat else public_cards(state, owner) for owner in seats],
        melds=[*state.meld_messages],
        discard=[faces[card] for card in zones[board.discard]],
        stock=len(stock),
        stock_known=[faces[card] for card in reversed(stock)] if state.is_stock_public else [],
        clean=[not state.active_seats >> owner & 1 for owner in seats],
        scores=state.totals[:],
    )


def public_cards(state: RummyStateBase, seat: int) -> list[str]:
    """Return what everybody knows of a hand, in card order."""
    table = state.table
    known, public = table.known_by, 1 << table.layout.spectator
    shown = [BITS[card] for card in table.zones[state.board.hands[seat]] if known[card] & public]
    return state.board.sorted_faces(sum(shown)) if shown else []


def visible_drawn_card(state: RummyStateBase, seat: int) -> str | None:
    """2.4: return the drawn card as `seat` may see it; None if it came unseen from the stock.

    It is its owner's secret, also when it has been melded since, unless the stock was public.
    """
    turn = state.turn
    if state.drawn_place == NO_CARD or turn is None or turn.phase == "draw":
        return None
    is_seen = state.has_taken or state.is_stock_public or seat == turn.seat
    return state.board.pack[state.drawn_place] if is_seen else None
