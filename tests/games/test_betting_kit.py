"""The kit for games of betting: what no game of a plugin declares (spread limits, words, cards that are shown)."""

from __future__ import annotations

from itertools import combinations
from typing import Any, ClassVar, TypeAlias

import pytest

from pitboss import OptionError, Random
from pitboss.game import resolve_options
from pitboss.parts.betting.acts import DeclareAct, DiscardAct, ShowAct
from pitboss.parts.betting.betting_state import BettingState
from pitboss.parts.betting.game import BettingGame
from pitboss.parts.betting.high_hands import card_key, rank_hand
from pitboss.parts.betting.messages import (
    Bet,
    BettingAction,
    BettingOptions,
    BettingPosition,
    BringIn,
    Call,
    Check,
    Declare,
    Discard,
    Raise,
    ShowCards,
)
from pitboss.parts.betting.rankings import EIGHT_LOW, HIGH, LOW, describe_low
from pitboss.parts.betting.variant import BettingStreet, BettingVariant
from pitboss_poker.game import SevenCardStud
from tests.games.naive_poker import compare_low

SPREAD = BettingVariant(
    [
        BettingStreet("first", hole=2, spread=(100, 400), after=(DeclareAct(words=("high", "low")),)),
        BettingStreet("second", hole=1, up=1, spread=(200, 800), before=(ShowAct(),)),
        BettingStreet("third", board=3, is_betting=False, after=(DiscardAct(draws=True),)),
    ]
)
SpreadAction: TypeAlias = BettingAction | Declare | ShowCards | Discard


class SpreadOptions(BettingOptions, frozen=True):
    """What people may choose."""

    variants: ClassVar = {"spread": SPREAD}


class SpreadState(BettingState[SpreadOptions, SpreadAction]):
    """A game at one moment."""


class SpreadPoker(BettingGame[SpreadOptions, SpreadState]):
    """Poker with bets in a spread, words, shown cards and a street without bets."""

    state, name, title = SpreadState, "spread-poker", "Spread Poker"


GAME = SpreadPoker()


def deal_spread(hands: list[str], stock: str = "", **options: object) -> Any:  # noqa: ANN401 - a state
    """Return a hand with these cards."""
    rows: list[list[str | None]] = [[*hand.split()] for hand in hands]
    position = BettingPosition(hands=rows, stock=[*stock.split()] or None)
    resolved = resolve_options(GAME, len(hands), None, {"hands": 1, **options})
    return GAME.setup(len(hands), resolved, position, Random("spread"))


def test_bets_in_a_spread() -> None:
    """Bets and raises are between the two numbers of the street, and a raise adds at least the last one."""
    state = deal_spread(["SA SK", "H2 H3"])
    assert list(state.legal())[-1].to == (200, 500)

    state.play(Raise(500))
    assert list(state.legal())[-1] == Raise(900)


def test_the_phases_and_the_players_follow_from_the_declaration() -> None:
    """Phases are the streets and the acts; as many can play as the deck has cards for."""
    assert GAME.phases == ("first", "second", "third", "declare", "show", "discard")
    assert max(GAME.seats) == 9
    with pytest.raises(OptionError, match="10 players may need 53 cards; the deck has 52"):
        SpreadOptions().resolve(10)


def test_words_and_shown_cards() -> None:
    """Everybody hears a word and sees a shown card; both are in the history, the picture and the view."""
    state = deal_spread(["SA SK", "H2 H3"], "C4 C5 D6 D7")
    for action in (Call(), Check(), Declare("low"), Declare("high")):
        state.play(action)
    assert state.view(2).history == ["1c 0k 0w1 1w0", ""]
    assert state.turn.phase == "show"

    state.play(ShowCards(("SK",)))
    state.play(ShowCards(()))
    assert state.view(1).known == [["SK"], []]
    assert state.view(1).up == [["D6"], ["D7"]]
    assert any("D6 | ?? SK ??" in line for line in state.render(1, ["ann", "bob"]))
    assert state.turn == (0, "second")


def test_a_street_without_bets() -> None:
    """Cards are dealt and acts decided on a street without a betting round; then hands are shown."""
    state = deal_spread(["SA SK", "H2 H3"], "C4 C5 D6 D7 S2 S3 S4 HA")
    for action in (Call(), Check(), Declare("low"), Declare("low"), ShowCards(()), ShowCards(()), Check(), Check()):
        state.play(action)
    assert state.turn == (0, "discard")

    state.play(Discard(("SK",)))
    assert state.view(0).cards == ["SA", "C4", "HA"]
    assert state.view(1).discarded == [1, 0]
    state.play(Discard(()))
    assert state.turn is None and sum(state.net) == 0


def test_who_is_all_in_decides_acts_and_bets_no_more() -> None:
    """Players without chips are asked for acts on every street; a hand is shown only when all is decided."""
    state = deal_spread(["SA SK", "H2 H3"], stack=300)
    for action in (Raise(300), Call()):
        state.play(action)
    asked = []
    while state.turn is not None:
        asked.append(state.turn.phase)
        state.play(state.neutral())

    assert asked == ["declare", "declare", "show", "show", "discard", "discard"]


def test_illegal_actions_change_nothing() -> None:
    """An action of another moment is refused, and the state stays the same."""
    state = deal_spread(["SA SK", "H2 H3"])
    before = state.position()
    for action in (Declare("low"), Discard(()), Bet(100), Check()):
        with pytest.raises(Exception, match="legal"):
            state.play(action)
    assert state.position() == before


def test_who_brings_in_may_not_check() -> None:
    """The bring-in and a bet are all that its player may do, also where a player with nothing to call may fold."""
    stud = SevenCardStud()
    state = stud.deal(2, resolve_options(stud, 2, None, {"may_fold": True}), Random("bring-in"))

    assert state.legal() == [BringIn(), Bet(50)]
    for action in (BringIn(), Bet(50)):
        stud.deal(2, state.options, Random("bring-in")).play(action)


def test_eight_cards_are_ranked_by_the_best_five() -> None:
    """Of more than seven cards the best five count: eight cards may hold a flush beside four of a kind."""
    keys = [card_key(face) for face in ["SA", "HA", "CA", "DA", "S2", "S3", "S4", "S9"]]

    assert HIGH.rank(keys, ()) == max(rank_hand(five) for five in combinations(keys, 5))


def test_low_hands_in_order() -> None:
    """Low hands are ordered as their cards are compared from the highest on; a hand with a pair comes after all."""
    rng, faces = (
        Random("low"),
        [f"{suit}{rank}" for suit in "SHDC" for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9"]],
    )
    hands = []
    for _ in range(400):
        rng.shuffle(order := [*range(len(faces))])
        hands.append([faces[card] for card in order[:5]])
    keys = [[card_key(face) for face in hand] for hand in hands]
    for hand, key in zip(hands, keys, strict=True):
        assert bool(EIGHT_LOW.rank(key, ())) == (compare_low(hand) is not None)
    ranked = sorted(
        (LOW.rank(key, ()), compare_low(hand)) for hand, key in zip(hands, keys, strict=True) if compare_low(hand)
    )

    assert [low for _, low in ranked] == sorted(low for _, low in ranked if low)
    pair, best_pair, distinct = (
        LOW.rank([card_key(face) for face in hand.split()], ())
        for hand in ("S2 H2 C3 D4 S5", "SA HA C2 D3 S4", "SK HQ CJ D10 S9")
    )
    assert pair < best_pair < distinct
    assert describe_low(pair) == "low with a pair" and describe_low(distinct) == "low K Q J 10 9"
