"""Written positions of Lucky Maker: what they leave open, and what comes back."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import PositionError, Random
from pitboss_lucky_maker.messages import Play
from pitboss_lucky_maker.state import LuckyMakerState
from tests.games.lucky_maker_reference import DECK, card_numbers
from tests.games.lucky_maker_states import deal_game, hand_cards, set_up_game
from tests.games.random_play import play_randomly

# Three players before trick 14 of 15; trick 13 is in the history: seat 2 did not follow red and green, so it holds blue
# and yellow.
PAST: Final[dict[str, object]] = {"master": "R4G7", "lead": 1, "cards": ["R8G3", "B1Y10", "R1G10"]}
TABLE: Final[dict[str, object]] = {
    "hands": [["G1Y10", "G2Y9"], ["R2B9", "G4Y7"], ["B3Y8", "B5Y6"]],
    "masters": ["B9Y2"],
    "master": "R5B6",
    "lead": 0,
    "history": [PAST],
}


@pytest.mark.parametrize(
    ("deck", "said"),
    [(DECK[1:], "all 60 cards"), ([*DECK, "R1B10"], "'R1B10' .* 2 times"), (["R2B9", *DECK[1:]], "'R2B9' .* 2 times")],
)
def test_deck_that_is_none(deck: list[str], said: str) -> None:
    """A deck must be the 60 cards, each once."""
    with pytest.raises(PositionError, match=said):
        set_up_game(3, {"deck": deck})


def test_open_position() -> None:
    """Open places are dealt at random from the cards that are not mentioned, true to what is known of the hands."""
    position = {**TABLE, "hands": [["G1Y10", None], [None, None], [None, None]], "void": ["RB", None, None]}

    states = [set_up_game(3, position, f"seed-{number}") for number in range(30)]

    for state in states:
        assert "G1Y10" in hand_cards(state, 0)
        assert {suit for card in hand_cards(state, 0) for suit in card_numbers(card)} == set("GY")
        assert {suit for card in hand_cards(state, 2) for suit in card_numbers(card)} == set("BY")
    assert len({tuple(hand_cards(state, 1)) for state in states}) > 20


def test_voids_of_a_position() -> None:
    """Every imagined world, and a position written again, keeps the voids of a position, by `void` or its history."""
    state = set_up_game(3, {**TABLE, "void": ["RB", None, None]})

    worlds = [state.imagine(1, Random(f"world-{number}")) for number in range(50)]

    assert state.position().void == ["RB", None, "RG"]
    assert {suit for world in worlds for card in hand_cards(world, 0) for suit in card_numbers(card)} == set("GY")
    assert {suit for world in worlds for card in hand_cards(world, 2) for suit in card_numbers(card)} == set("BY")


def test_position_without_a_past() -> None:
    """Cards of tricks that are not written lie open beside the table; scores may say what they brought."""
    state = set_up_game(3, {**TABLE, "history": [], "scores": [30, 20, 10]})
    removed = [str(face) for face in state.table.faces(state.board.removed)]

    view = state.view(0)

    assert (view.trick_no, view.scores, view.history) == (14, [30, 20, 10], ())
    assert sorted(removed) == sorted(set(DECK) - {"G1Y10", "G2Y9", "R2B9", "G4Y7", "B3Y8", "B5Y6", "B9Y2", "R5B6"})


def test_next_game_after_a_position() -> None:
    """D1: the next game is started by the seat after the one that started this game."""
    state = set_up_game(3, {**TABLE, "start": 2})

    for _ in range(6):
        state.play(state.legal()[0])

    assert (state.game_no, state.lead) == (2, 0)


@settings(max_examples=60)
@given(st.integers(3, 5), st.integers(0, 10**6), st.integers(0, 150))
def test_position_of_a_game(seats: int, seed: int, decisions: int) -> None:
    """A position that a game wrote down is set up to the same position, and everybody imagines the same of it."""
    *_, state = play_randomly(deal_game(f"seed-{seed}", seats, games=2), f"seed-{seed}", decisions)

    again = set_up_game(seats, state.position(), options={"games": 2})

    assert again.position() == state.position()
    assert again.table.zones == state.table.zones
    assert [again.view(seat) for seat in range(seats + 1)] == [state.view(seat) for seat in range(seats + 1)]
    assert domains_in_hands(again) == domains_in_hands(state)
    assert (again.turn, again.first_lead) == (state.turn, state.first_lead)


def domains_in_hands(state: LuckyMakerState) -> set[tuple[frozenset[int], frozenset[int]]]:
    """Return each card domain with the cards of it that are still in a hand."""
    held = {card for hand in state.board.hands for card in state.table.zones[hand]}
    pairs = ((one.domain, held.intersection(one.cards)) for one in state.table.card_domains)
    return {(domain, frozenset(cards)) for domain, cards in pairs if cards}


CARD: Final = st.sampled_from(DECK)
ROW: Final = st.lists(st.none() | CARD, max_size=3)
ODD: Final[dict[str, st.SearchStrategy[object]]] = {  # what may be written in a field; often it makes no sense
    "hands": st.none() | st.lists(ROW, min_size=2, max_size=4),
    "masters": st.none() | ROW,
    "master": st.none() | CARD,
    "trick": st.lists(CARD, max_size=3),
    "lead": st.none() | st.integers(0, 3),
    "start": st.none() | st.integers(0, 3),
    "history": st.lists(st.just(PAST), max_size=2),
    "void": st.none() | st.lists(st.none() | st.sampled_from(["RB", "BG", "GY"]), min_size=3, max_size=3),
    "scores": st.none() | st.lists(st.integers(0, 20), min_size=3, max_size=3),
    "totals": st.none() | st.lists(st.integers(0, 20), min_size=3, max_size=3),
    "game_no": st.integers(1, 4),
    "deck": st.none() | st.permutations(DECK),
}


@pytest.mark.long
@pytest.mark.once
@settings(max_examples=400)
@given(st.booleans(), st.lists(st.sampled_from(sorted(ODD)), max_size=4), st.data())
def test_any_position_at_all(is_full: bool, changed: list[str], data: st.DataObject) -> None:
    """Any position is either refused or a table that can be played on and imagined by all."""
    change = {name: data.draw(ODD[name], label=name) for name in changed}
    try:
        state = set_up_game(3, {**(TABLE if is_full else {}), **change})
    except PositionError:
        return

    assert_playable(state)


def assert_playable(state: LuckyMakerState) -> None:
    """Assert that a state holds all cards, can be imagined and written down, and goes on."""
    for now in play_randomly(state, "on", 8):
        assert sorted(card for zone in now.table.zones for card in zone) == list(range(60))
        assert set_up_game(3, now.position()).position() == now.position()
        for seat in range(4):
            assert now.imagine(seat, Random("i")).view(seat) == now.view(seat)


def test_game_to_its_end() -> None:
    """From the last trick of the last game a position plays to the end of the series."""
    state = set_up_game(
        3, {"hands": [["R1B10"], ["R2B9"], ["R3B8"]], "master": "R5B6", "lead": 2, "game_no": 3, "totals": [1, 2, 3]}
    )

    for card in ("R3B8", "R1B10", "R2B9"):
        state.play(Play(card))

    assert state.turn is None
    assert state.outcome().points == (6.0, 2.0, 3.0)  # three all, so blue decides; blue 10 wins red 5
    assert set_up_game(3, state.position()).outcome() == state.outcome()
