"""The data of a Rummy game at one moment, with copies of it; the rules are in other modules."""

from __future__ import annotations

from typing import Self

from msgspec import Struct

from pitboss import Random, Table, Turn
from pitboss.determinization.sampling import sample_world
from pitboss_rummy.board import MeldCards, RummyBoard, board_for
from pitboss_rummy.melds import GroupRules
from pitboss_rummy.options import RummyOptions
from pitboss_rummy.pack import BITS, CARDS, NO_CARD, mask_of


class DealResult(Struct, frozen=True):
    """A finished deal: the winner (None: stalled), and what it added to each total."""

    winner: int | None
    rummy: bool
    scores: tuple[int, ...]
    hands: tuple[tuple[str, ...], ...]
    turns_done: int


class RummyStateBase:
    """The data of a game.

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

    def add_meld(self, owner: int, meld: MeldCards) -> None:
        """Note that a meld lies on the table."""
        self.melds.append(meld)
        self.meld_owners.append(owner)
        self.layoff_mask |= meld.layoff_mask

    def mark_taken(self) -> None:
        """D6: the drawn card came from the discard pile."""
        self.has_taken = True
        self.banned_mask = 0 if self.options.discard_taken else BITS[self.drawn_card % CARDS]

    def copy(self) -> Self:
        """Return an independent state for looking ahead."""
        twin = self._copy_with(self.table.copy(), self.deals_rng)
        twin.hand_masks = self.hand_masks[:]
        twin.drawn_card = self.drawn_card
        return twin

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one. The drawn card is the one that lies in its place."""
        twin = self._copy_with(sample_world(self.table, seat, rng), rng)
        zones = twin.table.zones
        twin.hand_masks = [mask_of(zones[hand]) for hand in self.board.hands]
        twin.drawn_card = self.drawn_card
        if self.turn is not None and self.drawn_card != NO_CARD:
            hand = self.board.hands[self.turn.seat]
            cards = self.table.zones[hand]
            if self.drawn_card in cards:
                twin.drawn_card = zones[hand][cards.index(self.drawn_card)]
        return twin

    def _copy_with(self, table: Table, rng: Random) -> Self:
        """Return this state on another table, with neither hand masks nor a drawn card yet."""
        twin = object.__new__(type(self))
        twin.board, twin.options, twin.table, twin.deals_rng = self.board, self.options, table, rng
        twin.turn, twin.dealer, twin.deal_no, twin.turns_done = self.turn, self.dealer, self.deal_no, self.turns_done
        twin.totals, twin.last_deal = self.totals[:], self.last_deal
        twin.melds, twin.meld_owners, twin.layoff_mask = self.melds[:], self.meld_owners[:], self.layoff_mask
        twin.active_seats, twin.is_stock_public = self.active_seats, self.is_stock_public
        twin.has_taken, twin.banned_mask = self.has_taken, self.banned_mask
        twin.has_melded, twin.has_laid_off = self.has_melded, self.has_laid_off
        return twin
