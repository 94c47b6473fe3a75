"""The kit for games of betting: what no game of a plugin declares (spread limits, words, cards that are shown)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations
from types import new_class
from typing import Annotated, Any, ClassVar, Final, TypeAlias, cast

import pytest
from msgspec import Meta

from pitboss import OptionError, Random
from pitboss.game import resolve_options
from pitboss.options import Action
from pitboss.parts.betting.acts import DeclareAct, DiscardAct, ShowAct
from pitboss.parts.betting.betting_state import AnyBettingState, BettingState
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
from pitboss.parts.betting.variant import BettingStreet, BettingVariant, HandAct
from pitboss.testing.checks.option_effects import every_option_changes_something
from pitboss.testing.framework.check import CheckNote
from pitboss.testing.framework.option_trial import OptionPair, OptionTrials
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


class Toll(Action, frozen=True):
    """Pay chips."""

    chips: Annotated[int, Meta(ge=0)]


class TollAct(HandAct):
    """Each pays nothing or 300 chips; then the history has a number."""

    name, letter = "toll", "t"

    def __init__(self, number: int | None = None, **named: str) -> None:
        self.number = number
        vars(self).update(named)

    def list_actions(self, state: AnyBettingState, seat: int) -> list[Toll]:
        """Return to pay nothing, and to pay 300 chips."""
        return [Toll(0), Toll(300)]

    def apply(self, state: AnyBettingState, seat: int, action: Toll) -> int | None:
        """Pay."""
        state.pay_dead(seat, action.chips)
        return self.number


def declare(*before: object, **fields: Any) -> BettingVariant:  # noqa: ANN401 - right ones and wrong ones
    """Return a variant of two streets, with acts before the bets of the second, and with fields of that street."""
    return BettingVariant([BettingStreet("preflop", hole=2), BettingStreet("flop", **{"before": before, **fields})])


class TollOptions(BettingOptions, frozen=True):
    """What people may choose."""

    variants: ClassVar = {"toll": declare(TollAct())}


def make_game(actions: Any = BettingAction | Toll, options: Any = TollOptions, **named: object) -> Any:  # noqa: ANN401
    """Return a game with a union of actions, and with options that have these attributes."""
    changed: Any = new_class("TollOptions", (options,), {"frozen": True}, lambda names: names.update(named))
    base: Any = BettingState
    state = new_class("TollState", (base[changed, actions],))
    game: Any = BettingGame
    return new_class("TollGame", (game[changed, state],), None, lambda names: names.update(state=state, name="toll"))()


WRONG_DECLARATIONS: Final[list[tuple[Callable[[], object], str]]] = [
    *(
        (
            partial(lambda letter: declare(TollAct(letter=letter)), letter),
            rf"street 'flop': the letter of the act 'toll' \(TollAct\) is {letter!r}; it is one of a to z but f, k, ",
        )
        for letter in ("", "tt", "T", "7", "ä", "f", "i")
    ),
    (
        lambda: declare(TollAct(), ShowAct(letter="t")),
        r"the act 'toll' \(TollAct\) of street 'flop' and the act 'show' \(ShowAct\) of street 'flop' have the letter "
        "'t'; acts that differ have different ones",
    ),
    (
        lambda: declare(TollAct(), after=(ShowAct(name="toll"),)),
        r"the act 'toll' \(TollAct\) of street 'flop' and the act 'toll' \(ShowAct\) of street 'flop' have the name ",
    ),
    (lambda: declare(TollAct(name="preflop")), r"the act 'preflop' \(TollAct\) has the name of a street"),
    (lambda: declare(TollAct(name="")), "street 'flop': the name of TollAct is ''; it is a word"),
    (
        lambda: make_game(variants={"toll": declare(TollAct(name="bet"))}),
        r"the act 'bet' \(TollAct\) has the name of an event of betting; these are check, fold, call, bet, ",
    ),
    (
        lambda: make_game(variants={"toll": BettingVariant([BettingStreet("pot", hole=2)])}),
        "the street 'pot' has the name of an event of betting; ",
    ),
    (
        lambda: BettingVariant([BettingStreet("flop", hole=2), BettingStreet("flop")]),
        "two streets are named 'flop'; each has a name of its own",
    ),
    (
        lambda: declare(before=TollAct()),
        r"street 'flop': before is one TollAct; it is a tuple, also of one: \(TollAct\(…\),\)",
    ),
    (
        lambda: declare(TollAct),
        r"street 'flop': before has the class TollAct; it has objects of it: \(TollAct\(…\),\)",
    ),
    (
        lambda: declare(during=TollAct),
        "street 'flop': during is the class TollAct; it is a tuple of objects of the class HandAct",
    ),
    (lambda: declare(after=("toll",)), "street 'flop': after has 'toll'; it has objects of the class HandAct"),
    (
        lambda: BettingVariant([BettingStreet("flop", hole=2)], rankings=cast("Any", HIGH)),
        r"rankings is one Ranking; it is a tuple, also of one: \(Ranking\(…\),\)",
    ),
    (
        lambda: BettingVariant([BettingStreet("flop", hole=2)], rankings=()),
        "rankings has 0 entries; it has one, or two between which pots are split",
    ),
    (lambda: BettingVariant(cast("Any", BettingStreet("flop", hole=2))), "streets is one BettingStreet; it is a tuple"),
    (
        lambda: make_game(options=BettingOptions),
        'TollOptions has no `variants`; it names what is played: variants: ClassVar = {"usual": VARIANT}',
    ),
    (
        lambda: make_game(variants=declare(TollAct())),
        '`variants` of TollOptions is one BettingVariant; it is a mapping of names: {"usual": VARIANT}',
    ),
    (
        lambda: make_game(variants=[declare(TollAct())]),
        r"`variants` of TollOptions is \[<.*\]; it is a mapping of names",
    ),
    (
        lambda: make_game(actions=BettingAction),
        r"Toll is not in the union of actions of TollState, and the act 'toll' \(TollAct\) has it; add it: "
        r"BettingAction \| Toll",
    ),
]


@pytest.mark.parametrize(("make", "sentence"), WRONG_DECLARATIONS)
def test_a_wrong_declaration_ends_with_a_sentence(make: Callable[[], object], sentence: str) -> None:
    """What is declared wrongly is refused when the variant or the game is made, with its place and what is allowed."""
    with pytest.raises((TypeError, ValueError), match=sentence):
        make()


def test_one_act_on_several_streets() -> None:
    """An act may be declared several times: one object, equal ones, or objects of one class that hold the same."""
    acts = [(DiscardAct(), TollAct(1)), (DiscardAct(), TollAct(1))]
    streets = [BettingStreet(f"street {number}", before=row) for number, row in enumerate(acts)]
    assert [*BettingVariant(streets).acts] == ["discard", "toll"]

    with pytest.raises(ValueError, match="have the letter 't'"):
        BettingVariant([*streets, BettingStreet("last", before=(TollAct(2),))])


@pytest.mark.parametrize("number", [-1, 0.5, True, "7"])
def test_a_word_of_the_history_has_a_whole_number(number: Any) -> None:  # noqa: ANN401
    """A number that the history cannot hold is refused with its seat, its letter and what is allowed."""
    game = make_game(variants={"toll": declare(TollAct(number))})
    state = game.deal(2, resolve_options(game, 2), Random("word"))
    for action in (Call(), Check()):
        state.play(action)

    words = f"seat 0 has the number {number!r} beside 't' in the history; .* a whole number from 0 on, or None"
    with pytest.raises(ValueError, match=words):
        state.play(Toll(0))


def test_a_letter_of_a_bet_is_no_word_of_its_own() -> None:
    """A game cannot write the letter of a bet into the history by itself."""
    with pytest.raises(ValueError, match="seat 0 has the letter 'r' in the history; it is one of a to z but f, "):
        deal_spread(["SA SK", "H2 H3"]).note(0, "r", 300)


@pytest.mark.parametrize(("bound", "betting"), [(0, "limit"), (300, "limit"), (0, "no-limit")])
def test_what_is_paid_beside_bets_has_a_bound(bound: int, betting: str) -> None:
    """With limit a hand in which a seat pays more beside its bets than the options say ends with a sentence."""
    game = make_game(bound_other_payments=lambda options, seats: bound)
    state = game.deal(2, resolve_options(game, 2, None, {"betting": betting, "hands": 1}), Random("bound"))
    for action in (Call(), Check(), Toll(300), Toll(0), Check()):
        state.play(action)
    if bound or betting != "limit":
        state.play(Check())
        assert state.turn is None
        return

    written = state.position()
    game.setup(2, state.options, written, Random("bound")).play(Check())  # a position may have paid anything

    words = r"seat 0 has paid 300 chips beside its bets in hand 1; TollOptions.bound_other_payments\(2\) is 0"
    with pytest.raises(AssertionError, match=words):
        state.play(Check())


def test_options_of_the_kit_are_not_the_authors() -> None:
    """An option that a game has from the kit is no note of `every-option-changes-something`; one of its own is."""
    game = make_game()
    trials = OptionTrials(game, [2])
    trials.tried = 2
    trials.same = {OptionPair("ante_from", None, "big-blind"): 8}
    every_option_changes_something.function(trials)

    trials.same |= {OptionPair("price", None, 5): 8}
    with pytest.raises(CheckNote, match=r"^price = 5: 8 games") as note:
        every_option_changes_something.function(trials)
    assert "ante_from" not in str(note.value)
