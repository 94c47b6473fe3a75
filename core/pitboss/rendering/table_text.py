"""Rendering: a table as lines of text, zone by zone. A game may have its own (`pitboss.game.Renderable`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss.table.secrets import Secret
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
    """Yield the zones and secrets without owner, then each player with its own; `names` are by seat.

    Faces and values are those that `seat` knows; None sees all. Empty zones are left out, except piles without owner,
    and secrets without a value. A pile is one line, its top card last; a hand is in the order of the deck. The seat of
    `turn` is marked with ">".
    """
    wide = max(width, MIN_WIDTH)
    shown: list[Zone | Secret] = [
        zone
        for zone in table.layout.zones
        if any(card != EMPTY for card in table.zones[zone]) or (zone.owner is None and zone.is_stacked)
    ]
    shown += [secret for secret in table.layout.secrets if table.values(secret)]
    common = [place for place in shown if place.owner is None]
    yield from _render_labelled_places(table, seat, common, "  ", common, wide)
    owned = [place for place in shown if place.owner is not None]
    for owner, name in enumerate(names):
        held = [place for place in owned if place.owner == owner]
        heading = f"{'>' if turn is not None and turn.seat == owner else ' '} {owner} {name}"
        yield truncate_text(heading, wide) if held else f"{truncate_text(heading, wide - 10)}  no cards"
        yield from _render_labelled_places(table, seat, held, "    ", owned, wide)


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


def _render_secret(table: Table, secret: Secret, seat: int | None, width: int) -> list[str]:
    """Return the values of a secret, as far as `seat` knows them, in lines of at most `width`."""
    is_known = seat is None or table.secrets[secret].known_by >> seat & 1
    return wrap_words([str(value) if is_known else HIDDEN_CARD for value in table.values(secret)], " ", width)


def player_heading(is_on_turn: bool, owner: int, name: str) -> str:
    """Return the mark of the player on turn, the seat, and as much of the name as fits NAME_WIDTH."""
    return f"{'>' if is_on_turn else ' '} {owner} {truncate_text(name, NAME_WIDTH):{NAME_WIDTH}}"


def render_beside(heading: str, lines: Iterable[str], column: int) -> Iterator[str]:
    """Yield lines in a column, the first one behind its heading."""
    for number, line in enumerate(lines):
        yield f"{heading if number == 0 else '':{column}}{line}"


def _render_labelled_places(
    table: Table,
    seat: int | None,
    places: Sequence[Zone | Secret],
    indent: str,
    aligned_with: Sequence[Zone | Secret],
    width: int,
) -> Iterator[str]:
    """Yield zones and secrets after their names; all begin in one column, right of the names of `aligned_with`."""
    column = len(indent) + max((len(_label_of(place)) for place in aligned_with), default=0) + 2
    for place in places:
        render = _render_secret if isinstance(place, Secret) else render_zone
        lines = render(table, place, seat, width - column)  # type: ignore[arg-type]
        yield from render_beside(f"{indent}{_label_of(place)}", lines, column)


def _label_of(place: Zone | Secret) -> str:
    """Return the name of a zone or secret, without the seat of its owner."""
    return place.name if place.owner is None else place.name.removesuffix(f" {place.owner}")


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
