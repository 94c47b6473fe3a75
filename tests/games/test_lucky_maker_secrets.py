"""What nobody may learn at a Lucky Maker table, and what everybody learns.

Who did not follow holds neither suit (2.4).
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import Random
from pitboss_lucky_maker.messages import Play
from tests.games.lucky_maker_reference import card_numbers, legal_cards
from tests.games.lucky_maker_states import deal_game, hand_cards, set_up_game
from tests.games.random_play import observation_bytes, play_randomly

FEW: Final = settings(max_examples=30)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)

# The last three tricks of three players: seat 0 holds green and yellow only and has to show it to the red-blue master.
VOID: Final[dict[str, object]] = {
    "hands": [["G1Y10", "G2Y9", "G3Y8"], ["R2B9", "R4Y7", "B1Y10"], ["R3B8", "G4Y7", "G9Y2"]],
    "master": "R5B6",
    "masters": ["B9Y2", "G8Y3"],
    "lead": 0,
}


@FEW
@given(SEEDS, st.integers(3, 5), st.integers(0, 60))
def test_imagined_hands(seed: str, seats: int, decisions: int) -> None:
    """In every world that a seat imagines, nobody who did not follow a master holds a card with a suit of it."""
    *_, state = play_randomly(deal_game(seed, seats, games=1), seed, decisions)
    if state.turn is None:
        return
    lacks = [
        (seat, card_numbers(trick.master).keys())
        for trick in state.view(seats).history
        for seat, card in trick.cards
        if not card_numbers(card).keys() & card_numbers(trick.master).keys()
    ]

    for seat in range(seats + 1):
        world = state.imagine(seat, Random(f"{seed}/{seat}"))
        for void, suits in lacks:
            assert not [card for card in hand_cards(world, void) if card_numbers(card).keys() & suits]
        assert observation_bytes(world.copy(), seat) == observation_bytes(state.copy(), seat)


@FEW
@given(SEEDS, st.integers(3, 5), st.integers(0, 60))
def test_legal_list_in_an_imagined_world(seed: str, seats: int, decisions: int) -> None:
    """In an imagined world too the legal list of any player is the rule book's, in canonical order."""
    *_, state = play_randomly(deal_game(seed, seats, games=1), seed, decisions)
    if state.turn is None:
        return

    world = state.imagine((state.turn.seat + 1) % seats, Random(seed))

    for now in play_randomly(world, seed, seats):
        if now.turn is not None:
            assert [play.card for play in now.legal()] == legal_cards(
                hand_cards(now, now.turn.seat), now.view(seats).master or ""
            )


def test_player_who_did_not_follow() -> None:
    """2.4: from then on everybody imagines its hand of green and yellow alone, each unseen such card equally often."""
    state = set_up_game(3, VOID)
    state.play(Play("G1Y10"))

    rng = Random("worlds")
    worlds = [hand_cards(state.imagine(1, rng), 0) for _ in range(2000)]

    seen = Counter(card for cards in worlds for card in cards)
    assert set(seen) == {"G2Y9", "G3Y8", "G4Y7", "G8Y3", "G9Y2"}
    assert all(640 < count < 960 for count in seen.values())  # of 800


def test_player_who_could_follow() -> None:
    """A player who followed may hold anything: in some worlds a card of the same category again."""
    state = set_up_game(3, VOID)
    state.play(Play("G1Y10"))
    state.play(Play("R2B9"))

    rng = Random("worlds")
    seen = {card for _ in range(300) for card in hand_cards(state.imagine(2, rng), 1)}

    assert {"R4Y7", "B1Y10", "B9Y2", "G8Y3"} <= seen
    assert not seen & {"G1Y10", "R2B9", "R3B8", "G4Y7", "G9Y2", "R5B6"}


def test_void_that_is_only_known_when_it_is_shown() -> None:
    """Before the card is played nobody knows of the void: in other worlds seat 0 holds red or blue."""
    state = set_up_game(3, VOID)
    rng = Random("worlds")

    seen = {suit for _ in range(100) for card in hand_cards(state.imagine(1, rng), 0) for suit in card_numbers(card)}

    assert seen == set("RBGY")


@pytest.mark.parametrize("seats", [3, 4, 5])
@FEW
@given(SEEDS, SEEDS)
def test_hands_of_others(seats: int, seed: str, other: str) -> None:
    """Two tables at which seat 0's hand and the open master are the same look the same to it, byte for byte."""
    state = deal_game(seed, seats, start="seat0")
    own = [*hand_cards(state, 0)]
    master = state.view(seats).master
    rows = [own, *([None] * len(own) for _ in range(seats - 1))]
    position: dict[str, object] = {"hands": rows, "master": master, "lead": 0}

    one, two = (set_up_game(seats, position, name, {"start": "seat0"}) for name in (seed, other))

    assert observation_bytes(one, 0) == observation_bytes(two, 0)
    assert observation_bytes(one, seats) == observation_bytes(two, seats)
    assert seed == other or hand_cards(one, 1) != hand_cards(two, 1)


def test_spectator() -> None:
    """A spectator is shown no hand and no hidden master."""
    state = deal_game("seed", 4)
    text = observation_bytes(state, 4).decode()

    hidden = [card for seat in range(4) for card in hand_cards(state, seat)]
    hidden += [str(face) for face in state.table.faces(state.board.masters)]
    assert [card for card in hidden if card in text] == []
