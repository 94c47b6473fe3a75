"""Big Two. Lay a higher single card, pair, triple or poker hand of five cards, or pass; the first without a card wins.

Ranks from low to high: 3 4 5 6 7 8 9 10 J Q K A 2; suits: diamonds, clubs, hearts, spades. 3 or 4 players.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product
from typing import Annotated, Final, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import Action, CardFace, Deck, Options, Outcome, SeatIndex, TableGame, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.climbing import ClimbingCombination, ClimbingRound
from pitboss.parts.deals import DealsState
from pitboss.plugins.hookspec import hookimpl
from pitboss.table.zone_fields import hand_each, pile, spread

RANKS: Final = ("3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2")
SUITS: Final = "DCHS"
# Card n has rank n // 4 and suit n % 4, so that the numbers of cards go as their strength: 0 is the three of diamonds.
DECK: Final = Deck([suit + rank for rank in RANKS for suit in SUITS])
FACES: Final = [*map(str, DECK.faces)]
NUMBERS: Final = {face: card for card, face in enumerate(FACES)}
STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH = range(5)
RUNS: Final = [tuple(range(low, low + 5)) for low in range(8)]  # 3-7 to 10-A
LOW_RUNS: Final = [(11, 12, 0, 1, 2), (12, 0, 1, 2, 3)]  # A2345, 23456: the two is high in it only by its number


class BigTwoOptions(Options, frozen=True):
    """What people may choose."""

    deals: Annotated[
        Annotated[int, Meta(ge=1, le=40)] | None, Meta(description="Deals of a match; by default one for each player.")
    ] = None
    pass_locks: Annotated[bool, Meta(description="Who has passed may not lay again until the round is over.")] = False
    low_straights: Annotated[
        bool, Meta(description="A2345 and 23456 are straights too; their high card is the 5 or 6.")
    ] = True
    flush_by_suit: Annotated[bool, Meta(description="Of two flushes the suit decides before the highest card.")] = False
    double_from: Annotated[int, Meta(ge=2, le=18, description="From this number on, cards left count double.")] = 10

    def resolve(self, seats: int) -> Self:
        """Fill in the number of deals."""
        return self if self.deals is not None else replace(self, deals=seats)


class Lay(Action, frozen=True):
    """Lay one combination of one, two, three or five cards, the lowest first."""

    cards: tuple[CardFace, ...]


class Pass(Action, frozen=True):
    """Lay nothing."""


PASS: Final = Pass()


class BigTwoView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards, the lowest first; empty for a spectator.")]
    top: Annotated[list[str], Meta(description="What has to be beaten; empty if you lead.")]
    top_seat: Annotated[SeatIndex | None, Meta(description="Who laid it.")]
    counts: Annotated[list[int], Meta(description="By seat, how many cards it holds.")]
    passed: Annotated[list[bool], Meta(description="By seat, whether it has passed in this round.")]
    played: Annotated[list[str], Meta(description="The cards laid earlier in this deal.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="From 1.")]


# What follows from cards alone is kept: a hand is asked again and again until it changes (docs/fast-game.md).
Listed: TypeAlias = tuple[ClimbingCombination, Lay, int]  # a combination in a hand; the last: its lowest card


@lru_cache(1 << 16)
def classify(cards: tuple[int, ...], low_straights: bool, by_suit: bool) -> ClimbingCombination | None:
    """Return what some cards, the lowest first, are; None if they are nothing."""
    size = len(cards)
    ranks = [card // 4 for card in cards]
    if size in (1, 2, 3):
        return ClimbingCombination("equal", size, cards[-1]) if len(set(ranks)) == 1 else None
    if size != 5:
        return None
    kinds = sorted(map(ranks.count, set(ranks)))
    if kinds == [2, 3] or kinds == [1, 4]:
        return make_five(FULL_HOUSE if kinds == [2, 3] else FOUR, max(ranks, key=ranks.count))
    is_flush = len({card % 4 for card in cards}) == 1
    high = find_high(cards, low_straights)
    if high is not None:
        return make_five(STRAIGHT_FLUSH if is_flush else STRAIGHT, high)
    if is_flush:
        return make_five(FLUSH, cards[-1] % 4 * 52 + cards[-1] if by_suit else cards[-1])
    return None


def make_five(kind: int, rank: int) -> ClimbingCombination:
    """Return five cards as one kind, whose rank has the kind before the rank in it."""
    return ClimbingCombination("five", 5, 1000 * kind + rank)


def find_high(cards: Sequence[int], low_straights: bool) -> int | None:
    """Return the card by which a straight is compared; None if it is none."""
    by_rank = {card // 4: card for card in cards}
    for run in RUNS + (LOW_RUNS if low_straights else []):
        if set(run) == set(by_rank):
            return by_rank[run[-1]]
    return None


def iter_combinations(cards: Sequence[int], size: int, low_straights: bool) -> Iterator[tuple[int, ...]]:
    """Yield all combinations of `size` cards of a hand, the lowest cards first; some may come twice."""
    by_rank: dict[int, list[int]] = {}
    for card in cards:
        by_rank.setdefault(card // 4, []).append(card)
    if size < 4:
        for same in by_rank.values():
            yield from combinations(same, size)
        return
    for run in RUNS + (LOW_RUNS if low_straights else []):
        if all(rank in by_rank for rank in run):
            yield from (tuple(sorted(chosen)) for chosen in product(*(by_rank[rank] for rank in run)))
    for suit in range(4):
        yield from combinations([card for card in cards if card % 4 == suit], 5)
    for same in by_rank.values():
        for three in combinations(same, 3):
            for others in by_rank.values():
                if others is not same:
                    yield from (tuple(sorted(three + two)) for two in combinations(others, 2))
        if len(same) == 4:
            yield from (tuple(sorted([*same, one])) for one in cards if one not in same)


@lru_cache(1 << 12)
def list_lays(hand: tuple[int, ...], size: int, low_straights: bool, by_suit: bool) -> list[Listed]:
    """Return the combinations of `size` cards of an ascending hand, the lowest first."""
    rated = {}
    for cards in iter_combinations(hand, size, low_straights):
        combination = classify(cards, low_straights, by_suit)
        assert combination is not None
        rated[cards] = combination
    order = sorted(rated, key=lambda cards: (rated[cards].rank, cards))
    return [(rated[cards], make_lay(cards), cards[0]) for cards in order]


@lru_cache(1 << 16)
def make_lay(cards: tuple[int, ...]) -> Lay:
    """Return the action that lays some cards."""
    return Lay(tuple([FACES[card] for card in cards]))


class BigTwoState(DealsState[BigTwoOptions, Lay | Pass]):
    """A match at one moment."""

    deck = DECK
    stock: Zone = pile(Visibility.NOBODY)
    top: Zone = spread()
    played: Zone = pile()
    hands: Zones = hand_each()
    round: ClimbingRound = ClimbingRound(4, 0)
    must_hold: int | None = None  # the first lay of a deal has this card

    def deal_cards(self) -> None:
        """Deal all cards; who holds the three of diamonds takes what is left, and leads with it."""
        self.table.deal(self.stock, self.hands, 52 // self.seats)
        holder = next((s for s, hand in enumerate(self.hands) if 0 in self.table.zones[hand]), None)
        if holder is None:  # three players, and it is the card that is left
            holder = self.deal_no % self.seats
        for _ in range(52 % self.seats):
            self.table.draw(self.stock, self.hands[holder])
        self.table.reveal(self.hands[holder], "show_lowest", cards=[0])
        self.must_hold = 0
        self.round = ClimbingRound(self.seats, holder, passes_lock=self.options.pass_locks)
        self.turn = Turn(holder, "lead")

    # -- what is legal ---------------------------------------------------------------------------------------------

    def legal(self) -> Sequence[Lay | Pass]:
        """Return what may be laid, few cards first and the lowest first; then the pass."""
        if self.turn is None:
            return []
        top, found = self.round.top, list[Lay | Pass]()
        for size in (1, 2, 3, 5) if top is None else (top.size,):
            held = self.list_held(size)
            if top is not None:
                found += [lay for combination, lay, _ in held if combination.beats(top)]
            elif self.must_hold is None:
                found += [lay for _, lay, _ in held]
            else:
                found += [lay for _, lay, lowest in held if lowest == self.must_hold]
        return found if top is None else [*found, PASS]

    def list_held(self, size: int) -> list[Listed]:
        """Return the combinations of `size` cards of the seat on turn."""
        hand = tuple(sorted(self.table.zones[self.hands[self.require_turn().seat]]))
        return list_lays(hand, size, self.options.low_straights, self.options.flush_by_suit)

    def is_legal(self, seat: int, action: Lay | Pass) -> bool:
        """Whether a seat may do this now, as `legal` lists it."""
        if isinstance(action, Pass):
            return self.round.top is not None
        cards = tuple([NUMBERS.get(face, -1) for face in action.cards])
        if list(cards) != sorted(set(cards)) or not {*cards} <= {*self.table.zones[self.hands[seat]]}:
            return False
        combination = classify(cards, self.options.low_straights, self.options.flush_by_suit)
        return combination is not None and self.round.can_lay(combination) and self.must_hold in (None, cards[0])

    # -- play ------------------------------------------------------------------------------------------------------

    def play(self, action: Lay | Pass) -> None:
        """Lay or pass."""
        seat = self.require_turn().seat
        if not self.is_legal(seat, action):
            self.refuse(action)
        table, hand = self.table, self.hands[seat]
        if isinstance(action, Lay):
            self.must_hold = None
            self.clear_top()
            cards = tuple(table.lay_faces(action.cards, hand, self.top, "lay"))
            combination = classify(cards, self.options.low_straights, self.options.flush_by_suit)
            assert combination is not None
            self.round = self.round.lay(combination)
            if not table.zones[hand]:
                self.count(seat)
                return
        else:
            table.tell("pass", seat=seat)
            self.round = self.round.add_pass()
        if self.round.top is None:
            self.clear_top()
        self.turn = Turn(self.round.turn, "lead" if self.round.top is None else "follow")

    def clear_top(self) -> None:
        """Put away what lies on top."""
        if self.table.zones[self.top]:
            self.table.turn_over(self.top, self.played, "put_away")

    def count(self, winner: int) -> None:
        """Everybody pays for the cards left: double from some number on, three times if none was laid."""
        points = [0] * self.seats
        for seat, hand in enumerate(self.hands):
            left = len(self.table.zones[hand])
            times = 3 if left >= 52 // self.seats else 2 if left >= self.options.double_from else 1
            points[seat] -= left * times
            points[winner] += left * times
        for hand in self.hands:
            self.table.reveal(hand, "show")
        self.end_deal(points)

    def is_match_over(self) -> bool:
        """Return whether all deals are played."""
        return self.deal_no == self.options.deals

    def outcome(self) -> Outcome:
        """Add up the points."""
        return outcome_by_side(self.totals)

    def evaluate(self) -> Sequence[float]:
        """Return the points as if every hand were as far from its end as it has cards, high ones being no burden."""
        if self.turn is None:
            return [float(total) for total in self.totals]
        burden = [sum(1.4 - 0.8 * card / 51 for card in self.table.zones[hand]) for hand in self.hands]
        mean = sum(burden) / self.seats
        return [total + (mean - own) * 1.5 for total, own in zip(self.totals, burden, strict=True)]

    # -- what is shown ---------------------------------------------------------------------------------------------

    def view(self, seat: int) -> BigTwoView:
        """Return the seat's hand and what lies open."""
        held = sorted(self.table.zones[self.hands[seat]]) if seat < self.seats else []
        return BigTwoView(
            hand=[*map(str, self.deck.faces_of(held))],
            top=self.faces(self.top) if self.round.top is not None else [],
            top_seat=self.round.owner,
            counts=[len(self.table.zones[hand]) for hand in self.hands],
            passed=[seat in self.round.passed for seat in range(self.seats)],
            played=self.faces(self.played),
            totals=list(self.totals),
            deal_no=self.deal_no,
        )


class BigTwo(TableGame[BigTwoOptions, BigTwoState]):
    """The game."""

    state = BigTwoState
    name = "big-two"
    title = "Big Two"
    seats = (3, 4)
    presets: Mapping[str, BigTwoOptions] = {
        "short": BigTwoOptions(deals=1),
        "strict": BigTwoOptions(pass_locks=True, low_straights=False, flush_by_suit=True),
    }


pitboss_games = hookimpl(lambda: [BigTwo()])
