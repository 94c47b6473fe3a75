"""`house:hearts`, a bot for Hearts.

Of each card it reckons what it costs now and later. Now: how likely it takes the trick, by the unseen cards that are
higher and who may still hold them, and the points that will then lie in it. Later: how many points the cards that it
keeps are likely to take, high ones most, and the queen of spades with what could take her. It plays the card that costs
least, and passes the three without which its hand is least dangerous. After the moon it adds to the others' points,
unless it would lose by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.suits import RANK_NUMBERS
from pitboss.parts.trick_reading import TrickReading
from pitboss.plugins.packs import suit_of
from pitboss_hearts.state import ALL_POINTS, DECKS, JACK_POINTS

QUEEN: Final = "SQ"
JACK: Final = "DJ"
QUEEN_RANK: Final = RANK_NUMBERS["Q"]
LATER: Final = 0.6  # how much a card that is kept counts beside the points of this trick
DUMPED: Final = 1.2  # how much worse than the mean the cards are that others throw on a trick
GUARD: Final = 0.35  # of the danger, what each lower card of the suit takes away
QUEEN_DANGER: Final = 8.0
OVER_QUEEN_DANGER: Final = 5.0
HEARTS: Final = 1.6  # points of a trick of hearts, beside what others throw on any trick
THROWN: Final = 0.9


def choose(question: Question) -> Choice:
    """Answer one question."""
    if question.phase == "moon":
        return [action["points"] for action in question.legal].index(choose_moon(question))
    reading = HeartsReading(question.view, question.seat, question.hello.seats, question.hello.options["jack"])
    if question.phase == "pass":
        kept = min(combinations(reading.hand, len(reading.hand) - 3), key=reading.danger_of_hand)
        passed = {*reading.hand} - {*kept}
        return next(at for at, action in enumerate(question.legal) if {*action["cards"]} == passed)
    cards = [action["card"] for action in question.legal]
    return min(range(len(cards)), key=lambda at: reading.cost_of(cards[at]))


def choose_moon(question: Question) -> str:
    """Return what the moon is to do: add to the others, unless that ends a match that the seat does not win."""
    view, seat, options = question.view, question.seat, question.hello.options
    taker = next((trick["winner"] for trick in view["tricks"] if JACK in [card for _, card in trick["cards"]]), None)
    if not options["jack"]:
        taker = None
    totals = [
        total + ALL_POINTS * (one != seat) - JACK_POINTS * (one == taker) for one, total in enumerate(view["totals"])
    ]
    return "add" if max(totals) < options["limit"] or totals[seat] == min(totals) else "subtract"


class HeartsReading(TrickReading):
    """A trick of Hearts, and what a card of the hand is likely to cost."""

    def __init__(self, view: dict[str, Any], seat: int, seats: int, has_jack: bool) -> None:
        super().__init__(view, map(str, DECKS[seats].faces))
        self.has_jack = has_jack
        self.others = seats - 1
        self.to_come = [(seat + step) % seats for step in range(1, seats - len(self.trick))]
        self.void = self.void_suits()
        self.unseen_ranks = {
            suit: [self.rank(card) for card in self.unseen if suit_of(card) == suit] for suit in "SHDC"
        }
        self.mean_points = sum(map(self.points_of, self.unseen)) / max(1, len(self.unseen))

    def points_of(self, card: str) -> int:
        """Return what a card counts."""
        return 13 if card == QUEEN else -10 if card == JACK and self.has_jack else int(suit_of(card) == "H")

    def cost_of(self, card: str) -> tuple[float, int]:
        """Return the points that a card is likely to cost, now and by what is kept; of equal cards a high one goes."""
        kept = [other for other in self.hand if other != card]
        now = self.points_if_taken(card) * self.chance_to_take(card)
        return round(now + LATER * self.danger_of_hand(kept), 6), -self.rank(card)

    def chance_to_take(self, card: str) -> float:
        """Return how likely a card takes the trick."""
        if self.trick and not self.beats(card, self.best[1]):
            return 0.0
        suit, rank = suit_of(card), self.rank(card)
        of_suit = self.unseen_ranks[suit]
        higher = sum(other > rank for other in of_suit)
        chance = 1.0
        for seat in self.to_come:
            if of_suit:
                chance *= 1 - self.chance_to_hold(seat, suit) * higher / len(of_suit)
        return chance

    def chance_to_hold(self, seat: int, suit: str) -> float:
        """Return how likely a seat has a card of a suit."""
        if suit in self.void.get(seat, ()):
            return 0.0
        return float(1 - (1 - 1 / self.others) ** len(self.unseen_ranks[suit]))

    def points_if_taken(self, card: str) -> float:
        """Return the points that will lie in the trick."""
        led = self.led or suit_of(card)
        of_suit = [self.points_of(other) for other in self.unseen if suit_of(other) == led]
        mean = sum(of_suit) / max(1, len(of_suit))
        points = float(sum(self.points_of(other) for _, other in self.trick) + self.points_of(card))
        for seat in self.to_come:
            holds = self.chance_to_hold(seat, led)
            points += holds * mean + (1 - holds) * DUMPED * self.mean_points
        return points

    def danger_of_hand(self, hand: Sequence[str]) -> float:
        """Return how many points the cards of a hand are likely to take."""
        suits: dict[str, list[int]] = {"S": [], "H": [], "D": [], "C": []}
        for card in hand:
            suits[suit_of(card)].append(self.rank(card))
        return sum(self.danger_of_suit(suit, sorted(ranks)) for suit, ranks in suits.items())

    def danger_of_suit(self, suit: str, ranks: Sequence[int]) -> float:
        """Return how many points the cards of a suit, from the lowest on, are likely to take."""
        unseen = self.unseen_ranks[suit]
        is_queen_out = suit == "S" and QUEEN_RANK in unseen
        danger = 0.0
        for guards, rank in enumerate(ranks):
            lower = sum(other < rank for other in unseen)
            chance = (lower / len(unseen)) ** min(self.others, len(unseen)) if unseen else 0.5
            free = max(0.0, 1 - GUARD * guards)
            if suit == "S" and rank == QUEEN_RANK:
                danger += QUEEN_DANGER * max(0.15, free)
            elif is_queen_out and rank > QUEEN_RANK:
                danger += OVER_QUEEN_DANGER * free
            else:
                danger += (HEARTS * (suit == "H") + self.others * THROWN * self.mean_points) * chance * max(0.25, free)
        return danger


if __name__ == "__main__":
    run(choose, name="house:hearts", version="1")
