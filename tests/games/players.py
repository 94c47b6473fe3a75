"""Players of the installed games that come to where random play does not; tables of games name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss import AnyState, Random
from pitboss.action_range import draw_action
from pitboss.parts.tricks import PlayCard
from pitboss_bridge.messages import BridgeAction
from pitboss_bridge.state import BridgeState
from pitboss_dou_dizhu import messages as dou_dizhu
from pitboss_dou_dizhu.state import DouDizhuState
from pitboss_euchre.messages import EuchreAction, GoUnder
from pitboss_euchre.state import EuchreState
from pitboss_fireworks import messages as fireworks
from pitboss_fireworks.state import FireworksState
from pitboss_gin_rummy.messages import GinRummyAction, Knock
from pitboss_gin_rummy.state import GinRummyState
from pitboss_lucky_maker.cards import CARD_BY_FACE, COMPLEMENT
from pitboss_lucky_maker.messages import Play as PlayMaster
from pitboss_lucky_maker.state import LuckyMakerState
from pitboss_poker import messages as poker
from pitboss_poker.state import PokerState
from pitboss_racko import messages as racko
from pitboss_racko.rack import SLOTS
from pitboss_racko.state import RackoState
from pitboss_ragamaru import messages as ragamaru
from pitboss_ragamaru.state import RagamaruState
from pitboss_rummy import messages as rummy
from pitboss_rummy.state import RummyState
from pitboss_spades.messages import Bid, SpadesAction
from pitboss_spades.state import SpadesState


def choose_first(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Play the first of the legal actions."""
    return state.legal()[0]


def choose_last(state: AnyState, rng: Random) -> Any:  # noqa: ANN401 - an action of any game
    """Play the last of the legal actions."""
    return state.legal()[-1]


def call_low(state: BridgeState, rng: Random) -> BridgeAction:
    """Call low, so that auctions last, or play any card."""
    legal = list(state.legal())
    return rng.choice(legal if isinstance(legal[0], PlayCard) else legal[:4])


def keep_spades(state: SpadesState, rng: Random) -> SpadesAction:
    """Bid nil or little, and play spades last: they are broken late, and hands of spades alone remain."""
    legal = list(state.legal())
    small = [action for action in legal if not isinstance(action, Bid) or action.tricks <= 3]
    plain = [action for action in small if not (isinstance(action, PlayCard) and action.card[0] == "S")]
    return rng.choice(plain or small)


def show_farmer_hands(state: EuchreState, rng: Random) -> EuchreAction:
    """Show a farmer's hand whenever there is one; else play at random."""
    legal = list(state.legal())
    rare = [action for action in legal if isinstance(action, GoUnder)]
    return rng.choice(rare or legal)


def lay_many(state: DouDizhuState, rng: Random) -> dou_dizhu.DouDizhuAction:
    """Rob, and lay many cards at once; else play at random."""
    legal = list(state.legal())
    rare = [
        action
        for action in legal
        if isinstance(action, dou_dizhu.Call | dou_dizhu.Rob)
        or (isinstance(action, dou_dizhu.Play) and len(action.cards) > 5)
    ]
    return rng.choice(rare or legal)


def knock_seldom(state: GinRummyState, rng: Random) -> GinRummyAction:
    """Knock rarely, so that the stock is used up; take the last discard."""
    legal = list(state.legal())
    if state.turn is not None and state.turn.phase == "wall":
        return legal[-1]
    quiet = [action for action in legal if not isinstance(action, Knock) or rng.randbelow(8) == 0]
    return rng.choice(quiet or legal)


def play_fireworks_well(state: FireworksState, rng: Random) -> fireworks.FireworksAction:
    """Play a card that fits, mostly; else do what costs no life: so games get far."""
    assert state.turn is not None
    cards, held = state.cards, state.table.zones[state.hands[state.turn.seat]]
    for slot, card in enumerate(held, 1):
        if state.heights[cards.rows[card]] + 1 == cards.numbers[card] and rng.randbelow(6):
            return fireworks.Play(slot)
    legal = list(state.legal())
    return rng.choice([action for action in legal if not isinstance(action, fireworks.Play)] or legal)


def hoard(state: LuckyMakerState, rng: Random) -> PlayMaster:
    """Keep the cards of one category if possible.

    Sooner or later the player cannot follow, and everybody knows what is left.
    """
    view = state.view(state.turn.seat if state.turn else 0)
    kept = CARD_BY_FACE[view.hand[-1]] // 10
    apart = [play for play in state.legal() if CARD_BY_FACE[play.card] // 10 not in (kept, COMPLEMENT[kept])]
    others = [play for play in state.legal() if CARD_BY_FACE[play.card] // 10 != kept]
    return rng.choice(apart or others or state.legal())


def sort_rack(state: RackoState, rng: Random) -> racko.Action:
    """Put each card where it belongs by its size, mostly: a complete rack comes about soon."""
    legal = state.legal()
    if state.turn is None or state.turn.phase == "declare" or rng.randbelow(10) == 0:
        return rng.choice(legal)
    view = state.view(state.turn.seat)
    card = view.discard[-1] if view.drawn is None else view.drawn
    tenth = (state.options.deck_size or 0) / len(SLOTS)
    place = min(int((card - 1) / tenth), len(SLOTS) - 1)
    if int((view.rack[place] - 1) / tenth) == place:
        return state.neutral()
    return racko.Take(SLOTS[place]) if view.drawn is None else racko.Swap(SLOTS[place])


def play_eagerly(state: RagamaruState, rng: Random) -> ragamaru.Action:
    """Play whenever there is a play, as many cards as possible, mostly: games are short, and end with somebody out."""
    legal = state.legal()
    plays = [action for action in legal if isinstance(action, ragamaru.Play)]
    return plays[-1] if plays and rng.randbelow(8) else rng.choice(legal)


def pass_often(state: RagamaruState, rng: Random) -> ragamaru.Action:
    """Pass as often as that is allowed: with `decline` = `free` everybody then knows something of the hands."""
    legal = state.legal()
    passing = [action for action in legal if isinstance(action, ragamaru.Pass)]
    others = [action for action in legal if not isinstance(action, ragamaru.Draw)]
    return passing[0] if passing and rng.randbelow(3) else rng.choice(others or legal)


def lay_down(state: RummyState, rng: Random) -> rummy.Action:
    """Lay down what there is to lay down, mostly: deals end soon."""
    legal = state.legal()
    laying = [action for action in legal if isinstance(action, rummy.Meld | rummy.Layoff)]
    return rng.choice(laying if laying and rng.randbelow(8) else legal)


def stay_in(state: PokerState, rng: Random) -> poker.Action:
    """Fold hardly ever, and bet little: most hands come to a showdown."""
    legal: Sequence[object] = [
        entry for entry in state.legal() if not isinstance(entry, poker.Fold) or rng.randbelow(8) == 0
    ]
    entry = legal[rng.randbelow(len(legal)) * (rng.randbelow(3) == 0)]
    return draw_action(entry, lambda count: rng.randbelow(min(count, 300)))  # type: ignore[no-any-return]
