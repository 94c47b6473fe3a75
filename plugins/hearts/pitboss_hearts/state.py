"""A match of Hearts at one moment: passing, play, the count, evaluation and positions.

Numbers (H3) are those of the rule book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, Self

from pitboss import (
    Deck,
    Outcome,
    PositionError,
    PublicCount,
    PublicCounts,
    Random,
    Turn,
    Visibility,
    Zones,
    outcome_by_side,
    spread_each,
)
from pitboss.parts.suits import make_suited_deck, order_by_rank
from pitboss.parts.trick_match import TrickMatchState
from pitboss.parts.trick_position import set_up_tricks
from pitboss.parts.tricks import NO_DUTY
from pitboss.plugins.packs import rank_of
from pitboss.table.position_setup import check_row_lengths, set_up_zones
from pitboss_hearts.messages import HeartsAction, HeartsOptions, Moon, MoonChoice, Pass, PassedCards, Position, View

QUEEN_POINTS: Final = 13
ALL_POINTS: Final = 26
JACK_POINTS: Final = 10
PASSED: Final = 3  # cards, by everybody
MOON_CHOICES: Final = (Moon("add"), Moon("subtract"))
PASS_WORDS: Final = {0: "nothing is passed", 1: "passed to the left", -1: "passed to the right", 2: "passed across"}
REMOVED: Final = {3: ("D2",), 4: (), 5: ("D2", "C2")}  # so that the cards can be shared out
DECKS: Final = {seats: make_suited_deck(removed=removed) for seats, removed in REMOVED.items()}
HIGH_RANKS: Final = {"A": 1.0, "K": 0.8, "Q": 0.6, "J": 0.4, "10": 0.25, "9": 0.15, "8": 0.1}
QUEEN_RISK: Final = 0.5  # how much of the queen's points fall to her holder, beside its share of all points
MIN_RISK: Final = 0.3  # of any hand


class ScoringCards(NamedTuple):
    """The cards of a deck that the rules name, as numbers and sets."""

    queen: int
    jack: int
    lowest_club: int
    hearts: frozenset[int]
    counting: frozenset[int]  # hearts and the queen
    harmless: frozenset[int]  # all others
    first_lead: tuple[frozenset[int]]
    unbroken_lead: tuple[frozenset[int]]  # before hearts are broken


@lru_cache
def find_scoring_cards(deck: Deck) -> ScoringCards:
    """Return the cards of a deck that the rules name."""
    order = order_by_rank(deck)
    [queen], [jack], hearts = deck.copies("SQ"), deck.copies("DJ"), order.cards_of["H"]
    counting = hearts | {queen}
    lowest, harmless = min(order.cards_of["C"]), order.all_cards - counting
    leads = (frozenset({lowest}),), (order.cards_not_of["H"],)
    return ScoringCards(queen, jack, lowest, hearts, counting, harmless, *leads)


def count_points(
    taken: Sequence[Sequence[int]], cards: ScoringCards, options: HeartsOptions, choice: MoonChoice | None = None
) -> list[int]:
    """H7 to H9: return by player the points of a deal for the cards that each has taken.

    `choice`: the choice of the seat that shot the moon, where it may choose.
    """
    points = [len(cards.hearts.intersection(one)) + QUEEN_POINTS * (cards.queen in one) for one in taken]
    if ALL_POINTS in points:
        shooter = points.index(ALL_POINTS)
        is_added = options.moon == "old" if choice is None else choice == "add"
        points = [ALL_POINTS] * len(points) if is_added else [0] * len(points)
        points[shooter] -= ALL_POINTS
    if options.jack:
        points = [count - JACK_POINTS * (cards.jack in one) for count, one in zip(points, taken, strict=True)]
    return points


class HeartsState(TrickMatchState[HeartsOptions, HeartsAction]):
    """A match of Hearts at one moment."""

    cards: ScoringCards = field(init=False)  # that the rules name
    passed: Zones = spread_each(Visibility.OWNER)
    moon_choice: MoonChoice | None = None  # of the seat that shot the moon in this deal

    @classmethod
    def make_deck(cls, seats: int, options: HeartsOptions) -> Deck:
        """Return the deck for a number of players."""
        return DECKS[seats]

    @classmethod
    def create(cls, seats: int, options: HeartsOptions, rng: Random) -> Self:
        """Return a state before the first deal."""
        state = super().create(seats, options, rng)
        state.cards = find_scoring_cards(state.table.layout.deck)
        return state

    def begin_deal(self) -> None:
        """Set what a deal begins with."""
        super().begin_deal()
        self.moon_choice = None

    def deal_cards(self) -> None:
        """H2: deal all cards; then they are passed, if this is no deal without passing."""
        self.deal_hands(len(self.table.layout.deck) // self.seats)
        if self.pass_distance():
            self.turn = Turn(0, "pass")
        else:
            self.begin_play()

    def pass_distance(self) -> int:
        """H3: return how many seats to the left cards are passed in this deal; 0: they are not."""
        distances = [1, -1, 2, 0] if self.seats == 4 else [1, -1, 0]  # lists: Cython refuses unlike tuples here
        return distances[(self.deal_no - 1) % len(distances)] if self.options.passing else 0

    def begin_play(self) -> None:
        """H4: let the owner of the lowest club lead, which everybody knows then."""
        lowest = self.cards.lowest_club
        leader = next(seat for seat, hand in enumerate(self.hands) if lowest in self.table.zones[hand])
        self.table.reveal(self.hands[leader], "leads", [lowest])
        self.lead_trick(leader)

    def together(self) -> Sequence[int]:
        """Return all seats while cards are passed."""
        return range(self.seats) if self.turn is not None and self.turn.phase == "pass" else ()

    def legal(self) -> Sequence[HeartsAction]:
        """Return every three cards to pass, or the cards that may be played, or what can be chosen after the moon."""
        if self.turn is None or self.turn.phase == "play":
            return super().legal()
        if self.turn.phase == "moon":
            return MOON_CHOICES
        return [*map(Pass, combinations(self.faces(self.hands[self.turn.seat]), PASSED))]

    def duties(self) -> Sequence[frozenset[int]]:
        """H4 to H6: the lowest club leads; follow suit; no points in the first trick; hearts are led once broken."""
        trick, cards = self.table.zones[self.trick], self.cards
        if trick:
            follow = self.order.following[trick[0]]
            return follow if self.tricks or self.options.first_points else (*follow, cards.harmless)
        if not self.tricks:
            return cards.first_lead
        breaking = cards.counting if self.options.queen_breaks else cards.hearts
        return NO_DUTY if self.has_taken_any(breaking) else cards.unbroken_lead

    def play(self, action: HeartsAction) -> None:
        """Pass three cards of the hand, which needs no list of all passes, or play a card."""
        if self.trick_seats or self.turn is None or not isinstance(action, Pass):
            super().play(action)
        elif tuple(face for face in self.faces(self.hands[self.turn.seat]) if face in action.cards) != action.cards:
            self.refuse(action)
        else:
            self.pass_cards(action.cards)

    def pass_cards(self, faces: PassedCards) -> None:
        """Lay three cards aside for another player; when all have done so, each takes what it was passed."""
        seat, table = self.require_turn().seat, self.table
        table.lay(table.layout.deck.find_cards(faces), self.hands[seat], self.passed[seat], "pass")
        self.turn = Turn(seat + 1, "pass")
        if seat + 1 == self.seats:
            self.hand_over()

    def hand_over(self) -> None:
        """Give everybody what was passed to it."""
        for seat, zone in enumerate(self.passed):
            target = self.hands[(seat + self.pass_distance()) % self.seats]
            self.table.lay(list(self.table.zones[zone]), zone, target, "take")
        self.begin_play()

    def end_tricks(self) -> None:
        """H8: let the seat that shot the moon choose, if it may; else count the deal."""
        shooter = self.find_shooter()
        if shooter is None or self.options.moon != "choice":
            self.count_deal()
        else:
            self.turn = Turn(shooter, "moon")

    def apply(self, action: HeartsAction) -> None:
        """H8: keep whether the shooter of the moon adds or subtracts points, and count the deal."""
        assert isinstance(action, Moon)
        self.moon_choice = action.points
        self.table.tell("moon", seat=self.require_turn().seat, points=action.points)
        self.count_deal()

    def count_deal(self) -> None:
        """H7 to H9: count the deal."""
        taken = [self.table.zones[pile] for pile in self.taken]
        self.end_deal(count_points(taken, self.cards, self.options, self.moon_choice))

    def find_shooter(self) -> int | None:
        """H8: return the seat that has taken all points of this deal; None if no seat has."""
        points = self.points_taken()
        return points.index(ALL_POINTS) if ALL_POINTS in points else None

    def count_deals(self) -> int:
        """H10: return how many deals there are at the most."""
        return self.options.deals

    def is_match_over(self) -> bool:
        """H10: return whether somebody has reached the limit, or all deals are played."""
        return max(self.totals) >= self.options.limit or super().is_match_over()

    def view(self, seat: int) -> View:
        """Return the hand of a seat, the tricks, and the cards that the seat knows to be in other hands."""
        known = [sorted(str(face) for face in self.table.faces_known_to(hand, seat) if face) for hand in self.hands]
        return View(**self.view_tricks(seat), known=known)

    def points_taken(self) -> list[int]:
        """Return by seat the points of the cards that it has taken in this deal, before anybody has shot the moon."""
        cards, zones = self.cards, self.table.zones
        piles = [zones[pile] for pile in self.taken]
        return [len(cards.hearts.intersection(pile)) + QUEEN_POINTS * (cards.queen in pile) for pile in piles]

    def public_counts(self) -> PublicCounts:
        """Return the number of the deal and which way cards are passed; of each seat its score and points so far."""
        scores = zip(self.totals, self.points_taken(), strict=True)
        seats = [(PublicCount("score", total), PublicCount("taken", taken)) for total, taken in scores]
        return PublicCounts((PublicCount("deal", self.deal_no), PublicCount(PASS_WORDS[self.pass_distance()])), seats)

    def outcome(self) -> Outcome:
        """H10: the fewest points win."""
        return outcome_by_side(self.totals, lowest_wins=True)

    # ---- what search players expect

    def evaluate(self) -> Sequence[float]:
        """Return by seat the expected total after this deal, negated: the fewest points win."""
        if self.turn is None:
            return [-float(total) for total in self.totals]
        cards, zones, points = self.cards, self.table.zones, self.points_taken()
        if ALL_POINTS in points:
            counted = count_points([zones[pile] for pile in self.taken], cards, self.options, self.moon_choice)
            return [-float(total + count) for total, count in zip(self.totals, counted, strict=True)]
        left = float(ALL_POINTS - sum(points))
        risks, expected = risk_of_cards(self.table.layout.deck), [float(one) for one in points]
        held = [[*zones[hand], *zones[self.passed[seat]]] for seat, hand in enumerate(self.hands)]
        for seat, hand in enumerate(held):
            if cards.queen in hand:
                expected[seat] += QUEEN_RISK * QUEEN_POINTS
                left -= QUEEN_RISK * QUEEN_POINTS
        weights = [MIN_RISK + sum([risks[card] for card in hand]) for hand in held]
        whole = sum(weights)
        return [
            -(total + count + left * weight / whole)
            for total, count, weight in zip(self.totals, expected, weights, strict=True)
        ]

    # ---- positions (section 6)

    def position(self) -> Position:
        """Write down a state: every card of this deal, and the points before it."""
        is_passing = self.turn is not None and self.turn.phase == "pass"
        passed = [self.faces(zone) if is_passing else _known_faces(self, seat) for seat, zone in enumerate(self.passed)]
        return Position(**self.write_tricks(), is_passing=is_passing, passed=passed, moon=self.moon_choice)

    def set_up_deal(self, position: Position) -> None:
        """Pass the cards that were passed, and play those that were played.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        check_row_lengths(self.seats, hands=position.hands, passed=position.passed)
        passed = position.passed or [[]] * self.seats
        if (position.is_passing or any(passed)) and not self.pass_distance():
            raise PositionError(f"in deal {position.deal_no} nothing is passed")
        if position.is_passing:
            _set_up_passing(self, position, passed)
        else:
            size = len(self.table.layout.deck) // self.seats
            set_up_tricks(self, position.hands, position.plays, size, lambda one: _show_passed(one, passed))
        if position.moon is not None:
            if self.turn is None or self.turn.phase != "moon":
                raise PositionError(f"moon is {position.moon!r}; nobody has shot the moon and is to choose")
            self.play(Moon(position.moon))


@lru_cache
def risk_of_cards(deck: Deck) -> list[float]:
    """Return by card how readily it takes a trick; hearts take points too."""
    hearts = order_by_rank(deck).cards_of["H"]
    return [HIGH_RANKS.get(rank_of(face), 0.0) * (1.5 if card in hearts else 1) for card, face in enumerate(deck.faces)]


def _known_faces(state: HeartsState, seat: int) -> list[str]:
    """Return the cards that a seat knows to be in the hand to which it has passed cards."""
    distance = state.pass_distance()
    hand = state.hands[(seat + distance) % state.seats]
    return sorted(str(face) for face in state.table.faces_known_to(hand, seat) if face) if distance else []


def _set_up_passing(state: HeartsState, position: Position, passed: Sequence[Sequence[str]]) -> None:
    """Set up a deal in which some have passed: the first seats, since they are asked in turn."""
    sizes = [len(cards) for cards in passed]
    count, size = sum(map(bool, sizes)), len(state.table.layout.deck) // state.seats
    if position.plays or count == state.seats or sizes != [PASSED] * count + [0] * (state.seats - count):
        raise PositionError(f"passed is {list(passed)!r}; the seats pass {PASSED} cards each in turn, from seat 0 on")
    held = position.hands or [[None] * (size - gone) for gone in sizes]
    for seat, (row, gone) in enumerate(zip(held, sizes, strict=True)):
        if len(row) + gone != size:
            raise PositionError(f"seat {seat} holds {len(row)} cards and has passed {gone}; together it is {size}")
    rows = [*zip(state.hands, held, strict=True), *zip(state.passed, passed, strict=True)]
    set_up_zones(state.table, state.stock, rows)
    state.turn = Turn(count, "pass")


def _show_passed(state: HeartsState, passed: Sequence[Sequence[str]]) -> None:
    """Let everybody know the cards that it has passed, and begin the play.

    Raises:
        PositionError: who was passed a card does not hold it.
    """
    for seat, faces in enumerate(passed):
        hand = state.hands[(seat + state.pass_distance()) % state.seats]
        cards = state.table.layout.deck.find_cards(faces)
        if not {*cards} <= {*state.table.zones[hand]}:
            raise PositionError(f"seat {seat} has passed {list(faces)!r}; {hand.name} does not have them")
        if cards:
            state.table.reveal(hand, "passed", cards, to=[seat])
    state.begin_play()
