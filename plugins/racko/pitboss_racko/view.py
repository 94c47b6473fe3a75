"""The view (observation) of a seat: section 6.2 of the rule book."""

from __future__ import annotations

from typing import Final

from pitboss_racko.messages import View
from pitboss_racko.state import RackoStateBase

REVERSED: Final = slice(None, None, -1)


def build_view(state: RackoStateBase, seat: int) -> View:
    """6.2, without what the wire tells anyway; D8: everything that could be seen, and nothing else."""
    table, board, known = state.table, state.board, state.table.known_by
    zones, public, eyes = table.zones, 1 << table.layout.spectator, 1 << seat
    hand = zones[board.hands[state.turn.seat]] if state.turn else ()
    stock = zones[board.stock]
    return View(
        dealer=state.dealer,
        round=state.round_no,
        turns_done=state.turns_done + state.is_turn_over_for(seat),
        max_turns=state.options.max_turns,
        rack=[card + 1 for card in zones[board.racks[seat]]] if eyes != public else [],
        drawn=hand[0] + 1 if hand and known[hand[0]] & eyes else None,
        discard=[card + 1 for card in zones[board.discard]],
        stock=len(stock),
        stock_known=[card + 1 for card in stock[REVERSED]] if stock and known[stock[0]] & public else [],
        known_racks=[
            [card + 1 if known[card] & mask else None for card in zones[rack]]
            for rack, mask in zip(board.racks, _rack_masks(state, seat), strict=True)
        ],
        scores=state.totals[:],
        sides=state.sides,
    )


def _rack_masks(state: RackoStateBase, seat: int) -> list[int]:
    """By rack: the mask of onlookers whose knowledge `seat` is shown: itself for its own, the spectator for others."""
    public = 1 << state.table.layout.spectator
    return [1 << seat if owner == seat else public for owner in range(len(state.board.racks))]
