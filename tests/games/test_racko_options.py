"""The options of Rack-O: what each error says."""

from __future__ import annotations

import pytest

from pitboss import OptionError
from pitboss.game import resolve_options
from pitboss_racko.game import Racko

GAME = Racko()


@pytest.mark.parametrize(
    ("seats", "given", "said"),
    [
        (2, {"deck_size": 21}, ["deck_size", "21", "2 players", "22 to 60"]),
        (4, {"deck_size": 61}, ["deck_size", "61", "4 players", "42 to 60"]),
        (3, {"min_run": 3}, ["min_run", "3", "2 players"]),
        (2, {"min_run": 2}, ["min_run", "2"]),
        (3, {"partners": True}, ["partners", "true", "4 players"]),
        (2, {"first_dealer": 2}, ["first_dealer", "2", "'draw'", "0 to 1"]),
        (2, {"first_dealer": -1}, ["first_dealer", "-1", "'draw'", "0 to 1"]),
        (2, {"first_dealer": "left"}, ["first_dealer", "left"]),
        (2, {"stalled_round": "void"}, ["stalled_round", "'void'", "max_rounds"]),
        (2, {"stalled_round": "replay"}, ["stalled_round", "replay"]),
        (2, {"declare": "never"}, ["declare", "never"]),
        (2, {"tie": "split"}, ["tie", "split"]),
        (2, {"target": 0}, ["target", "1"]),
        (2, {"target": "500"}, ["target", "int", "str"]),
        (2, {"max_turns": 0}, ["max_turns", "1"]),
        (2, {"max_rounds": 0}, ["max_rounds", "1"]),
        (2, {"bonus_runs": 1}, ["bonus_runs", "bool", "int"]),
        (2, {"restock_shuffle": None}, ["restock_shuffle", "bool", "null"]),
        (2, {"max_turn": 3}, ["max_turn", "did you mean 'max_turns'"]),
    ],
)
def test_option_that_is_not_allowed(seats: int, given: dict[str, object], said: list[str]) -> None:
    """The message is one line that names the game, the option, the value and what was allowed."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, seats, None, given)

    message = str(caught.value)
    assert message.startswith("racko: ")
    assert "\n" not in message
    assert [word for word in said if word not in message] == []


@pytest.mark.parametrize(
    ("seats", "preset", "said"), [(5, None, ["5", "2, 3 or 4"]), (2, "duel", ["'duel'", "duel_en", "classic"])]
)
def test_table_that_is_not_allowed(seats: int, preset: str | None, said: list[str]) -> None:
    """A wrong number of players, or a preset that does not exist, is told with what there is."""
    with pytest.raises(OptionError) as caught:
        resolve_options(GAME, seats, preset)

    assert [word for word in said if word not in str(caught.value)] == []


@pytest.mark.parametrize("preset", sorted(GAME.presets))
def test_preset(preset: str) -> None:
    """Every preset can be played by some number of players, and resolving it twice changes nothing."""
    playable = []
    for seats in GAME.seats:
        try:
            options = resolve_options(GAME, seats, preset)
        except OptionError:
            continue
        playable.append(options.resolve(seats) == options)

    assert playable
    assert all(playable)
