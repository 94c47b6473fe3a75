"""What the others may know at a Rummy table, and what not (2.4).

Drawn cards, a stock that was turned over, copies, a reshuffle.
"""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import Random
from pitboss_rummy.messages import Action, Discard, Draw, Layoff, Meld, Take
from pitboss_rummy.state import RummyState
from tests.games.players import lay_down
from tests.games.random_play import observation_bytes
from tests.games.rummy_states import deal_game, set_up_written

FEW: Final = settings(max_examples=60)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)
HANDS: Final = [["S5", "S6", "H9", "CK"], ["D4", "HK", "C8"]]


def play_actions(state: RummyState, *actions: Action) -> RummyState:
    """Return the state after some actions."""
    for action in actions:
        state.play(action)
    return state


@pytest.mark.parametrize("answer", [[], [Discard("H9")], [Discard("CK")]])
def test_card_drawn_by_another(answer: list[Action]) -> None:
    """A card from a hidden stock is its owner's secret: all that the others are shown is the same, byte for byte."""
    one, other = (
        play_actions(set_up_written({"hands": HANDS, "stock": stock, "discard": ["D3"], "turn": 0}), Draw(), *answer)
        for stock in (["C2", "C3"], ["C3", "C2"])
    )

    assert observation_bytes(one, 0) != observation_bytes(other, 0)
    assert [observation_bytes(one, seat) for seat in (1, 2)] == [observation_bytes(other, seat) for seat in (1, 2)]


def test_drawn_card_that_is_melded_at_once() -> None:
    """Of the cards of a meld nobody else is told which of them was the one drawn."""
    one = play_actions(
        set_up_written({"hands": HANDS, "stock": ["S7", "C3"], "discard": ["D3"], "turn": 0}),
        Draw(),
        Meld(("S5", "S6", "S7")),
    )

    assert one.view(0).drawn == "S7"
    assert [one.view(seat).drawn for seat in (1, 2)] == [None, None]


def test_card_taken_from_the_discards() -> None:
    """A card taken from the discard pile is known to be in that hand until it leaves it."""
    state = play_actions(
        set_up_written({"hands": HANDS, "stock": ["C2", "C3"], "discard": ["D3", "S7"], "turn": 0}),
        Take(),
        Discard("CK"),
    )

    assert state.view(1).known == [["S7"], ["HK", "D4", "C8"]]
    play_actions(state, Draw(), Discard("D4"), Draw(), Discard("S7"))
    assert state.view(1).known[0] == []


def test_stock_that_was_turned_over() -> None:
    """Everybody knows the new stock, and so what is drawn from it, for the rest of the deal (D5, D15)."""
    state = set_up_written({"hands": HANDS, "stock": ["C2"], "discard": ["D3", "S7", "SA"], "turn": 0})
    play_actions(state, Draw(), Discard("CK"), Draw())

    assert state.view(2).stock_known == ["S7", "SA", "CK"]
    assert (state.view(2).drawn, state.view(2).known) == ("D3", [[], ["D3"]])
    assert {str(state.imagine(0, Random(f"{n}")).table.faces(state.board.stock)) for n in range(20)} == {
        "['CK', 'SA', 'S7']"
    }
    play_actions(state, Discard("HK"), Draw())
    assert state.view(1).known[0] == ["S7"]


def test_stock_that_was_reshuffled() -> None:
    """Note 5: nobody knows the order of the new stock, everybody knows which cards it holds."""
    state = set_up_written(
        {"hands": HANDS, "stock": ["C2"], "discard": ["D3", "S7", "SA", "S9"], "turn": 0}, stock_out="reshuffle"
    )
    play_actions(state, Draw(), Discard("CK"))

    assert (state.view(1).stock_known, state.view(1).stock, len(state.view(1).discard)) == ([], 4, 1)
    held = {"D3", "S7", "SA", "S9", "CK"} - set(state.view(1).discard)
    worlds = [state.imagine(1, Random(f"{number}")).table.faces(state.board.stock) for number in range(50)]
    assert all(set(world) == held for world in worlds)
    assert len({str(world) for world in worlds}) > 10


TWO: Final[dict[str, object]] = {"stock": ["C2", "C3"], "discard": ["D3", "S7"], "turn": 0}


@pytest.mark.parametrize(("secret", "elsewhere"), [("S7", "H2"), ("H2", "S7")])
def test_copy_of_a_known_card(secret: str, elsewhere: str) -> None:
    """D12: whoever discards one of two equal cards has let go the one that was known.

    The other stays as secret as any card.
    """
    hands = [["S5", secret, "H9", "CK"], HANDS[1]]
    table = {**TWO, "hands": hands, "stock": ["C2", "C3", elsewhere, "C9"]}
    state = play_actions(set_up_written(table, decks=2), Take(), Discard("CK"), Draw(), Discard("D4"))
    assert state.view(1).known[0] == ["S7"]

    play_actions(state, Draw(), Discard("S7"))

    assert state.view(1).known[0] == []
    assert state.view(0).hand.count("S7") == (secret == "S7")
    in_hand = [state.imagine(1, Random(f"{n}")).table.faces(state.board.hands[0]).count("S7") for n in range(200)]
    assert {0, 1} <= set(in_hand)


def test_secret_copy_makes_no_difference() -> None:
    """D12: others are shown the same, byte for byte, whether a hand holds the second copy of a public card or not."""
    for answer in ([Discard("H9")], [Meld(("S5", "S6", "S7"))], [Meld(("S5", "S6", "S7")), Discard("CK")]):
        with_copy, without = (
            play_actions(
                set_up_written({**TWO, "hands": [["S5", "S6", "H9", "CK", card], HANDS[1]]}, decks=2), Take(), *answer
            )
            for card in ("S7", "H2")
        )
        assert [observation_bytes(with_copy, seat) for seat in (1, 2)] == [
            observation_bytes(without, seat) for seat in (1, 2)
        ]


def test_discard_of_the_card_just_taken() -> None:
    """D6: who may discard it has nothing else; so everybody knows the copy that is left."""
    state = play_actions(set_up_written({**TWO, "hands": [["H5", "H6", "H7", "S7"], HANDS[1]]}, decks=2), Take())
    play_actions(state, Meld(("H5", "H6", "H7")))
    assert list(state.legal()) == [Discard("S7")]

    play_actions(state, Discard("S7"))

    assert state.view(1).known[0] == ["S7"]
    assert all(state.imagine(1, Random(f"{n}")).view(0).hand == ["S7"] for n in range(20))


def test_layoff_of_a_known_card() -> None:
    """A card that is laid off leaves what is known of the hand."""
    melds = [{"owner": 1, "cards": ["S8", "S9", "S10"]}]
    state = play_actions(set_up_written({**TWO, "hands": HANDS, "melds": melds}), Take())
    assert state.view(1).known[0] == ["S7"]

    assert play_actions(state, Layoff("S7", 1)).view(1).known[0] == []


@FEW
@given(
    SEEDS, st.integers(2, 5), st.sampled_from([1, 2]), st.sampled_from(["turn_over", "reshuffle"]), st.integers(0, 90)
)
def test_known_cards_are_what_was_seen(seed: str, seats: int, decks: int, stock_out: str, decisions: int) -> None:
    """2.4: what is known of the hands follows from what everybody could see.

    Cards taken, cards from a public stock, and those that left.
    """
    state = deal_game(
        seed, seats, decks=decks, stock_out=stock_out, hand_size=16 if decks == 2 else 9, deals=1, max_turns=40
    )
    rng, known, turned = Random(seed), [list[str]() for _ in range(seats)], False
    for _ in range(decisions):
        if state.turn is None or state.deal_no > 1:
            return
        seat, action = state.turn.seat, lay_down(state, rng)
        top, stock = state.view(seats).discard[-1:], state.view(seats).stock_known
        turned = turned or (isinstance(action, Draw) and state.view(seats).stock == 0)
        pile = stock or (state.view(seats).discard if turned else [])
        forced = isinstance(action, Discard) and action.card == state.view(seat).taken
        state.play(action)
        if isinstance(action, Take | Draw):
            known[seat] += top if isinstance(action, Take) else pile[:1]
        else:
            for face in action.cards if isinstance(action, Meld) else [action.card]:
                if face in known[seat]:
                    known[seat].remove(face)
            known[seat] += [action.card] if isinstance(action, Discard) and forced else []
        if state.turn is not None:
            assert [sorted(faces) for faces in state.view(seats).known] == [sorted(faces) for faces in known]
