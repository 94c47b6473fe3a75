"""What each game says to people: words for its phases, actions and events, in games that random players play."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from pitboss.action_range import lowest_action
from pitboss.errors import OptionError
from pitboss.game import AnyGame, AnyState, resolve_options
from pitboss.plugins.registry import Registry
from pitboss.rendering.appearance import find_looks, word_faces
from pitboss.rendering.presentation import Speech, find_presentation, order_faces, word_phase
from pitboss.table.events import Tell
from pitboss.table.randomness import Random
from pitboss.table.secrets import Secret
from pitboss.table.zones import Zone
from pitboss_tournament.text.event_text import EventDescriber
from pitboss_tournament.text.terminal_text import word_action

GAMES = {name: game for name, game in Registry().games.items() if type(game).__module__.startswith("pitboss_")}
MAX_DECISIONS = 150


def play_presets(game: AnyGame) -> Iterator[AnyState]:
    """Yield the states of a random game for each preset, and for most and fewest players."""
    for preset in (None, *game.presets):
        for seats in game.seats[:1] if preset else (game.seats[0], game.seats[-1]):
            try:
                options = resolve_options(game, seats, preset)
            except OptionError:
                continue
            state, chance = game.deal(seats, options, Random("words")), random.Random(f"{seats}/{preset}")
            for _ in range(MAX_DECISIONS):
                yield state
                if state.turn is None:
                    break
                state.play(lowest_action(chance.choice(state.legal())))


@pytest.mark.parametrize("name", GAMES)
def test_the_goal(name: str) -> None:
    """Each game tells people who are new to it what wins and what a turn is, in three lines."""
    goal = find_presentation(GAMES[name]).goal

    assert len(goal) == 3
    assert [line for line in goal if not (20 <= len(line) <= 110 or line == "Win chips.") or line[-1] != "."] == []


@pytest.mark.parametrize("name", GAMES)
def test_words_for_all_that_happens(name: str) -> None:
    """Phases, actions and events have words for people: no name of a message, and no field that is left open."""
    game = GAMES[name]
    presentation = find_presentation(game)
    phases, texts, told = set[str](), set[str](), set[str]()
    for state in play_presets(game):
        players = [f"Player {seat}" for seat in range(state.table.layout.seats)]
        if state.turn is not None:
            phases.add(state.turn.phase)
            faces = word_faces(find_looks(game, state.table.layout.deck))
            texts |= {word_action(game, action, faces, players) for action in list(state.legal())[:6]}
        else:
            places: list[Zone | Secret] = [*state.table.layout.zones, *state.table.layout.secrets]
            describer = EventDescriber(players, places, presentation=presentation)
            events = list(state.table.events(None))
            told |= {event.event for event in events if isinstance(event, Tell)}
            texts |= {describer.describe_for(None, event) for event in events}

    assert phases <= presentation.phases.keys()
    assert told <= presentation.events.keys()
    assert [text for text in texts if set(text) & set("_{}[]") or "  " in text or not text.strip()] == []
    assert all(word_phase(game, phase) != phase.replace("_", " ") for phase in phases)


@pytest.mark.parametrize("name", GAMES)
def test_what_is_named_is_there(name: str) -> None:
    """The presentation names phases of the game, its actions, and fields and events that there are."""
    game = GAMES[name]
    presentation = find_presentation(game)
    declared: Any = msgspec.inspect.type_info(game.Action)
    actions = {kind.tag for kind in getattr(declared, "types", (declared,))}

    assert presentation.phases.keys() <= set(getattr(game, "phases", ()))
    assert presentation.actions.keys() | set(presentation.buttons) <= actions
    lines = {line for sheet in presentation.sheets.values() for line in sheet.lines}
    assert presentation.sheets.keys() | lines <= presentation.events.keys()


def test_cards_as_a_hand_is_held() -> None:
    """Suits of a hand alternate in colour; a game's own order goes first: in Dou Dizhu a 2 lies above an ace."""
    hearts, dou_dizhu = (
        order_faces(game, game.deal(3, resolve_options(game, 3), Random("s")).table.layout.deck)
        for game in (GAMES["hearts"], GAMES["dou-dizhu"])
    )

    assert dou_dizhu.index("3") < dou_dizhu.index("A") < dou_dizhu.index("2") < dou_dizhu.index("BJ")
    suits = [face[0] for face in hearts]
    assert list(dict.fromkeys(suits)) == ["S", "H", "C", "D"]
    assert [suits.count(suit) for suit in "SHCD"] == [13, 13, 13, 12]


@pytest.mark.parametrize(
    ("template", "fields", "words"),
    [
        ("play {card}", {"card": "H4"}, "play ♥4"),
        ("meld {cards}", {"cards": ["H4", "S4"]}, "meld ♥4 ♠4"),
        ("lay down {melds}", {"melds": [["H4", "S4"], ["C9"]]}, "lay down ♥4 ♠4, C9"),
        ("show {melds}", {"melds": ["H4 S4", "C9"]}, "show ♥4 ♠4, C9"),
        ("{points:point|points}", {"points": 1}, "1 point"),
        ("{points:point|points}", {"points": None}, "none"),
        ("{points:point|points}", {"points": 1200}, "1,200 points"),
        ("order[ alone{alone}]", {"alone": True}, "order alone"),
        ("order[ alone{alone}]", {"alone": False}, "order"),
        ("order[ alone{alone}]", {}, "order"),
        ("wins[ with {hand}]", {"hand": "a pair"}, "wins with a pair"),
        ("the round ends[: {declarer!p} has it]", {"declarer": 0}, "the round ends: Ann has it"),
        ("the round ends[: {declarer!p} has it]", {"declarer": None}, "the round ends"),
        ("{winners!p} win", {"winners": [0, 1]}, "Ann and you win"),
        ("tell {seat!p}", {"seat": 7}, "tell seat 7"),
    ],
)
def test_templates(template: str, fields: dict[str, object], words: str) -> None:
    """A template is filled with words for faces and players, counts, and parts that may be absent."""
    presentation = find_presentation(object())
    speech = Speech(
        msgspec.structs.replace(presentation, events={"it": template}), {"H4": "♥4", "S4": "♠4"}, ["Ann", "Bob"], 1
    )

    assert speech.tell_event("it", fields) == words
