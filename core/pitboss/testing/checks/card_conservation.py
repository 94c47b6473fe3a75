"""Where the cards lie, and who knows it."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.game import AnyState
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY, ZoneKind
from pitboss.testing.framework.check_runner import CheckFailed
from pitboss.testing.framework.decision_point import DecisionPoint

LONGEST_FACE: Final = 24


def table_is_laid(point: DecisionPoint) -> None:
    """The table is a `pitboss.Table` for that number of seats, its faces are short, and no two zones have one name."""
    table = point.state.table
    if not isinstance(table, Table) or table.layout.seats != point.setup.seats:
        raise CheckFailed(
            f"state.table is {table!r}; expected a pitboss.Table whose layout has {point.setup.seats} seats"
        )
    names = [zone.name for zone in table.layout.zones]
    if len(set(names)) < len(names):
        raise CheckFailed(f"the zones are named {names!r}; expected each name once: events tell zones by their names")
    for face in table.layout.deck.faces:
        if not isinstance(face, str | int) or face == "" or len(str(face)) > LONGEST_FACE:
            raise CheckFailed(f"a card's face is {face!r}; expected a number or 1 to {LONGEST_FACE} characters")


def cards_are_conserved(point: DecisionPoint) -> None:
    """Every card of the deck lies in exactly one place."""
    expect_cards_conserved(point.state)


def only_slots_are_empty(point: DecisionPoint) -> None:
    """A place without a card exists in slots only, and a zone of slots keeps its number of places."""
    table = point.state.table
    for zone, cards in zip(table.layout.zones, table.zones, strict=True):
        if zone.kind is ZoneKind.SLOTS and len(cards) != len(zone.labels):
            raise CheckFailed(f"{zone.name} has {len(cards)} places; its labels are {zone.labels!r}")
        if zone.kind is not ZoneKind.SLOTS and EMPTY in cards:
            raise CheckFailed(f"{zone.name} holds an empty place: {cards!r}")


def knowledge_is_of_this_table(point: DecisionPoint) -> None:
    """Those who know a card are seats of the table, or the spectator."""
    table = point.state.table
    wrong = [seats for seats in table.known_by if not 0 <= seats <= table.layout.everybody]
    if wrong or len(table.known_by) != len(table.layout.deck):
        raise CheckFailed(
            f"known is {table.known_by!r}; expected {len(table.layout.deck)} masks of 0..{table.layout.everybody}"
        )


def who_sees_knows(point: DecisionPoint) -> None:
    """Who may look into a zone knows the cards there."""
    table = point.state.table
    for zone, cards in zip(table.layout.zones, table.zones, strict=True):
        for card in cards[-1:] if zone.reveals_next else cards:
            if card != EMPTY and zone.viewers & ~table.known_by[card]:
                face = table.layout.deck.faces[card]
                raise CheckFailed(
                    f"{face!r} lies in {zone.name}, seen by mask {zone.viewers:b}; it is known to mask {table.known_by[card]:b}"
                )


def expect_cards_conserved(state: AnyState) -> None:
    """See that every card of the deck lies in exactly one place."""
    table = state.table
    lying = sorted(card for zone in table.zones for card in zone if card != EMPTY)
    deck = list(range(len(table.layout.deck)))
    if lying != deck:
        faces = table.layout.deck.faces
        missing = [faces[card] for card in deck if card not in lying]
        twice = [
            faces[card] if 0 <= card < len(deck) else card
            for card in sorted({card for card in lying if lying.count(card) > 1})
        ]
        odd = [card for card in lying if not 0 <= card < len(deck)]
        raise CheckFailed(
            f"of the deck {missing!r} lie nowhere, {twice!r} in more places than one, and {odd!r} are no cards"
        )


DECISION_CHECKS: Final = (
    cards_are_conserved,
    only_slots_are_empty,
    knowledge_is_of_this_table,
    who_sees_knows,
)
POINT_CHECKS: Final = (table_is_laid,)
