"""Written positions of Rummy: what they leave open, and what comes back."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pitboss import PositionError, Random
from pitboss.options import convert_value
from pitboss.plugins.packs import STANDARD_PACK
from pitboss_rummy.messages import Discard, Draw, Meld, Position, Take
from pitboss_rummy.state import RummyState
from tests.games.players import lay_down
from tests.games.random_play import play_randomly
from tests.games.rummy_states import GAME, deal_game, make_options, set_up_game, set_up_written

HANDS: Final = [["S5", "S6", "H9", "CK"], ["D4", "HK", "C8"]]
TABLE: Final[dict[str, object]] = {"dealer": 1, "hands": HANDS, "stock": ["C2", "C3"], "discard": ["D3", "S7"]}
MELD: Final = {"owner": 0, "cards": ["SA", "S2", "S3"]}
DECK: Final = list(STANDARD_PACK.faces)


def test_empty_stock_where_it_is_reshuffled() -> None:
    """Note 5: the turn that took the last card has filled the stock again; but within a turn it may be empty."""
    with pytest.raises(PositionError, match="note 5"):
        set_up_written({**TABLE, "stock": []}, stock_out="reshuffle")

    assert set_up_written({**TABLE, "stock": [], "phase": "play"}, stock_out="reshuffle").turn == (0, "play")


@pytest.mark.parametrize("deck", [DECK[:51], [], ["SA", *DECK[1:51], "SA"]])
def test_deck_that_is_none(deck: list[str]) -> None:
    """A deck must be all cards."""
    with pytest.raises(PositionError, match="deck"):
        set_up_game(2, Position(deck=deck))


def test_open_position() -> None:
    """A position's open places are dealt at random, from the cards that are not mentioned."""
    position = convert_value(
        {"hands": [["SA", None, None], [None] * 4], "discard": ["C3"]}, Position, "position", PositionError
    )

    one, other = (GAME.setup(2, make_options(2), position, Random(seed)) for seed in ("a", "b"))

    assert one.position() != other.position()
    for state in (one, other):
        assert state.view(0).hand[0] == "SA"
        assert (state.view(0).counts, state.view(0).discard, state.view(0).stock) == ([3, 4], ["C3"], 44)


def test_open_hands_in_the_middle_of_a_turn() -> None:
    """Open hands hold what was dealt, and the player on turn the drawn card, which everybody knows if it was taken."""
    state = set_up_written({"phase": "play", "taken": "S7", "discard": ["C3"], "known": [["H2"], []]})

    assert (state.view(0).counts, state.view(0).known) == ([10, 11], [state.view(0).hand, ["S7"]])
    assert state.view(1).known[0] == ["H2"]
    assert Discard("S7") not in state.legal()


def test_neutral_action_where_the_drawn_card_is_not_told() -> None:
    """D18: without a card drawn from the stock it is the last legal discard."""
    assert set_up_written({**TABLE, "phase": "play"}).neutral() == Discard("CK")
    assert set_up_written({**TABLE, "phase": "play", "drawn": "S6"}).neutral() == Discard("S6")
    assert set_up_written({**TABLE, "phase": "play", "taken": "CK"}).neutral() == Discard("H9")
    assert set_up_written(TABLE).neutral() == Draw()


@settings(max_examples=80)
@given(st.integers(2, 6), st.integers(0, 10**6), st.integers(0, 60), st.sampled_from([1, 2]), st.booleans())
def test_position_of_a_game(seats: int, seed: int, decisions: int, decks: int, reshuffles: bool) -> None:
    """A position that a game wrote down is set up to the same position, and shows everybody the same."""
    given_options = {"decks": decks, "stock_out": "reshuffle" if reshuffles else "turn_over"}
    given_options["hand_size"] = 7 if seats == 6 else 48 * decks // seats  # a small stock is soon turned over
    state, rng = deal_game(f"seed-{seed}", seats, **given_options), Random(f"{seed}")
    for _ in range(decisions):
        if state.turn is not None:
            state.play(lay_down(state, rng))
    if state.turn is None:
        return

    again = set_up_game(seats, state.position(), **given_options)

    assert again.position() == state.position()
    assert [again.view(seat) for seat in range(seats + 1)] == [state.view(seat) for seat in range(seats + 1)]


def test_copy_that_was_left_after_a_meld() -> None:
    """D12: the copy that stays in the hand is a secret in a position too, though its like was seen drawn."""
    hands = [["S5", "S6", "S7", "H9"], ["D4", "HK", "C8"]]
    state = set_up_written({**TABLE, "hands": hands, "stock": ["C2", "C3", "D9"]}, decks=2)
    state.play(Take())
    state.play(Meld(("S5", "S6", "S7")))

    again = set_up_game(2, state.position(), decks=2)

    assert again.view(1).known[0] == []
    assert (again.view(1).drawn, again.view(1).taken) == ("S7", "S7")
    for number in range(20):
        assert again.imagine(1, Random(f"{number}")).view(1) == state.view(1)


CARD: Final = st.sampled_from([*STANDARD_PACK.faces, "X9"])
SOME: Final = st.none() | st.lists(CARD, max_size=5)
ROWS: Final = st.none() | st.lists(st.lists(st.none() | CARD, max_size=4), max_size=3)
ODD: Final[dict[str, st.SearchStrategy[object]]] = {  # what may be written in a field; often it makes no sense
    "dealer": st.integers(0, 2),
    "turn": st.none() | st.integers(0, 2),
    "phase": st.sampled_from(["draw", "play"]),
    "hands": ROWS,
    "drawn": st.none() | CARD,
    "taken": st.none() | CARD,
    "discard": SOME,
    "stock": SOME,
    "stock_public": st.booleans(),
    "melds": st.lists(
        st.just(MELD) | st.builds(lambda cards: {"owner": 1, "cards": cards}, st.lists(CARD, max_size=4)), max_size=2
    ),
    "known": st.none() | st.lists(st.lists(CARD, max_size=2), max_size=3),
    "active": st.lists(st.booleans(), max_size=3),
    "melded": st.booleans(),
    "laid_off": st.booleans(),
    "deck": st.permutations(DECK) | SOME,
    "turns_done": st.integers(0, 9),
    "scores": st.lists(st.integers(-600, 600), max_size=3),
}


@pytest.mark.long
@pytest.mark.once
@settings(max_examples=500)
@given(
    st.lists(st.sampled_from(sorted(ODD)), max_size=3, unique=True),
    st.data(),
    st.sampled_from(
        [{}, {"stock_out": "reshuffle"}, {"decks": 2}, {"must_discard_out": True, "max_turns": 3, "deals": 2}]
    ),
)
def test_any_position_at_all(names: list[str], data: st.DataObject, options: dict[str, int | str | bool]) -> None:
    """A position is either a table that can be played on and imagined by all, or a `PositionError`.

    Never anything else.
    """
    written = {**TABLE, **{name: data.draw(ODD[name], name) for name in names}}
    try:
        state = set_up_written(written, 2, **options)
    except PositionError:
        return

    assert_playable(state, 52 * state.options.decks)


def assert_playable(state: RummyState, cards: int) -> None:
    """Assert that a state has a decision, holds all cards, can be imagined, and goes on."""
    for now in play_randomly(state, "on", 8):
        assert sorted(card for zone in now.table.zones for card in zone) == list(range(cards))
        if now.turn is not None:
            assert now.neutral() in now.legal()
            for seat in range(3):
                assert now.imagine(seat, Random("i")).view(seat) == now.view(seat)


def end_game(**given: object) -> RummyState:
    """Return a game that is over."""
    state = deal_game("e0", 2, deals=1, points=None, **given)
    rng = Random("e0")
    while state.turn is not None:
        state.play(lay_down(state, rng))
    return state


@pytest.mark.parametrize("max_turns", [100, 1], ids=["out", "stalled"])
def test_position_of_a_game_that_is_over(max_turns: int) -> None:
    """2.3: the position of a finished game is a finished game, with the same outcome and the same views."""
    state = end_game(max_turns=max_turns)

    again = set_up_game(2, state.position(), deals=1, points=None, max_turns=max_turns)

    assert (state.hand_masks.count(0), again.turn) == (1 if max_turns > 1 else 0, None)
    assert again.outcome() == state.outcome()
    assert [again.view(seat) for seat in range(3)] == [state.view(seat) for seat in range(3)]
    assert again.position() == state.position()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"turn": 1}, "nobody is on turn"),
        ({"melded": True}, "nobody has melded"),
        ({"known": None}, "all hands are shown"),
        ({"hands": [[], []], "known": [[], []]}, "two hands are empty"),
        ({"deal": 1, "over": False}, "a deal is over after 2 turns"),
    ],
    ids=str,
)
def test_end_that_is_none(change: dict[str, object], said: str) -> None:
    """A finished game has nobody on turn and shows all hands, of which one at most is empty."""
    position = replace(end_game(max_turns=1).position(), **change)

    with pytest.raises(PositionError, match=said):
        set_up_game(2, position, deals=1, points=None, max_turns=1)


def test_end_of_a_game_that_goes_on() -> None:
    """A game with deals to come is not over."""
    with pytest.raises(PositionError, match="the game is not over after deal 1"):
        set_up_game(2, end_game(max_turns=1).position(), deals=2, points=None, max_turns=1)
