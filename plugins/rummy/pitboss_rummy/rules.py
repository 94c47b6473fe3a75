"""The rules of Rummy: what lies on the table, a turn and its legal plays, a deal and its scores.

Each function for an action returns False, with nothing changed, if the action is not legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Self, TypeVar

from msgspec import Struct

from pitboss import (
    Deck,
    Layout,
    Outcome,
    Random,
    Table,
    TableState,
    Turn,
    Visibility,
    outcome_by_side,
    solo_sides,
)
from pitboss.parts.melds import BITS, CARDS, MIN_MELD, SUIT_MASK, iter_places, mask_of
from pitboss.plugins.registry import find_pack
from pitboss_rummy.melds import (
    HALF_CARDS,
    HALF_MASK,
    NO_CARD,
    PACK_MASK,
    RANKS,
    SUITS,
    GroupRules,
    MeldTable,
    kind_of,
    layoff_mask_of,
    places_of,
)
from pitboss_rummy.messages import (
    Action,
    Discard,
    Draw,
    Kind,
    Layoff,
    Meld,
    RummyOptions,
    TableMeld,
    Take,
)

T = TypeVar("T")
DRAW: Final = Draw()
TAKE: Final = Take()
DRAW_ACTIONS: Final = (DRAW, TAKE)
POINTS: Final = tuple(min(card % RANKS + 1, 10) for card in range(2 * CARDS))  # D1: ace 1, court cards 10
BONUS: Final = 10  # note 7


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


class RummyRules(TableState[RummyOptions, Action]):
    """The data of a game, and what happens in it.

    Beside the table it keeps each hand as a mask of its cards, for speed, and what no card shows.
    """

    has_outcome_so_far = True

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

    def public_cards(self, seat: int) -> list[str]:
        """Return what everybody knows of a hand, in card order."""
        table = self.table
        known, public = table.known_by, 1 << table.layout.spectator
        shown = [BITS[card] for card in table.zones[self.board.hands[seat]] if known[card] & public]
        return self.board.sorted_faces(sum(shown)) if shown else []

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

    # ---- the turn (section 2)

    def legal(self) -> Sequence[Action]:
        """6.2: both ways to draw; or melds, layoffs and discards."""
        turn = self.turn
        if turn is None:
            return ()
        return DRAW_ACTIONS if turn.phase == "draw" else self.legal_plays(turn.seat)

    def play(self, action: Action) -> None:
        """2.1: do the action, and all that follows up to the next decision."""
        if (turn := self.turn) is None:
            self.refuse(action)
        seat, phase = turn
        if phase == "draw":
            done = self.draw_card(seat, action)
        else:
            done = self.discard_card(seat, action) if isinstance(action, Discard) else self.lay_down(seat, action)
        if not done:
            self.refuse(action)

    def neutral(self) -> Action:
        """D18: `draw`; the discard of the card just drawn from the stock, or else the last legal discard."""
        turn = self.require_turn()
        if turn.phase == "draw":
            return DRAW
        places, place = places_of(self.hand_masks[turn.seat]), self.drawn_place
        if place != NO_CARD and not self.has_taken and places >> place & 1:
            return self.board.discards[place // RANKS][1 << place % RANKS][0]
        return self.legal()[-1]

    def outcome(self) -> Outcome:
        """2.3: places by total, highest first, or in penalty scoring lowest first."""
        lowest_wins = self.options.scoring == "penalty"
        return outcome_by_side(self.totals, solo_sides(len(self.totals)), lowest_wins=lowest_wins)

    def legal_plays(self, seat: int) -> list[Action]:
        """Return melds, layoffs and discards. D6: not the discard of the card taken, unless nothing else is left."""
        held, board = self.hand_masks[seat], self.board
        places = held if held <= PACK_MASK else places_of(held)
        allowed = (places & ~self.banned_mask or places) if self.banned_mask else places
        one, two, three, four = board.discards
        low, high = allowed & HALF_MASK, allowed >> HALF_CARDS
        discards: list[Action] = [
            *one[low & SUIT_MASK],
            *two[low >> RANKS],
            *three[high & SUIT_MASK],
            *four[high >> RANKS],
        ]
        melds = board.meld_table.all_melds(places, held & held >> CARDS if held > PACK_MASK else 0)
        fitting = places & self.layoff_mask
        if melds or fitting:
            return [*self._filter_melds(held, melds), *self._iter_layoffs(seat, fitting), *discards]
        return discards

    def _filter_melds(self, held: int, melds: Sequence[Meld]) -> Sequence[Meld]:
        if not self.can_meld():
            return ()
        if not self.options.must_discard_out:
            return melds
        return [meld for meld in melds if self.can_lay_down(held, len(meld.cards))]

    def _iter_layoffs(self, seat: int, fitting: int) -> Iterator[Layoff]:
        """Yield the layoffs of cards, each on every meld that it fits."""
        if not fitting or not self.can_lay_off(seat):
            return
        for place in iter_places(fitting):
            for number, meld in enumerate(self.melds):
                if meld.layoff_mask >> place & 1:
                    yield self.board.layoffs[place][number]

    def can_meld(self) -> bool:
        """Note 3: whether the player on turn may meld; perhaps there is one meld a turn."""
        return not (self.has_melded and self.options.melds_per_turn)

    def can_lay_off(self, seat: int) -> bool:
        """Note 4: whether a player may lay off; perhaps not before the first own meld.

        Note 6: perhaps not the last card.
        """
        if self.options.layoff_needs_meld and seat not in self.meld_owners:
            return False
        return self.can_lay_down(self.hand_masks[seat], 1)

    def can_lay_down(self, held: int, cards: int) -> bool:
        """Note 6: whether `cards` cards of a hand may be laid down; perhaps only a discard may empty the hand."""
        return not self.options.must_discard_out or held.bit_count() > cards

    def draw_card(self, seat: int, action: Action) -> bool:
        """DRAW: take the top card of the stock or of the discard pile.

        D5: if the stock is empty the whole discard pile is turned over first, unshuffled.
        """
        table, board, kind = self.table, self.board, type(action)
        if kind is Draw:
            if not table.zones[board.stock]:
                table.turn_over(board.discard, board.stock)
                self.is_stock_public = True
            card = table.draw(board.stock, board.hands[seat])
            self.drawn_place = card % CARDS
            self.has_taken, self.banned_mask = False, 0
        elif kind is Take:
            card = table.draw(board.discard, board.hands[seat], "take")
            self.drawn_place = card % CARDS
            self.mark_taken()
        else:
            return False
        self.hand_masks[seat] |= BITS[card]
        self.turn = board.play_turns[seat]
        return True

    def discard_card(self, seat: int, action: Discard) -> bool:
        """PLAY: discard any card but, D6, the one taken in this turn, unless nothing else is left."""
        board, held = self.board, self.hand_masks[seat]
        places = held if held <= PACK_MASK else places_of(held)
        place = board.place_by_face.get(action.card, NO_CARD)
        if place < 0 or not (places & ~self.banned_mask or places) & BITS[place]:
            return False
        self.table.move(self._remove_card(seat, place), board.hands[seat], board.discard, "discard")
        if not self.hand_masks[seat]:
            self.go_out(seat)
            return True
        if places == self.banned_mask:
            self._show_second_copy(seat)
        self._end_turn(seat)
        return True

    def _show_second_copy(self, seat: int) -> None:
        """D6: who discards the card taken has no other; so everybody knows that what is left is its second copy."""
        hand, table = self.board.hands[seat], self.table
        if not table.is_known(hand, table.layout.spectator):
            table.reveal(hand, "proved")

    def lay_down(self, seat: int, action: Action) -> bool:
        """Play the rule PLAY: put down a meld or a layoff; a player whose hand is empty afterwards goes out."""
        if isinstance(action, Meld):
            is_played = self._lay_meld(seat, action)
        else:
            is_played = isinstance(action, Layoff) and self._lay_off(seat, action)
        if is_played and not self.hand_masks[seat]:
            self.go_out(seat)
        return is_played

    def _lay_meld(self, seat: int, action: Meld) -> bool:
        """PLAY: lay a sequence or a group on the table, as the next meld."""
        board, held = self.board, self.hand_masks[seat]
        meld = board.find_meld(action.cards)
        if meld is None or not has_cards(held, meld.cards):
            return False
        if not (self.can_meld() and self.can_lay_down(held, len(meld.cards))):
            return False
        cards = [self._remove_card(seat, place) for place in meld.cards]
        self.table.lay(cards, board.hands[seat], board.melds[len(self.melds)], "meld")
        self.add_meld(seat, meld)
        self.has_melded = True
        return True

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
        if not places_of(self.hand_masks[seat]) >> place & 1 or not self.can_lay_off(seat):
            return False
        self.table.move(self._remove_card(seat, place), board.hands[seat], board.melds[number - 1], "layoff")
        self.replace_meld(number, board.extend_meld(self.melds[number - 1], place))
        self.layoff_mask = 0
        for meld in self.melds:
            self.layoff_mask |= meld.layoff_mask
        self.has_laid_off = True
        return True

    def _remove_card(self, seat: int, place: int) -> int:
        """Return the card with this face that leaves a hand, and forget that it was there.

        D12: copies are interchangeable. If everybody knows one of two copies to be in the hand, that one leaves; what
        remains is then as secret as before. Otherwise the lower number leaves; no message carries card numbers.
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
        self.drawn_place = NO_CARD
        if self.has_melded or self.has_laid_off:
            self.active_seats |= 1 << seat
            self.has_melded = self.has_laid_off = False
        board, options = self.board, self.options
        if self.turns_done >= options.max_turns * len(board.hands):
            self.table.tell("stalled")
            self.end_deal(None, False)
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

    # ---- a deal and the next one

    def start(self) -> None:
        """S3: the first dealer is drawn by lot, unless the options name one."""
        dealer = self.options.first_dealer
        self.start_deal(self.table.draw_lot(len(self.board.hands)) if dealer == "random" else dealer)

    def start_deal(self, dealer: int) -> None:
        """S4: collect all cards, shuffle and deal."""
        self.collect_and_shuffle(self.board.stock, f"deal-{self.deal_no}")
        self.deal_cards(dealer)

    def deal_cards(self, dealer: int) -> None:
        """S4 to S6: deal from the stock as it lies, the first card to the dealer's left (D4), and turn one up."""
        table, board, size = self.table, self.board, self.options.hand_size or 0
        seats = len(board.hands)
        to = [board.hands[(dealer + step) % seats] for step in range(1, seats + 1)]
        self.dealer = dealer
        self.clear_deal()
        table.tell("deal", deal=self.deal_no, dealer=dealer, hand_size=size)
        table.deal(board.stock, to, size, event="hands")
        table.draw(board.stock, board.discard, "up_card")
        self.count_hands()
        self.turn = board.draw_turns[board.left_neighbour[dealer]]

    def go_out(self, seat: int) -> None:
        """2.2, D8: the hand is empty, so the deal ends at once.

        It is Going Rummy if no earlier turn had a meld or a layoff.
        """
        rummy = self.options.going_rummy != "off" and not self.active_seats >> seat & 1
        self.turns_done += 1
        self.table.tell("out", seat=seat, rummy=rummy)
        self.end_deal(seat, rummy)

    def end_deal(self, winner: int | None, rummy: bool) -> None:
        """2.3: show and count all remaining hands.

        Then the left neighbour of the dealer deals (S3), or the game is over.
        """
        table, board = self.table, self.board
        for hand in board.hands:
            if table.zones[hand]:
                table.reveal(hand, "hand")
        scores = deal_scores([hand_points(table.zones[hand]) for hand in board.hands], winner, rummy, self.options)
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        shown = tuple(tuple(self.public_cards(seat)) for seat in range(len(board.hands)))
        self.last_deal = DealResult(winner, rummy, scores, shown, self.turns_done)
        table.tell("deal_end", winner=winner, scores=list(scores), totals=list(self.totals))
        if is_over(self.totals, self.deal_no, self.options):
            self.turn = None
        else:
            self.deal_no += 1
            self.start_deal(board.left_neighbour[self.dealer])


def has_cards(held: int, cards: Sequence[int]) -> bool:
    """Whether a hand holds all these cards, both copies of those that are named twice."""
    once = twice = 0
    for place in cards:
        bit = BITS[place]
        twice |= once & bit
        once |= bit
    return not (once & ~places_of(held) or twice & ~(held & held >> CARDS))


def hand_points(cards: Iterable[int]) -> int:
    """D16: count every card that is left in a hand, a complete meld too."""
    return sum(map(POINTS.__getitem__, cards))


def deal_scores(left: Sequence[int], winner: int | None, rummy: bool, options: RummyOptions) -> tuple[int, ...]:
    """Section 3: return what the deal adds to each total.

    `left` are the points of each hand; no `winner`: the deal is stalled.
    """
    if winner is None:
        return _stalled_scores(left, options)
    factor = 2 if rummy and options.going_rummy == "double" else 1
    scores = _winner_scores([factor * points for points in left], winner, options)
    if rummy and options.going_rummy == "plus10":
        scores[winner] += BONUS
    return tuple(scores)


def _winner_scores(left: Sequence[int], winner: int, options: RummyOptions) -> list[int]:
    """Return who scores what where one seat has won what is left in the hands; its own hand counts nothing."""
    if options.scoring == "penalty":  # note 8
        return list(left)
    scores = [0 if options.scoring == "winner" else -points for points in left]
    scores[winner] = sum(left)
    return scores


def _stalled_scores(left: Sequence[int], options: RummyOptions) -> tuple[int, ...]:
    """D14: void; or the lowest hand, if one seat alone has it, wins what the others hold beyond it. No Going Rummy."""
    if options.stalled_deal == "void":
        return (0,) * len(left)
    if options.scoring == "penalty":
        return tuple(left)
    lowest = min(left)
    if left.count(lowest) > 1:
        return (0,) * len(left)
    return tuple(_winner_scores([points - lowest for points in left], left.index(lowest), options))


def is_over(totals: Sequence[int], deals_played: int, options: RummyOptions) -> bool:
    """2.3: enough deals have been played, or somebody's total is `points` or more."""
    if options.deals is not None and deals_played >= options.deals:
        return True
    return options.points is not None and max(totals) >= options.points
