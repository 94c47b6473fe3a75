"""`house:lucky-maker`, a bot for Lucky Maker.

For each card that it may play it estimates how the trick ends. It counts the cards of both master suits on the table,
deals the unseen cards several times to the players who come after it (a player who did not follow once can hold only
one category), and models each as playing the card with the largest points minus later value. The average over the deals
estimates which suit decides and what the trick is worth.

A trick that it wins counts its points; one that another wins counts against it, less with more players. From that it
takes the price of the card in later tricks: the chance that no unseen card is higher in one of its suits. So a cheap
card wins where it can, a useless one goes where nothing can be won, and the last player decides without estimates. It
likes to play late in the next trick.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss_lucky_maker.cards import CARD_BY_FACE, FOLLOWS
from pitboss_lucky_maker.strategy import UnseenCards
from pitboss_lucky_maker.trick import (
    LATE_SEAT_VALUE,
    TOP_CARD_VALUE,
    TrickCounts,
    TrickForecast,
    likely_play,
    next_lead,
)

MAX_PLAYS: Final = 250  # of other players, that are thought through for one decision
MIN_DEALS: Final = 4


def choose(decision: Question) -> Choice:
    """Answer one question."""
    return TrickTurn(decision).choose_card() if len(decision.legal) > 1 else 0


class TrickTurn:
    """A turn as the bot sees it: the trick so far, and what the cards are worth later."""

    def __init__(self, decision: Question) -> None:
        view: dict[str, Any] = decision.view
        self.view = view
        self.options: dict[str, Any] = decision.hello.options
        self.seat, self.seats = decision.seat, decision.hello.seats
        self.cards = [CARD_BY_FACE[action["card"]] for action in decision.legal]
        self.master = CARD_BY_FACE[view["master"]]
        self.unseen = UnseenCards(view)
        price = TOP_CARD_VALUE if view["trick_no"] < view["tricks"] else 0.0
        self.prices = {
            card: price * self.unseen.strength(card, self.seats - 1) for card in [*self.unseen.cards, *self.cards]
        }
        self.forecast = TrickForecast(self.master)
        self.trick_counts = self.forecast.start
        for seat, face in view["trick"]:
            self.trick_counts = self.forecast.add_card(self.trick_counts, CARD_BY_FACE[face], seat)
        self.later_seats = [(self.seat + step) % self.seats for step in range(1, self.seats - len(view["trick"]))]
        self.rng = Random(f"{decision.start.seed}/{view['game_no']}/{view['trick_no']}")

    def choose_card(self) -> int:
        """Return the index of the best card, the first of equals."""
        deals = max(MIN_DEALS, MAX_PLAYS // (len(self.cards) * len(self.later_seats))) if self.later_seats else 1
        follows = FOLLOWS[self.master // 10]  # of cards that do not follow, which cannot win, one is enough
        worth = [-deals * self.prices[card] for card in self.cards]
        for _ in range(deals):
            hands = self.unseen.deal_hands(self.later_seats, len(self.view["hand"]), self.rng)
            plays = {seat: [card for card in hand if follows[card]] or hand[:1] for seat, hand in hands.items()}
            for at, card in enumerate(self.cards):
                worth[at] += self.trick_worth(self.simulate_trick(card, plays))
        return max(range(len(worth)), key=lambda at: (round(worth[at], 9), -at))

    def simulate_trick(self, card: int, plays: dict[int, list[int]]) -> TrickCounts:
        """Return the trick as it ends if the bot plays a card and the others what is likely."""
        standing = self.forecast.add_card(self.trick_counts, card, self.seat)
        for seat in self.later_seats:
            standing = self.forecast.add_card(
                standing, likely_play(self.forecast, standing, plays[seat], self.prices), seat
            )
        return standing

    def trick_worth(self, final_counts: TrickCounts) -> float:
        """Return the worth of a trick to this seat.

        It is its points, or a part of another's against it, and the value of the place in the next trick.
        """
        decisive, won = self.forecast.decide(final_counts)
        winner, points = decisive.holder, 0.0
        if winner is not None:
            points = won * (1 if winner == self.seat else -1 / (self.seats - 1))
        lead, tie_lead, void_lead = self.view["lead"], self.options["tie_lead"], self.options["void_lead"]
        lead = next_lead(winner, decisive.is_tie, decisive.cards > 0, lead, self.seats, tie_lead, void_lead)
        place = (self.seat - lead) % self.seats
        return points + LATE_SEAT_VALUE * place / (self.seats - 1)


if __name__ == "__main__":
    run(choose, name="house:lucky-maker", version="1")
