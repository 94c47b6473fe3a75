"""The options of Lucky Maker: what each error says."""

from __future__ import annotations

import pytest

from pitboss import OptionError
from pitboss.game import resolve_options
from pitboss_lucky_maker.game import LuckyMaker

GAME = LuckyMaker()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"games": -1}, ["games", "0"]),
        ({"games": 101}, ["games", "100"]),
        ({"games": "3"}, ["games", "int", "str"]),
        ({"games": None}, ["games", "int", "null"]),
        ({"tie_lead": "next"}, ["tie_lead", "next"]),
        ({"void_lead": "winner"}, ["void_lead", "winner"]),
        ({"start": 0}, ["start", "int"]),
        ({"start": "seat1"}, ["start", "seat1"]),
        ({"game": 3}, ["game", "did you mean 'games'"]),
        ({"players": 4}, ["players"]),
    ],
)
def test_option_that_is_not_allowed(given: dict[str, object], said: list[str]) -> None:
    """The message is one line that names the game, the option, the value and what was allowed."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, 4, None, given)

    message = str(caught.value)
    assert message.startswith("lucky-maker: ")
    assert "\n" not in message
    assert [word for word in said if word not in message] == []


@pytest.mark.parametrize(
    ("seats", "preset", "said"), [(2, None, ["2", "3, 4 or 5"]), (6, None, ["6"]), (4, "serie", ["'series'", "single"])]
)
def test_table_that_is_not_allowed(seats: int, preset: str | None, said: list[str]) -> None:
    """A wrong number of players, or a preset that does not exist, is told with what there is."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, seats, preset)

    assert [word for word in said if word not in str(caught.value)] == []


@pytest.mark.parametrize(("seats", "games"), [(3, 3), (4, 4), (5, 5)])
def test_as_many_games_as_players(seats: int, games: int) -> None:
    """D12: 0 games are as many as players; any other number stays as it is, and resolving twice changes nothing."""
    assert resolve_options(GAME, seats).games == games
    assert resolve_options(GAME, seats, "single").games == 1
    assert resolve_options(GAME, seats).resolve(seats) == resolve_options(GAME, seats)
