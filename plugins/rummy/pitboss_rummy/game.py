"""Basic Rummy. Draw a card, lay sequences and groups on the table, add to those that lie there, discard: the first without a card ends the deal.

A turn: take the top card of the stock or of the discard pile; then any number of melds and layoffs; then a discard. Numbers in docstrings (S1, D4,
2.3, note 5) are those of the rule book, `RULES.md`; what may be played is in `plays`, the beginning and the end of a deal in `dealing`, melds in `melds`, scores
in `scoring`, views in `seeing`, options in `options`, actions in `messages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss import IllegalAction, Outcome, Random, Table, Turn, outcome_by_side, solo_sides
from pitboss_rummy import messages
from pitboss_rummy.board import DRAW, DRAW_ACTIONS, MeldCards, RummyBoard, board_for
from pitboss_rummy.deal import DealResult, end_deal, go_out, start_game
from pitboss_rummy.evaluation import evaluate_state
from pitboss_rummy.melds import GroupRules
from pitboss_rummy.messages import Action, Discard, Draw, Layoff, Meld, Position, Take, View
from pitboss_rummy.options import PRESETS, RummyOptions
from pitboss_rummy.pack import BITS, CARDS, PACK_MASK, RANKS, mask_of, places_of
from pitboss_rummy.plays import NO_CARD, can_lay_down, can_lay_off, can_meld, has_cards, legal_plays
from pitboss_rummy.position import set_up_position, write_position
from pitboss_rummy.rendering import render_table
from pitboss_rummy.view import build_view


class RummyState:
    """A game of Rummy at one moment.

    Beside the table it keeps each hand as a mask of its cards, for speed, and what no card shows.
    """

    __slots__ = (
        "active_seats",
        "banned_mask",
        "board",
        "deal_no",
        "dealer",
        "deals_rng",
        "drawn_card",
        "hand_masks",
        "has_laid_off",
        "has_melded",
        "has_taken",
        "is_stock_public",
        "last_deal",
        "layoff_mask",
        "meld_owners",
        "melds",
        "options",
        "table",
        "totals",
        "turn",
        "turns_done",
    )

    table: Table
    turn: Turn | None

    def __init__(self, seats: int, options: RummyOptions, rng: Random) -> None:
        if options.hand_size is None or options.deals is None or options.going_rummy is None:
            raise ValueError("the options are not resolved")
        self.options = options
        self.board: RummyBoard = board_for(
            seats,
            options.decks,
            GroupRules(options.group_max, options.group_copies and options.decks == 2),
            options.pack,
        )
        self.deals_rng = rng
        self.table = Table(self.board.layout, rng, self.board.stock)
        self.turn = None
        self.dealer = 0
        self.deal_no = 1
        self.totals = [0] * seats
        self.last_deal: DealResult | None = None  # the last deal that ended
        self.clear_deal()

    def clear_deal(self) -> None:
        """Forget the deal before: nobody holds or has melded anything."""
        seats = len(self.board.hands)
        self.turns_done = 0
        self.hand_masks = [0] * seats  # by seat: the mask of its cards
        self.melds: list[MeldCards] = []
        self.meld_owners: list[int] = []  # of the melds
        self.layoff_mask = 0  # the mask of the cards that fit some meld
        self.active_seats = 0  # the mask of the seats that have melded or laid off in an earlier turn
        self.is_stock_public = False
        self.drawn_card = NO_CARD  # the last card that was drawn
        self.has_taken = False  # from the discard pile
        self.banned_mask = 0  # the mask of the card that may then not be discarded in this turn
        self.has_melded = False  # in this turn
        self.has_laid_off = False

    # ---- the State protocol

    def legal(self) -> Sequence[Action]:
        """6.2: both ways to draw; or melds, layoffs and discards."""
        turn = self.turn
        if turn is None:
            return ()
        return DRAW_ACTIONS if turn.phase == "draw" else legal_plays(self, turn.seat)

    def play(self, action: Action) -> None:
        """2.1: do the action, and all that follows up to the next decision."""
        turn = self.turn
        if turn is not None:
            seat, phase = turn
            if phase == "draw":
                is_played = self._draw_card(seat, action)
            elif isinstance(action, Discard):
                is_played = self._discard(seat, action)
            else:
                is_played = self._lay_down(seat, action)
            if is_played:
                return
        raise IllegalAction(f"{action!r} was played at {turn}; legal: {list(self.legal())!r}")

    def neutral(self) -> Action:
        """D18: `draw`; the discard of the card just drawn from the stock, or else the last legal discard."""
        turn = self.turn
        if turn is None:
            raise IllegalAction("the game is over")
        if turn.phase == "draw":
            return DRAW
        places, place = places_of(self.hand_masks[turn.seat]), self.drawn_card % CARDS
        if self.drawn_card != NO_CARD and not self.has_taken and places >> place & 1:
            return self.board.discards[place // RANKS][1 << place % RANKS][0]
        return self.legal()[-1]

    def view(self, seat: int) -> View:
        """6.3, without what the wire tells anyway; D15: everything that could be seen, and nothing else."""
        return build_view(self, seat)

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Return the piles, hands and melds, for people."""
        return render_table(self, seat, names)

    def outcome(self) -> Outcome:
        """2.3: places by total, highest first, or in penalty scoring lowest first."""
        lowest_wins = self.options.scoring == "penalty"
        return outcome_by_side(self.totals, solo_sides(len(self.totals)), lowest_wins=lowest_wins)

    def evaluate(self) -> Sequence[float]:
        """Return by seat the total that it may expect after the deal: for players who look ahead."""
        return evaluate_state(self)

    def position(self) -> Position:
        """Write down everything but the past."""
        return write_position(self)

    def copy(self) -> RummyState:
        """Return an independent state for looking ahead."""
        twin = self._copy_with(self.table.copy(), self.deals_rng)
        twin.hand_masks = self.hand_masks[:]
        twin.drawn_card = self.drawn_card
        return twin

    def imagine(self, seat: int, rng: Random) -> RummyState:
        """Return a state that the seat cannot tell from this one. The drawn card is the one that lies in its place."""
        twin = self._copy_with(self.table.imagine(seat, rng), rng)
        zones = twin.table.zones
        twin.hand_masks = [mask_of(zones[hand]) for hand in self.board.hands]
        twin.drawn_card = self.drawn_card
        if self.turn is not None and self.drawn_card != NO_CARD:
            hand = self.board.hands[self.turn.seat]
            cards = self.table.zones[hand]
            if self.drawn_card in cards:
                twin.drawn_card = zones[hand][cards.index(self.drawn_card)]
        return twin

    def _copy_with(self, table: Table, rng: Random) -> RummyState:
        """Return this state with another table, and as yet no hands and no drawn card."""
        twin = object.__new__(RummyState)
        twin.board, twin.options, twin.table, twin.deals_rng = self.board, self.options, table, rng
        twin.turn, twin.dealer, twin.deal_no, twin.turns_done = self.turn, self.dealer, self.deal_no, self.turns_done
        twin.totals, twin.last_deal = self.totals[:], self.last_deal
        twin.melds, twin.meld_owners, twin.layoff_mask = self.melds[:], self.meld_owners[:], self.layoff_mask
        twin.active_seats, twin.is_stock_public = self.active_seats, self.is_stock_public
        twin.has_taken, twin.banned_mask, twin.has_melded, twin.has_laid_off = (
            self.has_taken,
            self.banned_mask,
            self.has_melded,
            self.has_laid_off,
        )
        return twin

    # ---- the turn: section 2

    def _draw_card(self, seat: int, action: Action) -> bool:
        """DRAW: take the top card of the stock or of the discard pile.

        D5: if the stock is empty the whole discard pile is turned over first, unshuffled.
        """
        table, board, kind = self.table, self.board, type(action)
        if kind is Draw:
            if not table.zones[board.stock]:
                table.turn_over(board.discard, board.stock)
                self.is_stock_public = True
            self.drawn_card = card = table.draw(board.stock, board.hands[seat])
            self.has_taken, self.banned_mask = False, 0
        elif kind is Take:
            self.drawn_card = card = table.draw(board.discard, board.hands[seat], "take")
            self.mark_taken()
        else:
            return False
        self.hand_masks[seat] |= BITS[card]
        self.turn = board.play_turns[seat]
        return True

    def mark_taken(self) -> None:
        """D6: the drawn card came from the discard pile."""
        self.has_taken = True
        self.banned_mask = 0 if self.options.discard_taken else BITS[self.drawn_card % CARDS]

    def _discard(self, seat: int, action: Discard) -> bool:
        """PLAY: discard any card but, D6, the one taken in this turn, unless nothing else is left."""
        board, held = self.board, self.hand_masks[seat]
        places = held if held <= PACK_MASK else places_of(held)
        place = board.place_by_face.get(action.card, NO_CARD)
        if place < 0 or not (places & ~self.banned_mask or places) & BITS[place]:
            return False
        self.table.move(self._remove_card(seat, place), board.hands[seat], board.discard, "discard")
        if not self.hand_masks[seat]:
            go_out(self, seat)
            return True
        if places == self.banned_mask:
            self._show_second_copy(seat)
        self._end_turn(seat)
        return True

    def _show_second_copy(self, seat: int) -> None:
        """D6: who discards the card just taken has no other; so everybody knows that what is left is its second copy."""
        hand, table = self.board.hands[seat], self.table
        if not table.is_known(hand, table.layout.spectator):
            table.reveal(hand, "proved")

    def _lay_down(self, seat: int, action: Action) -> bool:
        """PLAY: a meld or a layoff; who has no card left then is out."""
        if isinstance(action, Meld):
            is_played = self._lay_meld(seat, action)
        else:
            is_played = isinstance(action, Layoff) and self._lay_off(seat, action)
        if is_played and not self.hand_masks[seat]:
            go_out(self, seat)
        return is_played

    def _lay_meld(self, seat: int, action: Meld) -> bool:
        """PLAY: lay a sequence or a group on the table, as the next meld."""
        board, held = self.board, self.hand_masks[seat]
        meld = board.find_meld(action.cards)
        if meld is None or not has_cards(held, meld.cards):
            return False
        if not (can_meld(self) and can_lay_down(self, held, len(meld.cards))):
            return False
        cards = [self._remove_card(seat, place) for place in meld.cards]
        self.table.lay(cards, board.hands[seat], board.melds[len(self.melds)], "meld")
        self.add_meld(seat, meld)
        self.has_melded = True
        return True

    def add_meld(self, owner: int, meld: MeldCards) -> None:
        """Note that a meld lies on the table."""
        self.melds.append(meld)
        self.meld_owners.append(owner)
        self.layoff_mask |= meld.layoff_mask

    def _lay_off(self, seat: int, action: Layoff) -> bool:
        """PLAY, D9: add a card to a meld on the table, anybody's."""
        board, number = self.board, action.meld
        place = board.place_by_face.get(action.card, NO_CARD)
        if (
            place == NO_CARD
            or not 1 <= number <= len(self.melds)
            or not self.melds[number - 1].layoff_mask >> place & 1
        ):
            return False
        if not places_of(self.hand_masks[seat]) >> place & 1 or not can_lay_off(self, seat):
            return False
        self.table.move(self._remove_card(seat, place), board.hands[seat], board.melds[number - 1], "layoff")
        self.melds[number - 1] = board.extend_meld(self.melds[number - 1], place)
        self.layoff_mask = 0
        for meld in self.melds:
            self.layoff_mask |= meld.layoff_mask
        self.has_laid_off = True
        return True

    def _remove_card(self, seat: int, place: int) -> int:
        """Return the card with this face that leaves a hand, and forget that it was there.

        D12: two copies are interchangeable, so nobody can tell which of them went. Who knew that a hand holds one of them knows afterwards only that
        one has gone: so it is the copy that was known, and what is left is as secret as it was. Of two secret copies, or two known ones, it is
        the first: the table tells nobody a card's number.
        """
        held = self.hand_masks[seat]
        card = place if held <= PACK_MASK else self._choose_copy(held, place)
        self.hand_masks[seat] = held ^ BITS[card]
        return card

    def _choose_copy(self, held: int, place: int) -> int:
        known, everybody, copy = self.table.known_by, self.table.layout.everybody, place + CARDS
        if held >> copy & 1 and (not held >> place & 1 or known[copy] == everybody != known[place]):
            return copy
        return place

    def _end_turn(self, seat: int) -> None:
        """END-OF-TURN: the turn cap (D14), the reshuffle of note 5, the left neighbour."""
        self.turns_done += 1
        if self.has_melded or self.has_laid_off:
            self.active_seats |= 1 << seat
            self.has_melded = self.has_laid_off = False
        board, options = self.board, self.options
        if self.turns_done >= options.max_turns * len(board.hands):
            self.table.tell("stalled")
            end_deal(self, None, False)
            return
        if not self.table.zones[board.stock] and options.stock_out == "reshuffle":
            self._reshuffle()
        self.turn = board.draw_turns[board.left_neighbour[seat]]

    def _reshuffle(self) -> None:
        """Note 5: all discards are shuffled into a new stock, and its top card is turned up."""
        table, board = self.table, self.board
        table.turn_over(board.discard, board.stock, "gather")
        table.shuffle(board.stock, "reshuffle")
        table.draw(board.stock, board.discard, "up_card")
        self.is_stock_public = False


class Rummy:
    """The game of Basic Rummy."""

    name: Final = "rummy"
    title: Final = "Basic Rummy"
    version: Final = "1"
    seats: Final = (2, 3, 4, 5, 6)
    Options: Final = RummyOptions
    Action: Final = Action
    View: Final = View
    Position: Final = Position
    presets: Final = PRESETS

    def deal(self, seats: int, options: RummyOptions, rng: Random) -> RummyState:
        """Begin a game."""
        state = RummyState(seats, options, rng)
        start_game(state)
        return state

    def setup(self, seats: int, options: RummyOptions, position: messages.Position, rng: Random) -> RummyState:
        """Begin in the middle."""
        state = RummyState(seats, options, rng)
        set_up_position(state, position)
        return state
