"""Rendering of a Spades table for people: points, bags, bids and tricks beside the names, the trick and the hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss_spades.state import SEATS, SpadesStateBase

CARD_COLUMN: Final = NAME_WIDTH + 24
WIDTH: Final = 60


def describe_bid(state: SpadesStateBase, seat: int) -> str:
    """Return what a seat has bid: "4", "nil", "blind nil"; "" if it has not bid yet."""
    bid = state.bids[seat] if state.bids else None
    if bid is None:
        return ""
    return str(bid) if bid else "blind nil" if state.blind[seat] else "nil"


def count_scores(state: SpadesStateBase) -> PublicCounts:
    """Return the number of the deal; of each seat the points and bags of its side, its bid and its tricks."""
    won = state.tricks_won()
    seats = []
    for seat in range(SEATS):
        bid = describe_bid(state, seat)
        counts = [PublicCount("score", state.totals[seat]), PublicCount("bags", state.bags[seat % 2])]
        counts += [PublicCount("bid", bid), PublicCount("tricks", won[seat])] if bid else []
        seats.append(counts)
    return PublicCounts([PublicCount("deal", state.deal_no)], seats)


def render_table(state: SpadesStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    won = state.tricks_won()
    yield f"  deal {state.deal_no}, seat {state.first_bidder} bids first and leads"
    if state.tricks:
        last = state.tricks[-1]
        yield f"  last     {', '.join(f'{owner} {card}' for owner, card in last.cards)}: {last.winner} took it"
    played = zip(state.trick_seats, state.faces(state.trick), strict=False)
    yield f"  trick    {', '.join(f'{owner} {card}' for owner, card in played)}".rstrip()
    yield f"{'':{NAME_WIDTH + 4}}{'score':>5}{'bags':>5}{'bid':>5}{'won':>4}"
    for owner in range(SEATS):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        bid = describe_bid(state, owner).replace("blind nil", "blind")
        figures = f"{state.totals[owner]:>5}{state.bags[owner % 2]:>5}{bid:>6}{won[owner]:>4}"
        unseen = state.table.zones[state.unseen_hands[owner]]
        zone = state.unseen_hands[owner] if unseen else state.hands[owner]
        lines = render_zone(state.table, zone, seat, WIDTH - CARD_COLUMN)
        yield from render_beside(f"{player_heading(is_on_turn, owner, names[owner])}{figures}", lines, CARD_COLUMN)
