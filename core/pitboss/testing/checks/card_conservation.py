"""Card conservation: each card lies in one place, and the seats that see it know it."""

from __future__ import annotations

from typing import Final

from pitboss.table.table import Table
from pitboss.table.zones import EMPTY
from pitboss.testing.framework.check import CheckFailed, check
from pitboss.testing.framework.decision_point import DecisionPoint
from pitboss.testing.framework.expectations import expect_cards_conserved

LONGEST_FACE: Final = 24


@check("point")
def table_is_laid(point: DecisionPoint) -> None:
    """The table is a `pitboss.Table` for that number of seats, its faces are short, and no two zones have one name."""
    table, seats = point.state.table, point.setup.seats
    if not isinstance(table, Table) or table.layout.seats != seats:
        raise CheckFailed(f"state.table is {table!r}; expected a pitboss.Table whose layout has {seats} seats")
    names = [zone.name for zone in table.layout.zones]
    if len(set(names)) < len(names):
        raise CheckFailed(f"the zones are named {names!r}; expected each name once: events tell zones by their names")
    for face in table.layout.deck.faces:
        if not isinstance(face, str | int) or face == "" or len(str(face)) > LONGEST_FACE:
            raise CheckFailed(f"a card's face is {face!r}; expected a number or 1 to {LONGEST_FACE} characters")


@check("end of play-out", "decision", "end")
def cards_are_conserved(point: DecisionPoint) -> None:
    """Every card of the deck lies in exactly one place."""
    expect_cards_conserved(point.state)


@check("decision", "end")
def only_slots_are_empty(point: DecisionPoint) -> None:
    """A place without a card exists in slots only, and a zone of slots keeps its number of places."""
    table = point.state.table
    for zone, cards in zip(table.layout.zones, table.zones, strict=True):
        if zone.has_slots and len(cards) != len(zone.labels):
            raise CheckFailed(f"{zone.name} has {len(cards)} places; its labels are {zone.labels!r}")
        if not zone.has_slots and EMPTY in cards:
            raise CheckFailed(f"{zone.name} holds an empty place: {cards!r}")


@check("decision", "end")
def knowledge_is_of_this_table(point: DecisionPoint) -> None:
    """Every card of the deck has a mask of the seats that know it: seats of the table, or the spectator."""
    known_by, layout = point.state.table.known_by, point.state.table.layout
    if len(known_by) != len(layout.deck) or not all(0 <= seats <= layout.everybody for seats in known_by):
        raise CheckFailed(f"known is {known_by!r}; expected {len(layout.deck)} masks of 0..{layout.everybody}")


@check("decision", "end")
def who_sees_knows(point: DecisionPoint) -> None:
    """Every seat that sees the faces in a zone knows the cards there."""
    table = point.state.table
    for zone, cards in zip(table.layout.zones, table.zones, strict=True):
        for card in zone.visible_cards(cards):
            if card != EMPTY and zone.viewers & ~table.known_by[card]:
                face = table.layout.deck.faces[card]
                raise CheckFailed(
                    f"{face!r} lies in {zone.name}, seen by mask {zone.viewers:b}; "
                    f"it is known to mask {table.known_by[card]:b}"
                )
