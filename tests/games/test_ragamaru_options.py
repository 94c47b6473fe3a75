"""The options of RAGAMARU: what each error says, and what `level` means."""

from __future__ import annotations

import pytest

from pitboss import OptionError
from pitboss.game import resolve_options
from pitboss_ragamaru.cards import KICK_OFF, places_in
from pitboss_ragamaru.game import Ragamaru
from tests.games.ragamaru_states import make_options

GAME = Ragamaru()


@pytest.mark.parametrize(
    ("seats", "given", "said"),
    [
        (10, {"hand_size": 9}, ["hand_size", "9", "10 players", "108 cards", "3 to 8"]),
        (10, {"hand_size": 9, "conversion": False, "loop": False}, ["102 cards", "3 to 8"]),
        (9, {"hand_size": 10, "loop": False}, ["104 cards", "3 to 9"]),
        (4, {"hand_size": 2}, ["hand_size", "3"]),
        (4, {"hand_size": 11}, ["hand_size", "10"]),
        (4, {"teams": 3}, ["teams", "3", "4 players", "0 or 2"]),
        (4, {"teams": 4}, ["teams", "4", "4 players", "0 or 2"]),
        (7, {"teams": 2}, ["teams", "2", "7 players", "it is 0"]),
        (8, {"teams": 3}, ["0 or 2 or 4"]),
        (4, {"teams": 1}, ["teams", "1"]),
        (4, {"teams": 2, "scoring": "margin"}, ["scoring", "'margin'", "'places'", "teams"]),
        (4, {"level": "beginner", "conversion": True}, ["level", "'beginner'", "conversion"]),
        (4, {"level": "advanced", "conversion": False}, ["level", "'advanced'", "conversion"]),
        (4, {"level": "expert"}, ["level", "expert"]),
        (4, {"max_same": 5}, ["max_same", "5"]),
        (4, {"max_turns": 99}, ["max_turns", "100"]),
        (4, {"max_turns": 100_001}, ["max_turns", "100000"]),
        (4, {"first_colour": "winner"}, ["first_colour", "winner"]),
        (4, {"after_draw": "none"}, ["after_draw", "none"]),
        (4, {"decline": "never"}, ["decline", "never"]),
        (4, {"advantage": "free"}, ["advantage", "free"]),
        (4, {"scoring": "cards"}, ["scoring", "cards"]),
        (4, {"loop": None}, ["loop", "bool", "null"]),
        (4, {"max_turn": 300}, ["max_turn", "did you mean 'max_turns'"]),
    ],
)
def test_option_that_is_not_allowed(seats: int, given: dict[str, object], said: list[str]) -> None:
    """The message is one line that names the game, the option, the value and what was allowed."""
    with pytest.raises(OptionError) as caught:
        make_options(seats, **given)

    message = str(caught.value)
    assert message.startswith("ragamaru: ")
    assert "\n" not in message
    assert [word for word in said if word not in message] == []


@pytest.mark.parametrize(
    ("seats", "preset", "said"), [(11, None, ["11", "9 or 10"]), (1, None, ["1"]), (4, "begin", ["beginner"])]
)
def test_table_that_is_not_allowed(seats: int, preset: str | None, said: list[str]) -> None:
    """A wrong number of players, or a preset that does not exist, is told with what there is."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, seats, preset)

    assert [word for word in said if word not in str(caught.value)] == []


@pytest.mark.parametrize(
    ("preset", "cards"),
    [
        ("beginner", 107),
        ("beginner_fixed_seats", 103),
        ("advanced", 109),
        ("advanced_fixed_seats", 105),
        ("literal", 109),
        (None, 109),
    ],
)
@pytest.mark.parametrize("seats", [2, 10])
def test_preset(preset: str | None, cards: int, seats: int) -> None:
    """Every preset can be played by any number, has its deck, and resolving it twice changes nothing."""
    options = resolve_options(GAME, seats, preset)

    assert options.resolve(seats) == options
    assert len(places_in(options.conversion, options.loop)) + len([KICK_OFF]) == cards


@pytest.mark.parametrize(("level", "conversion"), [("beginner", False), ("advanced", True)])
def test_level(level: str, conversion: bool) -> None:
    """Section 4: a level is another name for with or without Conversion cards.

    To say both is allowed where they agree.
    """
    by_level = make_options(4, level=level)

    assert by_level.conversion is conversion
    assert by_level == make_options(4, conversion=conversion) == make_options(4, level=level, conversion=conversion)
