"""Pictures: a table as lines of text for people. The table knows its zones, so every game has one; a game may draw its own (`Pictured`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from pitboss.cards import Face
from pitboss.game import AnyState, Pictured
from pitboss.table import Table
from pitboss.turns import Turn
from pitboss.zones import EMPTY, Kind, Zone

HIDDEN: Final = "·"  # a card that the onlooker does not know, where its place tells something
NO_CARD: Final = "-"  # a slot that is empty
WIDTH: Final = 80
NARROWEST: Final = 40
FEW: Final = 3  # hidden cards on one another that are shown one by one; more are counted


def picture(state: AnyState, seat: int | None, names: Sequence[str], width: int = WIDTH) -> list[str]:
    """Return what `seat` (or the spectator) may see of a game, None seeing every card: the game's own picture, or else `table_lines`.

    Those mark who is on turn only for None and for the seat itself: whether the others may know it is a matter of the rules.
    """
    if isinstance(state, Pictured):
        return list(state.picture(seat, names))
    turn = state.turn
    is_told = turn is not None and seat in (None, turn.seat)
    return list(table_lines(state.table, seat, names, turn if is_told else None, width))


def table_lines(
    table: Table, seat: int | None, names: Sequence[str], turn: Turn | None = None, width: int = WIDTH
) -> Iterator[str]:
    """Yield the zones that nobody owns, then each player with what is his; `names` are the players' by seat.

    The cards are those that `seat` knows; None sees all. Empty zones are left out, but for piles that nobody owns. A pile is one line, its top card last;
    a hand is in the order of the deck. `turn` is marked with ">", if one is given.
    """
    wide = max(width, NARROWEST)
    shown = [zone for zone in table.layout.zones if _is_shown(table, zone)]
    common = [zone for zone in shown if zone.owner is None]
    yield from _labelled(table, seat, common, "  ", common, wide)
    owned = [zone for zone in shown if zone.owner is not None]
    for owner, name in enumerate(names):
        held = [zone for zone in owned if zone.owner == owner]
        mark = ">" if turn is not None and turn.seat == owner else " "
        yield cut(f"{mark} {owner} {name}", wide) if held else f"{cut(f'{mark} {owner} {name}', wide - 10)}  no cards"
        yield from _labelled(table, seat, held, "    ", owned, wide)


def cards_lines(table: Table, zone: Zone, seat: int | None, width: int = WIDTH) -> list[str]:
    """Return the cards of a zone, as far as `seat` knows them, in lines of at most that width; a pile is always one line."""
    cards = [card for card in table.zones[zone] if card != EMPTY]
    known = [card for card in cards if seat is None or table.known[card] >> seat & 1]
    if not cards:
        return ["empty"]
    if zone.kind is Kind.SLOTS:
        return filled(_slots(table, zone, set(known)), "  ", width)
    if not known:
        return [_counted(len(cards))]
    if zone.kind is Kind.HAND:
        rest = [f"({len(cards) - len(known)} hidden)"] if len(known) < len(cards) else []
        return filled([*map(str, table.layout.deck.named(sorted(known))), *rest], " ", width)
    faces = [table.layout.deck.faces[card] if card in known else None for card in cards]
    return [_pile(faces, width)] if zone.kind is Kind.PILE else filled(_shown(faces), " ", width)


def filled(words: Iterable[str], gap: str, width: int) -> list[str]:
    """Return words in lines of at most that width; no word is broken."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(gap) + len(word.rstrip()) <= width:
            lines[-1] += gap + word
        else:
            lines.append(word)
    return [line.rstrip() for line in lines]


def cut(text: str, width: int) -> str:
    """Return a text, or as much of it as there is room for."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def _is_shown(table: Table, zone: Zone) -> bool:
    """Tell whether a zone has a line: one that is empty only if it is a pile that nobody owns, as a stock is."""
    return any(card != EMPTY for card in table.zones[zone]) or (zone.kind is Kind.PILE and zone.owner is None)


def _labelled(
    table: Table, seat: int | None, zones: Sequence[Zone], indent: str, like: Sequence[Zone], width: int
) -> Iterator[str]:
    """Yield zones behind their names; all cards begin in the column that suits the zones they are `like`."""
    column = len(indent) + max((len(_label(zone)) for zone in like), default=0) + 2
    for zone in zones:
        first, *more = cards_lines(table, zone, seat, width - column)
        yield f"{indent}{_label(zone)}".ljust(column) + first
        yield from (" " * column + line for line in more)


def _label(zone: Zone) -> str:
    """Return the name of a zone; beside its owner's name it goes without the number of the seat."""
    return zone.name if zone.owner is None else zone.name.removesuffix(f" {zone.owner}")


def _slots(table: Table, zone: Zone, known: set[int]) -> list[str]:
    """Return each slot with its label; a hidden card keeps its place."""
    faces = table.layout.deck.faces
    room = max(len(str(face)) for face in faces)
    shown = [NO_CARD if card == EMPTY else str(faces[card]) if card in known else HIDDEN for card in table.zones[zone]]
    return [f"{label}:{face:{room}}" for label, face in zip(zone.labels, shown, strict=True)]


def _pile(faces: Sequence[Face | None], width: int) -> str:
    """Return as many of the top cards as fit, and how many lie beneath."""
    runs = [(is_hidden, list(run)) for is_hidden, run in groupby(faces, lambda face: face is None)]
    words: list[tuple[str, int]] = []  # and how many cards each stands for
    for is_hidden, run in runs:
        if is_hidden and len(run) > FEW:
            words.append((f"({len(run)} hidden)", len(run)))
        else:
            words += [(word, 1) for word in _shown(run)]
    beneath = 0
    while len(line := _stacked(words, beneath)) > width and len(words) > 1:
        beneath += words.pop(0)[1]
    return line


def _stacked(words: Iterable[tuple[str, int]], beneath: int) -> str:
    return " ".join([*([f"({beneath} beneath)"] if beneath else []), *(word for word, _ in words)])


def _shown(faces: Iterable[Face | None]) -> list[str]:
    return [HIDDEN if face is None else str(face) for face in faces]


def _counted(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
