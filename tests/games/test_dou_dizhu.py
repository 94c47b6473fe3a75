"""Dou Dizhu: lists of combinations, what is known of the landlord's cards, bounds, and four players with two packs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from statistics import correlation

import pytest

from pitboss import IllegalAction, PositionError, Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss_dou_dizhu.combinations import (
    DECK,
    TWO_PACKS,
    Rules,
    code_cards,
    code_faces,
    list_beating,
    list_leads,
    read_play,
)
from pitboss_dou_dizhu.game import DouDizhu
from pitboss_dou_dizhu.messages import PASS, Bid, Laid, Play, Position
from pitboss_dou_dizhu.state import DouDizhuState

GAME = DouDizhu()
BID = Bid(3)
OPEN: list[str | None] = [None] * 16


def set_up(position: Position, **given: object) -> DouDizhuState:
    """Return a state at a position."""
    return GAME.setup(3, resolve_options(GAME, 3, None, given), position, Random("position"))


@pytest.mark.parametrize(
    ("rules", "sets"),
    [(Rules(), 12_654), (Rules(are_alike=True), 27_845), (Rules(are_alike=True, has_quads=False), 25_661)],
)
def test_all_combinations(rules: Rules, sets: int) -> None:
    """D1: a pack has this many sets of cards that can be laid; each is read as a combination, and listed once."""
    plays = list_leads(code_cards(range(len(DECK))), rules)

    assert len(plays) == len({play.cards for play in plays}) == sets


def test_what_a_hand_holds() -> None:
    """The list for a hand has all its sets of cards that can be read; those that beat another are those that do."""
    rng = Random("hands")
    for _ in range(20):
        packs = rng.choice([DECK, TWO_PACKS])
        deck = [*range(len(packs))][rng.randbelow(len(packs) - 14) :]
        rng.shuffle(deck)
        cards = deck[:9]
        held = code_cards(cards, packs)
        rules = Rules(rng.choice([True, False]), rng.choice([True, False]), 1 if packs is DECK else 2)
        sets = {code_cards(some, packs) for size in range(1, 10) for some in combinations(cards, size)}
        readable = {one: read_play(one, rules) for one in sets if read_play(one, rules)}
        assert {code_faces(play.cards) for play in list_leads(held, rules)} == readable.keys()
        for top in {readings[0] for readings in readable.values()}:
            beating = {one for one, readings in readable.items() if any(reading.beats(top) for reading in readings)}
            assert {code_faces(play.cards) for play in list_beating(held, top, rules)} == beating


def test_all_combinations_of_two_packs() -> None:
    """L13: each set is read as one combination, listed once; single cards are no kickers, and quads bombs alone."""
    rules = Rules(packs=2)
    plays = list_leads(code_cards(range(len(TWO_PACKS)), TWO_PACKS), rules)
    kinds = Counter(reading.kind for play in plays for reading in read_play(code_faces(play.cards), rules))

    assert len(plays) == len({play.cards for play in plays}) == kinds.total()
    assert (kinds["solo"], kinds["pair"], kinds["trio"], kinds["bomb"], kinds["rocket"]) == (15, 15, 13, 65, 1)
    assert (kinds["trio with pair"], kinds["chain"], kinds["pair chain"], kinds["trio chain"]) == (182, 36, 55, 65)
    # of 15 pairs those of other ranks than the core, without choices of both joker pairs
    with_pairs = [(13 - trios) * (comb(15 - trios, trios) - comb(13 - trios, trios - 2)) for trios in range(2, 7)]
    assert kinds["trio chain with pairs"] == sum(with_pairs)
    assert len(kinds) == 10


def test_a_play_names_its_cards_in_any_order() -> None:
    """The cards of a play are sorted; a card that does not exist is refused like one that is not held."""
    assert Play(("RJ", "10", "3", "10")).cards == ("3", "10", "10", "RJ")
    state = set_up(Position(calls=[BID], hands=[["3", "3", *OPEN, None, None], None, None]))

    for cards in ((), ("S3",), ("3",) * 5, ("3",) * 21):
        with pytest.raises(IllegalAction, match="was played at"):
            state.play(Play(cards))
    assert state.plays == ()


def test_everybody_knows_the_bottom() -> None:
    """D7: the landlord's three cards are known until it lays their ranks, and equal ones count as these."""
    hand = ["3", "3", "3", "K", "K", *OPEN[:15]]
    state = set_up(Position(calls=[BID], bottom=["3", "K", "RJ"], hands=[[*hand[:-1], "RJ"], None, None]))
    known = state.table.faces_known_to
    assert sorted(face for face in known(state.hands[0], 1) if face is not None) == ["3", "K", "RJ"]

    state.play(Play(("3",)))
    assert sorted(face for face in known(state.hands[0], 1) if face is not None) == ["K", "RJ"]
    worlds = [state.imagine(1, Random(f"world/{number}")) for number in range(20)]
    assert all({"K", "RJ"} <= {*world.faces(world.hands[0])} for world in worlds)
    assert len({tuple(world.faces(world.hands[2])) for world in worlds}) == 20


def test_the_bottom_of_a_position_is_open() -> None:
    """A landlord whose hand is named has three of its cards from the bottom."""
    hand = [*"3334445556667778889", "9"]
    state = set_up(Position(calls=[BID], hands=[[*hand], None, None]))

    assert state.view(0).hand == hand
    assert {*state.bottom_faces} <= {*hand}


@pytest.mark.parametrize("seats", [3, 4])
def test_the_longest_game_is_within_the_bounds(seats: int) -> None:
    """The longest game, with all redeals and cards laid one by one, is within the bounds."""
    state = GAME.deal(seats, resolve_options(GAME, seats), Random("long"))
    made = 0
    while state.turn is not None:
        is_over = state.redeals == 10 and state.turn.phase == "bid"
        state.play(Bid(1) if is_over and BID in state.legal() and len(state.legal()) == 4 else state.legal()[0])
        made += 1

    bounds = GAME.bounds(seats, state.options)
    assert bounds.decisions is not None
    assert 60 < made <= bounds.decisions
    assert PASS not in state.legal()


def test_four_play_with_two_packs() -> None:
    """Four players have 25 cards each, and the landlord eight more; the landlord pays or is paid by three."""
    state = GAME.deal(4, resolve_options(GAME, 4), Random("four"))
    state.play(BID)

    assert state.view(1).counts == [33, 25, 25, 25]
    assert len(state.bottom_faces) == 8
    assert sum(state.evaluate()) == pytest.approx(0)
    play_on(state, choose_from(Random("c")))
    paid = state.totals[1]
    assert state.totals == [-3 * paid, paid, paid, paid]
    with pytest.raises(PositionError, match="by seat 3; 3 play"):
        set_up(Position(calls=[BID], plays=[Laid(3, ("3",))]))


def test_the_estimate() -> None:
    """The sign of the estimate agrees best with the sign of the points late in a deal; points add up to 0."""
    found = []
    for limit in (2, 20, 40):
        pairs = []
        for number in range(150):
            state = GAME.deal(3, resolve_options(GAME, 3), Random(f"deal/{number}"))
            choose = choose_from(Random("c"))
            state.play(BID)
            play_on(state, choose, limit)
            estimate = state.evaluate()
            assert sum(estimate) == pytest.approx(0)
            play_on(state, choose)
            pairs.append((estimate[0] > 0, state.totals[0] > 0))
        found.append(correlation(*zip(*pairs, strict=True)))
    assert found[-1] > max(*found[:-1], 0.4)
