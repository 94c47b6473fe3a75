"""Who sits where when two versions of a bot are compared."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pitboss.outcome import Sides
from pitboss.plugins.registry import Registry
from pitboss_tournament.config.versions import find_house_bot, name_versions, seat_versions
from pitboss_tournament.plan.plan import Entrant
from pitboss_tournament.plan.seating import SeatDesign
from tests.tournament.small_tournaments import load_magpie

BOT, OTHER, HOUSE = (Entrant(name=name, command=(name,)) for name in ("bot", "other", "house"))


def test_names() -> None:
    """Two bots of one name are told apart as old and new."""
    assert [one.name for one in name_versions(BOT, OTHER)] == ["bot", "other"]
    assert [one.name for one in name_versions(BOT, BOT)] == ["bot-old", "bot-new"]


@pytest.mark.parametrize(("seats", "deals"), [(3, 2), (4, 6), (5, 4), (6, 10)])
def test_both_have_the_same_neighbours(seats: int, deals: int) -> None:
    """Over a few deals each of the two sits behind the other, and behind the house's bots, equally often."""
    bots = [one.name.split("-")[0] for one in seat_versions(BOT, OTHER, HOUSE, seats, None)]
    behind = {"bot": [""], "other": [""]}
    design = SeatDesign("balanced", seats)
    for order in [order for deal in range(deals) for order in design.list_orders(0, deal)]:
        around = [bots[place] for place in order]
        for ahead, own in pairwise([*around, around[0]]):
            if own in behind:
                behind[own].append(ahead.replace("other", "rival").replace("bot", "rival"))

    assert sorted(behind["bot"]) == sorted(behind["other"])


@pytest.mark.parametrize("sides", [((0, 2), (1, 3)), ((0, 1), (2, 3)), ((0, 3), (1, 2))])
def test_teams(sides: Sides) -> None:
    """The two versions are never partners."""
    bots = [one.name for one in seat_versions(BOT, OTHER, HOUSE, 4, sides)]

    design = SeatDesign("balanced", 4, sides)
    for order in [order for deal in range(2) for order in design.list_orders(0, deal)]:
        seats = {bots[place]: seat for seat, place in enumerate(order)}
        assert not any({seats["bot"], seats["other"]} <= set(side) for side in sides)


def test_the_company() -> None:
    """The company is the game's own house bot, or, where there is none, one that plays anything."""
    racko = Registry().find_game("racko")

    assert find_house_bot(racko, Registry()) == "house:racko"
    assert find_house_bot(load_magpie(), Registry()) == "house:random"
