"""The data of a Rummy game at one moment, with copies of it; the rules are in other modules."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from pitboss import Random, Table, TableState
from pitboss_rummy.board import MeldCards, RummyBoard, board_of
from pitboss_rummy.messages import Action, TableMeld
from pitboss_rummy.options import RummyOptions
from pitboss_rummy.pack import BITS, CARDS, NO_CARD, mask_of


class DealResult(Struct, frozen=True):
    """A finished deal: the winner (None: stalled), and what it added to each total."""

    winner: int | None
    rummy: bool
    scores: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    turns_done: int


class RummyStateBase(TableState[RummyOptions, Action]):
    """The data of a game.

    Beside the table it keeps each hand as a mask of its cards, for speed, and what no card shows.
    """

    board: RummyBoard
    totals: list[int]
    hand_masks: list[int]  # by seat: the mask of its cards
    dealer: int = 0
    deal_no: int = 1
    last_deal: DealResult | None = None  # the last deal that ended
    turns_done: int = 0
    melds: tuple[MeldCards, ...] = ()
    meld_owners: tuple[int, ...] = ()  # of the melds
    meld_messages: tuple[TableMeld, ...] = ()  # the melds as views show them
    layoff_mask: int = 0  # the mask of the cards that fit some meld
    active_seats: int = 0  # the mask of the seats that have melded or laid off in an earlier turn
    is_stock_public: bool = False
    drawn_place: int = NO_CARD  # the place in the pack of the last card that was drawn: of copies nobody knows which
    has_taken: bool = False  # from the discard pile
    banned_mask: int = 0  # the mask of the card that may then not be discarded in this turn
    has_melded: bool = False  # in this turn
    has_laid_off: bool = False

    @classmethod
    def create(cls, seats: int, options: RummyOptions, rng: Random) -> Self:
        """Return a state before the first deal."""
        if options.hand_size is None or options.deals is None or options.going_rummy is None:
            raise ValueError("the options are not resolved")
        board = board_of(seats, options)
        table = Table(board.layout, rng, board.stock)
        return cls(options=options, table=table, rng=rng, board=board, totals=[0] * seats, hand_masks=[0] * seats)

    def clear_deal(self) -> None:
        """Forget the deal before: nobody has melded anything."""
        self.turns_done = self.layoff_mask = self.active_seats = self.banned_mask = 0
        self.melds = self.meld_owners = self.meld_messages = ()
        self.drawn_place = NO_CARD
        self.is_stock_public = self.has_taken = self.has_melded = self.has_laid_off = False

    def count_hands(self) -> None:
        """Read the masks of all hands from the table."""
        self.hand_masks = [mask_of(self.table.zones[hand]) for hand in self.board.hands]

    def add_meld(self, owner: int, meld: MeldCards) -> None:
        """Note that a meld lies on the table."""
        self.melds = (*self.melds, meld)
        self.meld_owners = (*self.meld_owners, owner)
        self.meld_messages = (*self.meld_messages, self._meld_message(len(self.melds), owner, meld))
        self.layoff_mask |= meld.layoff_mask

    def replace_meld(self, number: int, meld: MeldCards) -> None:
        """Note that a meld, counted from 1, has become another one."""
        message = self._meld_message(number, self.meld_owners[number - 1], meld)
        self.melds = (*self.melds[: number - 1], meld, *self.melds[number:])
        self.meld_messages = (*self.meld_messages[: number - 1], message, *self.meld_messages[number:])

    def _meld_message(self, number: int, owner: int, meld: MeldCards) -> TableMeld:
        return TableMeld(number, owner, meld.kind, self.board.faces_at(meld.cards))

    def mark_taken(self) -> None:
        """D6: the drawn card came from the discard pile."""
        self.has_taken = True
        self.banned_mask = 0 if self.options.discard_taken else BITS[self.drawn_place]

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one.

        The drawn card is the one that lies in its place. If it has been melded since, and the seat did not see it
        drawn, the seat cannot know that: then it is this card or one that is hidden in the hand.
        """
        twin = super().imagine(seat, rng)
        twin.count_hands()
        turn, bit = self.turn, 1 << seat
        if turn is None or self.drawn_place == NO_CARD or self.has_taken or self.is_stock_public or turn.seat == seat:
            return twin
        hand, known = self.board.hands[turn.seat], self.table.known_by
        hidden = {at: card % CARDS for at, card in enumerate(self.table.zones[hand]) if not known[card] & bit}
        places = [card % CARDS for card in twin.table.zones[hand]]
        drawn_at = next((at for at, place in hidden.items() if place == self.drawn_place), None)
        if drawn_at is not None:
            twin.drawn_place = places[drawn_at]
        else:
            twin.drawn_place = rng.spawn("drawn card").choice([self.drawn_place, *(places[at] for at in hidden)])
        return twin
