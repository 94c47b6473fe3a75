"""The games of RLCard as games of Pitboss."""

from __future__ import annotations

from typing import Any

import pytest
from rlcard.envs.registration import registry

from pitboss import OptionError, Random
from pitboss.errors import NoWorldFound
from pitboss.foreign.engine_state import EngineState
from pitboss.game import resolve_options
from pitboss_from_rlcard.plugin import pitboss_games
from pitboss_from_rlcard.poker_engine import POKER, PokerPosition
from pitboss_from_rlcard.rlcard_engine import RLCardEngine

GAMES = {game.name: game for game in pitboss_games()}
POKER_GAMES = [f"rlcard-{name}" for name in POKER]
TABLES = [(name, seats) for name, game in GAMES.items() for seats in {game.seats[0], game.seats[-1]}]
MOST_DECISIONS = 400


def deal(name: str, seed: str = "s", seats: int = 0, **options: Any) -> EngineState:  # noqa: ANN401 - RLCard's own
    """Begin a game, for the smallest number of seats unless one is given."""
    game = GAMES[name]
    seats = seats or game.seats[0]
    return game.deal(seats, resolve_options(game, seats, overrides=options), Random(seed))


def test_every_environment_is_a_game() -> None:
    """Each environment that RLCard registers is offered."""
    assert {f"rlcard-{name}" for name in registry.env_specs} == {*GAMES}


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_game_is_played_to_the_end(name: str, seats: int) -> None:
    """Random moves end the game; the same seed and moves, and copies, give the same turns, views and points."""
    state, twin = (deal(name, "s", seats) for _ in range(2))
    rng = Random("moves")
    for _ in range(MOST_DECISIONS):
        if state.turn is None:
            break
        action = rng.choice(state.legal())
        twin = twin.copy()
        for one in (state, twin):
            one.play(action)
        assert state.turn == twin.turn
        assert [state.view(seat) for seat in range(seats)] == [twin.view(seat) for seat in range(seats)]

    assert state.turn is None
    assert state.outcome() == twin.outcome()


@pytest.mark.parametrize("name", POKER_GAMES)
def test_worlds_of_poker_show_a_seat_the_same(name: str) -> None:
    """In each of its worlds a seat sees the same and has the same turn; the other cards differ among them."""
    state, rng = deal(name), Random("moves")
    hands = set()
    for _ in range(4):
        if state.turn is None:
            break
        for seat in range(state.seats):
            for number in range(4):
                world = state.imagine(seat, Random(f"world {number}"))
                assert (world.view(seat), world.turn) == (state.view(seat), state.turn)
                hands.add((seat, world.view(1 - seat).text))
        state.play(rng.choice([action for action in state.legal() if action.move not in ("fold", "all_in")]))
    assert len(hands) > 4


@pytest.mark.parametrize("name", POKER_GAMES)
def test_cards_of_poker_stay_a_deck(name: str) -> None:
    """However chance decides, no card is dealt twice."""
    state = deal(name)
    while state.turn is not None:
        position = state.engine_position
        assert isinstance(position, PokerPosition)
        faces = position._list_faces()
        assert len({*faces}) == len(faces) == (6 if "leduc" in name else 52)
        state.play(state.legal()[-1])


@pytest.mark.parametrize("name", POKER_GAMES)
def test_chance_names_the_card(name: str) -> None:
    """The first outcome is the seat of the small blind, the next ones are cards, each of which the seat then holds."""
    engine = GAMES[name].engine
    position = engine.begin(2, engine.Options(), Random("any"))
    position.play([1])
    assert isinstance(position, PokerPosition)
    assert position.env.game.players[1].in_chips == 1

    faces = position._list_faces()
    for number, seat in ((4, 0), (1, 1)):
        assert number in [outcome.number for outcome in position.list_outcomes()]
        position.play([number])
        assert f"hand: {faces[number]}" in position.show(seat).text
        assert faces[number] not in position.show(1 - seat).text
        assert number not in [outcome.number for outcome in position.list_outcomes()]


def test_the_array_of_another_seat_is_not_shown() -> None:
    """In gin rummy and bridge RLCard makes the array of the seat on turn for whoever asks: others are not shown it."""
    for name in ("rlcard-gin-rummy", "rlcard-bridge"):
        state, rng = deal(name), Random("moves")
        while state.turn is not None:
            shown = [seat for seat in range(state.seats) if state.view(seat).data is not None]
            assert shown == [state.turn.seat]
            state.play(rng.choice(state.legal()))


def test_only_gin_hides_the_text_of_others() -> None:
    """Which games tell the state of the seat on turn is found by comparing the seats in some deals."""
    engines = {name: RLCardEngine(name) for name in registry.env_specs}

    assert [name for name, engine in engines.items() if engine.on_turn.text] == ["gin-rummy"]
    assert [name for name, engine in engines.items() if engine.on_turn.array] == ["gin-rummy", "bridge"]


def test_a_deal_that_cannot_be_asked_for_has_no_worlds() -> None:
    """The game says why it samples no worlds."""
    with pytest.raises(NoWorldFound, match="cannot be asked for a deal"):
        deal("rlcard-uno").imagine(0, Random("world"))


def test_settings_are_options() -> None:
    """A setting of a game has its name and its default, and changes the game."""
    assert GAMES["rlcard-no-limit-holdem"].Options().chips_for_each == 100
    assert "stakes: 19 18" in deal("rlcard-no-limit-holdem", chips_for_each=20).view(0).text.replace("18 19", "19 18")


def test_a_wrong_setting_is_an_error() -> None:
    """What RLCard does not allow, or breaks at, is an error of the options."""
    with pytest.raises(OptionError, match="game_num_decks"):
        deal("rlcard-blackjack", game_num_deck=2)
    with pytest.raises(OptionError, match="rlcard-blackjack"):
        deal("rlcard-blackjack", game_num_decks=-1)
