"""Betting: what the player on turn may do, the effect of its action, and who is next: section 2 of the rule book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pitboss import ActionRange
from pitboss_poker.messages import Action, Bet, Call, Check, Fold, Raise
from pitboss_poker.state import NOBODY, PokerStateBase

FOLD: Final = Fold()
CHECK: Final = Check()
CALL: Final = Call()
BETS: Final = (Bet, Raise)
# the types of their ranges: to make one of these takes a fifth of the time of `ActionRange.make`
BET_RANGE: Final[Callable[..., ActionRange]] = type(ActionRange.make(Bet, to=(1, 2)))
RAISE_RANGE: Final[Callable[..., ActionRange]] = type(ActionRange.make(Raise, to=(1, 2)))


def list_legal(state: PokerStateBase) -> Sequence[Action | ActionRange]:
    """2.2: fold, check or call, bet or raise; who can check cannot fold unless the options say so (D1)."""
    if state.turn is None:
        return []
    legal: list[Action | ActionRange] = [FOLD, CALL] if state.to_call else [FOLD, CHECK] if state.may_fold else [CHECK]
    if lowest := state.min_to:
        highest, is_bet = state.max_to, state.current_bet == 0
        if lowest < highest:
            legal.append((BET_RANGE if is_bet else RAISE_RANGE)(to=(lowest, highest)))
        else:
            legal.append(Bet(lowest) if is_bet else Raise(lowest))
    return legal


def play_action(state: PokerStateBase, seat: int, action: Action) -> bool:
    """Do an action of the player on turn, if it is legal, and all of the betting that follows; return whether it is.

    When the betting of the hand is over, the turn is None.
    """
    kind, owed = type(action), state.to_call
    if kind is Call:
        if not owed:
            return False
        pay_chips(state, seat, owed)
        state.history += f"{seat}c "
    elif kind is Check:
        if owed:
            return False
        state.history += f"{seat}k "
    elif kind is Fold:
        if not (owed or state.may_fold):
            return False
        fold_hand(state, seat)
    elif isinstance(action, BETS):
        to, is_bet = action.to, kind is Bet
        if not (state.min_to <= to <= state.max_to and state.min_to and is_bet == (state.current_bet == 0)):
            return False
        raise_bet(state, seat, to)
        state.history += f"{seat}b{to} " if is_bet else f"{seat}r{to} "
    else:
        return False
    if state.table.log is not None:
        tell_action(state, seat, action, owed)
    bit = 1 << seat
    state.acted |= bit
    state.waiting &= ~bit
    give_turn(state, seat)
    return True


def tell_action(state: PokerStateBase, seat: int, action: Action, owed: int) -> None:
    """Log an action that was done, and whether its player is all in now."""
    tell = state.table.tell
    if isinstance(action, BETS):
        tell("bet" if type(action) is Bet else "raise", seat=seat, to=action.to)
    elif type(action) is Call:
        tell("call", seat=seat, chips=owed)
    elif type(action) is Check:
        tell("check", seat=seat)
    if not state.stacks[seat]:
        tell("all_in", seat=seat)


def pay_chips(state: PokerStateBase, seat: int, chips: int) -> None:
    """Move chips of a seat into its bet; who has none left is all in."""
    left = state.stacks[seat] - chips
    state.stacks[seat] = left
    state.bets[seat] += chips
    state.paid[seat] += chips
    if not left:
        state.able &= ~(1 << seat)
        state.waiting &= ~(1 << seat)


def fold_hand(state: PokerStateBase, seat: int) -> None:
    """2.3: the cards are laid away unseen."""
    table, gone = state.table, ~(1 << seat)
    state.live &= gone
    state.able &= gone
    state.history += f"{seat}f "
    table.lay(table.zones[state.hands[seat]][:], state.hands[seat], state.mucks[seat], "fold")


def raise_bet(state: PokerStateBase, seat: int, to: int) -> None:
    """B4, B6: everybody else with chips has to act again; a full bet or raise sets the size of the next."""
    pay_chips(state, seat, to - state.bets[seat])
    if state.bet_sizes:
        if 2 * (to - state.full_bet) >= state.bet_sizes[state.street]:  # B8: half a bet counts as a whole one
            state.full_bet = to
            state.bet_count += 1
    elif to - state.current_bet >= state.last_raise:
        state.last_raise = to - state.current_bet
        state.bet_count += 1
    state.current_bet = to
    state.aggressor = seat
    state.waiting = state.able & ~(1 << seat)


def give_turn(state: PokerStateBase, seat: int) -> None:
    """Give the turn to the next player left of `seat` who has to act; None if the round is over."""
    waiting, able, live = state.waiting, state.able, state.live
    if not waiting or not live & live - 1 or (not able & able - 1 and has_matched_all(state)):
        state.turn = None
        return
    ahead = waiting >> seat + 1 << seat + 1 or waiting
    following = (ahead & -ahead).bit_length() - 1
    state.turn = state.variant.turns[state.street][following]
    set_limits(state, following)


def has_matched_all(state: PokerStateBase) -> bool:
    """B10: whether the only player with chips has bet as much as every other hand, so that nothing is left to decide.

    After a short blind that may be less than a call.
    """
    last, bets, live = state.able.bit_length() - 1, state.bets, state.live
    return bets[last] >= max(bet for seat, bet in enumerate(bets) if live >> seat & 1)


def set_limits(state: PokerStateBase, seat: int) -> None:
    """B3 to B9: set what a player on turn has to call, and its lowest and highest bet or raise."""
    bet, stack, current = state.bets[seat], state.stacks[seat], state.current_bet
    owed, all_chips = current - bet, bet + stack
    state.to_call = owed if owed < stack else stack
    bit = 1 << seat
    if all_chips <= current or state.bet_count >= state.most_bets[state.street] or not can_match_more(state, seat):
        state.min_to = state.max_to = 0
    elif state.bet_sizes:
        size = state.bet_sizes[state.street]
        can_raise = not state.acted & bit or 2 * owed >= size
        state.min_to = state.max_to = min(state.full_bet + size, all_chips) if can_raise else 0
    elif state.acted & bit and owed < state.last_raise:
        state.min_to = state.max_to = 0
    else:
        least = current + state.last_raise
        most = all_chips if state.options.betting == "no-limit" else current + count_pot(state) + owed
        state.min_to = least if least < all_chips else all_chips
        state.max_to = all_chips if most >= all_chips else max(most, state.min_to)


def can_match_more(state: PokerStateBase, seat: int) -> bool:
    """B10: whether another seat in the hand has chips beyond the highest bet, so that a raise could be matched."""
    bets, stacks, current = state.bets, state.stacks, state.current_bet
    others = state.able & ~(1 << seat)
    while others:
        other = others.bit_length() - 1
        if bets[other] + stacks[other] > current:
            return True
        others ^= 1 << other
    return False


def count_pot(state: PokerStateBase) -> int:
    """B5: return the pot for the limit of bets; before the flop as if whole blinds had been posted."""
    return sum(state.paid) + (0 if state.street else state.missing_blinds)


def begin_round(state: PokerStateBase, blind: int, after: int, straddled: int = 0) -> None:
    """Begin a betting round, in which `blind` has to be called, with the first player left of `after`.

    `straddled` is by how much the largest straddle raised.
    """
    state.current_bet = state.full_bet = blind
    state.last_raise = max(state.min_bet, straddled)
    state.bet_count = 1 if blind else 0
    state.aggressor = NOBODY
    state.acted = 0
    state.waiting = state.able
    give_turn(state, after)
