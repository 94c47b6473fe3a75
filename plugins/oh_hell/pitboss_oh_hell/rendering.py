"""Rendering of an Oh Hell table for people: points, bids and tricks beside the names, trumps, the trick, the hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss_oh_hell.options import list_hand_sizes
from pitboss_oh_hell.state import OhHellStateBase

CARD_COLUMN: Final = NAME_WIDTH + 19
WIDTH: Final = 60


def count_scores(state: OhHellStateBase) -> PublicCounts:
    """Return the number of the deal; of each seat its score, its bid and its tricks."""
    won, bids = state.tricks_won(), state.bids()
    seats = []
    for seat, total in enumerate(state.totals):
        bid = bids[seat]
        counts = [PublicCount("score", total)]
        seats.append(counts if bid is None else [*counts, PublicCount("bid", bid), PublicCount("tricks", won[seat])])
    deals = len(list_hand_sizes(state.options))
    return PublicCounts([PublicCount("deal", f"{state.deal_no} of {deals}")], seats)


def render_table(state: OhHellStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    won, bids = state.tricks_won(), state.bids()
    yield f"  deal {state.deal_no} of {len(list_hand_sizes(state.options))}, {state.hand_size} cards each"
    yield f"  trumps   {' '.join(state.faces(state.turned_up)) or 'none'}"
    if state.tricks:
        yield f"  last     {', '.join(f'{owner} {card}' for owner, card in state.tricks[-1].cards)}"
        yield f"           {state.tricks[-1].winner} took it"
    played = zip(state.trick_seats, state.faces(state.trick), strict=False)
    yield f"  trick    {', '.join(f'{owner} {card}' for owner, card in played)}".rstrip()
    yield f"{'':{NAME_WIDTH + 4}}{'score':>5}{'bid':>4}{'won':>4}"
    for owner in range(state.seats):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        bid = bids[owner] if bids[owner] is not None else ""
        figures = f"{state.totals[owner]:>5}{bid:>4}{won[owner]:>4}"
        lines = render_zone(state.table, state.hands[owner], seat, WIDTH - CARD_COLUMN)
        yield from render_beside(f"{player_heading(is_on_turn, owner, names[owner])}{figures}", lines, CARD_COLUMN)
