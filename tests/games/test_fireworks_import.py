"""Games of hanab.live: each move is played again; what is wrong is told with its game and move."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pitboss.errors import RecordError
from pitboss.records.record import Record, require_games, verify
from pitboss_fireworks.game import Fireworks
from pitboss_fireworks.hanab_reading import read_games
from tests.foreign_files import export_game
from tests.mistakes import each_mistake, read_json
from tests.tournament.command_line import run_pitboss

GAME = Fireworks()


def read_one(game: dict[str, Any]) -> Record:
    """Return the record of a game."""
    [record] = require_games(read_games(GAME, json.dumps(game).splitlines()))
    return record


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_game_is_played_again(seats: int) -> None:
    """An imported game has the moves and points of the original, and replays from its seed."""
    exported = export_game(f"one/{seats}", seats)
    record = read_one(exported)

    assert len(record.decisions) == len(exported["actions"])
    assert record.players == exported["players"]
    assert verify(record, GAME) == len(record.decisions)
    assert record.outcome.points[0] > 5


@pytest.mark.parametrize(
    ("variant", "given"),
    [
        ("6 Suits", {"colours": 6}),
        ("4 Suits", {"colours": 4}),
        ("Rainbow (6 Suits)", {"colours": 6, "rainbow": True}),
        ("Black (5 Suits)", {"single": True}),
        ("Dark Rainbow (6 Suits)", {"colours": 6, "rainbow": True, "single": True}),
        ("White (5 Suits)", {"special": "colourless"}),
        ("Pink (6 Suits)", {"colours": 6, "special": "pink"}),
        ("Brown (5 Suits)", {"special": "brown"}),
        ("Omni (5 Suits)", {"special": "omni"}),
        ("Null (6 Suits)", {"colours": 6, "special": "null"}),
        ("Prism (4 Suits)", {"colours": 4, "special": "prism"}),
        ("Gray Pink (5 Suits)", {"special": "light_pink", "single": True}),
        ("Cocoa Rainbow (6 Suits)", {"colours": 6, "special": "muddy_rainbow", "single": True}),
    ],
)
def test_variants(variant: str, given: dict[str, object]) -> None:
    """A variant of hanab.live is played with the options that stand for the variant."""
    exported = export_game("variant", 3, **given) | {"options": {"variant": variant}}
    if variant == "6 Suits":
        return_purple_as_fifth(exported)
    record = read_one(exported)

    assert verify(record, GAME) == len(exported["actions"])
    assert {name: record.options[name] for name in given} == given


def test_options_beside_the_players() -> None:
    """Options that older files have beside the players are played with or refused by name."""
    exported = export_game("older", 3, colours=6, rainbow=True)
    del exported["options"]
    record = read_one(exported | {"variant": "Rainbow (6 Suits)"})
    assert record.options["rainbow"]
    assert read_one(exported | {"variant": "Rainbow (6 Suits)", "options": {"variant": "Rainbow (6 Suits)"}}) == record

    plain = export_game("plain", 2)
    for given, said in (
        ({"variant": "Ambiguous (6 Suits)"}, "variant is 'Ambiguous"),
        ({"deckPlays": True}, "deck plays change the rules"),
        ({"variant": "3 Suits", "options": {"variant": "4 Suits"}}, "variant is given twice, as '3 Suits' and as '4 S"),
    ):
        with pytest.raises(RecordError, match=said):
            read_one(plain | given)


def test_options_that_are_unknown() -> None:
    """An option that is not known is refused by its name, and so are characters; clocks and tables do not matter."""
    plain = export_game("plain", 2)
    usual = {"variantName": "No Variant", "timed": True, "timeBase": 120, "speedrun": False, "numPlayers": 2}

    assert read_one(plain | {"options": usual}) == read_one(plain)
    for given, said in (
        ({"options": {"reverse": True}}, "the option 'reverse' is unknown, and may change the rules"),
        ({"options": {"variant": 5}}, "options: Expected `str`, got `int`"),
        ({"characters": [{"name": "Genius"}]}, "characters change the rules"),
    ):
        with pytest.raises(RecordError, match=said):
            read_one(plain | given)


def test_a_wrong_game_among_others() -> None:
    """A game that cannot be read is refused with the line where it begins, and the games around it are read."""
    games = [export_game("a"), {**export_game("b"), "actions": []}, {"players": []}, export_game("c")]

    array = [*read_games(GAME, json.dumps(games, indent=1).splitlines())]
    lines = [*read_games(GAME, "\n".join(map(json.dumps, games)).splitlines())]

    for found in (array, lines):
        assert [isinstance(one, Record) for one in found] == [True, False, False, True]
    assert [str(one)[:8] for one in lines[1:3]] == ["line 2: ", "line 3: "]
    begins = json.dumps(games[:1], indent=1).count("\n") + 1
    assert str(array[1]).startswith(f"line {begins}: game 2 (id 7): the game was not played to its end")


def return_purple_as_fifth(exported: dict[str, Any]) -> None:
    """Exchange our fifth and sixth colours: of six plain suits purple is their fifth."""
    exchanged = {4: 5, 5: 4}
    for card in exported["deck"]:
        card["suitIndex"] = exchanged.get(card["suitIndex"], card["suitIndex"])
    for action in exported["actions"]:
        if action["type"] == 2:
            action["value"] = exchanged.get(action["value"], action["value"])


def test_rules_of_the_table() -> None:
    """Hands of other sizes, empty hints and all-or-nothing are played as the options of hanab.live say."""
    for options, given in (
        ({"oneLessCard": True}, {"hand": 4}),
        ({"oneExtraCard": True, "emptyClues": True}, {"hand": 6, "empty_hints": True}),
        ({"allOrNothing": True}, {"end": "play_on"}),
    ):
        record = read_one(export_game("table", 2, **given) | {"options": options})
        assert {name: record.options[name] for name in given} == given
        assert record.options["early"]


def test_another_player_begins() -> None:
    """Where hanab.live drew the first player, that player has seat 0, with the player's own cards."""
    exported = export_game("first", 3)
    deck, size = exported["deck"], 5
    hands = [deck[seat * size : seat * size + size] for seat in range(3)]
    place = {seat * size + row: (seat + 1) % 3 * size + row for seat in range(3) for row in range(size)}
    exported["deck"] = [*hands[2], *hands[0], *hands[1], *deck[3 * size :]]
    for action in exported["actions"]:
        target = action["target"]
        action["target"] = place.get(target, target) if action["type"] < 2 else (target + 1) % 3
    exported["options"] = {"startingPlayer": 1}
    exported["players"] = ["cyd", "ann", "bob"]

    record, plain = read_one(exported), read_one(export_game("first", 3))
    assert (record.seed, record.decisions, record.players) == (plain.seed, plain.decisions, plain.players)


def test_several_games_in_one_file() -> None:
    """A file may have several games, as an array or one game a line."""
    games = [export_game("a"), export_game("b", 3)]

    for text in (json.dumps(games), "\n".join(map(json.dumps, games)), json.dumps(games, indent=1)):
        assert len([*require_games(read_games(GAME, text.splitlines()))]) == 2


def test_moves_after_the_end_that_the_site_has_now() -> None:
    """A game that went on when no card could fit was played before the site ended these."""
    exported = export_game("late", 2, early=False)
    record = read_one(exported)

    assert len(record.decisions) == len(exported["actions"])


ONE_MOVE = {"type": 0, "target": 0, "value": 0}


@each_mistake(__file__, "fields")
def test_a_wrong_field(written: str, said: str) -> None:
    """A mistake in a game is reported in one sentence, with the game and the move."""
    with pytest.raises(RecordError, match=re.escape(said)):
        read_one({**export_game("broken"), **read_json(written)})


def test_what_is_no_game() -> None:
    """The sentence about an object that is no game names the field that is missing."""
    with pytest.raises(RecordError, match=r"is no game of hanab\.live: .*missing required field `deck`"):
        read_one({"players": ["ann", "bob"]})


def test_moves_after_the_end() -> None:
    """Moves after the end of a game are refused."""
    exported = export_game("after")
    with pytest.raises(RecordError, match="2 moves come after the end"):
        read_one({**exported, "actions": [*exported["actions"], ONE_MOVE, ONE_MOVE]})


@pytest.mark.parametrize(
    "text", [json.dumps(export_game("cut"))[:-200], "", "[", "{}", "[1]", "x", '{"players": "\ud800"}', "[" * 5000]
)
def test_what_is_no_json(text: str) -> None:
    """A file that is no JSON is refused in one sentence."""
    with pytest.raises(RecordError, match="no game of hanab"):
        [*require_games(read_games(GAME, text.splitlines()))]


@pytest.mark.once
def test_by_the_command_line(tmp_path: Path) -> None:
    """A file is imported, checked move by move, and shown by `replay`."""
    text, store = tmp_path / "game.json", tmp_path / "game.pitboss"
    text.write_text(json.dumps(export_game("file", 3), indent=1))

    ran = run_pitboss("import", str(text), "--what", "hanab-live", "--output", str(store))
    assert ran.status == 0, ran.err
    shown = run_pitboss("replay", str(store), "0", "--brief")
    assert shown.status == 0
    assert "ann" in shown.out
