"""Written positions of Rack-O: what they leave open, and what comes back."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss import PositionError, Random
from pitboss.options import convert_value
from pitboss_racko.messages import Position
from pitboss_racko.state import RackoState
from tests.games.racko_states import GAME, deal_game, make_options, set_up_game
from tests.games.random_play import play_randomly

RACKS: Final = [[1, 5, 9, 14, 39, 28, 31, 36, 22, 40], [8, 3, 12, 2, 30, 19, 27, 33, 35, 38]]
TABLE: Final[dict[str, object]] = {"dealer": 1, "racks": RACKS, "stock": [6, 7, 10], "discard": [16, 23]}
DECK: Final = list(range(40, 0, -1))


@pytest.mark.parametrize(
    ("deck", "said"),
    [(DECK[1:], "all 40 cards"), ([*DECK, 41], "no card 41"), ([1, *DECK[1:]], "card 1 .* 2 times")],
)
def test_deck_that_is_none(deck: list[int], said: str) -> None:
    """A deck must be the cards in play, each once."""
    with pytest.raises(PositionError, match=said):
        set_up_game(2, Position(deck=deck))


def test_open_position() -> None:
    """A position's open places are dealt at random, from the cards that are not mentioned."""
    position = convert_value(
        {"racks": [[1] + [None] * 9, [None] * 10], "discard": [16, 23]}, Position, "position", PositionError
    )

    one, other = (GAME.setup(2, make_options(2), position, Random(seed)) for seed in ("a", "b"))

    assert one.position() != other.position()
    for state in (one, other):
        racks = state.position().racks
        assert racks is not None and racks[0][0] == 1
        assert (state.position().discard, state.view(0).stock) == ([16, 23], 18)


@settings(max_examples=60)
@given(st.integers(2, 4), st.integers(0, 10**6), st.integers(0, 60), st.sampled_from(["auto", "choice"]))
def test_position_of_a_game(seats: int, seed: int, decisions: int, declare: str) -> None:
    """A position that a game wrote down is set up to the same position."""
    *_, state = play_randomly(deal_game(f"seed-{seed}", seats, declare=declare), f"seed-{seed}", decisions)
    if state.turn is None:
        return

    again = set_up_game(seats, state.position(), declare=declare)

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(seats + 1)] == [state.view(seat) for seat in range(seats + 1)]


CARD: Final = st.integers(1, 44)
ROW: Final = st.lists(st.none() | CARD, min_size=9, max_size=11) | st.just([None] * 10)
ROWS: Final = st.none() | st.lists(ROW, max_size=3)
SOME: Final = st.none() | st.lists(CARD, max_size=6)
ODD: Final[dict[str, st.SearchStrategy[object]]] = {  # what may be written in a field; often it makes no sense
    "dealer": st.integers(0, 2),
    "turn": st.none() | st.integers(0, 2),
    "phase": st.sampled_from(["draw", "place", "declare"]),
    "racks": ROWS,
    "drawn": st.none() | CARD,
    "discard": SOME,
    "stock": SOME,
    "stock_public": st.booleans(),
    "known_racks": ROWS,
    "deck": st.permutations(range(1, 41)) | SOME,
    "round": st.integers(1, 3),
    "turns_done": st.integers(0, 9),
    "scores": st.lists(st.integers(0, 600), max_size=3),
}


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Return a position that is sound but for up to three fields."""
    order = draw(st.permutations(range(1, 41)))
    phase = draw(st.sampled_from(["draw", "place", "declare"]))
    held = sorted(order[:10]) if draw(st.booleans()) or phase == "declare" else list(order[:10])
    shown = [card if draw(st.booleans()) else None for card in order[10:20]]
    written: dict[str, object] = {
        "turn": 0,
        "phase": phase,
        "racks": draw(st.sampled_from([None, [held, order[10:20]], [held, [None] * 10]]))
        if phase != "declare"
        else [held, shown],
        "known_racks": draw(st.sampled_from([None, [[None] * 10, shown]])),
        "drawn": order[20] if phase == "place" else None,
        "stock": draw(st.none() | st.just(list(order[21:28]))),
        "stock_public": draw(st.booleans()),
    }
    for name in draw(st.lists(st.sampled_from(sorted(ODD)), max_size=3)):
        written[name] = draw(ODD[name])
    return convert_value(written, Position, "position", PositionError)


@pytest.mark.long
@pytest.mark.once
@settings(max_examples=200)
@given(positions(), st.sampled_from([{}, {"declare": "choice"}, {"min_run": 3}, {"max_turns": 3, "max_rounds": 2}]))
def test_any_position_at_all(position: Position, options: dict[str, object]) -> None:
    """A position is either a table that can be played on and imagined by all, or a `PositionError`.

    Never anything else.
    """
    try:
        state = set_up_game(2, position, **options)
    except PositionError:
        return

    assert_playable(state)


def assert_playable(state: RackoState) -> None:
    """Assert that a state has a decision, holds all cards, can be imagined, and goes on."""
    for now in play_randomly(state, "on", 8):
        assert sorted(card for zone in now.table.zones for card in zone) == list(range(40))
        if now.turn is not None:
            assert now.neutral() in now.legal()
            for seat in range(3):
                assert now.imagine(seat, Random("i")).view(seat) == now.view(seat)


def end_game(**given: object) -> RackoState:
    """Return a game that is over."""
    state = deal_game("e0", 2, max_rounds=1, **given)
    *_, last = play_randomly(state, "e0")
    return last


@pytest.mark.parametrize("max_turns", [30, 1], ids=["after thirty turns", "after one turn"])
def test_position_of_a_game_that_is_over(max_turns: int) -> None:
    """2.4: the position of a finished game is a finished game, with the same outcome and the same views."""
    state = end_game(max_turns=max_turns)

    again = set_up_game(2, state.position(), max_rounds=1, max_turns=max_turns)

    assert again.turn is None
    assert again.outcome() == state.outcome()
    assert [again.view(seat) for seat in range(3)] == [state.view(seat) for seat in range(3)]
    assert again.position() == state.position()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"turn": 1}, "nobody is on turn"),
        ({"phase": "place"}, "nobody is on turn"),
        ({"known_racks": None}, "all racks are shown"),
    ],
    ids=str,
)
def test_end_that_is_none(change: dict[str, object], said: str) -> None:
    """A finished game has nobody on turn and shows all racks."""
    position = replace(end_game(max_turns=1).position(), **change)

    with pytest.raises(PositionError, match=said):
        set_up_game(2, position, max_rounds=1, max_turns=1)


def test_end_of_a_game_that_goes_on() -> None:
    """A game with rounds to come is not over."""
    with pytest.raises(PositionError, match="the game is not over after round 1"):
        set_up_game(2, end_game(max_turns=1).position(), max_turns=1)
