"""What a click must hit to choose an action: cards, slots and zones, from the fields of the action alone."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.table.randomness import Random
from pitboss_tournament.play.browser.browser_table import offer_action
from pitboss_tournament.play.browser.play_messages import OfferedAction


@pytest.mark.parametrize(
    ("name", "action", "offered"),
    [
        ("racko", {"do": "draw"}, OfferedAction("draw")),
        ("racko", {"do": "take", "slot": 25}, OfferedAction("take slot 25", slot=25)),
        ("racko", {"do": "discard"}, OfferedAction("discard", zones=["discard"])),
        (
            "rummy",
            {"do": "meld", "cards": ["S4", "H4", "C4"]},
            OfferedAction("meld cards S4 H4 C4", cards=["S4", "H4", "C4"]),
        ),
        (
            "rummy",
            {"do": "layoff", "card": "H4", "meld": 2},
            OfferedAction("layoff card H4 meld 2", cards=["H4"], zones=["meld 2"]),
        ),
        ("ragamaru", {"do": "play", "cards": ["B2"]}, OfferedAction("play cards B2", cards=["B2"])),
        ("ragamaru", {"do": "colour", "colour": "R"}, OfferedAction("colour R")),
        ("lucky-maker", {"do": "play", "card": "R4B7"}, OfferedAction("play card R4B7", cards=["R4B7"])),
    ],
)
def test_what_an_action_names(name: str, action: dict[str, Any], offered: OfferedAction) -> None:
    """Faces, the label of a slot, and names of zones, with their number too."""
    game = Registry().find_game(name)
    layout = game.deal(3, resolve_options(game, 3), Random("s")).table.layout

    assert offer_action(msgspec.convert(action, game.Action), layout) == offered
