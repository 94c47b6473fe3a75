"""The options of Rummy: what each error says, and what is decided where they leave something open."""

from __future__ import annotations

import pytest

from pitboss import OptionError
from pitboss.game import resolve_options
from pitboss_rummy.game import Rummy
from tests.games.rummy_states import make_options

GAME = Rummy()


@pytest.mark.parametrize(
    ("seats", "given", "said"),
    [
        (2, {"hand_size": 26}, ["hand_size", "26", "2 players", "52 cards", "1 to 25"]),
        (3, {"hand_size": 17}, ["hand_size", "17", "1 to 16"]),
        (6, {"hand_size": 9}, ["hand_size", "9", "6 players", "1 to 8"]),
        (6, {"hand_size": 18, "decks": 2}, ["hand_size", "18", "104 cards", "1 to 17"]),
        (2, {"hand_size": 0}, ["hand_size", "1"]),
        (2, {"decks": 3}, ["decks", "3"]),
        (2, {"set_name": "book"}, ["set_name", "book"]),
        (2, {"melds_per_turn": 2}, ["melds_per_turn", "2"]),
        (2, {"stock_out": "end"}, ["stock_out", "end"]),
        (2, {"going_rummy": "plus10", "scoring": "chips"}, ["going_rummy", "'plus10'", "'winner'", "'chips'"]),
        (2, {"going_rummy": "plus10", "scoring": "penalty"}, ["going_rummy", "'plus10'", "'penalty'"]),
        (2, {"going_rummy": "double", "melds_per_turn": 1}, ["going_rummy", "'double'", "melds_per_turn", "'off'"]),
        (2, {"going_rummy": "plus10", "melds_per_turn": 1}, ["going_rummy", "'plus10'", "melds_per_turn", "'off'"]),
        (2, {"scoring": "all"}, ["scoring", "all"]),
        (2, {"deals": 0}, ["deals", "1"]),
        (2, {"points": 0}, ["points", "1"]),
        (2, {"first_dealer": 2}, ["first_dealer", "2", "'random'", "0 to 1"]),
        (2, {"first_dealer": -1}, ["first_dealer", "-1", "'random'", "0 to 1"]),
        (2, {"first_dealer": "left"}, ["first_dealer", "left"]),
        (2, {"group_max": 5}, ["group_max", "5", "one pack"]),
        (2, {"group_max": 9, "decks": 2}, ["group_max", "8"]),
        (2, {"group_max": 3, "decks": 2}, ["group_max", "4"]),
        (2, {"max_turns": 0}, ["max_turns", "1"]),
        (2, {"stalled_deal": "score"}, ["stalled_deal", "score"]),
        (2, {"layoff_needs_meld": 1}, ["layoff_needs_meld", "bool", "int"]),
        (2, {"max_turn": 3}, ["max_turn", "did you mean 'max_turns'"]),
    ],
)
def test_option_that_is_not_allowed(seats: int, given: dict[str, object], said: list[str]) -> None:
    """The message is one line that names the game, the option, the value and what was allowed."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, seats, None, given)

    message = str(caught.value)
    assert message.startswith("rummy: ")
    assert "\n" not in message
    assert [word for word in said if word not in message] == []


@pytest.mark.parametrize(
    ("seats", "preset", "said"), [(7, None, ["7", "2, 3, 4, 5 or 6"]), (2, "sevens", ["'sevens'", "seven", "party"])]
)
def test_table_that_is_not_allowed(seats: int, preset: str | None, said: list[str]) -> None:
    """A wrong number of players, or a preset that does not exist, is told with what there is."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, seats, preset)

    assert [word for word in said if word not in str(caught.value)] == []


@pytest.mark.parametrize(("seats", "cards"), [(2, 10), (3, 7), (4, 7), (5, 4), (6, 4)])
def test_cards_that_are_dealt(seats: int, cards: int) -> None:
    """S4: 10 each for two, 7 for three and four, 4 for five and six (D2)."""
    assert make_options(seats).hand_size == cards


@pytest.mark.parametrize(
    ("given", "name", "decided"),
    [
        ({}, "deals", 6),
        ({"points": 50}, "deals", 100),
        ({"points": 50, "deals": 3}, "deals", 3),
        ({}, "going_rummy", "double"),
        ({"melds_per_turn": 1}, "going_rummy", "off"),
        ({"going_rummy": "off"}, "going_rummy", "off"),
        ({"hand_size": 16}, "hand_size", 16),
    ],
)
def test_option_that_is_left_open(given: dict[str, object], name: str, decided: object) -> None:
    """D17: two deals a player; D14: at most 100 if points are played for.

    Note 3: no Going Rummy with one meld a turn.
    """
    assert getattr(make_options(3, **given), name) == decided


@pytest.mark.parametrize("preset", sorted(GAME.presets))
@pytest.mark.parametrize("seats", GAME.seats)
def test_preset(preset: str, seats: int) -> None:
    """Every preset can be played by any number of players, and resolving it twice changes nothing."""
    options = resolve_options(GAME, seats, preset)

    assert options.resolve(seats) == options
