"""Seat designs: each bot has each seat equally often, neighbours follow the design, and partners stay partners."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from pitboss.errors import ConfigError
from pitboss.game import resolve_options
from pitboss.outcome import Sides
from pitboss_tournament.config.defaults import shared_sides
from pitboss_tournament.plan.seating import Seating, count_block_games, seat_orders
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
    """Who plays with whom is the same in all orders of a block."""
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
    """A game without sides, of one side, or of unequal ones has no such design."""
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
    """One for each seat; twice as many with mirror images; all orders, of which teams leave fewer."""
    assert [count_block_games(design, seats, sides) for design in DESIGNS] == games


def count_neighbours(design: Seating, seats: int) -> Counter[tuple[int, int]]:
    """Return how often each bot (second) sits right behind another (first) in a block."""
    return Counter((order[seat - 1], order[seat]) for order in seat_orders(design, seats) for seat in range(seats))


def test_three_identical_bots_differ_by_their_neighbours() -> None:
    """At a table of one strong bot and three that are the same, rotations put always the same one behind it.

    The designs with mirror images put two there, all orders all three, equally often.
    """
    behind = {design: [count_neighbours(design, 4)[0, bot] for bot in (1, 2, 3)] for design in DESIGNS}

    assert behind == {"rotations": [4, 0, 0], "mirrored": [4, 0, 4], "all": [8, 8, 8]}


def test_mirror_images_are_the_same_both_ways() -> None:
    """Whoever sits behind a bot sits before it as often; in rotations of more than two it never does."""
    for seats in range(3, 7):
        mirrored = count_neighbours("mirrored", seats)
        assert all(mirrored[one, other] == mirrored[other, one] for one, other in mirrored)
        assert all(
            count_neighbours("rotations", seats)[other, one] == 0 for one, other in count_neighbours("rotations", seats)
        )


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
    """Who wins and loses together the game says, by its options."""
    found = load_registry().find_game(game)

    assert shared_sides(found, seats, resolve_options(found, seats, overrides=given)) == sides
