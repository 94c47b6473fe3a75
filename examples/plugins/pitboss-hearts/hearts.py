"""Hearts. Take no hearts and not the queen of spades, or take all of them; when somebody has 100 points the fewest win.

Everybody passes three cards at the same time: to the left, to the right, across, and then nobody passes. The lowest
club leads. Who has the suit that was led follows it. Hearts are led only when one has been played, or nothing else is
held. In the first trick nobody plays a card that counts, if there is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Final

from msgspec import Meta

from pitboss import Action, Deck, Options, Outcome, TableGame, Turn, Visibility, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.suits import make_suited_deck
from pitboss.parts.tricks import PlayCard, TrickState, TrickView
from pitboss.plugins.hookspec import hookimpl
from pitboss.table.zone_fields import spread_each

QUEEN: Final = "SQ"
QUEEN_POINTS: Final = 13
ALL_POINTS: Final = 26
REMOVED: Final = {3: ("D2",), 4: (), 5: ("D2", "C2")}  # so that the cards can be shared out
DECKS: Final = {seats: make_suited_deck(removed=removed) for seats, removed in REMOVED.items()}


class HeartsOptions(Options, frozen=True):
    """What people may choose."""

    limit: Annotated[int, Meta(ge=1, le=500, description="Points of one player that end the match.")] = 100
    passing: Annotated[bool, Meta(description="Cards are passed.")] = True
    queen_breaks: Annotated[bool, Meta(description="Hearts may be led after the queen of spades too.")] = False


class Pass(Action, frozen=True):
    """Pass three cards."""

    cards: tuple[str, str, str]


class HeartsView(TrickView, frozen=True, kw_only=True):
    """What a seat may know."""

    known: Annotated[list[list[str]], Meta(description="By seat, the cards that you know to be in its hand.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="The number of the deal, from 1.")]


class HeartsState(TrickState[HeartsOptions, Pass | PlayCard], DealsState[HeartsOptions, Pass | PlayCard]):
    """A match at one moment."""

    has_outcome_so_far = True

    passed: Zones = spread_each(Visibility.OWNER)

    @classmethod
    def make_deck(cls, seats: int, options: HeartsOptions) -> Deck:
        """Return the deck for a number of players."""
        return DECKS[seats]

    def deal_cards(self) -> None:
        """Deal all cards; then they are passed, if this is no deal without passing."""
        self.deal_hands(len(self.table.layout.deck) // self.seats)
        if self.pass_distance():
            self.turn = Turn(0, "pass")
        else:
            self.begin_play()

    def pass_distance(self) -> int:
        """Return how many seats to the left cards are passed in this deal; 0: they are not."""
        distances = (1, -1, 2, 0) if self.seats == 4 else (1, -1, 0)
        return distances[(self.deal_no - 1) % len(distances)] if self.options.passing else 0

    def begin_play(self) -> None:
        """Let the owner of the lowest club lead: everybody knows then who holds it."""
        lowest = self.lowest_club
        leader = next(seat for seat, hand in enumerate(self.hands) if lowest in self.table.zones[hand])
        self.table.reveal(self.hands[leader], "leads", [lowest])
        self.lead_trick(leader)

    @property
    def lowest_club(self) -> int:
        """The card that leads to the first trick."""
        return min(self.order.cards_of["C"])

    @property
    def queen(self) -> int:
        """The queen of spades."""
        return self.table.layout.deck.copies(QUEEN)[0]

    def together(self) -> Sequence[int]:
        """Return all seats while cards are passed."""
        return range(self.seats) if self.turn is not None and self.turn.phase == "pass" else ()

    def legal(self) -> Sequence[Pass | PlayCard]:
        """Return every three cards to pass, or the cards that may be played."""
        if self.turn is None or self.turn.phase != "pass":
            return super().legal()
        return [Pass((one, two, three)) for one, two, three in combinations(self.faces(self.hands[self.turn.seat]), 3)]

    def duties(self) -> Sequence[frozenset[int]]:
        """Lead the lowest club, later no heart before they are broken; follow; the first trick has no points."""
        trick, hearts = self.table.zones[self.trick], self.order.cards_of["H"]
        if not self.tricks:
            plain = self.order.all_cards - hearts - {self.queen}
            return (self.cards_of_suit_led(trick), plain) if trick else (frozenset({self.lowest_club}),)
        if trick:
            return (self.cards_of_suit_led(trick),)
        breaking = hearts | {self.queen} if self.options.queen_breaks else hearts
        return () if self.has_taken_any(breaking) else (self.order.cards_not_of["H"],)

    def play(self, action: Pass | PlayCard) -> None:
        """Pass three cards of the hand, which needs no list of all passes, or play a card."""
        if not isinstance(action, Pass) or self.turn is None or self.turn.phase != "pass":
            super().play(action)
        elif tuple(face for face in self.faces(self.hands[self.turn.seat]) if face in action.cards) != action.cards:
            self.refuse(action)
        else:
            self.pass_cards(action.cards)

    def pass_cards(self, faces: tuple[str, ...]) -> None:
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
        """Count a point for each heart and 13 for the queen; who has all gives them to the others."""
        hearts, queen, piles = self.order.cards_of["H"], self.queen, [self.table.zones[pile] for pile in self.taken]
        points = [len(hearts.intersection(pile)) + QUEEN_POINTS * (queen in pile) for pile in piles]
        self.end_deal([ALL_POINTS - one for one in points] if ALL_POINTS in points else points)

    def is_match_over(self) -> bool:
        """Return whether somebody has reached the limit."""
        return max(self.totals) >= self.options.limit

    def view(self, seat: int) -> HeartsView:
        """Return the hand of a seat, the tricks, and the cards that the seat knows to be in other hands."""
        known = [sorted(str(face) for face in self.table.faces_known_to(hand, seat) if face) for hand in self.hands]
        return HeartsView(**self.view_tricks(seat), known=known, totals=self.totals, deal_no=self.deal_no)

    def outcome(self) -> Outcome:
        """Return the totals; the fewest points win."""
        return outcome_by_side(self.totals, lowest_wins=True)


class Hearts(TableGame[HeartsOptions, HeartsState]):
    """The game."""

    state = HeartsState
    name = "hearts"
    title = "Hearts"
    version = "2"
    seats = (3, 4, 5)


pitboss_games = hookimpl(lambda: [Hearts()])
