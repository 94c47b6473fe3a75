"""Laying a written position out: named cards where they are said to lie, others at random in the open places."""

from __future__ import annotations

from collections import Counter

import pytest

from pitboss import EMPTY, Deck, Face, Layout, PositionError, Random, Table, Visibility
from pitboss.errors import TableError
from pitboss.table.position_setup import set_up_zones

FACES = ("A", "B", "C", "D", "E", "E")
OWNER, OTHER, SPECTATOR = 1, 2, 4


class SixCardTable:
    """Six cards, two of them alike, for two seats."""

    def __init__(self, seed: str = "small") -> None:
        layout = Layout(Deck(FACES), 2)
        self.stock = layout.add_pile("stock", Visibility.NOBODY)
        self.discard = layout.add_pile("discard", Visibility.EVERYBODY)
        self.hand, self.other = layout.add_hands()
        self.rack = layout.add_racks("rack", (5, 10))[0]
        self.table = Table(layout, Random(seed), self.stock)

    def zone_faces(self, zone: int) -> list[Face]:
        """Return the faces of a zone."""
        return self.table.faces(self.table.layout.zones[zone])


def test_everything_is_written() -> None:
    """Every card lies where it is written, in that order, and is known to who sees it there."""
    small = SixCardTable()

    left = set_up_zones(
        small.table,
        small.stock,
        [(small.stock, ["D"]), (small.hand, ["C", "E"]), (small.discard, ["E"]), (small.rack, ["B", "A"])],
    )

    assert left == []
    assert [small.zone_faces(zone) for zone in (small.stock, small.hand, small.discard)] == [["D"], ["C", "E"], ["E"]]
    assert small.zone_faces(small.rack) == ["B", "A"]
    assert [small.table.known_by[card] for card in range(5)] == [OWNER, OWNER, OWNER, 0, OWNER]
    assert small.table.known_by[5] == OWNER | OTHER | SPECTATOR


def test_what_is_left_over() -> None:
    """The cards that are left over stay in the start zone, known to nobody, beneath the cards that are
    written for it.
    """
    small = SixCardTable()

    left = set_up_zones(small.table, small.stock, [(small.stock, ["A", "B"]), (small.hand, [None])])

    assert len(left) == 3
    assert small.table.zones[small.stock] == [*left, 0, 1]
    assert [small.table.known_by[card] for card in left] == [0, 0, 0]


def test_open_places_are_filled_fairly() -> None:
    """A place left open gets each card that is written nowhere about equally often."""
    met = Counter[Face]()
    for number in range(600):
        small = SixCardTable(f"fair/{number}")
        set_up_zones(small.table, small.stock, [(small.hand, ["A", None]), (small.discard, ["E"])])
        met[small.zone_faces(small.hand)[1]] += 1

    assert met.keys() == {"B", "C", "D", "E"}
    assert min(met.values()) > 100


def test_places_that_only_some_cards_fit() -> None:
    """Places that only some cards fit get those cards, and the other places what is left; a card that is written
    elsewhere is taken.
    """
    for number in range(40):
        small = SixCardTable(f"among/{number}")
        among = {small.other: frozenset({0, 1, 2})}

        set_up_zones(small.table, small.stock, [(small.hand, [None, "A"]), (small.other, [None, None])], among)

        assert sorted(map(str, small.zone_faces(small.other))) == ["B", "C"]
        assert small.zone_faces(small.hand)[0] in ("D", "E")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (["X"], "the deck has no card 'X'; it goes from 'A' to 'E'"),
        (["E", "E", "E"], "card 'E' is asked for 3 times; the deck holds 2"),
        (
            ["A", None, None, None, None, None, None],
            "the 5 cards named nowhere cannot fill 6 open places",
        ),
    ],
    ids=["no such card", "too often", "too many open places"],
)
def test_what_cannot_be(row: list[Face | None], said: str) -> None:
    """The error about a position that cannot be laid out says what is missing."""
    small = SixCardTable()
    with pytest.raises(PositionError, match=said):
        set_up_zones(small.table, small.stock, [(small.hand, row)])


def test_places_that_nothing_fits() -> None:
    """An open place that none of the cards left over fits is an error."""
    small = SixCardTable()
    with pytest.raises(PositionError, match="the 5 cards named nowhere cannot fill 1 open place"):
        set_up_zones(
            small.table, small.stock, [(small.hand, ["A"]), (small.other, [None])], {small.other: frozenset({0})}
        )


def test_a_rack_that_is_not_full() -> None:
    """A rack is laid out slot by slot: the wrong number of cards is the game's mistake."""
    small = SixCardTable()
    with pytest.raises(TableError, match="rack 0 has 2 slots, and 1 cards are placed there"):
        set_up_zones(small.table, small.stock, [(small.rack, ["A"])])
    assert small.table.zones[small.rack] == [EMPTY, EMPTY]
