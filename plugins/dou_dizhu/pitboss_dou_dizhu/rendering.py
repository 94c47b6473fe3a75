"""Rendering of a table of Dou Dizhu for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss.rendering.appearance import Colour
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.text import wrap_words
from pitboss_dou_dizhu.state import DouDizhuStateBase

JOKERS: Final[dict[str, tuple[str, Colour]]] = {"BJ": ("black joker", "black"), "RJ": ("red joker", "red")}
PICTURE_WIDTH: Final = 60
COLUMN: Final = NAME_WIDTH + 4 + 6 + 10


def render_state(state: DouDizhuStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card."""
    counts = state.public_counts()
    yield f"  {', '.join(f'{count.name} {count.value}'.strip() for count in counts.table)}"
    shown = state.bottom_faces or ("?",) * len(state.table.zones[state.bottom])
    yield f"  bottom   {' '.join(shown)}"
    for play in state.plays[-3:]:
        lines = wrap_words(play.cards, " ", PICTURE_WIDTH - 11) or ["pass"]
        yield from render_beside(f"  {play.seat}", lines, 11)
    yield f"{'':{NAME_WIDTH + 4}}{'score':>6}"
    for owner, (row, hand) in enumerate(zip(counts.seats, state.hands, strict=True)):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        words = " ".join(count.name for count in row[1:])
        head = f"{player_heading(is_on_turn, owner, names[owner])}{row[0].value:>6} {words}"
        yield from render_beside(head, render_zone(state.table, hand, seat, PICTURE_WIDTH - COLUMN), COLUMN)
