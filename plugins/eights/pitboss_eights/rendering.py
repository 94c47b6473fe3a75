"""Rendering of a table of Crazy Eights for people: what has to follow, the piles, hands and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.plugins.packs import rank_of
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss_eights.state import EIGHT, EightsStateBase

CARD_COLUMN: Final = 26  # where cards begin; the picture is 60 wide
CARD_WIDTH: Final = 34
PILE_WIDTH: Final = 48
SUIT_WORDS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}


def render_table(state: EightsStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    counts = state.public_counts()
    yield "  " + ", ".join(f"{one.name} {one.value}".strip() for one in counts.table)
    for zone in (state.stock, state.played):
        yield f"  {zone.name:8}  {render_zone(state.table, zone, seat, PILE_WIDTH)[0]}"
    yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
    for owner, hand in enumerate(state.hands):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        head = f"{player_heading(is_on_turn, owner, names[owner])}{state.totals[owner]:>6}"
        yield from render_beside(head, render_zone(state.table, hand, seat, CARD_WIDTH), CARD_COLUMN)


def count_scores(state: EightsStateBase) -> PublicCounts:
    """Return the deal, the suit that an eight has named, the cards to be drawn, the direction; of seats the score."""
    table = [PublicCount("deal", state.deal_no, "part")]
    if any(rank_of(face) == EIGHT for face in state.faces(state.played)[-1:]):
        table.append(PublicCount("suit", SUIT_WORDS[state.suit]))
    if state.due:
        table.append(PublicCount("to draw", state.due))
    if state.options.reverse != "none":
        table.append(PublicCount("turns go", "up" if state.direction > 0 else "down"))
    seats = [
        (PublicCount("score", total), *[PublicCount("dealer", role="button")] * (seat == state.dealer))
        for seat, total in enumerate(state.totals)
    ]
    return PublicCounts(table, seats)
