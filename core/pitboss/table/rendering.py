"""Rendering: a table as lines of text for people, zone by zone. A game may have its own (`pitboss.game.Renderable`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss.table.table import Table
from pitboss.table.turns import Turn
from pitboss.table.zones import EMPTY, Zone, ZoneKind
from pitboss.text import format_count, truncate_text, wrap_words

HIDDEN_CARD: Final = "·"  # a card that the seat does not know, where its place matters
NO_CARD: Final = "-"  # an empty slot
NAME_WIDTH: Final = 14  # of a player in the rendering of a game; a longer name is cut
DEFAULT_WIDTH: Final = 80
MIN_WIDTH: Final = 40
MAX_HIDDEN_SHOWN: Final = 3  # adjacent hidden cards that are shown one by one; more are counted


def render_table(
    table: Table, seat: int | None, names: Sequence[str], turn: Turn | None = None, width: int = DEFAULT_WIDTH
) -> Iterator[str]:
    """Yield the zones without owner, then each player with the zones of that player; `names` are by seat.

    The faces are those that `seat` knows; None sees all. Empty zones are left out, except piles without owner. A pile
    is one line, its top card last; a hand is in the order of the deck. The seat of `turn` is marked with ">".
    """
    wide = max(width, MIN_WIDTH)
    shown = [zone for zone in table.layout.zones if any(card != EMPTY for card in table.zones[zone])]
    common = [
        zone for zone in table.layout.zones if zone.owner is None and (zone in shown or zone.kind is ZoneKind.PILE)
    ]
    yield from _render_labelled_zones(table, seat, common, "  ", common, wide)
    owned = [zone for zone in shown if zone.owner is not None]
    for owner, name in enumerate(names):
        held = [zone for zone in owned if zone.owner == owner]
        heading = f"{'>' if turn is not None and turn.seat == owner else ' '} {owner} {name}"
        yield truncate_text(heading, wide) if held else f"{truncate_text(heading, wide - 10)}  no cards"
        yield from _render_labelled_zones(table, seat, held, "    ", owned, wide)


def render_zone(table: Table, zone: Zone, seat: int | None, width: int = DEFAULT_WIDTH) -> list[str]:
    """Return the cards of a zone, as far as `seat` knows them, in lines of at most `width`; a pile is one line."""
    cards = [card for card in table.zones[zone] if card != EMPTY]
    known = {card for card in cards if seat is None or table.known_by[card] >> seat & 1}
    if not cards:
        return ["empty"]
    if not known and not zone.has_slots:
        return [format_count(len(cards), "card")]
    faces = table.layout.deck.faces
    words = [
        str(faces[card]) if card in known else NO_CARD if card == EMPTY else HIDDEN_CARD for card in table.zones[zone]
    ]
    match zone.kind:
        case ZoneKind.SLOTS:
            room = max(len(str(face)) for face in faces)
            labelled = zip(zone.labels, words, strict=True)
            return wrap_words((f"{label}:{word:{room}}" for label, word in labelled), "  ", width)
        case ZoneKind.HAND:
            hidden = len(words) - len(known)
            first_copy = {card: table.layout.deck.copies(faces[card])[0] for card in known}
            words = [str(faces[card]) for card in sorted(known, key=first_copy.__getitem__)]  # copies look the same
            return wrap_words([*words, f"({hidden} hidden)"] if hidden else words, " ", width)
        case ZoneKind.SPREAD:
            return wrap_words(words, " ", width)
        case ZoneKind.PILE:
            return [_render_pile(words, width)]


def player_heading(is_on_turn: bool, owner: int, name: str) -> str:
    """Return the mark of the player on turn, the seat, and as much of the name as fits NAME_WIDTH."""
    return f"{'>' if is_on_turn else ' '} {owner} {truncate_text(name, NAME_WIDTH):{NAME_WIDTH}}"


def render_beside(heading: str, lines: Iterable[str], column: int) -> Iterator[str]:
    """Yield lines in a column, the first one behind its heading."""
    for number, line in enumerate(lines):
        yield f"{heading if number == 0 else '':{column}}{line}"


def _render_labelled_zones(
    table: Table, seat: int | None, zones: Sequence[Zone], indent: str, aligned_with: Sequence[Zone], width: int
) -> Iterator[str]:
    """Yield zones after their names; the cards begin in one column, wide enough for the names of `aligned_with`."""
    column = len(indent) + max((len(_zone_label(zone)) for zone in aligned_with), default=0) + 2
    for zone in zones:
        yield from render_beside(f"{indent}{_zone_label(zone)}", render_zone(table, zone, seat, width - column), column)


def _zone_label(zone: Zone) -> str:
    """Return the name of a zone, without the seat of its owner."""
    return zone.name if zone.owner is None else zone.name.removesuffix(f" {zone.owner}")


def _render_pile(cards: Iterable[str], width: int) -> str:
    """Return as many top cards as fit into `width`, and the number of cards beneath."""
    words: list[tuple[str, int]] = []  # each with the number of cards that it stands for
    for is_hidden, group in groupby(cards, lambda card: card == HIDDEN_CARD):
        run = [(card, 1) for card in group]
        words += [(f"({len(run)} hidden)", len(run))] if is_hidden and len(run) > MAX_HIDDEN_SHOWN else run
    length = sum(len(word) + 1 for word, _ in words) - 1
    first = beneath = 0
    while length + len(heading := f"({beneath} beneath) " if beneath else "") > width and first < len(words) - 1:
        length -= len(words[first][0]) + 1
        beneath += words[first][1]
        first += 1
    return heading + " ".join(word for word, _ in words[first:])
