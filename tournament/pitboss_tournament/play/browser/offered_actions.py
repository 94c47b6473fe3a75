"""Legal actions for a page: each in words, with the cards, the slot, the zones and the seat that a click must hit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from pitboss.action_range import ActionRange, lowest_action
from pitboss.game import AnyState
from pitboss.table.events import LogEntry
from pitboss.table.randomness import Random
from pitboss.table.zones import Layout, Zone
from pitboss_tournament.play.browser.play_messages import OfferedAction
from pitboss_tournament.text.terminal_text import escape_line, word_action

TRIED_ACTIONS: Final = 400  # actions of a question; of more only the fields tell what they mean
SEAT_FIELDS: Final = ("seat", "player", "target")
CARD_VERBS: Final = ("move", "lay", "swap")


def offer_actions(
    game: object, legal: Sequence[Any], state: AnyState, seat: int, words: Mapping[str, str]
) -> list[OfferedAction]:
    """Return the legal actions of a seat that decides in `state`, of which it reads what the seat may know.

    `words` are those for faces.
    """
    layout = state.table.layout
    world = state.imagine(seat, Random("offer")) if len(legal) <= TRIED_ACTIONS else None
    return [
        offer_action(game, action, layout, words, () if world is None else find_touched_zones(world, action, seat))
        for action in legal
    ]


def offer_action(
    game: object, action: object, layout: Layout, words: Mapping[str, str], touched: Sequence[str] = ()
) -> OfferedAction:
    """Return an action for a page: what its fields name, and the zones that it touches; `words` for faces."""
    cards: list[str] = []
    zones: list[str] = []
    seats: list[int] = []
    slot = None
    names = {zone.name for zone in layout.zones}
    faces = set(layout.deck.faces)
    bounds = action.bounds if isinstance(action, ActionRange) else None
    for key, value in msgspec.to_builtins(action).items():
        parts = list(_flatten(value))
        if key == "slot" and isinstance(value, int):
            slot = value
        elif key in SEAT_FIELDS and isinstance(value, int):
            seats.append(value)
        elif key in ("card", "cards") or all(isinstance(part, str) and part in faces for part in parts):
            cards += [str(part) for part in parts if part in faces]
        else:
            zones += [name for name in (value, f"{key} {value}") if name in names]
    return OfferedAction(
        text=escape_line(word_action(game, action, words)),
        cards=cards,
        slot=slot,
        zones=list(dict.fromkeys([*zones, *touched])),
        seats=seats,
        bounds=bounds,
    )


def _flatten(value: object) -> Iterator[Any]:
    """Yield what a field of an action holds, the members of its lists one by one."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _flatten(part)
    else:
        yield value


def find_touched_zones(world: AnyState, action: object, seat: int) -> list[str]:
    """Return where the first cards that an action moves in a world come from and go to, beside what the seat holds.

    A card that goes into a slot is named by the slot: where the other one goes is no part of the choice.
    """
    trial = world.copy()
    log: list[LogEntry] = []
    trial.table.log = log
    trial.play(lowest_action(action))
    entry = next((entry for entry in log if entry.verb in CARD_VERBS), None)
    ends = [] if entry is None else _list_ends(entry)
    if any(zone.owner not in (None, seat) for zone in ends):
        return []  # cards of another: what follows from the action, not what it takes
    return [zone.name for zone in ends if not _is_held_by(zone, seat)]


def _list_ends(entry: LogEntry) -> list[Zone]:
    ends = [entry.source] if entry.verb == "swap" else [entry.source, entry.target]
    return [zone for zone in ends if zone is not None]


def _is_held_by(zone: Zone, seat: int) -> bool:
    return zone.owner == seat and zone.viewers == 1 << seat
