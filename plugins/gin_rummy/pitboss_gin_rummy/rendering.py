"""Rendering of a Gin Rummy table for people: the piles, what a knocker may have loose, hands and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.text import truncate_text
from pitboss_gin_rummy.state import GinRummyStateBase

CARD_COLUMN: Final = 26  # where cards begin; the picture is 60 wide
CARD_WIDTH: Final = 34
PILE_WIDTH: Final = 48


def render_table(state: GinRummyStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    table, dealer = state.table, truncate_text(names[state.dealer], NAME_WIDTH)
    yield f"  deal {state.deal_no}, {name_limit(state)}, dealer {state.dealer} {dealer}"
    for zone in (state.stock, state.discards):
        yield f"  {zone.name:8}  {render_zone(table, zone, seat, PILE_WIDTH)[0]}"
    yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
    for owner, hand in enumerate(state.hands):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        head = f"{player_heading(is_on_turn, owner, names[owner])}{state.totals[owner]:>6}"
        held = ["sits out"] if owner in state.waiting else render_zone(table, hand, seat, CARD_WIDTH)
        yield from render_beside(head, held, CARD_COLUMN)
    for number, game in enumerate(state.games, 1):
        written = "  ".join(f"{points} ({lines})" for points, lines in zip(game.points, game.lines, strict=True))
        yield f"  game {number} (lines): {written}"


def name_limit(state: GinRummyStateBase) -> str:
    """Return in words what a knocker may have loose."""
    return f"knock with {state.limit} or less" if state.limit else "gin alone"


def count_scores(state: GinRummyStateBase) -> PublicCounts:
    """Return the number of the deal, and what a knocker may have; of each seat its score, and whether it sits out."""
    seats = [
        (
            PublicCount("score", total),
            *[PublicCount("dealer", role="button")] * (seat == state.dealer),
            *[PublicCount("sits out", role="out")] * (seat in state.waiting),
        )
        for seat, total in enumerate(state.totals)
    ]
    return PublicCounts((PublicCount("deal", state.deal_no, "part"), PublicCount(name_limit(state))), seats)
