"""A match of Hearts at one moment: passing, play and the count. Numbers (H3) are those of the rule book."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple, Self

from pitboss import (
    Deck,
    Outcome,
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
from pitboss.parts.tricks import NO_DUTY
from pitboss_hearts.messages import HeartsAction, HeartsOptions, Moon, MoonChoice, Pass, PassedCards, View

QUEEN_POINTS: Final = 13
ALL_POINTS: Final = 26
JACK_POINTS: Final = 10
PASSED: Final = 3  # cards, by everybody
MOON_CHOICES: Final = (Moon("add"), Moon("subtract"))
PASS_WORDS: Final = {0: "nothing is passed", 1: "passed to the left", -1: "passed to the right", 2: "passed across"}
REMOVED: Final = {3: ("D2",), 4: (), 5: ("D2", "C2")}  # so that the cards can be shared out
DECKS: Final = {seats: make_suited_deck(removed=removed) for seats, removed in REMOVED.items()}


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

    `choice` is what who has shot the moon has chosen, where it may choose.
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


class HeartsStateBase(TrickMatchState[HeartsOptions, HeartsAction]):
    """The rules, and the data of a match."""

    cards: ScoringCards = field(init=False)  # that the rules name
    passed: Zones = spread_each(Visibility.OWNER)
    moon_choice: MoonChoice | None = None  # of who has shot the moon in this deal

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
        """H8: let who has shot the moon choose, if it may; else count the deal."""
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
