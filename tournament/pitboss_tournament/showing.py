"""A table as text, for any game: the table knows its zones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from pitboss.cards import Face
from pitboss.table import Table
from pitboss.zones import EMPTY, Kind, Zone

HIDDEN = "·"  # a card that the onlooker does not know


def table_lines(table: Table, seat: int | None, players: Sequence[str]) -> Iterator[str]:
    """Yield a line for each zone that holds cards, as `seat` sees it; None sees every card. The top of a pile stands last."""
    width = max(len(_title(zone, players)) for zone in table.layout.zones)
    for zone in table.layout.zones:
        cards = [card for card in table.zones[zone] if card != EMPTY]
        if cards:
            faces = table.faces(zone) if seat is None else table.seen(zone, seat)
            yield f"  {_title(zone, players):{width}}  {_cards(zone, faces)}"


def action_text(action: Any) -> str:  # noqa: ANN401 - any game's action
    """Write an action as one would say it: "take slot 25"."""
    fields = msgspec.to_builtins(action)
    words = []
    for key, value in fields.items():
        said = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        words.append(said if key == "do" else f"{key} {said}")
    return " ".join(words)


def _title(zone: Zone, players: Sequence[str]) -> str:
    return zone.name if zone.owner is None else f"{zone.name} ({players[zone.owner]})"


def _cards(zone: Zone, faces: Sequence[Face | None]) -> str:
    shown = [HIDDEN if face is None else str(face) for face in faces]
    if zone.kind is Kind.SLOTS:
        return "  ".join(f"{label}:{face}" for label, face in zip(zone.labels, shown, strict=True))
    if len(shown) > 1 and set(shown) == {HIDDEN}:
        return f"{len(shown)} cards"
    return " ".join(shown)
