"""`house:oh-hell`, a bot for Oh Hell.

It reckons how likely each of its cards takes a trick: by the unseen cards that are higher, how many of those the others
hold, and the trumps. It bids the sum. It plays the card after which the tricks that it expects come nearest to its bid:
with what the card itself takes in this trick, and what the cards that it keeps will take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss.parts.trick_reading import TrickReading
from pitboss.plugins.packs import STANDARD_PACK, suit_of
from pitboss_oh_hell.state import BONUS

# How likely a card takes a trick: of a plain suit PLAIN_TAKES if none is higher, less with few cards and many players;
# times, for each higher card, how likely that one does not take it: the less, the more of the unseen cards are held.
TRUMP_BEATEN: Final = 0.04
TRUMP_SHARE: Final = 0.25
PLAIN_TAKES: Final = 0.36
PLAIN_RUFFED: Final = 0.12
PLAIN_BEATEN: Final = 0.08
PLAIN_SHARE: Final = 0.25
NO_TRUMP_TAKES: Final = 0.8


def choose(question: Question) -> Choice:
    """Answer one question."""
    reading = OhHellReading(question.view, question.seat, question.hello.seats)
    if question.phase == "bid":
        chances, bids = reading.count_chances(reading.hand), [action["tricks"] for action in question.legal]
        return max(range(len(bids)), key=lambda at: chances.get(bids[at], 0.0) * (BONUS + bids[at]))
    cards = [action["card"] for action in question.legal]
    needed = question.view["bids"][question.seat] - question.view["won"][question.seat]
    return max(range(len(cards)), key=lambda at: reading.chance_to_keep(cards[at], needed))


class OhHellReading(TrickReading):
    """A trick of Oh Hell, and how likely the cards of the hand take tricks."""

    def __init__(self, view: dict[str, Any], seat: int, seats: int) -> None:
        turned_up = view["turned_up"]
        super().__init__(view, STANDARD_PACK.faces, suit_of(turned_up) if turned_up else None)
        self.unseen -= {turned_up}
        self.others = seats - 1
        self.to_come = [(seat + step) % seats for step in range(1, seats - len(self.trick))]
        self.void = self.void_suits()
        played = len(self.trick)
        held_by_others = self.others * len(self.hand) - played  # all hold as many, except those that have played
        self.share_held = min(1.0, held_by_others / max(1, len(self.unseen)))

    def chance_to_keep(self, card: str, needed: int) -> tuple[float, int]:
        """Return the chance of exactly `needed` tricks after a card is played; of equal cards a dear one goes first."""
        now, later = self.chance_now(card), self.count_chances([other for other in self.hand if other != card])
        keeps = now * later.get(needed - 1, 0.0) + (1 - now) * later.get(needed, 0.0)
        return round(keeps, 9), self.cost(card)

    def count_chances(self, cards: Iterable[str]) -> Mapping[int, float]:
        """Return how likely some cards take each number of tricks."""
        chances = {0: 1.0}
        for chance in map(self.chance_later, cards):
            more: dict[int, float] = {}
            for tricks, share in chances.items():
                more[tricks] = more.get(tricks, 0.0) + share * (1 - chance)
                more[tricks + 1] = more.get(tricks + 1, 0.0) + share * chance
            chances = more
        return chances

    def chance_later(self, card: str) -> float:
        """Return how likely a card takes a trick to come: fitted to deals that were played."""
        suit, higher = self.suit(card), self.count_higher(card)
        if suit == self.trump:
            return float((1 - TRUMP_BEATEN - TRUMP_SHARE * self.share_held) ** higher)
        short = max(0.0, 1 - len(self.hand) / 10)
        lead = PLAIN_TAKES - PLAIN_RUFFED * (self.others - 1) * short if self.trump else NO_TRUMP_TAKES
        return float(lead * (1 - PLAIN_BEATEN - PLAIN_SHARE * self.share_held) ** higher)

    def chance_now(self, card: str) -> float:
        """Return how likely a card takes this trick."""
        if self.trick and not self.beats(card, self.best[1]):
            return 0.0
        suit, led = self.suit(card), self.led or self.suit(card)
        chance = 1.0
        for seat in self.to_come:
            chance *= 1 - self.chance_to_beat(seat, card, suit, led)
        return chance

    def chance_to_beat(self, seat: int, card: str, suit: str, led: str) -> float:
        """Return how likely a player to come takes the trick from a card."""
        follows = self.chance_to_hold(seat, led)
        higher = self.count_higher(card) / max(1, self.count_unseen(suit))
        if suit == self.trump != led:
            return (1 - follows) * self.chance_to_hold(seat, suit) * higher
        ruffs = self.chance_to_hold(seat, self.trump) if self.trump not in (None, suit) else 0.0
        return follows * higher + (1 - follows) * ruffs * 0.5

    def chance_to_hold(self, seat: int, suit: str | None) -> float:
        """Return how likely a seat has a card of a suit."""
        if suit is None or suit in self.void.get(seat, ()):
            return 0.0
        return float(1 - (1 - self.share_held / self.others) ** self.count_unseen(suit))

    def count_higher(self, card: str) -> int:
        """Return how many unseen cards of its suit are higher than a card."""
        suit, rank = self.suit(card), self.rank(card)
        return sum(self.suit(other) == suit and self.rank(other) > rank for other in self.unseen)


if __name__ == "__main__":
    run(choose, name="house:oh-hell", version="1")
