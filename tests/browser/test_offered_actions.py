"""What a click must hit to choose an action: cards, slots and zones, from its fields and from what it would move."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pitboss import Action, SeatIndex
from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.rendering.appearance import find_looks, word_faces
from pitboss.table.randomness import Random
from pitboss_tournament.play.browser.browser_table import find_touched_zones, offer_action
from pitboss_tournament.play.browser.play_messages import OfferedAction


@pytest.mark.parametrize(
    ("name", "action", "offered"),
    [
        ("racko", {"do": "draw"}, OfferedAction("draw")),
        ("racko", {"do": "take", "slot": 25}, OfferedAction("take into slot 25", slot=25)),
        ("racko", {"do": "discard"}, OfferedAction("discard it", zones=["discard"])),
        (
            "rummy",
            {"do": "meld", "cards": ["S4", "H4", "C4"]},
            OfferedAction("meld ♠4 ♥4 ♣4", cards=["S4", "H4", "C4"]),
        ),
        (
            "rummy",
            {"do": "layoff", "card": "H4", "meld": 2},
            OfferedAction("lay off ♥4 on meld 2", cards=["H4"], zones=["meld 2"]),
        ),
        (
            "gin-rummy",
            {"do": "arrange", "melds": [["S4", "S5", "S6", "S7"], ["S8", "H8", "D8"]]},
            OfferedAction(
                "lay down ♠4 ♠5 ♠6 ♠7, ♠8 ♥8 ♦8",
                cards=["S4", "S5", "S6", "S7", "S8", "H8", "D8"],
            ),
        ),
        ("ragamaru", {"do": "play", "cards": ["B2"]}, OfferedAction("play B2", cards=["B2"])),
        ("ragamaru", {"do": "colour", "colour": "R"}, OfferedAction("name red")),
        ("lucky-maker", {"do": "play", "card": "R4B7"}, OfferedAction("play R4B7", cards=["R4B7"])),
    ],
)
def test_what_an_action_names(name: str, action: dict[str, Any], offered: OfferedAction) -> None:
    """An action names faces, the label of a slot, and zones, with their number too."""
    game = Registry().find_game(name)
    layout = game.deal(3, resolve_options(game, 3), Random("s")).table.layout

    words = word_faces(find_looks(game, layout.deck))

    assert offer_action(game, msgspec.convert(action, game.Action), layout, words) == offered


class Rob(Action, frozen=True):
    """Take a card of a player, or nothing."""

    whose: SeatIndex | None = None


@pytest.mark.parametrize(
    ("action", "offered"),
    [
        (Rob(2), OfferedAction("rob whose cyd", seats=[2])),
        (Rob(), OfferedAction("rob whose nobody")),
    ],
)
def test_an_action_aimed_at_a_seat(action: Rob, offered: OfferedAction) -> None:
    """A field that is a seat names it, whatever the field is called: the page marks it and tells its player."""
    game = Registry().find_game("hearts")
    layout = game.deal(4, resolve_options(game, 4), Random("s")).table.layout

    assert offer_action(game, action, layout, {}, names=["ann", "bob", "cyd", "dan"]) == offered


@pytest.mark.parametrize(
    ("name", "action", "zones"),
    [
        ("racko", {"do": "draw"}, ["stock"]),
        ("racko", {"do": "take", "slot": 25}, ["discard"]),
        ("rummy", {"do": "draw"}, ["stock"]),
        ("rummy", {"do": "take"}, ["discard"]),
        ("lucky-maker", {"do": "play"}, ["trick"]),
        ("poker", {"do": "call"}, []),
    ],
)
def test_what_an_action_touches(name: str, action: dict[str, Any], zones: list[str]) -> None:
    """An action touches the places where cards come from and go to, beside the own hand; the state stays as it is."""
    game = Registry().find_game(name)
    state = game.deal(3, resolve_options(game, 3), Random("s"))
    assert state.turn is not None
    seat, before = state.turn.seat, [list(cards) for cards in state.table.zones]
    [legal] = [one for one in state.legal() if action.items() <= msgspec.to_builtins(one).items()][:1]

    assert find_touched_zones(state.imagine(seat, Random("w")), legal, seat) == zones
    assert [list(cards) for cards in state.table.zones] == before
