"""Where the cards lie, and who knows it."""

# ruff: noqa: D401 - the docstring of a check is what a game promises

from __future__ import annotations

from typing import Final

from pitboss.game import AnyState
from pitboss.table import Table
from pitboss.testing.examiner import Broken
from pitboss.testing.moment import Moment
from pitboss.zones import EMPTY, Kind

LONGEST_FACE: Final = 24


def table_is_laid(moment: Moment) -> None:
    """The table is a `pitboss.Table` for that number of seats, its faces are short, and no two zones have one name."""
    table = moment.state.table
    if not isinstance(table, Table) or table.layout.seats != moment.setting.seats:
        raise Broken(f"state.table is {table!r}; expected a pitboss.Table whose layout has {moment.setting.seats} seats")
    names = [zone.name for zone in table.layout.zones]
    if len(set(names)) < len(names):
        raise Broken(f"the zones are named {names!r}; expected each name once: events tell zones by their names")
    for face in table.layout.deck.faces:
        if not isinstance(face, str | int) or face == "" or len(str(face)) > LONGEST_FACE:
            raise Broken(f"a card's face is {face!r}; expected a number or 1 to {LONGEST_FACE} characters")


def cards_are_conserved(moment: Moment) -> None:
    """Every card of the deck lies in exactly one place."""
    expect_conserved(moment.state)


def only_slots_are_empty(moment: Moment) -> None:
    """A place without a card exists in slots only, and a zone of slots keeps its number of places."""
    table = moment.state.table
    for zone, cards in zip(table.layout.zones, table.zones, strict=True):
        if zone.kind is Kind.SLOTS and len(cards) != len(zone.labels):
            raise Broken(f"{zone.name} has {len(cards)} places; its labels are {zone.labels!r}")
        if zone.kind is not Kind.SLOTS and EMPTY in cards:
            raise Broken(f"{zone.name} holds an empty place: {cards!r}")


def knowledge_is_of_this_table(moment: Moment) -> None:
    """Those who know a card are seats of the table, or the spectator."""
    table = moment.state.table
    wrong = [seats for seats in table.known if not 0 <= seats <= table.layout.everybody]
    if wrong or len(table.known) != len(table.layout.deck):
        raise Broken(f"known is {table.known!r}; expected {len(table.layout.deck)} masks of 0..{table.layout.everybody}")


def who_sees_knows(moment: Moment) -> None:
    """Who may look into a zone knows the cards there."""
    table = moment.state.table
    for zone, cards in zip(table.layout.zones, table.zones, strict=True):
        for card in cards[-1:] if zone.uncovers else cards:
            if card != EMPTY and zone.sees & ~table.known[card]:
                face = table.layout.deck.faces[card]
                raise Broken(
                    f"{face!r} lies in {zone.name}, seen by mask {zone.sees:b}; it is known to mask {table.known[card]:b}"
                )


def expect_conserved(state: AnyState) -> None:
    """See that every card of the deck lies in exactly one place."""
    table = state.table
    lying = sorted(card for zone in table.zones for card in zone if card != EMPTY)
    deck = list(range(len(table.layout.deck)))
    if lying != deck:
        faces = table.layout.deck.faces
        missing = [faces[card] for card in deck if card not in lying]
        twice = [
            faces[card] if 0 <= card < len(deck) else card for card in sorted({card for card in lying if lying.count(card) > 1})
        ]
        odd = [card for card in lying if not 0 <= card < len(deck)]
        raise Broken(f"of the deck {missing!r} lie nowhere, {twice!r} in more places than one, and {odd!r} are no cards")


OF_A_DECISION: Final = (
    cards_are_conserved,
    only_slots_are_empty,
    knowledge_is_of_this_table,
    who_sees_knows,
)
OF_A_MOMENT: Final = (table_is_laid,)
