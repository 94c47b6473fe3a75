"""What nobody may learn at a RAGAMARU table, and what everybody learns.

Section 2.7 of the rule book, and D9 with `decline` = `free`.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss import Random
from pitboss.table.events import Tell
from pitboss_ragamaru.messages import Action, NameColour, NameNumber, Play
from pitboss_ragamaru.rules import DRAW, PASS
from pitboss_ragamaru.state import RagamaruState
from tests.games.ragamaru_reference import list_plays
from tests.games.ragamaru_states import deal_game, hand_cards, set_up_game
from tests.games.random_play import observation_bytes, play_randomly

FEW: Final = settings(max_examples=30)
SEEDS: Final = st.integers(0, 10**6).map("seed-{}".format)


@FEW
@given(SEEDS, SEEDS, st.integers(2, 5))
def test_hands_of_others(seed: str, other: str, seats: int) -> None:
    """Two tables at which seat 0's hand and what lies open are the same look the same to it, byte for byte."""
    own = hand_cards(deal_game(seed, seats), 0)
    written: dict[str, object] = {
        "hands": [own, *([None] * 7 for _ in range(seats - 1))],
        "field": {"card": "KO", "colour": "R"},
    }

    one, two = set_up_game(written, seats, seed), set_up_game(written, seats, other)
    for state in (one, two):
        state.play(DRAW if seed == other else state.legal()[-1])
        state.table.log = []  # the drawn card may be another

    assert observation_bytes(one, seats) == observation_bytes(two, seats)
    assert one.view(1).hand != two.view(1).hand or seed == other


@FEW
@given(SEEDS, st.integers(2, 6), st.integers(0, 150))
def test_world_of_a_seat(seed: str, seats: int, decisions: int) -> None:
    """In every world a seat is shown what it is shown, and the masks of the hands are the cards that lie there."""
    *_, state = play_randomly(deal_game(seed, seats), seed, decisions)

    for seat in range(seats + 1):
        world = state.imagine(seat, Random(f"{seed}/{seat}"))
        assert observation_bytes(world.copy(), seat) == observation_bytes(state.copy(), seat)
        for owner in range(seats):
            held = [card for card, bit in enumerate(world.book.bits) if world.hand_masks[owner] & bit]
            assert held == sorted(world.table.zones[world.board.hands[owner]])


def test_card_that_was_drawn() -> None:
    """The owner of a drawn card sees the card; all others see that a card was drawn."""
    state = set_up_game({"hands": [["R1", "B2"], ["K1", "K2"]], "stock": ["Y9", "Y8"], "field": {"card": "R5"}})
    state.play(DRAW)

    assert [state.view(seat).drawn for seat in range(3)] == ["Y9", None, None]
    assert "Y9" in observation_bytes(state, 0).decode()
    assert "Y9" not in observation_bytes(state, 1).decode() + observation_bytes(state, 2).decode()


def set_up_after_pass(cards: list[str], field: dict[str, object]) -> RagamaruState:
    """Return a table of three at which seat 0 has just passed with these cards, though it could have played."""
    state = set_up_game({"hands": [cards, [None] * 4, [None] * 4], "field": field}, 3, decline="free")
    state.play(PASS)
    return state


@pytest.mark.parametrize(
    ("cards", "field"),
    [(["K3", "B-CUT", "Y9"], {"card": "B14"}), (["R6"], {"card": "R14"}), (["RES", "TMO"], {"card": "R3"})],
)
def test_pass_of_a_player_who_could_have_played(cards: list[str], field: dict[str, object]) -> None:
    """D9: after a pass with a play in hand everybody imagines a hand with a play."""
    state, before = set_up_after_pass(cards, field), set_up_game({"hands": [cards, [None], [None]], "field": field}, 3)

    rng = Random("worlds")
    hands = {tuple(sorted(hand_cards(state.imagine(1, rng), 0))) for _ in range(80)}

    assert len(hands) > 10
    assert all(list_plays(cards, before.view(0).field) for cards in hands)


def test_card_that_is_drawn_after_such_a_pass() -> None:
    """D9: a pass tells of the cards held then, not of a card that is drawn later."""
    state = set_up_after_pass(["R6"], {"card": "R14"})
    for action in (DRAW, PASS, DRAW, PASS, DRAW, PASS):
        state.play(action)

    rng = Random("worlds")
    for _ in range(40):
        first, *_ = hand_cards(state.imagine(1, rng), 0)
        assert first[0] == "R" or first.endswith("14")


def test_such_a_pass_is_settled_by_a_play() -> None:
    """D9: once a card leaves the hand of a player who passed, the rest of the hand may be anything."""
    state = set_up_after_pass(["R6", "B9", "K2"], {"card": "R14"})
    for action in (DRAW, PASS, DRAW, PASS, Play(("R6",))):
        state.play(action)

    rng = Random("worlds")
    hands = [hand_cards(state.imagine(1, rng), 0) for _ in range(60)]

    assert state.pass_evidence == {}
    assert any(not any(card[0] == "R" or card.endswith("14") for card in cards) for cards in hands)


def test_card_that_did_not_fit_leaves_such_a_hand() -> None:
    """D9: once a card leaves the hand, worlds forget what the pass told of the hand."""
    hands: list[object] = [["K2", "R6"], ["K14", "B1", "B2"], ["Y1", "Y2"]]
    state = set_up_game(
        {"hands": hands, "stock": ["Y8", "Y9", *[None] * 30], "field": {"card": "R14"}}, 3, decline="free"
    )
    for action in (PASS, Play(("K14",)), DRAW, PASS, DRAW, Play(("K2",))):
        state.play(action)

    rng = Random("worlds")
    worlds = [hand_cards(state.imagine(1, rng), 0) for _ in range(60)]

    assert not all(card[0] == "R" or card.endswith("14") or card == "SIN" for card, _ in worlds)
    assert len({second for _, second in worlds}) > 8


def test_drawn_card_that_has_to_be_played() -> None:
    """With `after_draw` = `drawn` everybody knows that it is the drawn one of two equal cards that goes."""
    state = set_up_game(
        {"hands": [["RES", "B9", "B8"], ["K1"]], "stock": ["RES"], "field": {"card": "R1"}}, after_draw="drawn"
    )
    state.play(DRAW)
    drawn = state.table.zones[state.board.hands[0]][-1]

    state.play(Play(("RES",)))

    assert state.table.zones[state.board.pile][-1] == drawn


def test_two_equal_cards() -> None:
    """Nobody can tell two copies apart: whichever is played, worlds and views are the same."""
    written: dict[str, object] = {"hands": [["RES", "RES", "RES", "B9"], [None] * 3], "field": {"card": "R1"}}
    one = set_up_game(written)
    one.play(Play(("RES",)))

    assert sorted(hand_cards(one, 0)) == ["B9", "RES", "RES"]
    assert one.table.known_by[one.table.zones[one.board.pile][-1]] == one.table.layout.everybody


@pytest.mark.parametrize("first_colour", ["loser", "random"])
def test_the_lots_of_the_kick_off(first_colour: str) -> None:
    """D1, D2: what the lots have decided is public, and every seat's events tell it."""
    state = deal_game("kick-off", 3, first_colour=first_colour)
    told = {event.event: event.facts for event in state.table.events(3) if isinstance(event, Tell)}

    assert state.turn is not None
    assert told == (
        {"starter": {"seat": state.starter}, "namer": {"seat": state.turn.seat}}
        if first_colour == "loser"
        else {"starter": {"seat": state.turn.seat}, "colour": {"seat": None, "colour": state.top.field.colour}}
    )


def test_which_reserve_was_played() -> None:
    """The Reserve of seat 1 was dealt to it, or came from the reshuffled pile: 24 worlds, equally likely."""
    hands = [["R2", "Y9", "B1"], ["K5", "RES"], ["B8", "Y3"]]
    written = {"hands": hands, "stock": ["R11"], "field": {"card": "R4"}, "pile": ["RES", "Y14", "K1"]}
    state = set_up_game(written, 3)
    actions: list[Action] = [
        DRAW,
        PASS,
        DRAW,
        PASS,
        DRAW,
        PASS,
        Play(("R2",)),
        Play(("RES",)),
        NameColour("Y"),
        NameNumber(3),
    ]
    for action in actions:
        state.play(action)
    zones = [state.board.stock, *state.board.hands[1:]]

    worlds = [state.imagine(0, Random(f"reserve/{draw}")).table for draw in range(2400)]

    drawn = Counter(tuple(tuple(sorted(map(str, world.faces(zone)))) for zone in zones) for world in worlds)
    assert len(drawn) == 24
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 60  # chi-square with 23 degrees of freedom
