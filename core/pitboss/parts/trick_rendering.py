"""Rendering of a game of tricks as text: the tricks, and of each seat its counts and its hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pitboss.game import PublicCount, PublicCounts
from pitboss.parts.tricks import TrickState
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.zones import Zone

PICTURE_WIDTH: Final = 60


def render_tricks(
    state: TrickState[Any, Any], counts: PublicCounts, hands: Sequence[Zone], seat: int | None, names: Sequence[str]
) -> Iterator[str]:
    """Yield what `seat` may know of the table; None sees every card.

    The counts of the table are the first line. Those of the seats are columns: one for each name, and one for all words
    that have no value. `hands` are the zones in which the cards of the seats lie.
    """
    rows = [_fill_row(row) for row in counts.seats]
    titles = [*dict.fromkeys(title for row in rows for title in row)]
    widths = {title: 1 + max(len(title), *(len(row.get(title, "")) for row in rows)) for title in titles}
    column = NAME_WIDTH + 4 + sum(widths.values()) + 2
    yield f"  {', '.join(f'{count.name} {count.value}'.strip() for count in counts.table)}"
    if state.tricks:
        last = state.tricks[-1]
        yield f"  last     {', '.join(f'{owner} {card}' for owner, card in last.cards)}"
        yield f"           {last.winner} took it"
    played = zip(state.trick_seats, state.faces(state.trick), strict=False)
    yield f"  trick    {', '.join(f'{owner} {card}' for owner, card in played)}".rstrip()
    yield f"{'':{NAME_WIDTH + 4}}{''.join(f'{title:>{widths[title]}}' for title in titles)}"
    for owner, (row, zone) in enumerate(zip(rows, hands, strict=True)):
        is_on_turn = state.turn is not None and state.turn.seat == owner
        figures = "".join(f"{row.get(title, ''):>{widths[title]}}" for title in titles)
        lines = render_zone(state.table, zone, seat, PICTURE_WIDTH - column)
        yield from render_beside(f"{player_heading(is_on_turn, owner, names[owner])}{figures}", lines, column)


def _fill_row(counts: Sequence[PublicCount]) -> Mapping[str, str]:
    """Return the texts of a seat by column; all words without a value go into the column without a title."""
    row = {count.name: str(count.value) for count in counts if count.value != "" and count.role != "aim"}
    words = [count.name for count in counts if count.value == ""]
    return {**row, "": ", ".join(words)} if words else row
