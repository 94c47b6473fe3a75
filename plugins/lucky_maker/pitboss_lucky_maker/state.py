"""A series of Lucky Maker at one moment: the rules, the evaluation, positions and the picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Self

from pitboss import (
    Layout,
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Random,
    Table,
    TableState,
    Turn,
    Visibility,
    Zone,
    outcome_by_side,
    solo_sides,
)
from pitboss.rendering.table_text import NAME_WIDTH, player_heading, render_beside, render_zone
from pitboss.table.position_setup import check_row_lengths, check_seats, set_up_zones, stack_deck
from pitboss.text import truncate_text
from pitboss_lucky_maker.cards import (
    CARD_BY_FACE,
    CATEGORIES,
    CATEGORY_CARDS,
    COMPLEMENT,
    DECK,
    FOLLOWS,
    HIGHEST,
    PAIRS,
    SUIT_NUMBERS,
    SUITS,
    hand_size,
)
from pitboss_lucky_maker.messages import (
    PLAYS,
    LuckyMakerOptions,
    Play,
    PlayedTrick,
    Position,
    SeatCard,
    Trick,
    View,
)
from pitboss_lucky_maker.trick import (
    LATE_SEAT_VALUE,
    SUITS_A_TRICK,
    TOP_CARD_VALUE,
    PastTrick,
    TrickForecast,
    TrickResult,
    decide_trick,
    lead_after,
    likely_play,
    next_lead,
    strength_in_suit,
)

BITS: Final = tuple(1 << card for card in range(len(DECK)))
HIGHER_CARDS: Final = {  # by suit and number: the mask of the cards with a higher number
    suit: tuple(
        sum(bit for bit, number in zip(BITS, SUIT_NUMBERS[suit], strict=True) if number > than)
        for than in range(HIGHEST + 1)
    )
    for suit in SUITS
}
RIVALS: Final = [
    tuple(HIGHER_CARDS[suit][SUIT_NUMBERS[suit][card]] for suit in CATEGORIES[card // HIGHEST])
    for card in range(len(DECK))
]
forecast_of: Final = cache(TrickForecast)  # by master
MAX_POINTS_A_TRICK: Final = 10  # points
CARD_COLUMN: Final = 26  # where cards begin, in a series 6 columns later
WIDTH: Final = 60
EXCEPTION_WORDS: Final = {
    1: "even counts",
    2: "master higher",
    3: "nobody followed",
    4: "tie at the top",
}  # 2.2: the exceptions


class LuckyMakerBoard:
    """The layout for a number of players: shared by all games with it."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.tricks = hand_size(seats)
        self.layout = Layout(DECK, seats)
        self.masters = self.layout.add_pile("masters", Visibility.NOBODY)
        self.master = self.layout.add_pile("master", Visibility.EVERYBODY)
        self.trick = self.layout.add_spread("trick")
        self.hands = self.layout.add_hands("hand")
        self.won = tuple(self.layout.add_pile(f"won {seat}", Visibility.EVERYBODY, seat) for seat in range(seats))
        self.removed = self.layout.add_pile(
            "removed", Visibility.EVERYBODY
        )  # D9; also cards of tricks that a written position leaves out
        self.sides = solo_sides(seats)
        self.turns = tuple(Turn(seat, "play") for seat in range(seats))
        self.next_turns = (*self.turns[1:], self.turns[0])
        self.seats_from = tuple(tuple((lead + place) % seats for place in range(seats)) for lead in range(seats))
        self.seat_cards: tuple[tuple[SeatCard, ...], ...] = tuple(
            tuple((seat, str(face)) for face in DECK.faces) for seat in range(seats)
        )

    def trick_message(self, past: PastTrick) -> Trick:
        """Convert a finished trick to the message that views carry."""
        master, lead, cards, (_, follow, place, points, rules) = past
        winner = None if place is None else self.seats_from[lead][place]
        return Trick(PLAYS[master].card, lead, tuple(self.played_cards(lead, cards)), follow, winner, points, rules)

    def pile_for(self, past: PastTrick) -> Zone:
        """D9: return the pile that a finished trick was taken to."""
        _, lead, _, decision = past
        return self.removed if decision.winner is None else self.won[self.seats_from[lead][decision.winner]]

    def played_cards(self, lead: int, cards: Sequence[int]) -> list[SeatCard]:
        """Return cards in time order with who played them."""
        seat_cards = self.seat_cards
        return [seat_cards[seat][card] for seat, card in zip(self.seats_from[lead], cards, strict=False)]


board_for: Final = lru_cache(LuckyMakerBoard)


class LuckyMakerState(TableState[LuckyMakerOptions, Play]):
    """A series of Lucky Maker at one moment."""

    has_outcome_so_far = True

    board: LuckyMakerBoard
    scores: list[int]
    past_tricks: list[PastTrick]  # the finished tricks of this game
    totals: list[int]  # of the earlier games
    voids: tuple[int | None, ...]  # by seat: the category of which its hand is known to hold no suit
    game_no: int = 1
    first_lead: int = 0  # who led to the first trick of this game
    lead: int = 0
    follows: tuple[bool, ...] = FOLLOWS[0]  # by card: does it follow the open master?
    trick_messages: tuple[Trick, ...] = ()  # the same as a view has it, as far as somebody has looked

    @classmethod
    def create(cls, seats: int, options: LuckyMakerOptions, rng: Random) -> Self:
        """Return a state before the first game."""
        if not options.games:
            raise ValueError("the options are not resolved")
        board = board_for(seats)
        return cls(
            options=options,
            table=Table(board.layout, rng, board.masters),
            rng=rng,
            board=board,
            scores=[0] * seats,
            past_tricks=[],
            totals=[0] * seats,
            voids=(None,) * seats,
        )

    def series_totals(self) -> list[int]:
        """Return the points of the series by seat, this game included."""
        return [before + now for before, now in zip(self.totals, self.scores, strict=True)]

    def sort_hands(self) -> None:
        """Keep all hands in canonical order: how a player holds its cards tells nobody anything."""
        zones = self.table.zones
        for hand in self.board.hands:
            zones[hand].sort()

    def imagine(self, seat: int, rng: Random) -> Self:
        """Return a state that the seat cannot tell from this one."""
        twin = super().imagine(seat, rng)
        twin.sort_hands()
        return twin

    def legal(self) -> Sequence[Play]:
        """2.1: the cards of the hand that follow the master; all cards if none does. In canonical order."""
        turn = self.turn
        if turn is None:
            return ()
        held, follows, plays = self.table.zones[self.board.hands[turn[0]]], self.follows, PLAYS
        legal: list[Play] = []
        for card in held:
            if follows[card]:
                legal.append(plays[card])  # noqa: PERF401 - in Python 3.11 a comprehension takes a third longer
        return legal or [PLAYS[card] for card in held]

    def play(self, action: Play) -> None:
        """Section 2: play the card; the last one of a trick decides it, and the next master is turned up."""
        turn, board, table = self.turn, self.board, self.table
        if turn is None or type(action) is not Play or action.card not in CARD_BY_FACE:
            self.refuse(action)
        seat, card, zones = turn[0], CARD_BY_FACE[action.card], table.zones
        hand = board.hands[seat]
        follows = self.follows[card]
        if card not in zones[hand] or not (follows or self._is_void(seat)):
            self.refuse(action)
        table.move(card, hand, board.trick, "play")
        if not follows:
            self.learn_void(seat)
        if len(zones[board.trick]) < board.seats:
            self.turn = board.next_turns[seat]
        else:
            self.resolve_trick(zones[board.trick])

    def _is_void(self, seat: int) -> bool:
        """2.1: whether no card of the hand follows the master (D7: nobody has to follow the lead)."""
        follows = self.follows
        return not any(follows[card] for card in self.table.zones[self.board.hands[seat]])

    def view(self, seat: int) -> View:
        """2.4 and section 6, without what the wire tells anyway."""
        board, zones = self.board, self.table.zones
        master = zones[board.master]
        return View(
            hand=[PLAYS[card].card for card in zones[board.hands[seat]]] if seat < board.seats else [],
            master=PLAYS[master[0]].card if master else None,
            trick=board.played_cards(self.lead, zones[board.trick]),
            lead=self.lead,
            trick_no=board.tricks - len(zones[board.masters]),
            tricks=board.tricks,
            scores=self.scores[:],
            totals=self.totals[:],
            game_no=self.game_no,
            games=self.options.games,
            history=self._history(),
        )

    def _history(self) -> tuple[Trick, ...]:
        """Return the finished tricks: each is made once, when somebody looks at it."""
        unseen = self.past_tricks[len(self.trick_messages) :]
        if unseen:
            self.trick_messages = (*self.trick_messages, *map(self.board.trick_message, unseen))
        return self.trick_messages

    def outcome(self) -> Outcome:
        """Section 3: places by the total of the series, the highest first (D11)."""
        return outcome_by_side(self.series_totals(), self.board.sides)

    # ---- 2.2 to 3: the end of a trick, and the games of a series

    def learn_void(self, seat: int) -> None:
        """2.4: who did not follow holds neither suit of the master, so only cards of its complement."""
        if self.voids[seat] is None and self.table.zones[self.board.hands[seat]]:
            [master] = self.table.zones[self.board.master]
            self.state_void(seat, master // 10)

    def state_void(self, seat: int, category: int) -> None:
        """State that a hand is known to hold no suit of a category."""
        self.voids = (*self.voids[:seat], category, *self.voids[seat + 1 :])
        self.table.restrict(self.table.zones[self.board.hands[seat]], CATEGORY_CARDS[COMPLEMENT[category]])

    def resolve_trick(self, trick: list[int]) -> None:
        """2.2, 2.3: decide the trick, score it, and go on."""
        table, board, lead = self.table, self.board, self.lead
        [master] = table.zones[board.master]
        decision = decide_trick(master, trick)
        self.past_tricks.append((master, lead, tuple(trick), decision))
        self.lead = lead_after(decision, lead, board.seats, self.options)
        if decision.winner is None:
            winner, event, pile = None, "remove", board.removed
        else:
            winner = board.seats_from[lead][decision.winner]
            event, pile = "take", board.won[winner]
            self.scores[winner] += decision.points
        if table.log is not None:
            self._tell_trick(decision, winner)
        table.draw(board.master, pile, event)  # D9, D15: what was played stays public
        table.turn_over(board.trick, pile, event)
        if table.zones[board.masters]:
            self._reveal_master()
        else:
            self._end_game()

    def _tell_trick(self, decision: TrickResult, winner: int | None) -> None:
        """Section 6: say how the trick was decided; the counts are those of the master's suits."""
        self.table.tell(
            "trick",
            follow=decision.follow,
            counts=[*decision.counts],
            winner=winner,
            points=decision.points,
            rules=[*decision.rules],
            next_lead=self.lead,
        )

    def _reveal_master(self) -> None:
        """REVEAL: the next master is turned up before the leader plays."""
        master = self.table.draw(self.board.masters, self.board.master, "master")
        self.follows = FOLLOWS[master // 10]
        self.turn = self.board.turns[self.lead]

    def resume_play(self) -> None:
        """Set the turn from how the cards lie: for a position that was set up."""
        zones, board = self.table.zones, self.board
        [master] = zones[board.master]
        self.follows = FOLLOWS[master // 10]
        self.turn = board.turns[board.seats_from[self.lead][len(zones[board.trick])]]

    def _end_game(self) -> None:
        """Section 3: after the last trick the next game of the series is dealt, or the series is over."""
        totals = self.series_totals()
        outcome = outcome_by_side(totals, self.board.sides)
        self.table.tell("end", game=self.game_no, scores=[*self.scores], totals=[*totals], ranks=list(outcome.places))
        if self.game_no == self.options.games:
            self.turn = None
            return
        self.totals, self.scores = totals, [0] * self.board.seats
        self.game_no += 1
        self.start()

    def start(self) -> None:
        """D12, D13: collect and shuffle all cards, and deal."""
        self.collect_and_shuffle(self.board.masters, f"deal-{self.game_no}")
        self.deal_game(self._choose_first_lead())

    def _choose_first_lead(self) -> int:
        """D1: by lot, then one seat on in each game; or as the option `start` has it."""
        start, seats = self.options.start, self.board.seats
        if start == "random" or (start == "rotate" and self.game_no == 1):
            return self.table.draw_lot(seats)
        return 0 if self.game_no == 1 else (self.first_lead + 1) % seats

    def deal_game(self, start: int) -> None:
        """D10: deal from the pile as it lies, one card at a time, seat 0 first; what remains are the masters."""
        table, board = self.table, self.board
        self.first_lead = self.lead = start
        self.past_tricks, self.trick_messages, self.voids = [], (), (None,) * board.seats
        table.tell("game", game=self.game_no, lead=start)
        table.deal(board.masters, board.hands, board.tricks)
        self.sort_hands()
        self._reveal_master()

    # ---- what search players expect

    def evaluate(self) -> list[float]:
        """Return by seat the expected total after the game.

        It is the sum of the points so far, the likely points of this trick, and the prices of the cards left.
        """
        board, zones = self.board, self.table.zones
        prices = _card_prices(self)
        expected = [
            total + score + sum(price) for total, score, price in zip(self.totals, self.scores, prices, strict=True)
        ]
        lead = _play_out(self, expected, prices) if zones[board.trick] else self.lead
        if zones[board.masters]:
            for place, seat in enumerate(board.seats_from[lead]):
                expected[seat] += LATE_SEAT_VALUE * place / (board.seats - 1)
        return expected

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this game, and the totals of the earlier ones."""
        board, zones = self.board, self.table.zones
        master = _faces(zones[board.master])
        voids = [
            PAIRS[category] if category is not None and zones[hand] else None
            for category, hand in zip(self.voids, board.hands, strict=True)
        ]
        return Position(
            hands=[[*_faces(zones[hand])] for hand in board.hands],
            masters=[*reversed(_faces(zones[board.masters]))],
            master=master[0] if master else None,
            trick=_faces(zones[board.trick]),
            lead=self.lead,
            start=self.first_lead,
            history=[
                PlayedTrick(PLAYS[master].card, lead, _faces(cards)) for master, lead, cards, _ in self.past_tricks
            ],
            void=voids if any(voids) else None,
            scores=self.scores[:],
            totals=self.totals[:],
            game_no=self.game_no,
        )

    def set_up(self, position: Position) -> None:
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        seats = self.board.seats
        check_row_lengths(
            seats, hands=position.hands, void=position.void, scores=position.scores, totals=position.totals
        )
        check_seats(seats, lead=position.lead, start=position.start)
        for past in position.history:
            check_seats(seats, lead=past.lead)
        if position.game_no > self.options.games:
            raise PositionError(f"game_no is {position.game_no}; the series has {self.options.games} games")
        self.game_no = position.game_no
        self.totals = _check_totals(self, position)
        if position.deck is not None:
            beside = ("lead", "start", "scores", "totals", "game_no")
            stack_deck(self.table, self.board.masters, position.deck, position, beside)
            _check_scores(self, position, 0)
            self.lead = _find_lead(self, position, 0)
            self.deal_game(_find_first_lead(self, position, 0))
        else:
            _lay_out(self, position)

    # ---- what people see

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        table, board = self.table, self.board
        is_series = self.options.games > 1
        counts = ", ".join(f"{count.name} {count.value}" for count in self.public_counts().table)
        leader = truncate_text(names[self.lead], NAME_WIDTH)
        yield f"  {counts}, led by {self.lead} {leader}"
        yield from _last_trick(self)
        yield f"  masters  {render_zone(table, board.masters, seat, WIDTH - 11)[0]}"
        yield f"  master   {' '.join(map(str, table.faces(board.master)))}".rstrip()
        played = board.played_cards(self.lead, table.zones[board.trick])
        yield f"  trick    {', '.join(f'{owner} {card}' for owner, card in played)}".rstrip()
        yield f"{'':{NAME_WIDTH + 4}}{'score':>6}" + f"{' total' if is_series else ''}"
        for owner in range(board.seats):
            yield from _player(self, seat, owner, names[owner])

    def public_counts(self) -> PublicCounts:
        """Return the numbers of the game and the trick; of each seat its score, that of the series, and who leads."""
        board, games = self.board, self.options.games
        number = board.tricks - len(self.table.zones[board.masters])
        table = [PublicCount("trick", f"{number} of {board.tricks}", "part")]
        if games > 1:
            table.insert(0, PublicCount("game", f"{self.game_no} of {games}", "part"))
        return PublicCounts(table, [_count_seat(self, seat) for seat in range(board.seats)])


@cache
def strengths_in_suit(count: int, looks: int) -> tuple[float, ...]:
    """Return the strength of a card in a suit by the number of cards, of `count` others, that are higher."""
    return tuple(strength_in_suit(higher / count, looks) for higher in range(count + 1))


def _card_prices(state: LuckyMakerState) -> list[list[float]]:
    """Return by seat the expected points of each card of its hand in later tricks: its strength times a top card's."""
    board, zones = state.board, state.table.zones
    hands, bit = [zones[hand] for hand in board.hands], BITS.__getitem__
    masks = [sum(map(bit, hand)) for hand in hands]
    live = sum(masks) + sum(map(bit, zones[board.masters]))
    looks, rivals, value = SUITS_A_TRICK * (board.seats - 1), RIVALS, TOP_CARD_VALUE
    prices = []
    for hand, mask in zip(hands, masks, strict=True):
        rest = live ^ mask
        strengths = strengths_in_suit(rest.bit_count() or 1, looks)
        price = []
        for card in hand:
            one, other = rivals[card]
            price.append(value * (strengths[(rest & one).bit_count()] + strengths[(rest & other).bit_count()]))
        prices.append(price)
    return prices


def _play_out(state: LuckyMakerState, expected: list[float], prices: Sequence[Sequence[float]]) -> int:
    """Complete the trick with likely plays, add it to `expected`, and return who leads to the next one."""
    board, zones, follows = state.board, state.table.zones, state.follows
    trick, seats = zones[board.trick], board.seats_from[state.lead]
    forecast = forecast_of(zones[board.master][0])
    standing = forecast.start
    for card, seat in zip(trick, seats, strict=False):
        standing = forecast.add_card(standing, card, seat)
    for seat in seats[len(trick) :]:
        hand = zones[board.hands[seat]]
        price_of = dict(zip(hand, prices[seat], strict=True))
        card = likely_play(forecast, standing, [card for card in hand if follows[card]] or hand, price_of)
        standing = forecast.add_card(standing, card, seat)
        expected[seat] -= price_of[card]
    decisive, points = forecast.decide(standing)
    if decisive.holder is not None:
        expected[decisive.holder] += points
    tie_lead, void_lead = state.options.tie_lead, state.options.void_lead
    is_followed = decisive.cards > 0
    return next_lead(decisive.holder, decisive.is_tie, is_followed, state.lead, board.seats, tie_lead, void_lead)


class CardPlacement:
    """The cards of a position by zone, checked; None is a place left open.

    `voids[seat]` is the category of which the hand is known to hold no suit.
    """

    def __init__(self, state: LuckyMakerState, position: Position, left: int) -> None:
        seats = state.board.seats
        self.state, self.position = state, position
        self.trick_seats = state.board.seats_from[state.lead][: len(position.trick)]
        sizes = [left - (seat in self.trick_seats) for seat in range(seats)]
        if len(position.trick) >= seats or (position.trick and not left):
            raise PositionError(
                f"{len(position.trick)} cards lie in the trick; {seats} play, and {left} cards are left to the seat on "
                "turn"
            )
        self.hands: Sequence[Sequence[str | None]] = position.hands or [[None] * size for size in sizes]
        if [len(hand) for hand in self.hands] != sizes:
            raise PositionError(f"the hands have {[len(hand) for hand in self.hands]!r} cards; it must be {sizes!r}")
        hidden = max(0, left - 1)
        self.masters: Sequence[str | None] = [None] * hidden if position.masters is None else position.masters
        if len(self.masters) != hidden:
            raise PositionError(
                f"there are {len(self.masters)} hidden masters; with hands of {left} there are {hidden}"
            )
        if not left and position.master:
            raise PositionError(
                f"the master {position.master!r} lies face up, but all hands are empty: "
                "after the last trick there is no master"
            )
        self.master = [position.master] if left else []
        if position.trick and position.master is None:
            raise PositionError("cards lie in the trick; the master that they were played to must be written")
        self.voids = [self._find_void(seat) for seat in range(seats)]

    def place_cards(self) -> None:
        """Lay the cards out; what is left over lay in tricks that are not written."""
        board, table, position = self.state.board, self.state.table, self.position
        rows: list[tuple[Zone, Sequence[str | None]]] = [
            *zip(board.hands, self.hands, strict=True),
            (board.trick, position.trick),
            (board.master, self.master),
            (board.masters, self.masters[::-1]),
        ]
        for past, written in zip(self.state.past_tricks, position.history, strict=True):
            rows.append((board.pile_for(past), [written.master, *reversed(written.cards)]))  # the trick turned over
        among = {
            hand: CATEGORY_CARDS[COMPLEMENT[void]]
            for hand, void in zip(board.hands, self.voids, strict=True)
            if void is not None
        }
        left = set_up_zones(table, board.masters, rows, among)
        table.place(left, board.masters, board.removed, 0)
        self.state.sort_hands()

    # ---- 2.4: who did not follow holds neither suit

    def _find_void(self, seat: int) -> int | None:
        """Return the category of which a hand is known to hold no suit, by what was played or by what is written."""
        hand = DECK.find_cards([face for face in self.hands[seat] if face is not None])
        known = list[int]()
        if self.position.void is not None and (pair := self.position.void[seat]) is not None:
            known.append(PAIRS.index(pair))
            self._check_void(seat, known[0], hand)
        plays = self._plays_of(seat)
        for number, (card, category) in enumerate(plays):
            if not FOLLOWS[category][card]:
                self._check_void(seat, category, [*(later for later, _ in plays[number + 1 :]), *hand])
                known.append(category)
        if self.hands[seat] and len(set(known)) > 1:
            raise PositionError(
                f"seat {seat} is void of {' and of '.join(PAIRS[one] for one in known)}: it can hold no card"
            )
        return known[-1] if known else None

    def _plays_of(self, seat: int) -> list[tuple[int, int]]:
        """Return what a seat has played in this game, as far as it is written, each with the category of the master."""
        plays = [
            (cards[self.state.board.seats_from[lead].index(seat)], master // 10)
            for master, lead, cards, _ in self.state.past_tricks
        ]
        if seat in self.trick_seats and self.position.master is not None:
            played = self.position.trick[self.trick_seats.index(seat)]
            card, master = DECK.find_cards([played, self.position.master])
            plays.append((card, master // 10))
        return plays

    def _check_void(self, seat: int, category: int, cards: Sequence[int]) -> None:
        following = [PLAYS[card].card for card in cards if FOLLOWS[category][card]]
        if following:
            raise PositionError(
                f"seat {seat} is void of {PAIRS[category]}, or has not followed it, but plays or holds "
                f"{following[0]!r} afterwards"
            )


def _faces(cards: Sequence[int]) -> list[str]:
    return [PLAYS[card].card for card in cards]


def _lay_out(state: LuckyMakerState, position: Position) -> None:
    """Lay out the cards that are written, deal the rest to the places left open, and state the known voids."""
    left = _cards_left(position, state.board.tricks)
    state.past_tricks = _decide_history(state, position.history)
    before = state.board.tricks - left  # tricks of this game that were played
    state.scores = _check_scores(state, position, before - len(state.past_tricks))
    state.lead = _find_lead(state, position, before)
    state.first_lead = _find_first_lead(state, position, before)
    placing = CardPlacement(state, position, left)
    placing.place_cards()
    if left:
        state.resume_play()
    elif position.game_no < state.options.games:
        raise PositionError(
            f"no cards are left in game {position.game_no}; then the next of the {state.options.games} games is dealt"
        )
    for seat, category in enumerate(placing.voids):
        if category is not None and state.table.zones[state.board.hands[seat]]:
            state.state_void(seat, category)


def _cards_left(position: Position, tricks: int) -> int:
    """Return how many cards the player on turn holds: also how many masters are left, the open one counted."""
    if position.hands is not None:
        left = max(map(len, position.hands))
    elif position.masters is not None:
        left = len(position.masters) + 1
    else:
        left = tricks - len(position.history)
    if not 0 <= left <= tricks - len(position.history):
        raise PositionError(
            f"a game has {tricks} tricks; with {len(position.history)} in the history {left} cannot be left"
        )
    return left


def _decide_history(state: LuckyMakerState, played: Sequence[PlayedTrick]) -> list[PastTrick]:
    """2.2, 2.3: decide the tricks of the history; each is led by whom the one before says."""
    board, tricks = state.board, list[PastTrick]()
    lead: int | None = None
    for number, past in enumerate(played, 1):
        if len(past.cards) != board.seats:
            raise PositionError(f"trick {number} of the history has {len(past.cards)} cards; {board.seats} play")
        if lead not in (None, past.lead):
            raise PositionError(
                f"trick {number} of the history is led by seat {past.lead}; by the trick before it is seat {lead}"
            )
        master, *cards = DECK.find_cards([past.master, *past.cards])
        decision = decide_trick(master, cards)
        tricks.append((master, past.lead, tuple(cards), decision))
        lead = lead_after(decision, past.lead, board.seats, state.options)
    if lead is not None:
        state.lead = lead
    return tricks


def _find_lead(state: LuckyMakerState, position: Position, before: int) -> int:
    """Return who leads: it is written, or follows from the history or the start, or is drawn by lot."""
    if state.past_tricks:
        follows: int | None = state.lead
    elif before == 0:
        follows = position.start if position.start is not None else _fixed_first_lead(state, position)
    else:
        follows = None
    if follows is None and position.lead is None and position.trick:
        raise PositionError("cards lie in the trick; who led to it must be written")
    if position.lead is not None and follows not in (None, position.lead):
        raise PositionError(f"lead is {position.lead}; by the history, the start or the options it is {follows}")
    if follows is None:
        follows = position.lead
    return follows if follows is not None else state.table.rng.randbelow(state.board.seats)


def _find_first_lead(state: LuckyMakerState, position: Position, before: int) -> int:
    """Return who led to the first trick of this game; if nothing tells, it is drawn by lot."""
    follows = _fixed_first_lead(state, position)
    if before == 0:
        first: int | None = state.lead
    else:
        first = state.past_tricks[0][1] if len(state.past_tricks) == before else None
    for known in (first, position.start):
        if known is not None and follows not in (None, known):
            raise PositionError(f"start is {known}; by the first trick or the options it is {follows}")
        follows = known if follows is None else follows
    return follows if follows is not None else state.table.rng.randbelow(state.board.seats)


def _fixed_first_lead(state: LuckyMakerState, position: Position) -> int | None:
    """Section 4: return who starts this game by the option `start` alone."""
    return (position.game_no - 1) % state.board.seats if state.options.start == "seat0" else None


def _check_scores(state: LuckyMakerState, position: Position, unwritten: int) -> list[int]:
    """Return the points of this game: those of the history, and at most ten for each trick that is not written."""
    earned = [0] * state.board.seats
    for _, lead, _, decision in state.past_tricks:
        if decision.winner is not None:
            earned[state.board.seats_from[lead][decision.winner]] += decision.points
    if position.scores is None:
        return earned
    more = [given - own for given, own in zip(position.scores, earned, strict=True)]
    if min(more) < 0 or sum(more) > MAX_POINTS_A_TRICK * unwritten:
        raise PositionError(
            f"scores are {position.scores!r}; the history gives {earned!r}, and {unwritten} tricks are not in it"
        )
    return list(position.scores)


def _check_totals(state: LuckyMakerState, position: Position) -> list[int]:
    totals = [0] * state.board.seats if position.totals is None else list(position.totals)
    most = MAX_POINTS_A_TRICK * state.board.tricks * (position.game_no - 1)
    if sum(totals) > most:
        raise PositionError(
            f"totals are {totals!r}; before game {position.game_no} there were at most {most} points to win"
        )
    return totals


def _count_seat(state: LuckyMakerState, seat: int) -> list[PublicCount]:
    counts = [PublicCount("score", state.scores[seat])]
    if state.options.games > 1:
        counts.append(PublicCount("total", state.series_totals()[seat]))
    return [*counts, PublicCount("leads")] if seat == state.lead else counts


def _last_trick(state: LuckyMakerState) -> Iterator[str]:
    if state.past_tricks:
        trick = state.board.trick_message(state.past_tricks[-1])
        why = ", ".join(
            [f"{trick.follow} decided"] * (trick.follow is not None) + [EXCEPTION_WORDS[rule] for rule in trick.rules]
        )
        won = "nobody won" if trick.winner is None else f"{trick.winner} won {trick.points}"
        yield f"  last     {trick.master}: {', '.join(f'{owner} {card}' for owner, card in trick.cards)}"
        yield f"           {won}: {why}"


def _player(state: LuckyMakerState, seat: int | None, owner: int, name: str) -> Iterator[str]:
    is_on_turn = state.turn is not None and state.turn.seat == owner
    total = f"{state.totals[owner] + state.scores[owner]:>6}" if state.options.games > 1 else ""
    head, column = f"{player_heading(is_on_turn, owner, name)}{state.scores[owner]:>6}{total}", CARD_COLUMN + len(total)
    lines = render_zone(state.table, state.board.hands[owner], seat, WIDTH - column)
    if (category := state.voids[owner]) is not None:
        lines.append(f"holds no {' and no '.join(CATEGORIES[category])}")
    return render_beside(head, lines, column)
