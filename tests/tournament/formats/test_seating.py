"""Seat designs: each bot has each seat equally often, neighbours follow the design, and partners stay partners."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import factorial

import pytest

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.outcome import Sides
from pitboss_tournament.config.defaults import shared_sides
from pitboss_tournament.plan.seating import SeatDesign, Seating, count_block_games, seat_orders
from tests.plugins import load_registry

DESIGNS: list[Seating] = ["rotations", "mirrored", "all"]
PARTNERS: list[Seating] = ["partners"]
TEAMS: list[tuple[int, Sides | None]] = [
    (2, None),
    (3, None),
    (4, None),
    (5, None),
    (6, None),
    (4, ((0, 2), (1, 3))),
    (4, ((0, 1), (2, 3))),
    (6, ((0, 3), (1, 4), (2, 5))),
    (6, ((0, 2, 4), (1, 3, 5))),
    (6, ((0, 1), (2, 3), (4, 5))),
]


@pytest.mark.parametrize(
    ("design", "seats", "sides"),
    [(design, *team) for team in TEAMS for design in [*DESIGNS, *PARTNERS] if team[1] or design in DESIGNS],
)
def test_each_bot_has_each_seat_equally_often(design: Seating, seats: int, sides: Sides | None) -> None:
    """No order comes twice, each has all bots, and over all of them each bot has each seat equally often."""
    found = seat_orders(design, seats, sides)

    assert len(set(found)) == len(found) == count_block_games(design, seats, sides)
    assert all(sorted(order) == list(range(seats)) for order in found)
    assert set(Counter((seat, bot) for order in found for seat, bot in enumerate(order)).values()) == {
        len(found) // seats
    }


@pytest.mark.parametrize(("seats", "sides"), [(seats, sides) for seats, sides in TEAMS if sides])
@pytest.mark.parametrize("design", DESIGNS)
def test_partners_stay_partners(design: Seating, seats: int, sides: Sides) -> None:
    """The partners are the same in all orders of a block."""
    assert (
        len(
            {
                frozenset(frozenset(order[seat] for seat in side) for side in sides)
                for order in seat_orders(design, seats, sides)
            }
        )
        == 1
    )


@pytest.mark.parametrize(("seats", "sides"), [(seats, sides) for seats, sides in TEAMS if sides])
def test_everybody_is_everybodys_partner(seats: int, sides: Sides) -> None:
    """With `partners` each pair of bots is on one side equally often; the block begins with the rotations."""
    found = seat_orders("partners", seats, sides)

    together = Counter(
        frozenset(pair) for order in found for side in sides for pair in combinations([order[seat] for seat in side], 2)
    )
    assert len(together) == seats * (seats - 1) // 2
    assert len(set(together.values())) == 1
    assert found[:seats] == seat_orders("rotations", seats, sides)


@pytest.mark.parametrize("sides", [None, ((0, 1, 2, 3),), ((0,), (1, 2, 3))])
def test_partners_that_cannot_change(sides: Sides | None) -> None:
    """The design `partners` is refused for a game without sides, of one side, or of unequal ones."""
    with pytest.raises(ConfigError, match="seating is 'partners', and here are no sides of equal size whose partners"):
        count_block_games("partners", 4, sides)


@pytest.mark.parametrize(
    ("seats", "sides", "games"),
    [
        (3, None, [3, 6, 6]),
        (4, None, [4, 8, 24]),
        (6, None, [6, 12, 720]),
        (4, ((0, 2), (1, 3)), [4, 8, 8]),
        (2, None, [2, 2, 2]),
    ],
)
def test_how_many_games_a_block_has(seats: int, sides: Sides | None, games: list[int]) -> None:
    """A block has one game for each seat; twice as many with mirror images; all orders, of which teams leave fewer."""
    assert [count_block_games(design, seats, sides) for design in DESIGNS] == games


def count_neighbours(design: Seating, seats: int, deals: int = 1, table: int = 0) -> Counter[tuple[int, int]]:
    """Return how often each bot (second) sits right behind another (first) in the first deals of a table."""
    made = SeatDesign(design, seats)
    orders = [order for deal in range(deals) for order in made.list_orders(table, deal)]
    return Counter((order[seat - 1], order[seat]) for order in orders for seat in range(seats))


def test_three_identical_bots_differ_by_their_neighbours() -> None:
    """At a table of one strong bot and three that are the same, rotations put always the same one behind it.

    The designs with mirror images put two there, all orders all three, equally often, and so does the balanced design
    over six deals.
    """
    behind = {design: [count_neighbours(design, 4)[0, bot] for bot in (1, 2, 3)] for design in DESIGNS}

    assert behind == {"rotations": [4, 0, 0], "mirrored": [4, 0, 4], "all": [8, 8, 8]}
    assert [count_neighbours("balanced", 4, 6)[0, bot] for bot in (1, 2, 3)] == [8, 8, 8]


def test_mirror_images_are_the_same_both_ways() -> None:
    """A mirrored block seats each bot before another as often as behind it; rotations of more than two seat it only on
    one side.
    """
    for seats in range(3, 7):
        mirrored = count_neighbours("mirrored", seats)
        assert all(mirrored[one, other] == mirrored[other, one] for one, other in mirrored)
        assert all(
            count_neighbours("rotations", seats)[other, one] == 0 for one, other in count_neighbours("rotations", seats)
        )


@pytest.mark.parametrize(("seats", "sides"), TEAMS)
def test_a_balanced_block_has_every_bot_in_every_seat_once(seats: int, sides: Sides | None) -> None:
    """A balanced block has every bot in every seat once: with the rotations of any circle all bots have the same cards,
    and partners stay partners.
    """
    design = SeatDesign("balanced", seats, sides)
    for table, deal in ((0, 0), (0, 7), (5, 1), (10**9, 3)):
        orders = design.list_orders(table, deal)

        assert len(orders) == design.block_games == count_block_games("balanced", seats, sides) == seats
        assert all(sorted(column) == list(range(seats)) for column in [*orders, *zip(*orders, strict=True)])
        if sides is not None:
            partners = {frozenset(frozenset(order[seat] for seat in side) for side in sides) for order in orders}
            assert partners == {frozenset(map(frozenset, sides))}


@pytest.mark.parametrize(("seats", "deals"), [(3, 2), (4, 6), (5, 4), (6, 10), (7, 6)])
@pytest.mark.parametrize("table", [0, 1, 12_345])
def test_balanced_neighbours_after_few_deals(seats: int, deals: int, table: int) -> None:
    """Each bot has sat right behind every other one equally often, whatever the number of the table."""
    found = count_neighbours("balanced", seats, deals, table)

    assert set(found.values()) == {seats * deals // (seats - 1)}
    assert len(found) == seats * (seats - 1)


@pytest.mark.parametrize(("seats", "deals"), [(8, 40), (10, 60)])
def test_neighbours_at_a_large_table(seats: int, deals: int) -> None:
    """No bot has sat behind another a third more or less often than the mean."""
    found = count_neighbours("balanced", seats, deals)
    mean = deals / (seats - 1)

    assert len(found) == seats * (seats - 1)
    assert all(abs(count / seats - mean) <= mean / 3 for count in found.values())


@pytest.mark.parametrize(("seats", "sides"), [team for team in TEAMS if team[0] < 7])
def test_all_circles_before_one_comes_again(seats: int, sides: Sides | None) -> None:
    """There are (n - 1)! circles, fewer where partners stay together; then they begin again."""
    design = SeatDesign("balanced", seats, sides)
    circles = count_block_games("all", seats, sides) // seats

    found = [frozenset(design.list_orders(3, deal)) for deal in range(circles + 1)]

    assert sides is not None or circles == factorial(seats - 1)
    assert len(set(found)) == circles
    assert found[0] == found[-1]


def test_tables_with_one_deal_each_are_balanced_together() -> None:
    """Of all tables of three of 20 bots each bot sits behind each other one in about half of those with both."""
    design, tables = SeatDesign("balanced", 3), list(combinations(range(20), 3))
    behind = Counter(
        (table[order[seat - 1]], table[order[seat]])
        for number, table in enumerate(tables)
        for order in design.list_orders(number, 0)[:1]
        for seat in range(3)
    )

    assert len(behind) == 20 * 19
    assert all(1 <= count <= 17 for count in behind.values())  # of 18; each end has a probability of 0.0001
    assert sum((count - 9) ** 2 for count in behind.values()) / len(behind) < 2 * 18 / 4


def test_no_bot_has_a_seat_twice_in_one_run() -> None:
    """A process serves a seat in all games of a run, so it meets no deal twice."""
    for seating, seats, sides in (("balanced", 4, None), ("partners", 4, ((0, 2), (1, 3))), ("mirrored", 4, None)):
        design = SeatDesign(seating, seats, sides)  # type: ignore[arg-type]
        for deal in range(8):
            orders = design.list_orders(1, deal)
            for run in design.runs:
                seated = [(seat, bot) for at in run for seat, bot in enumerate(orders[at])]
                assert len(set(seated)) == len(seated)
        assert [at for run in design.runs for at in run] == list(range(design.block_games))


def test_partners_have_other_neighbours_in_each_deal() -> None:
    """Partners sit behind each other bot equally often over two deals; in stores of an earlier Pitboss they do not."""
    sides = ((0, 2), (1, 3))
    now, before = (SeatDesign("partners", 4, sides, fixed_circles=fixed) for fixed in (False, True))
    behind = Counter(
        (order[seat - 1], order[seat]) for deal in (0, 1) for order in now.list_orders(0, deal) for seat in range(4)
    )

    assert len(set(behind.values())) == 1
    assert len(behind) == 12
    assert before.list_orders(9, 5) == seat_orders("partners", 4, sides)
    assert (now.keeps_neighbours, before.keeps_neighbours) == (False, True)


@pytest.mark.parametrize(
    ("seating", "seats", "kept"),
    [
        ("balanced", 4, False),
        ("rotations", 4, True),
        ("mirrored", 4, True),
        ("all", 4, False),
        ("rotations", 3, True),
        ("mirrored", 3, False),  # both circles that there are
        ("rotations", 2, False),
        ("balanced", 2, False),
    ],
)
def test_which_designs_keep_neighbours(seating: Seating, seats: int, kept: bool) -> None:
    """The designs that keep neighbours have fewer circles than there are, in all deals alike."""
    assert SeatDesign(seating, seats).keeps_neighbours is kept


def test_too_many_orders() -> None:
    """All orders of seven are refused, with how many they are; where partners leave few enough they are not."""
    with pytest.raises(
        ConfigError, match="seating is 'all': with 7 seats each deal would be played 5,040 times, and 720 are allowed"
    ):
        count_block_games("all", 7)
    assert count_block_games("all", 8, ((0, 4), (1, 5), (2, 6), (3, 7))) == 384
    with pytest.raises(ConfigError, match="seating is 'partners': with 8 seats each deal would be played 840 times"):
        count_block_games("partners", 8, ((0, 4), (1, 5), (2, 6), (3, 7)))


@pytest.mark.parametrize(
    ("game", "seats", "given", "sides"),
    [
        ("ragamaru", 4, {"teams": 2, "loop": False}, ((0, 2), (1, 3))),
        ("ragamaru", 6, {"teams": 3, "loop": False}, ((0, 3), (1, 4), (2, 5))),
        ("ragamaru", 4, {}, None),
        ("magpie", 4, {"partners": True}, ((0, 2), (1, 3))),
        ("magpie", 2, {}, None),
    ],
)
def test_the_sides_of_the_games(game: str, seats: int, given: dict[str, object], sides: Sides | None) -> None:
    """The sides of a table, whose players win and lose together, are those that the game declares by its options."""
    found = load_registry().find_game(game)

    assert shared_sides(found, seats, resolve_options(found, seats, overrides=given)) == sides
