"""A hand of poker from its deal to its end, and the next one: the button, blinds, levels, the outcome of the game."""

from __future__ import annotations

from collections.abc import Sequence, Set
from copy import copy
from itertools import pairwise, takewhile
from operator import add, sub

from pitboss.outcome import Outcome, competition_places, solo_sides
from pitboss.parts.betting.betting_round import A, O
from pitboss.parts.betting.named_cards import UNTOLD, NamedCards, read_seed
from pitboss.parts.betting.pots import NOBODY, SEATS_IN, first_seat_after, seats_from
from pitboss.parts.betting.showdown import Showdown
from pitboss.table.cards import Deck
from pitboss.table.stacked_seed import DealRandom


class HandRules(Showdown[O, A]):
    """The course of hands with hidden cards and a board."""

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
        most_drawn = variant.most_drawn[len(self.stacks)]
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
        if named is None or not variant.is_dealt_in_order or {len(row) for row in named.hands} != {variant.hole_cards}:
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
        layout.deck = Deck(UNTOLD if card in hidden else face for card, face in enumerate(self.variant.deck.faces))
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
        """S4, S5: post antes, blinds and straddles, and begin the first round."""
        self.post_all()
        self.begin_first_round()

    def post_all(self) -> None:
        """S4, S5: post antes, blinds and straddles, of a short stack as far as it goes."""
        is_from_all = self.options.ante_from == "everybody"
        if self.ante and is_from_all:
            for seat in seats_from(self.live, self.button):
                self.post_chips("ante", seat, self.ante)
            self.bets = [0] * len(self.bets)
        if self.big_seat != NOBODY:
            if self.live >> self.small_seat & 1:
                self.post_chips("small_blind", self.small_seat, self.small_blind)
            self.post_chips("big_blind", self.big_seat, self.big_blind)
        posted, seat = self.small_blind + self.big_blind, self.big_seat
        for chips in self.list_straddles():
            seat = first_seat_after(self.players, seat)
            self.post_chips("straddle", seat, chips)
            posted += chips
        self.missing_blinds = posted - sum(self.bets)
        if self.ante and not is_from_all:
            self.post_dead_ante()

    def list_straddles(self) -> tuple[int, ...]:
        """S5a: return the straddles of this hand, of which all but the blinds can post one."""
        return self.straddles[: self.players.bit_count() - 2]

    def begin_first_round(self) -> None:
        """B1: begin the betting left of the last blind, without blinds left of the button."""
        usual, blinds = self.button if self.big_seat == NOBODY else self.big_seat, [self.big_blind]
        for chips in self.list_straddles():
            usual = first_seat_after(self.players, usual)
            blinds.append(chips)
        least_raise = max((raised - blind for blind, raised in pairwise(blinds)), default=0)
        self.begin_round(blinds[-1], self.find_seat_before(usual), least_raise)

    def find_seat_before(self, usual: int) -> int:
        """B1: return the seat left of which a round begins: `usual`, or as the option `first_players` has it."""
        first = self.options.first_players
        if isinstance(first, tuple):
            return (self.button + first[self.street] - 1) % len(self.stacks)
        if first is None or not self.past_history:
            return usual
        last = "".join(takewhile(str.isdigit, self.past_history[-1].rpartition(" ")[2]))
        return int(last) % len(self.stacks) if last else usual

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
