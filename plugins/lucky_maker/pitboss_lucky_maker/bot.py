"""`house:lucky-maker`, a bot for Lucky Maker.

For each card that it may play it asks how the trick is likely to end: it counts the cards of both master suits on the table, deals the unseen cards several
times to the players who come after it (who did not follow once can hold one category alone), and lets each of them play the card
that wins most at the least loss. So it sees which suit will decide and what the trick will be worth. A trick that it wins counts its points; one that
another wins counts against it, less with more players. From that it takes what the card would be worth in later tricks: the chance that
no unseen card is higher in one of its suits. So a cheap card wins where it can, a useless one goes where nothing can be won, and the last
player reckons exactly. It likes to play late in the next trick.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from pitboss.bot import Choice, Decision, run
from pitboss_lucky_maker.deck import NUMBER_OF
from pitboss_lucky_maker.strategy import LATE, PRICE, Standing, TrickOutlook, Unseen, following, likely_play, next_lead

PLAYS: Final = 250  # of other players, that are thought through for one decision
FEWEST_DEALS: Final = 4


def choose(decision: Decision) -> Choice:
    """Answer one question."""
    return TrickTurn(decision).best() if len(decision.legal) > 1 else 0


class TrickTurn:
    """A turn as the bot sees it: the trick so far, and what the cards are worth later."""

    def __init__(self, decision: Decision) -> None:
        view: dict[str, Any] = decision.view
        self.view = view
        self.options: dict[str, Any] = decision.hello.options
        self.seat, self.seats = decision.seat, decision.hello.seats
        self.cards = [NUMBER_OF[action["card"]] for action in decision.legal]
        self.master = NUMBER_OF[view["master"]]
        self.unseen = Unseen(view)
        price = PRICE if view["trick_no"] < view["tricks"] else 0.0
        self.prices = {card: price * self.unseen.strength(card, self.seats - 1) for card in [*self.unseen.cards, *self.cards]}
        self.outlook = TrickOutlook(self.master)
        self.standing = self.outlook.start
        for seat, face in view["trick"]:
            self.standing = self.outlook.after(self.standing, NUMBER_OF[face], seat)
        self.later = [(self.seat + step) % self.seats for step in range(1, self.seats - len(view["trick"]))]
        self.rng = Random(f"{decision.start.seed}/{view['game_no']}/{view['trick_no']}")

    def best(self) -> int:
        """Return the index of the best card, the first of equals."""
        deals = max(FEWEST_DEALS, PLAYS // (len(self.cards) * len(self.later))) if self.later else 1
        worth = [-deals * self.prices[card] for card in self.cards]
        for _ in range(deals):
            hands = self.unseen.hands(self.later, len(self.view["hand"]), self.rng)
            plays = dict(following(self.master, hands))
            for at, card in enumerate(self.cards):
                worth[at] += self.worth(self.ended(card, plays))
        return max(range(len(worth)), key=lambda at: (round(worth[at], 9), -at))

    def ended(self, card: int, plays: dict[int, list[int]]) -> Standing:
        """Return the trick as it ends if the bot plays a card and the others what is likely."""
        standing = self.outlook.after(self.standing, card, self.seat)
        for seat in self.later:
            standing = self.outlook.after(standing, likely_play(self.outlook, standing, plays[seat], self.prices), seat)
        return standing

    def worth(self, ended: Standing) -> float:
        """Return what a trick is worth to this seat: its points, or a part of another's against it, and the place in the next one."""
        suit = self.outlook.decides(ended[0].cards, ended[1].cards)
        winner, points = ended[suit].holder, 0.0
        if winner is not None:
            points = self.outlook.points[suit] * (1 if winner == self.seat else -1 / (self.seats - 1))
        lead = next_lead(ended[suit], self.view["lead"], self.seats, self.options["tie_lead"], self.options["void_lead"])
        place = (self.seat - lead) % self.seats
        return points + LATE * place / (self.seats - 1)


if __name__ == "__main__":
    run(choose, name="house:lucky-maker", version="1")
