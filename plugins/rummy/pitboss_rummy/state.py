"""The data of a Rummy game at one moment: zones and tables of melds, fields, copies, views. The rules are elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeVar

from msgspec import Struct

from pitboss import Deck, Layout, Random, Table, TableState, Turn, Visibility
from pitboss.parts.melds import BITS, CARDS, MIN_MELD, SUIT_MASK, iter_places, mask_of
from pitboss.plugins.registry import find_pack
from pitboss_rummy.melds import NO_CARD, PACK_MASK, RANKS, SUITS, GroupRules, MeldTable, kind_of, layoff_mask_of
from pitboss_rummy.messages import Action, Discard, Draw, Kind, Layoff, RummyOptions, TableMeld, Take, View

T = TypeVar("T")

DRAW: Final = Draw()
TAKE: Final = Take()
DRAW_ACTIONS: Final = (DRAW, TAKE)


class MeldCards(NamedTuple):
    """Cards that are a meld: their places in the pack, in card order."""

    kind: Kind
    cards: tuple[int, ...]
    layoff_mask: int  # the mask of the cards that may be laid off on it


class SuitTable(dict[int, tuple[T, ...]]):
    """What belongs to each card of a suit, by the mask of ranks; a row is made when it is first asked for."""

    def __init__(self, of_cards: Sequence[T]) -> None:
        self._of_cards = of_cards

    def __missing__(self, mask: int) -> tuple[T, ...]:
        self[mask] = found = tuple(map(self._of_cards.__getitem__, iter_places(mask)))
        return found


def make_suit_tables(of_cards: Sequence[T]) -> tuple[SuitTable[T], ...]:
    """Return a table for each suit of what belongs to each card of a pack."""
    return tuple(SuitTable(of_cards[RANKS * suit : RANKS * suit + RANKS]) for suit in range(SUITS))


class RummyBoard:
    """The layout for a number of players, a pack and what groups are: shared by all games with these."""

    def __init__(self, seats: int, decks: int, groups: GroupRules, pack_name: str) -> None:
        pack = find_pack(pack_name).faces
        self.layout = Layout(Deck([*pack] * decks), seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)  # 2.4: the whole pile
        self.box = self.layout.add_pile("box", Visibility.EVERYBODY)  # cards that a written position leaves out
        self.hands = self.layout.add_hands()
        most = len(pack) * decks // MIN_MELD
        self.melds = tuple(self.layout.add_spread(f"meld {number}") for number in range(1, most + 1))
        self.pack = tuple(pack)
        self.faces = self.pack * decks  # of all cards
        self.groups = groups
        self.place_by_face = {face: place for place, face in enumerate(pack)}
        self.meld_table = MeldTable(pack, groups)
        self.discards = make_suit_tables([Discard(face) for face in pack])
        self.layoffs = [[Layoff(face, number) for number in range(1, most + 1)] for face in pack]
        self.suit_faces = make_suit_tables(self.pack)
        self.left_neighbour = tuple((seat + 1) % seats for seat in range(seats))
        self.draw_turns = tuple(Turn(seat, "draw") for seat in range(seats))
        self.play_turns = tuple(Turn(seat, "play") for seat in range(seats))

    def places(self, faces: Iterable[str]) -> tuple[int, ...]:
        """Return the places of some faces in the pack, in card order."""
        return tuple(sorted([self.place_by_face[face] for face in faces]))

    def find_meld(self, faces: Sequence[str]) -> MeldCards | None:
        """Return the meld that these faces, in any order, form; None if they form none."""
        if any(face not in self.place_by_face for face in faces):
            return None
        cards = self.places(faces)
        kind = kind_of(cards, self.groups)
        return None if kind is None else MeldCards(kind, cards, layoff_mask_of(kind, cards, self.groups))

    def extend_meld(self, meld: MeldCards, card: int) -> MeldCards:
        """Return a meld with a card that fits it."""
        cards = tuple(sorted((*meld.cards, card)))
        return MeldCards(meld.kind, cards, layoff_mask_of(meld.kind, cards, self.groups))

    def sorted_faces(self, held: int) -> list[str]:
        """Return the faces of a mask of cards, in card order."""
        if held > PACK_MASK:
            return [self.pack[place] for place in sorted([card % CARDS for card in iter_places(held)])]
        spades, hearts, diamonds, clubs = self.suit_faces
        return [
            *spades[held & SUIT_MASK],
            *hearts[held >> RANKS & SUIT_MASK],
            *diamonds[held >> 2 * RANKS & SUIT_MASK],
            *clubs[held >> 3 * RANKS],
        ]

    def faces_at(self, places: Sequence[int]) -> tuple[str, ...]:
        """Return the faces at some places of the pack."""
        return tuple(map(self.pack.__getitem__, places))


board_for: Final = lru_cache(RummyBoard)


def board_of(seats: int, options: RummyOptions) -> RummyBoard:
    """Return the board for a number of players and resolved options."""
    groups = GroupRules(options.group_max, options.group_copies and options.decks == 2)
    return board_for(seats, options.decks, groups, options.pack)


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


def build_view(state: RummyStateBase, seat: int) -> View:
    """Return what a seat, or the spectator, may know."""
    board, zones = state.board, state.table.zones
    seats = range(len(board.hands))
    drawn, stock, faces = visible_drawn_card(state, seat), zones[board.stock], board.faces
    own = board.sorted_faces(state.hand_masks[seat]) if seat in seats else []
    return View(
        dealer=state.dealer,
        deal=state.deal_no,
        turns_done=state.turns_done,
        max_turns=state.options.max_turns,
        hand=own,
        drawn=drawn,
        taken=drawn if state.has_taken else None,
        counts=[len(zones[hand]) for hand in board.hands],
        known=[own[:] if owner == seat else public_cards(state, owner) for owner in seats],
        melds=[*state.meld_messages],
        discard=[faces[card] for card in zones[board.discard]],
        stock=len(stock),
        stock_known=[faces[card] for card in reversed(stock)] if state.is_stock_public else [],
        clean=[not state.active_seats >> owner & 1 for owner in seats],
        scores=state.totals[:],
    )


def public_cards(state: RummyStateBase, seat: int) -> list[str]:
    """Return what everybody knows of a hand, in card order."""
    table = state.table
    known, public = table.known_by, 1 << table.layout.spectator
    shown = [BITS[card] for card in table.zones[state.board.hands[seat]] if known[card] & public]
    return state.board.sorted_faces(sum(shown)) if shown else []


def visible_drawn_card(state: RummyStateBase, seat: int) -> str | None:
    """2.4: return the drawn card as `seat` may see it; None if it came unseen from the stock.

    It is its owner's secret, also when it has been melded since, unless the stock was public.
    """
    turn = state.turn
    if state.drawn_place == NO_CARD or turn is None or turn.phase == "draw":
        return None
    is_seen = state.has_taken or state.is_stock_public or seat == turn.seat
    return state.board.pack[state.drawn_place] if is_seen else None
