"""What a bot reads from its view of a trick: what was played, what is unseen, which card leads, what would beat it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pitboss.parts.suits import rank_number
from pitboss.plugins.packs import suit_of


class TrickReading:
    """The trick of a `TrickView`, as a bot gets it. A game whose cards rank otherwise overrides `suit` and `rank`."""

    def __init__(self, view: Mapping[str, Any], deck: Iterable[str], trump: str | None = None) -> None:
        self.trump = trump
        self.hand: list[str] = view["hand"]
        self.trick: list[tuple[int, str]] = [(player, card) for player, card in view["trick"]]
        left = Counter(iter(deck))  # of a mapping, too: the cards alone
        left.subtract(card for trick in view["tricks"] for _, card in trick["cards"])
        left.subtract(card for _, card in self.trick)
        left.subtract(self.hand)
        self.unseen = {card for card, count in left.items() if count > 0}  # others hold one, or it was not dealt
        self.unseen_copies = left  # of each card of `unseen`: how many of its equal cards are unseen
        self._tricks = [trick["cards"] for trick in view["tricks"]]

    def suit(self, card: str) -> str:
        """Return the suit that a card counts as."""
        return suit_of(card)

    def rank(self, card: str) -> int:
        """Return the rank of a card among those of its suit."""
        return rank_number(card)

    @property
    def led(self) -> str | None:
        """The suit that was led; None if the trick has no card."""
        return self.suit(self.trick[0][1]) if self.trick else None

    @property
    def best(self) -> tuple[int, str]:
        """The seat and the card that take the trick as it is."""
        best = self.trick[0]
        for play in self.trick[1:]:
            if self.beats(play[1], best[1]):
                best = play
        return best

    def beats(self, card: str, other: str) -> bool:
        """Return whether a card takes a trick from another that has the lead in it."""
        suit = self.suit(card)
        return self.rank(card) > self.rank(other) if suit == self.suit(other) else suit == self.trump

    def cost(self, card: str) -> int:
        """Return how dear a card is: any trump more than another card."""
        return self.rank(card) + 100 * (self.suit(card) == self.trump)

    def is_boss(self, card: str) -> bool:
        """Return whether no unseen card of the suit is higher."""
        suit, rank = self.suit(card), self.rank(card)
        return not any(self.suit(other) == suit and self.rank(other) > rank for other in self.unseen)

    def winners(self, cards: Iterable[str]) -> list[str]:
        """Return the cards that would have the lead in the trick, the cheapest first."""
        best = self.best[1]
        return sorted([card for card in cards if self.beats(card, best)], key=self.cost)

    def losers(self, cards: Iterable[str]) -> list[str]:
        """Return the cards that would not have the lead in the trick, the cheapest first."""
        best = self.best[1]
        return sorted([card for card in cards if not self.beats(card, best)], key=self.cost)

    def void_suits(self) -> dict[int, set[str]]:
        """Return by seat the suits that it did not follow in this deal."""
        void: dict[int, set[str]] = {}
        for trick in [*self._tricks, self.trick]:
            for seat, card in trick[1:]:
                if self.suit(card) != (led := self.suit(trick[0][1])):
                    void.setdefault(seat, set()).add(led)
        return void

    def count_unseen(self, suit: str) -> int:
        """Return how many cards of a suit are unseen."""
        return sum(self.unseen_copies[card] for card in self.unseen if self.suit(card) == suit)
