"""The page of a game that lies beside a new bot: nothing of the game's structs is left out, and its examples are of the
game.
"""

from __future__ import annotations

import json
import re

import msgspec
import pytest
from msgspec import inspect

from pitboss import AnyGame
from pitboss.plugins.registry import Registry
from pitboss_tournament.authoring.game_page import render_game_page
from pitboss_tournament.authoring.game_reference import describe_game
from pitboss_tournament.text.schema_text import struct_types

pytestmark = pytest.mark.once

GAMES = Registry().games
QUICK = ("bridge", "lucky-maker", "rummy")


@pytest.fixture(
    scope="module", params=[name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in GAMES]
)
def game(request: pytest.FixtureRequest) -> AnyGame:
    """Return each game that is installed."""
    return GAMES[request.param]


@pytest.fixture(scope="module")
def page(game: AnyGame) -> str:
    """Return the game's page."""
    return render_game_page(game, describe_game(game, "a-plugin 1.0"))


def test_all_that_a_bot_may_do_and_see(game: AnyGame, page: str) -> None:
    """Every kind of action, every field of an action, of the view and of the options stands on the page."""
    actions = struct_types(inspect.type_info(game.Action))
    fields = [
        one
        for table in (
            *actions,
            *struct_types(inspect.type_info(game.View)),
            *struct_types(inspect.type_info(game.Options)),
        )
        for one in table.fields
    ]

    assert all(f'"{action.tag_field}": "{action.tag}"' in page for action in actions if action.tag_field)
    assert [one.encode_name for one in fields if f"* `{one.encode_name}`" not in page] == []


def test_structs_within_the_view(game: AnyGame, page: str) -> None:
    """A struct within the view has a list of fields of its own, if it has fields beside its tag."""
    _, schemas = msgspec.json.schema_components([game.View])

    parts = [
        name
        for name, schema in schemas.items()
        if any("enum" not in field for field in schema.get("properties", {}).values())
    ]
    assert [name for name in parts if f"\n`{name}`:\n\n* `" not in page] == [game.View.__name__]


def test_examples_are_of_the_game(game: AnyGame, page: str) -> None:
    """Each question is what the wire carries, but for what is cut; its actions and the answer are the game's own."""
    questions = re.findall(r"```json\n(.*?)```\n\n(.*?)\n(.*?)\n", page, re.DOTALL)

    assert questions
    for text, index, action in questions:
        asked = json.loads(re.sub(r"    … \d+ more,\n", "", text))
        told, done = (json.loads(re.findall(r"`(\{.*\})`", line)[0]) for line in (index, action))
        assert set(asked["view"]) == {one.encode_name for one in struct_types(inspect.type_info(game.View))[0].fields}
        last = asked["legal"][-1]
        ranged = {one["field"]: last[one["field"]][1] for one in asked.get("ranges", []) if one["field"] in last}
        assert {**last, **ranged} == done["action"]
        assert told["choose"] >= len(asked["legal"]) - 1


def test_a_page_is_made_again(game: AnyGame, page: str) -> None:
    """The page is the same whenever it is made."""
    assert render_game_page(game, describe_game(game, "a-plugin 1.0")) == page
