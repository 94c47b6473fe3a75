"""Hearts. Take no hearts and not the queen of spades, or take all of them; when somebody has 100 points the fewest win.

Everybody passes three cards at the same time: to the left, to the right, across, and then nobody passes. The lowest
club leads. Who has the suit that was led follows it. Hearts are led only when one has been played, or nothing else is
held. In the first trick nobody plays a card that counts, if there is another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Annotated, Final

from msgspec import Meta, Struct

from pitboss import Action, Deck, Options, Outcome, TableGame, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.parts.deals import DealsState
from pitboss.parts.tricks import cards_that_follow, find_winner
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import STANDARD_PACK, suit_of
from pitboss.table.zone_fields import hand_each, pile, pile_each, spread, spread_each

QUEEN: Final = "SQ"
ALL_POINTS: Final = 26
REMOVED: Final = {3: ("D2",), 4: (), 5: ("D2", "C2")}  # so that the cards can be shared out
DECKS: Final = {seats: Deck(face for face in STANDARD_PACK.faces if face not in REMOVED[seats]) for seats in REMOVED}


def points_of(face: str) -> int:
    """Return what a card counts."""
    return 13 if face == QUEEN else int(suit_of(face) == "H")


class HeartsOptions(Options, frozen=True):
    """What people may choose."""

    limit: Annotated[int, Meta(ge=1, le=500, description="Points of one player that end the match.")] = 100
    passing: Annotated[bool, Meta(description="Cards are passed.")] = True
    queen_breaks: Annotated[bool, Meta(description="Hearts may be led after the queen of spades too.")] = False


class Pass(Action, frozen=True):
    """Pass three cards."""

    cards: tuple[str, str, str]


class Play(Action, frozen=True):
    """Play a card to the trick."""

    card: str


class HeartsView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    trick: Annotated[list[str], Meta(description="The cards of this trick, the leader's first.")]
    leader: Annotated[int | None, Meta(description="Who led to it.")]
    taken: Annotated[list[list[str]], Meta(description="By seat, the cards that it has taken in this deal.")]
    known: Annotated[list[list[str]], Meta(description="By seat, the cards that you know to be in its hand.")]
    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="The number of the deal, from 1.")]


class HeartsState(DealsState[HeartsOptions, Pass | Play]):
    """A match at one moment."""

    has_outcome_so_far = True

    stock: Zone = pile(Visibility.NOBODY)
    trick: Zone = spread()
    hands: Zones = hand_each()
    passed: Zones = spread_each(Visibility.OWNER)
    taken: Zones = pile_each()
    leader: int | None = None

    @classmethod
    def make_deck(cls, seats: int, options: HeartsOptions) -> Deck:
        """Return the deck for a number of players."""
        return DECKS[seats]

    def deal_cards(self) -> None:
        """Deal all cards; then they are passed, if this is no deal without passing."""
        self.leader = None
        self.table.deal(self.stock, self.hands, len(self.table.zones[self.stock]) // self.seats)
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
        [lowest] = self.table.layout.deck.copies(self.lowest_club())
        self.leader = next(seat for seat, hand in enumerate(self.hands) if lowest in self.table.zones[hand])
        self.table.tell("leads", seat=self.leader)
        self.table.constrain(lambda cards: lowest in cards, self.table.zones[self.hands[self.leader]])
        self.turn = Turn(self.leader, "play")

    def lowest_club(self) -> str:
        """Return the card that leads to the first trick."""
        return "C3" if "C2" in REMOVED[self.seats] else "C2"

    def together(self) -> Sequence[int]:
        """Return all seats while cards are passed."""
        return range(self.seats) if self.turn is not None and self.turn.phase == "pass" else ()

    def legal(self) -> Sequence[Pass | Play]:
        """Return every three cards to pass, or the cards that may be played."""
        if self.turn is None:
            return []
        held = self.faces(self.hands[self.turn.seat])
        if self.turn.phase == "pass":
            return [Pass((one, two, three)) for one, two, three in combinations(held, 3)]
        return [Play(face) for face in self.playable(held, self.faces(self.trick))]

    def playable(self, held: list[str], trick: list[str]) -> list[str]:
        """Return the cards of a hand that may be played."""
        taken = [face for pile in self.taken for face in self.faces(pile)]
        if not taken and not trick:
            return [self.lowest_club()]
        cards = cards_that_follow(held, suit_of(trick[0]) if trick else None)
        if not taken:
            return [face for face in cards if not points_of(face)] or cards
        breaking = [face for face in taken if suit_of(face) == "H" or (face == QUEEN and self.options.queen_breaks)]
        if not trick and not breaking:
            return [face for face in cards if suit_of(face) != "H"] or cards
        return cards

    def apply(self, action: Pass | Play) -> None:
        """Pass, or play a card; the last card of a trick decides who takes it."""
        seat, table = self.require_turn().seat, self.table
        if isinstance(action, Pass):
            table.lay(table.layout.deck.find_cards(action.cards), self.hands[seat], self.passed[seat], "pass")
            self.turn = Turn(seat + 1, "pass")
            if seat + 1 == self.seats:
                self.hand_over()
            return
        led = self.faces(self.trick)[:1]
        table.move(table.find_card(self.hands[seat], action.card), self.hands[seat], self.trick, "play")
        if led and suit_of(led[0]) != suit_of(action.card):  # then everybody knows that the seat has none of the suit
            others = {card for card, face in enumerate(table.layout.deck.faces) if suit_of(face) != suit_of(led[0])}
            table.restrict(table.zones[self.hands[seat]], others)
        self.turn = Turn((seat + 1) % self.seats, "play")
        if len(table.zones[self.trick]) == self.seats:
            self.end_trick((seat + 1) % self.seats)

    def hand_over(self) -> None:
        """Give everybody what was passed to it."""
        for seat, zone in enumerate(self.passed):
            target = self.hands[(seat + self.pass_distance()) % self.seats]
            self.table.lay(list(self.table.zones[zone]), zone, target, "take")
        self.begin_play()

    def end_trick(self, leader: int) -> None:
        """Give the trick to the highest card of its suit; after the last one count."""
        self.leader = winner = (leader + find_winner(self.faces(self.trick))) % self.seats
        self.table.lay(list(self.table.zones[self.trick]), self.trick, self.taken[winner], "trick")
        self.turn = Turn(winner, "play")
        if not self.table.zones[self.hands[winner]]:
            points = [sum(map(points_of, self.faces(pile))) for pile in self.taken]
            self.end_deal([ALL_POINTS - one for one in points] if ALL_POINTS in points else points)

    def is_match_over(self) -> bool:
        """Return whether somebody has reached the limit."""
        return max(self.totals) >= self.options.limit

    def view(self, seat: int) -> HeartsView:
        """Return the hand of a seat, the open cards, and the cards that the seat knows to be in other hands."""
        known = [filter(None, self.table.faces_known_to(hand, seat)) for hand in self.hands]
        return HeartsView(
            hand=sorted(self.faces(self.hands[seat])) if seat < self.seats else [],
            trick=self.faces(self.trick),
            leader=self.leader,
            taken=[self.faces(pile) for pile in self.taken],
            known=[sorted(map(str, hand)) for hand in known],
            totals=self.totals,
            deal_no=self.deal_no,
        )

    def outcome(self) -> Outcome:
        """Return the totals; the fewest points win."""
        return outcome_by_side(self.totals, lowest_wins=True)


class Hearts(TableGame[HeartsOptions, HeartsState]):
    """The game."""

    state = HeartsState
    name = "hearts"
    title = "Hearts"
    seats = (3, 4, 5)


pitboss_games = hookimpl(lambda: [Hearts()])
