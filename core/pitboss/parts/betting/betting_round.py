"""The betting of a hand of poker (2 in the rule book): what is legal, what a bet or raise does, whose turn it is.

Sets of seats are masks: bit s stands for seat s. All numbers of chips are by seat. Numbers in docstrings (B4, P2, D5)
are those of plugins/poker/RULES.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final, Self, TypeVar

from pitboss.action_range import ActionRange
from pitboss.parts.betting.messages import Bet, BettingOptions, Call, Check, Fold, Raise
from pitboss.parts.betting.pots import NOBODY, PotResult
from pitboss.parts.betting.variant import BettingVariant
from pitboss.table.cards import Deck
from pitboss.table.randomness import Random
from pitboss.table.zone_fields import Zones, pile, pile_each, spread, spread_each
from pitboss.table.zones import Visibility, Zone
from pitboss.table_game import TableState

O = TypeVar("O", bound=BettingOptions)  # noqa: E741 - options
A = TypeVar("A")  # actions

FOLD: Final = Fold()
CHECK: Final = Check()
CALL: Final = Call()
BETS: Final = (Bet, Raise)
# the types of their ranges: to make one of these takes a fifth of the time of `ActionRange.make`
BET_RANGE: Final[Callable[..., ActionRange]] = type(ActionRange.make(Bet, to=(1, 2)))
RAISE_RANGE: Final[Callable[..., ActionRange]] = type(ActionRange.make(Raise, to=(1, 2)))


class BettingRounds(TableState[O, A]):
    """The data of a game, and what happens in a betting round."""

    has_outcome_so_far = True

    stock: Zone = pile(Visibility.NOBODY)
    board: Zone = spread()
    hands: Zones = spread_each(Visibility.OWNER)
    mucks: Zones = pile_each(Visibility.NOBODY)  # what each seat has folded or mucked

    variant: BettingVariant = field(init=False)
    hand_no: int = 0  # from 1
    button: int = NOBODY
    small_seat: int = NOBODY  # who posts the small blind; NOBODY: there is none
    big_seat: int = NOBODY
    small_blind: int = 0  # of this hand
    big_blind: int = 0
    ante: int = 0
    straddles: tuple[int, ...] = ()  # of this hand
    bet_sizes: tuple[int, ...] = ()  # of this hand, by round, with limit
    min_bet: int = 0  # without limit
    missing_blinds: int = 0  # by how much the blinds of this hand fall short of whole ones
    may_fold: bool = False  # also who can check
    most_bets: tuple[int, ...] = ()  # by round
    stacks: list[int] = field(default_factory=list)
    net: list[int] = field(default_factory=list)  # of the finished hands
    players: int = 0  # the seats that have not lost all their chips in an earlier hand
    out_hands: list[int] = field(default_factory=list)  # the hand in which a seat lost its last chips; 0: it has chips
    out_stacks: list[int] = field(default_factory=list)  # what it had before that hand

    paid: list[int] = field(default_factory=list)  # in this hand
    dead_ante: int = 0  # the part that the big blind has paid for all, which is no part of its bets
    bets: list[int] = field(default_factory=list)  # in this round
    street: int = 0
    live: int = 0  # the seats with a hand
    able: int = 0  # those of them with chips
    waiting: int = 0  # those of them that still have to act in this round
    acted: int = 0  # the seats that have acted in this round
    current_bet: int = 0  # what a call asks for
    last_raise: int = 0  # the size of the last full bet or raise
    full_bet: int = 0  # the bet from which the next fixed raise counts
    bet_count: int = 0  # full bets and raises of this round
    aggressor: int = NOBODY  # who bet or raised last in this round
    to_call: int = 0  # of the player on turn
    min_to: int = 0  # its lowest bet or raise
    max_to: int = 0  # its highest; 0: it can neither bet nor raise
    past_history: tuple[str, ...] = ()  # of the finished rounds of this hand
    history: str = ""  # of this round
    last_pots: list[PotResult] = field(default_factory=list)  # of the last hand that ended
    unknown: int = 0  # the seats whose cards of this hand nobody has told (S9)
    drawn: int = 0  # the seats whose cards of this hand were drawn, as nobody has told them (S9)
    undecided: int = 0  # those of them that came to a showdown which only they could win

    @classmethod
    def make_deck(cls, seats: int, options: O) -> Deck:
        """Return the deck of a kind of poker."""
        return options.find_variant(seats).deck

    @classmethod
    def create(cls, seats: int, options: O, rng: Random) -> Self:
        """Return a state before the first hand."""
        if options.first_button is None:
            raise ValueError("the options are not resolved")
        made = super().create(seats, options, rng)
        made.variant = options.find_variant(seats)
        made.may_fold = options.may_fold
        made.most_bets = options.list_most_bets()
        made.stacks = options.list_stacks(seats)
        made.net, made.out_hands, made.out_stacks = [0] * seats, [0] * seats, [0] * seats
        made.paid, made.bets = [0] * seats, [0] * seats
        made.players = (1 << seats) - 1
        return made

    # ---- betting (2.2)

    def play(self, action: A) -> None:
        """2: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None or not self.play_action(turn.seat, action):
            self.refuse(action)
        if self.turn is None:
            self.play_on()

    @abstractmethod
    def play_on(self) -> None:
        """Do all that follows the end of a betting round, up to the next decision: rounds, showdown, hands to come."""

    def neutral(self) -> A:
        """D2: check, if that is possible; else fold."""
        self.require_turn()
        neutral: Any = FOLD if self.to_call else CHECK  # the actions of a game have these among them
        return neutral  # type: ignore[no-any-return]

    def legal(self) -> Sequence[A | ActionRange]:
        """2.2: fold, check or call, bet or raise; who can check cannot fold unless the options say so (D1)."""
        if self.turn is None:
            return []
        legal: list[Any] = [FOLD, CALL] if self.to_call else [FOLD, CHECK] if self.may_fold else [CHECK]
        if lowest := self.min_to:
            highest, is_bet = self.max_to, self.current_bet == 0
            if lowest < highest:
                legal.append((BET_RANGE if is_bet else RAISE_RANGE)(to=(lowest, highest)))
            else:
                legal.append(Bet(lowest) if is_bet else Raise(lowest))
        return legal

    def play_action(self, seat: int, action: A) -> bool:
        """Do an action of the player on turn, if it is legal, and the betting that follows; return whether it is.

        When the betting of the hand is over, the turn is None.
        """
        kind, owed = type(action), self.to_call
        if kind is Call:
            if not owed:
                return False
            self.pay_chips(seat, owed)
            self.history += f"{seat}c "
        elif kind is Check:
            if owed:
                return False
            self.history += f"{seat}k "
        elif kind is Fold:
            if not (owed or self.may_fold):
                return False
            self.fold_hand(seat)
        elif isinstance(action, BETS):
            to, is_bet = action.to, kind is Bet
            if not (self.min_to <= to <= self.max_to and self.min_to and is_bet == (self.current_bet == 0)):
                return False
            self.raise_bet(seat, to)
            self.history += f"{seat}b{to} " if is_bet else f"{seat}r{to} "
        else:
            return False
        if self.table.log is not None:
            self.tell_action(seat, action, owed)
        bit = 1 << seat
        self.acted |= bit
        self.waiting &= ~bit
        self.give_turn(seat)
        return True

    def tell_action(self, seat: int, action: A, owed: int) -> None:
        """Log an action that was done, and whether its player is all in now."""
        tell = self.table.tell
        if isinstance(action, BETS):
            tell("bet" if type(action) is Bet else "raise", seat=seat, to=action.to)
        elif type(action) is Call:
            tell("call", seat=seat, chips=owed)
        elif type(action) is Check:
            tell("check", seat=seat)
        if not self.stacks[seat]:
            tell("all_in", seat=seat)

    def pay_chips(self, seat: int, chips: int) -> None:
        """Move chips of a seat into its bet; a seat without chips left is all in."""
        left = self.stacks[seat] - chips
        self.stacks[seat] = left
        self.bets[seat] += chips
        self.paid[seat] += chips
        if not left:
            self.able &= ~(1 << seat)
            self.waiting &= ~(1 << seat)

    def fold_hand(self, seat: int) -> None:
        """2.3: the cards are laid away unseen."""
        table, gone = self.table, ~(1 << seat)
        self.live &= gone
        self.able &= gone
        self.history += f"{seat}f "
        table.lay(table.zones[self.hands[seat]][:], self.hands[seat], self.mucks[seat], "fold")

    def raise_bet(self, seat: int, to: int) -> None:
        """B4, B6: everybody else with chips has to act again; a full bet or raise sets the size of the next."""
        self.pay_chips(seat, to - self.bets[seat])
        if self.bet_sizes:
            if 2 * (to - self.full_bet) >= self.bet_sizes[self.street]:  # B8: half a bet counts as a whole one
                self.full_bet = to
                self.bet_count += 1
        elif to - self.current_bet >= self.last_raise:
            self.last_raise = to - self.current_bet
            self.bet_count += 1
        self.current_bet = to
        self.aggressor = seat
        self.waiting = self.able & ~(1 << seat)

    def give_turn(self, seat: int) -> None:
        """Give the turn to the next player left of `seat` that has to act; None if the round is over."""
        waiting, able, live = self.waiting, self.able, self.live
        if not waiting or not live & live - 1 or (not able & able - 1 and self.has_matched_all()):
            self.turn = None
            return
        ahead = waiting >> seat + 1 << seat + 1 or waiting
        following = (ahead & -ahead).bit_length() - 1
        self.turn = self.variant.turns[self.street][following]
        self.set_limits(following)

    def has_matched_all(self) -> bool:
        """B10: whether the only player with chips has bet as much as every other hand, so that no decision is left.

        After a short blind that may be less than a call.
        """
        last, bets, live = self.able.bit_length() - 1, self.bets, self.live
        return bets[last] >= max(bet for seat, bet in enumerate(bets) if live >> seat & 1)

    def set_limits(self, seat: int) -> None:
        """B3 to B9: set what a player on turn has to call, and its lowest and highest bet or raise."""
        bet, stack, current = self.bets[seat], self.stacks[seat], self.current_bet
        owed, all_chips = current - bet, bet + stack
        self.to_call = owed if owed < stack else stack
        bit = 1 << seat
        if all_chips <= current or self.bet_count >= self.most_bets[self.street] or not self.can_match_more(seat):
            self.min_to = self.max_to = 0
        elif self.bet_sizes:
            size = self.bet_sizes[self.street]
            can_raise = not self.acted & bit or 2 * owed >= size
            self.min_to = self.max_to = min(self.full_bet + size, all_chips) if can_raise else 0
        elif self.acted & bit and owed < self.last_raise:
            self.min_to = self.max_to = 0
        else:
            least = current + self.last_raise
            if self.variant.spreads is not None and (spread := self.variant.spreads[self.street]) is not None:
                least, most = max(least, current + spread[0]), current + spread[1]
            else:
                most = all_chips if self.options.betting == "no-limit" else current + self.count_pot() + owed
            self.min_to = least if least < all_chips else all_chips
            self.max_to = all_chips if most >= all_chips else max(most, self.min_to)

    def can_match_more(self, seat: int) -> bool:
        """B10: whether another seat in the hand has chips beyond the highest bet, so that a raise could be matched."""
        bets, stacks, current = self.bets, self.stacks, self.current_bet
        others = self.able & ~(1 << seat)
        while others:
            other = others.bit_length() - 1
            if bets[other] + stacks[other] > current:
                return True
            others ^= 1 << other
        return False

    def count_pot(self) -> int:
        """B5: return the pot for the limit of bets; before the flop as if whole blinds had been posted."""
        return sum(self.paid) + (0 if self.street else self.missing_blinds)

    def begin_round(self, blind: int, after: int, straddled: int = 0) -> None:
        """Begin a betting round, in which `blind` has to be called, with the first player left of `after`.

        `straddled` is by how much the largest straddle raised.
        """
        self.current_bet = self.full_bet = blind
        self.last_raise = max(self.min_bet, straddled)
        self.bet_count = 1 if blind else 0
        self.aggressor = NOBODY
        self.acted = 0
        self.waiting = self.able
        self.give_turn(after)
