"""The rules of poker: its variants, betting, a hand from its deal to its end, the showdown, the pots.

Sets of seats are masks: bit s stands for seat s. All numbers of chips are by seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from copy import copy
from dataclasses import field
from functools import lru_cache
from itertools import pairwise, takewhile
from operator import add, sub
from typing import Final, Self

from msgspec import Struct

from pitboss import (
    ActionRange,
    Deck,
    Outcome,
    Random,
    TableState,
    Turn,
    Visibility,
    Zone,
    Zones,
    competition_places,
    solo_sides,
)
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.table.stacked_seed import DealRandom
from pitboss.table.zone_fields import pile, pile_each, spread, spread_each
from pitboss_poker.hand_strength import RANK_NAMES, card_key, describe_strength, rank_hand
from pitboss_poker.messages import (
    Action,
    Bet,
    Call,
    Check,
    Fold,
    PokerOptions,
    Raise,
    Street,
)
from pitboss_poker.named_cards import UNKNOWN, NamedCards, read_seed

HOLDEM_DECK: Final = Deck(STANDARD_PACK.faces)
SMALL_RANKS: Final = RANK_NAMES[:-1]  # D3: the n+1 ranks of a small deck end with the king
STREETS: Final[tuple[Street, ...]] = ("preflop", "flop", "turn", "river")
HOLE_CARDS: Final = {"holdem": 2, "leduc": 1, "kuhn": 1}
BOARD_CARDS: Final = {"holdem": (0, 3, 1, 1), "leduc": (0, 1), "kuhn": (0,)}  # by round: cards dealt before it
FOLD: Final = Fold()
CHECK: Final = Check()
CALL: Final = Call()
BETS: Final = (Bet, Raise)
# the types of their ranges: to make one of these takes a fifth of the time of `ActionRange.make`
BET_RANGE: Final[Callable[..., ActionRange]] = type(ActionRange.make(Bet, to=(1, 2)))
RAISE_RANGE: Final[Callable[..., ActionRange]] = type(ActionRange.make(Raise, to=(1, 2)))


class PokerVariant:
    """A kind of poker for a number of players: shared by all games with these."""

    def __init__(self, cards: str, seats: int) -> None:
        self.deck: Final = make_deck(cards, seats)
        self.card_keys: Final = [card_key(face) for face in self.deck.faces]
        self.hole_cards: Final = HOLE_CARDS[cards]
        self.board_cards: Final = BOARD_CARDS[cards]
        self.board_size: Final = sum(self.board_cards)
        self.last_street: Final = len(self.board_cards) - 1
        self.turns: Final = [[Turn(seat, street) for seat in range(seats)] for street in STREETS]  # by street and seat


@lru_cache
def make_deck(cards: str, seats: int) -> Deck:
    """Return the deck: 52 cards; or one or two suits of n+1 ranks, up to the king."""
    if cards == "holdem":
        return HOLDEM_DECK
    suits = "S" if cards == "kuhn" else "SH"
    return Deck(suit + rank for suit in suits for rank in SMALL_RANKS[-seats - 1 :])


@lru_cache
def find_variant(cards: str, seats: int) -> PokerVariant:
    """Return the kind of poker that an option names."""
    return PokerVariant(cards, seats)


MAX_SEATS: Final = 10
SEATS_IN: Final[list[tuple[int, ...]]] = [()]  # by mask: its seats, ascending
for _seat in range(MAX_SEATS):
    SEATS_IN.extend([(*seats, _seat) for seats in SEATS_IN])
NOBODY: Final = -1


class PotResult(Struct, frozen=True):
    """A pot that was won: its chips, the winners, and the strength they won with (0 without a showdown)."""

    chips: int
    winners: tuple[int, ...]
    strength: int


class PokerRules(TableState[PokerOptions, Action]):
    """The data of a game, and what happens in it."""

    has_outcome_so_far = True

    stock: Zone = pile(Visibility.NOBODY)
    board: Zone = spread()
    hands: Zones = spread_each(Visibility.OWNER)
    mucks: Zones = pile_each(Visibility.NOBODY)  # what each seat has folded or mucked

    variant: PokerVariant = find_variant("holdem", 2)  # replaced by `create`
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
    def make_deck(cls, seats: int, options: PokerOptions) -> Deck:
        """Return the deck of a kind of poker."""
        return make_deck(options.cards, seats)

    @classmethod
    def create(cls, seats: int, options: PokerOptions, rng: Random) -> Self:
        """Return a state before the first hand."""
        if options.first_button is None:
            raise ValueError("the options are not resolved")
        made = super().create(seats, options, rng)
        made.variant = find_variant(options.cards, seats)
        made.may_fold = options.may_fold
        made.most_bets = options.list_most_bets()
        made.stacks = options.list_stacks(seats)
        made.net, made.out_hands, made.out_stacks = [0] * seats, [0] * seats, [0] * seats
        made.paid, made.bets = [0] * seats, [0] * seats
        made.players = (1 << seats) - 1
        return made

    # ---- betting (2.2)

    def play(self, action: Action) -> None:
        """2: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None or not self.play_action(turn.seat, action):
            self.refuse(action)
        if self.turn is None:
            self.play_on()

    def neutral(self) -> Action:
        """D2: check, if that is possible; else fold."""
        self.require_turn()
        return FOLD if self.to_call else CHECK

    def legal(self) -> Sequence[Action | ActionRange]:
        """2.2: fold, check or call, bet or raise; who can check cannot fold unless the options say so (D1)."""
        if self.turn is None:
            return []
        legal: list[Action | ActionRange] = (
            [FOLD, CALL] if self.to_call else [FOLD, CHECK] if self.may_fold else [CHECK]
        )
        if lowest := self.min_to:
            highest, is_bet = self.max_to, self.current_bet == 0
            if lowest < highest:
                legal.append((BET_RANGE if is_bet else RAISE_RANGE)(to=(lowest, highest)))
            else:
                legal.append(Bet(lowest) if is_bet else Raise(lowest))
        return legal

    def play_action(self, seat: int, action: Action) -> bool:
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

    def tell_action(self, seat: int, action: Action, owed: int) -> None:
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

    # ---- a hand and the next one

    def start(self) -> None:
        """Begin the first hand."""
        self.hand_no = 1
        self.place_button(self.options.first_button or 0)
        self.deal_hand()
        self.play_on()

    def play_on(self) -> None:
        """Do all that follows the end of a betting round, up to the next decision: rounds, showdown, hands to come."""
        while self.turn is None:
            live, able = self.live, self.able
            if live & live - 1 and able & able - 1 and self.street < self.variant.last_street:
                self.deal_street()
                self.begin_round(0, self.find_seat_before(self.button))
                continue
            self.end_hand(self.end_betting())
            if self.is_over():
                return
            self.hand_no += 1
            self.move_button()
            self.deal_hand()

    def place_button(self, button: int) -> None:
        """S5: put the button somewhere, and the blinds to its left; of two players the button has the small blind."""
        players = self.players
        self.button, self.small_seat, self.big_seat = button, NOBODY, NOBODY
        if self.options.big_blind:
            is_small = players.bit_count() == 2 and players >> button & 1
            self.small_seat = button if is_small else first_seat_after(players, button)
            self.big_seat = first_seat_after(players, self.small_seat)

    def move_button(self) -> None:
        """S7: the big blind moves to the next player; small blind and button move one place on, to empty seats too.

        Without blinds the button moves to the next player. Of two players the one without the big blind has the button.
        """
        players = self.players
        if self.big_seat == NOBODY:
            self.button = first_seat_after(players, self.button)
            return
        self.button, self.small_seat = self.small_seat, self.big_seat
        self.big_seat = first_seat_after(players, self.big_seat)
        if players.bit_count() == 2:
            self.button = self.small_seat = first_seat_after(players, self.big_seat)

    def deal_hand(self) -> None:
        """S2 to S5: shuffle, deal, and collect antes and blinds."""
        variant = self.variant
        most_drawn = variant.hole_cards * len(self.stacks) + sum(variant.board_cards)
        named = self.read_named_cards() if self.hand_no == 1 else None
        if named is not None:
            self.rng = DealRandom(self.rng.seed, [self.order_stock(named)])
        self.collect_and_shuffle(self.stock, f"hand-{self.hand_no}", most_drawn=most_drawn)
        if self.options.stacks == "reset":
            self.stacks = self.options.list_stacks(len(self.stacks))
        if self.unknown:
            self.unknown = self.undecided = 0
            self.print_faces(frozenset())
        self.drawn = 0
        if named is not None:
            self.note_untold(named)
        self.begin_hand()
        self.deal_cards()
        self.open_betting()

    def read_named_cards(self) -> NamedCards | None:
        """S9: return the cards that the seed names; None if it names none, or others than players of this hand get."""
        named, variant = read_seed(self.rng.seed), self.variant
        if named is None or {len(row) for row in named.hands} != {variant.hole_cards}:
            return None
        faces = {face for row in (*named.hands, named.board) for face in row if face is not None}
        is_dealt = len(named.hands) == len(self.stacks) and faces.issubset(map(str, variant.deck.faces))
        return named if is_dealt else None

    def order_stock(self, named: NamedCards) -> list[int]:
        """S9: return the order in which the named cards are dealt; the others lie as they would be shuffled."""
        deck, players = self.variant.deck, seats_from(self.players, self.button)
        faces = [named.hands[seat][row] for row in range(self.variant.hole_cards) for seat in players]
        wanted = [None if face is None else deck.copies(face)[0] for face in (*faces, *named.board)]
        shuffled = [*range(len(deck))]
        self.rng.spawn("hand-1").shuffle(shuffled)
        left = [card for card in reversed(shuffled) if card not in wanted]  # the top one first
        dealt = [left.pop(0) if card is None else card for card in wanted]
        return [*dealt, *left][::-1]

    def note_untold(self, named: NamedCards) -> None:
        """S9: note whose cards nobody has told."""
        players = seats_from(self.players, self.button)
        self.drawn = sum(1 << seat for seat in named.untold)
        self.unknown = sum(1 << seat for seat in players if None in named.hands[seat])
        if self.unknown:
            faces = [named.hands[seat][row] for row in range(self.variant.hole_cards) for seat in players]
            dealt = self.table.zones[self.stock][::-1]
            self.print_faces({card for card, face in zip(dealt, faces, strict=False) if face is None})

    def print_faces(self, hidden: Set[int]) -> None:
        """S9: print "??" on cards that nobody has told, on the others their faces."""
        layout = copy(self.table.layout)
        layout.deck = Deck(UNKNOWN if card in hidden else face for card, face in enumerate(self.variant.deck.faces))
        self.table.layout = layout

    def deal_cards(self) -> None:
        """S3: deal one card at a time, to the first player left of the button first."""
        order = [self.hands[seat] for seat in seats_from(self.live, self.button)]
        self.table.deal(self.stock, order, self.variant.hole_cards)

    def begin_hand(self) -> None:
        """Clear what belongs to the hand before; set the blinds of this one."""
        seats = len(self.stacks)
        self.paid, self.bets = [0] * seats, [0] * seats
        self.live = self.able = self.players
        self.street = self.waiting = self.dead_ante = 0
        self.past_history, self.history = (), ""
        if self.options.level_hands is not None or not self.min_bet:
            self.set_level()
        if self.table.log is not None:
            self.table.tell(
                "hand",
                hand=self.hand_no,
                button=self.button,
                small_blind=self.small_blind,
                big_blind=self.big_blind,
                ante=self.ante,
                stacks=[*self.stacks],
            )

    def set_level(self) -> None:
        """S8: blinds, ante and fixed bets double after `level_hands` hands, up to all the chips that there are."""
        options, scale = self.options, 1
        if options.level_hands is not None:
            chips, level = sum(options.list_stacks(len(self.stacks))), (self.hand_no - 1) // options.level_hands
            scale = 1 << min(level, (chips // max(options.big_blind, options.ante)).bit_length())
        self.small_blind, self.big_blind = options.small_blind * scale, options.big_blind * scale
        self.ante, self.straddles = options.ante * scale, tuple(chips * scale for chips in options.straddles)
        self.min_bet = self.big_blind or self.ante
        self.bet_sizes = tuple(size * scale for size in options.bets or ())

    def open_betting(self) -> None:
        """S4, S5: post antes, blinds and straddles, of a short stack as far as it goes, and begin the first round."""
        is_from_all = self.options.ante_from == "everybody"
        if self.ante and is_from_all:
            for seat in seats_from(self.live, self.button):
                self.post_chips("ante", seat, self.ante)
            self.bets = [0] * len(self.bets)
        if self.big_seat != NOBODY:
            if self.live >> self.small_seat & 1:
                self.post_chips("small_blind", self.small_seat, self.small_blind)
            self.post_chips("big_blind", self.big_seat, self.big_blind)
        usual, blinds = self.button if self.big_seat == NOBODY else self.big_seat, [self.big_blind]
        for chips in self.straddles[: self.players.bit_count() - 2]:
            usual = first_seat_after(self.players, usual)
            self.post_chips("straddle", usual, chips)
            blinds.append(chips)
        self.missing_blinds = self.small_blind + sum(blinds) - sum(self.bets)
        if self.ante and not is_from_all:
            self.post_dead_ante()
        least_raise = max((raised - blind for blind, raised in pairwise(blinds)), default=0)
        self.begin_round(blinds[-1], self.find_seat_before(usual), least_raise)

    def find_seat_before(self, usual: int) -> int:
        """B1: return the seat left of which a round begins: `usual`, or as the option `first_players` has it."""
        first = self.options.first_players
        if isinstance(first, tuple):
            return (self.button + first[self.street] - 1) % len(self.stacks)
        if first is None or not self.past_history:
            return usual
        return int("".join(takewhile(str.isdigit, self.past_history[-1].rpartition(" ")[2])))

    def post_dead_ante(self) -> None:
        """S4: let the big blind pay the ante for all, after its blind."""
        before = self.bets[self.big_seat]
        self.post_chips("ante", self.big_seat, self.ante)
        self.dead_ante = self.bets[self.big_seat] - before
        self.bets[self.big_seat] = before

    def post_chips(self, what: str, seat: int, chips: int) -> None:
        """Take an ante or blind from a seat, or all that it has if that is less."""
        chips = min(chips, self.stacks[seat])
        if chips:
            self.pay_chips(seat, chips)
            if self.table.log is not None:
                self.table.tell(what, seat=seat, chips=chips)

    def end_hand(self, winnings: Sequence[int]) -> None:
        """3: count what each seat has won or lost; a seat without chips is out."""
        won = [*map(sub, winnings, self.paid)]
        self.net = [*map(add, self.net, won)]
        if self.options.stacks == "carry":
            for seat in SEATS_IN[self.players]:
                if not self.stacks[seat]:
                    self.players &= ~(1 << seat)
                    self.out_hands[seat], self.out_stacks[seat] = self.hand_no, -won[seat]
        self.paid, self.bets = [0] * len(won), [0] * len(won)
        self.able = self.waiting = self.to_call = self.min_to = self.max_to = self.dead_ante = 0
        if self.table.log is not None:
            self.table.tell("hand_end", hand=self.hand_no, won=[*won], net=[*self.net])

    def is_over(self) -> bool:
        """E1: whether all hands have been played, or one player has all chips."""
        players = self.players
        return self.hand_no == self.options.hands or not players & players - 1

    # ---- the showdown and the pots

    def list_pots(self) -> list[tuple[int, int]]:
        """P2: return the pots of a state; what the big blind has paid for all belongs to the main pot."""
        if not self.dead_ante:
            return split_pots(self.paid, self.live)
        (chips, seats), *side_pots = split_pots(self.count_bets(), self.live)
        return [(chips + self.dead_ante, seats), *side_pots]

    def count_bets(self) -> list[int]:
        """Return what each seat has paid in the hand, without an ante for all."""
        bets = self.paid[:]
        bets[self.big_seat] -= self.dead_ante
        return bets

    def end_betting(self) -> list[int]:
        """End a hand in which nobody can bet any more: pay out the pots, after a showdown if two players have a hand.

        Returns what each seat gets from the pots.
        """
        self.return_uncalled()
        live = self.live
        if not live & live - 1:
            return self.pay_pots({live.bit_length() - 1: 0})
        if self.unknown & live:
            live = self.muck_unknown()
        if live & ~self.able:  # W2: somebody is all in, so that all hands are shown before the rest of the board
            for seat in seats_from(live, self.first_to_show()):
                self.show_hand(seat)
            self.deal_rest()
            return self.pay_pots(self.rank_hands(live))
        return self.pay_pots(self.show_in_turn())

    def return_uncalled(self) -> None:
        """P1: what nobody has called goes back."""
        seat, chips = find_uncalled(self.count_bets())
        if chips:
            self.stacks[seat] += chips
            self.paid[seat] -= chips
            self.table.tell("return", seat=seat, chips=chips)

    def first_to_show(self) -> int:
        """W3: return the seat to whose left showing begins: right of the last aggressor's, or the button."""
        if self.aggressor == NOBODY:
            return self.button
        return (self.aggressor - 1) % self.seats

    def show_hand(self, seat: int) -> None:
        """Show the cards of a seat to everybody."""
        self.table.reveal(self.hands[seat], "show")

    def show_in_turn(self) -> dict[int, int]:
        """W4: show hands in turn, muck each that loses to one shown before; return by seat the shown strengths.

        That a hand was mucked tells everybody that it is weaker.
        """
        strengths, best = self.rank_hands(self.live), 0
        shown: dict[int, int] = {}
        for seat in seats_from(self.live, self.first_to_show()):
            if strengths[seat] >= best:
                best = shown[seat] = strengths[seat]
                self.show_hand(seat)
            else:
                self.muck_hand(seat, best)
        return shown

    def muck_unknown(self) -> int:
        """S9: lay away the hands that nobody has told, if each pot has a player whose cards are known.

        Returns the mask of the seats that are left.
        """
        told = self.live & ~self.unknown
        if all(seats & told for _, seats in self.list_pots()):
            for seat in SEATS_IN[self.live & self.unknown]:
                hand = self.table.zones[self.hands[seat]][:]
                self.table.lay(hand, self.hands[seat], self.mucks[seat], "muck")
            self.live = told
            self.able &= told
        else:
            self.undecided = self.live & self.unknown
        return self.live

    def muck_hand(self, seat: int, best: int) -> None:
        """W4: lay a hand away unseen that is weaker than one shown."""
        table, hand = self.table, self.table.zones[self.hands[seat]][:]
        self.live &= ~(1 << seat)
        table.lay(hand, self.hands[seat], self.mucks[seat], "muck")
        table.constrain(self._weaker_than(best), hand)

    def _weaker_than(self, best: int) -> Callable[[Iterable[int | None]], bool]:
        """Return the predicate of cards that, with the board, are a weaker hand than `best`."""
        keys, size = self.variant.card_keys, self.variant.hole_cards
        board = [keys[card] for card in self.table.zones[self.board]]

        def is_weaker(cards: Iterable[int | None]) -> bool:
            known = [keys[card] for card in cards if card is not None]
            return len(known) == size and rank_hand([*board, *known]) < best

        return is_weaker

    def deal_rest(self) -> None:
        """Deal the rest of the board, round by round."""
        while self.street < self.variant.last_street:
            self.deal_street()

    def deal_street(self) -> None:
        """Deal the board of the next round, whose bets are still zero; no card is burnt (D4)."""
        self.street += 1
        turn = self.variant.turns[self.street][0]
        self.table.deal(self.stock, (self.board,), self.variant.board_cards[self.street], event=turn.phase)
        self.past_history = (*self.past_history, self.history[:-1])
        self.history = ""
        self.bets = [0] * len(self.bets)

    def rank_hands(self, seats: int) -> dict[int, int]:
        """Return the strength of the hand of each seat of a mask, with the board."""
        keys, zones = self.variant.card_keys, self.table.zones
        board = [keys[card] for card in zones[self.board]]
        return {
            seat: rank_hand([*board, *[keys[card] for card in zones[self.hands[seat]]]]) for seat in SEATS_IN[seats]
        }

    def pay_pots(self, strengths: Mapping[int, int]) -> list[int]:
        """P2, P3: give each pot to the best hand among those that can win it; return what each seat gets.

        A strength of 0 was not shown.
        """
        self.last_pots = []
        winnings = [0] * len(self.stacks)
        for chips, seats in self.list_pots():
            winners, best = find_best(strengths, seats)
            shares = share_pot(chips, winners, self.button)
            for seat, share in shares.items():
                self.stacks[seat] += share
                winnings[seat] += share
            self.last_pots.append(PotResult(chips, tuple(shares), best))
            if self.table.log is not None:
                hand = describe_strength(best) if best else ""
                self.table.tell("pot", chips=chips, winners=[*shares], shares=[*shares.values()], hand=hand)
        return winnings

    def outcome(self) -> Outcome:
        """E2, E3: points are the chips won; of two who have lost all their chips, who lost them later stands before.

        Of two who lost them in the same hand, who had more before it stands before.
        """
        ranks = [
            (self.hand_no + 1, won) if not out else (out, stack)
            for won, out, stack in zip(self.net, self.out_hands, self.out_stacks, strict=True)
        ]
        order = sorted(set(ranks))
        return Outcome(
            points=tuple(map(float, self.net)),
            places=competition_places([order.index(rank) for rank in ranks]),
            sides=solo_sides(len(ranks)),
        )


def seats_from(mask: int, seat: int) -> tuple[int, ...]:
    """Return the seats of a mask clockwise, the first one left of `seat` first."""
    ahead = mask >> seat + 1 << seat + 1
    return SEATS_IN[ahead] + SEATS_IN[mask ^ ahead]


def first_seat_after(mask: int, seat: int) -> int:
    """Return the first seat of a mask, which is not empty, left of `seat`."""
    ahead = mask >> seat + 1 << seat + 1 or mask
    return (ahead & -ahead).bit_length() - 1


def split_pots(paid: Sequence[int], live: int) -> list[tuple[int, int]]:
    """P2: return the pots, the main pot first: the chips of each, and the mask of the seats that can win it.

    `paid` is what each seat has paid in the hand, `live` is the mask of those with a hand. Every amount that one of
    these has paid ends a pot; what folded players have paid above the highest of them belongs to the last pot.
    """
    if not live & live - 1 or len(levels := {paid[seat] for seat in SEATS_IN[live]}) == 1:  # most hands end so
        return [(sum(paid), live)]
    pots: list[tuple[int, int]] = []
    below = 0
    for level in sorted(levels):
        if level > below:
            chips = sum([min(one, level) - below for one in paid if one > below])
            pots.append((chips, sum(1 << seat for seat in SEATS_IN[live] if paid[seat] >= level)))
            below = level
    if pots and (above := sum([one - below for one in paid if one > below])):
        pots[-1] = (pots[-1][0] + above, pots[-1][1])
    return pots


def find_uncalled(paid: Sequence[int]) -> tuple[int, int]:
    """P1: return the seat that has paid most, and by how much that is more than anybody else's."""
    second, first = sorted(paid)[-2:]
    return paid.index(first), first - second


def share_pot(chips: int, winners: int, button: int) -> dict[int, int]:
    """P3: return what each seat of the mask `winners` gets; odd chips go one each to the first left of the button."""
    if not winners & winners - 1:
        return {winners.bit_length() - 1: chips}
    share, odd = divmod(chips, winners.bit_count())
    return {seat: share + (place < odd) for place, seat in enumerate(seats_from(winners, button))}


def find_best(strengths: Mapping[int, int], seats: int) -> tuple[int, int]:
    """Return the mask of the seats with the best hand among those of a mask, and its strength."""
    best, winners = -1, 0
    for seat, strength in strengths.items():
        if seats >> seat & 1:
            if strength > best:
                best, winners = strength, 1 << seat
            elif strength == best:
                winners |= 1 << seat
    return winners, best
