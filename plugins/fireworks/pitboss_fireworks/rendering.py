"""Rendering of a Fireworks table for people: the fireworks, the discards, and the hands with what hints have told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pitboss import PublicCount, PublicCounts
from pitboss.rendering.table_text import HIDDEN_CARD, NAME_WIDTH
from pitboss.text import truncate_text, wrap_words
from pitboss_fireworks.cards import HIGHEST, NUMBERS
from pitboss_fireworks.state import FireworksStateBase

WIDTH: Final = 60
CARD_WIDTH: Final = 5


def describe_knowledge(signs: str) -> str:
    """Return what its owner knows of a card: "R3", "R?", "?3", "RY?" or "??"; at most two colours or numbers."""
    colours = "".join(sign for sign in signs if sign not in NUMBERS)
    numbers = "".join(sign for sign in signs if sign in NUMBERS)
    return "".join(some if len(some) <= 2 else "?" for some in (colours, numbers))


def count_scores(state: FireworksStateBase) -> PublicCounts:
    """Return points, hints and lives; of each seat what it has been told of its cards, from the oldest on."""
    most = HIGHEST * len(state.heights)
    table = [
        PublicCount("points", f"{state.points}/{most}"),
        PublicCount("hints", f"{state.tokens}/{state.options.tokens}"),
        PublicCount("lives", f"{state.lives}/{state.options.lives}"),
        PublicCount("stock", len(state.table.zones[state.stock])),
    ]
    if state.last_turns is not None:
        table.append(PublicCount("turns left", state.last_turns))
    told = [" ".join(map(describe_knowledge, possible)) for possible in state.possible]
    return PublicCounts(table, [[PublicCount("told", words)] if words else [] for words in told])


def render_table(state: FireworksStateBase, seat: int | None, names: Sequence[str]) -> Iterator[str]:
    """Yield the table; below each hand stands what its owner has been told of each card."""
    counts = count_scores(state)
    yield "  " + "  ".join(f"{count.name} {count.value}" for count in counts.table)
    heights = state.heights_by_colour()
    yield "  fireworks  " + " ".join(f"{colour}{height or '-'}" for colour, height in heights.items())
    discards = sorted(state.faces(state.discards), key=lambda face: (state.cards.colours.index(face[0]), face))
    for number, line in enumerate(wrap_words(discards, " ", WIDTH - 13)):
        yield f"  {'' if number else 'discards':9}  {line}"
    for owner, name in enumerate(names):
        mark = ">" if state.turn is not None and state.turn.seat == owner else " "
        hand = state.hands[owner]
        faces = state.faces(hand) if seat is None else state.table.faces_known_to(hand, seat)
        shown = [HIDDEN_CARD if face is None else str(face) for face in faces]
        rows = (shown, map(describe_knowledge, state.possible[owner]))
        cards, told = ("".join(f"{word:<{CARD_WIDTH}}" for word in row).rstrip() for row in rows)
        yield f"{mark} {owner} {truncate_text(name, NAME_WIDTH):{NAME_WIDTH}} {cards}".rstrip()
        if told:
            yield f"    {'told':>{NAME_WIDTH}} {told}"
