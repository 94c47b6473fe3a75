"""The table's errors: each says what cannot be, and leaves the table as it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pitboss.errors import TableError
from pitboss.table.zones import EMPTY
from tests.core.small_table import SmallTable


def prepare_table() -> SmallTable:
    """Return a table with cards in hands, two slots of a rack, the discards and the stock."""
    tiny = SmallTable()
    tiny.deal_cards(*tiny.hands, tiny.discard, rounds=2)
    tiny.deal_cards(tiny.racks[0], rounds=2, slots=(0, 2))
    return tiny


NONSENSE: list[tuple[str, Callable[[SmallTable], object]]] = [
    ("draw: well is empty", lambda tiny: tiny.table.draw(tiny.well, tiny.stock)),
    ("move: 'L' is not in hand 0", lambda tiny: tiny.table.move(11, tiny.hands[0], tiny.trick)),
    ("give: card number 99 is not in hand 0", lambda tiny: tiny.table.move(99, tiny.hands[0], tiny.trick, "give")),
    ("move: card number -1 is not in rack 0", lambda tiny: tiny.table.move(EMPTY, tiny.racks[0], tiny.trick)),
    ("lay: 'L' is not in hand 0, or is laid twice", lambda tiny: tiny.table.lay([0, 11], tiny.hands[0], tiny.trick)),
    (
        "meld: 'A' is not in hand 0, or is laid twice",
        lambda tiny: tiny.table.lay([0, 0], tiny.hands[0], tiny.trick, "meld"),
    ),
    ("lay: a card comes into rack 1 by `deal`", lambda tiny: tiny.table.lay([0], tiny.hands[0], tiny.racks[1])),
    (
        "deal: a zone is to be dealt to twice",
        lambda tiny: tiny.table.deal(tiny.stock, [tiny.hands[0], tiny.hands[0]], 1),
    ),
    ("move: a card comes into rack 1 by `deal`", lambda tiny: tiny.table.move(0, tiny.hands[0], tiny.racks[1])),
    (
        "swap: there is no card in well or in slot 0",
        lambda tiny: tiny.table.swap(tiny.well, tiny.racks[0], 0, tiny.discard),
    ),
    ("in slot 1 of rack 0", lambda tiny: tiny.table.swap(tiny.stock, tiny.racks[0], 1, tiny.discard)),
    ("in slot 3 of rack 0", lambda tiny: tiny.table.swap(tiny.stock, tiny.racks[0], 3, tiny.discard)),
    ("in slot -1 of rack 0", lambda tiny: tiny.table.swap(tiny.stock, tiny.racks[0], -1, tiny.discard)),
    ("deal: stock holds 4 cards, 6 are to be dealt", lambda tiny: tiny.deal_cards(*tiny.hands, rounds=3)),
    ("deal: a card leaves hand 0 by `move`", lambda tiny: tiny.table.deal(tiny.hands[0], [tiny.discard], 1)),
    (
        r"not all of slots \[1, 0\] of rack 0 are free",
        lambda tiny: tiny.deal_cards(tiny.racks[0], rounds=2, slots=(1, 0)),
    ),
    (
        r"not all of slots \[1, 1\] of rack 1 are free",
        lambda tiny: tiny.deal_cards(tiny.racks[1], rounds=2, slots=(1, 1)),
    ),
    (r"not all of slots \[3\] of rack 1 are free", lambda tiny: tiny.deal_cards(tiny.racks[1], slots=(3,))),
    (r"1 cards are to be dealt into rack 1, into slots \[\]", lambda tiny: tiny.deal_cards(tiny.racks[1])),
    (
        r"2 cards are to be dealt into rack 1, into slots \[1\]",
        lambda tiny: tiny.deal_cards(tiny.racks[1], rounds=2, slots=(1,)),
    ),
    (r"into hand 1, into slots \[0\]", lambda tiny: tiny.deal_cards(tiny.hands[1], slots=(0,))),
    ("shuffle: rack 0 has empty slots", lambda tiny: tiny.table.shuffle(tiny.racks[0])),
    (r"\[1, 2\] is not an order of the cards of stock", lambda tiny: tiny.table.shuffle(tiny.stock, order=(1, 2))),
    ("place: 'A' is not in stock", lambda tiny: tiny.table.place([8, 0], tiny.stock, tiny.well, 0)),
    ("place: 'I' is not in stock, or is placed twice", lambda tiny: tiny.table.place([8, 8], tiny.stock, tiny.well, 0)),
]


@pytest.mark.parametrize(("message", "verb"), NONSENSE, ids=[message for message, _ in NONSENSE])
def test_a_verb_that_makes_no_sense(message: str, verb: Callable[[SmallTable], object]) -> None:
    """The error about a verb that makes no sense names the event, the card and the zone, and nothing has changed."""
    tiny = prepare_table()
    before = tiny.snapshot()

    with pytest.raises(TableError, match=message):
        verb(tiny)

    assert tiny.snapshot() == before
