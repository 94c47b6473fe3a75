"""Dou Dizhu: conformance, lists of combinations, what is known of the landlord's cards, positions, the estimate."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from statistics import correlation

import pytest

from pitboss import IllegalAction, PositionError, Random
from pitboss.game import resolve_options
from pitboss.simulation.random_play import choose_from, play_on
from pitboss.testing import assert_conforms
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
from pitboss_dou_dizhu.messages import PASS, Bid, Call, DouDizhuAction, Laid, Play, Position, Rob
from pitboss_dou_dizhu.state import DouDizhuState
from tests.games.trick_games import assert_narrow_pictures

GAME = DouDizhu()
BID = Bid(3)
OPEN: list[str | None] = [None] * 16


def set_up(position: Position, **given: object) -> DouDizhuState:
    """Return a state at a position."""
    return GAME.setup(3, resolve_options(GAME, 3, None, given), position, Random("position"))


def seek_what_is_rare(state: DouDizhuState, rng: Random) -> DouDizhuAction:
    """Rob, and lay many cards at once; else play at random."""
    legal = list(state.legal())
    rare = [
        action
        for action in legal
        if isinstance(action, Call | Rob) or (isinstance(action, Play) and len(action.cards) > 5)
    ]
    return rng.choice(rare or legal)


@pytest.mark.once
def test_it_conforms() -> None:
    """A deal with calls that are robbed keeps every promise."""
    assert_conforms(GAME, seats=[3], presets=["rob"], games=1, player=seek_what_is_rare)


@pytest.mark.once
@pytest.mark.long
def test_it_conforms_with_every_preset() -> None:
    """Every preset and option does."""
    assert_conforms(GAME, games=2, player=seek_what_is_rare)


@pytest.mark.parametrize(
    ("rules", "sets"),
    [(Rules(), 12_654), (Rules(are_alike=True), 27_845), (Rules(are_alike=True, has_quads=False), 25_661)],
)
def test_all_combinations(rules: Rules, sets: int) -> None:
    """D1: so many sets of cards can be laid; each is read as a combination, and listed once."""
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
    """They are sorted; a card that there is not is refused as any other that is not held."""
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


@pytest.mark.parametrize(
    ("position", "given", "message"),
    [
        (Position(hands=[["3"], None, None]), {}, "seat 0 holds 1 cards and has laid 0"),
        (Position(hands=[None, None]), {}, "hands has 2 entries"),
        (Position(deal_no=2), {}, "the game has 1 deals"),
        (Position(redeals=11), {}, "redeals is 11"),
        (Position(redeals=1), {"all_pass": "void"}, "it is 0 at most"),
        (Position(calls=[BID, None]), {}, "there is no call 2"),
        (Position(calls=[Bid(2), Bid(1)]), {}, "call 2"),
        (Position(calls=[Call()]), {}, "call 1"),
        (Position(calls=[None, Call(), None, None, Rob()]), {"auction": "rob"}, "there is no call 5"),
        (Position(calls=[None, Call(), Rob(), Rob()]), {"auction": "rob"}, "the seat has passed before"),
        (Position(plays=[Laid(0, ("3",))]), {}, "play 1 of the deal is by seat 0"),
        (Position(calls=[BID], plays=[Laid(1, ("3",))]), {}, "play 1 of the deal is by seat 1"),
        (Position(calls=[BID], plays=[Laid(0, ("3", "4"))]), {}, "play 1 of the deal: "),
        (Position(calls=[BID], plays=[Laid(0, ())]), {}, "play 1 of the deal: "),
        (
            Position(calls=[BID], bottom=["RJ", "3", "3"], hands=[[*"4444555566667777888", "BJ"], None, None]),
            {},
            "'RJ' of the bottom is not among",
        ),
    ],
)
def test_positions_that_are_none(position: Position, given: dict[str, object], message: str) -> None:
    """What cannot have come about is refused, with what is wrong."""
    with pytest.raises(PositionError, match=message):
        set_up(position, **given)


@pytest.mark.parametrize("limit", [0, 2, 5, 20, 60, 1000])
@pytest.mark.parametrize(("seats", "preset"), [(3, "match"), (3, "rob"), (3, "table"), (4, "rob")])
def test_a_position_is_written_and_set_up_again(seats: int, preset: str, limit: int) -> None:
    """Calls, plays and points are the same, after the end too."""
    options = resolve_options(GAME, seats, preset)
    for number in range(3):
        state = GAME.deal(seats, options, Random(f"again/{number}"))
        play_on(state, choose_from(Random("again/choices")), limit)
        again = GAME.setup(seats, options, state.position(), Random("other"))

        assert again.position() == state.position()
        assert [again.view(seat) for seat in range(5)] == [state.view(seat) for seat in range(5)]
        assert (again.turn, again.totals) == (state.turn, state.totals)


def test_the_bottom_of_a_position_is_open() -> None:
    """A landlord whose hand is named has three of its cards from the bottom."""
    hand = [*"3334445556667778889", "9"]
    state = set_up(Position(calls=[BID], hands=[[*hand], None, None]))

    assert state.view(0).hand == hand
    assert {*state.bottom_faces} <= {*hand}


def test_the_estimate() -> None:
    """It agrees better and better with the points of the deal; points add up to none."""
    found = []
    for limit in (2, 20, 40):
        pairs = []
        for number in range(150):
            state, choose = (
                GAME.deal(3, resolve_options(GAME, 3), Random(f"deal/{number}")),
                choose_from(Random("c")),
            )
            state.play(BID)
            play_on(state, choose, limit)
            estimate = state.evaluate()
            assert sum(estimate) == pytest.approx(0)
            play_on(state, choose)
            pairs.append((estimate[0] > 0, state.totals[0] > 0))
        found.append(correlation(*zip(*pairs, strict=True)))
    assert found[-1] > max(*found[:-1], 0.4)


def test_the_picture() -> None:
    """Stake, bottom, the last plays and who is what stand there, within 60 columns."""
    for preset in ("rob", "match"):
        state = GAME.deal(3, resolve_options(GAME, 3, preset), Random("picture"))
        assert_narrow_pictures(state, choose=lambda state: state.legal()[-1])
    state = set_up(Position(calls=[Bid(1), None, None], bottom=["3", "4", "RJ"], plays=[Laid(0, ("K", "K")), Laid(1)]))
    lines = list(state.render(0, ["Ann", "Bob", "Cyd"]))

    assert lines[0] == "  deal 1, stake 1, to beat pair"
    assert lines[1] == "  bottom   3 4 RJ"
    assert lines[2:4] == ["  0        K K", "  1        pass"]
    assert [line[4:7] for line in lines if "landlord" in line] == ["Ann"]


@pytest.mark.parametrize("seats", [3, 4])
def test_the_longest_game_is_within_the_bounds(seats: int) -> None:
    """Cards laid one by one, each after passes of all others, with all redeals."""
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
    """25 cards each and eight for the landlord, who pays or is paid by three; a farmer's seat is checked."""
    state = GAME.deal(4, resolve_options(GAME, 4), Random("four"))
    state.play(BID)

    assert state.view(1).counts == [33, 25, 25, 25]
    assert len(state.bottom_faces) == 8
    assert sum(state.evaluate()) == pytest.approx(0)
    assert_narrow_pictures(state, choose=lambda state: state.legal()[-1])
    play_on(state, choose_from(Random("c")))
    paid = state.totals[1]
    assert state.totals == [-3 * paid, paid, paid, paid]
    with pytest.raises(PositionError, match="by seat 3; 3 play"):
        set_up(Position(calls=[BID], plays=[Laid(3, ("3",))]))


@pytest.mark.once
@pytest.mark.long
def test_four_conform() -> None:
    """Four with two packs keep every promise."""
    assert_conforms(GAME, seats=[4], presets=["standard", "rob"], games=1, player=seek_what_is_rare)
