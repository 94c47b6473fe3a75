"""`house:rummy`, a bot for Basic Rummy.

It keeps pairs and neighbours by the cards that would complete them and may still come: cards in melds, in the discard
pile or known to be in a hand hardly count. It throws what is dear and of little use, and no card that the next player
can lay off or is known to collect, if another costs as little. It takes the discard when that leaves it better off than
the stock would on average. When it can go out it does.

Otherwise it may hold its melds back, as they count double when it goes out with all at once, and as nobody can lay off
on what is in the hand: against one opponent while that player has more than a few cards and the deal is young; among
more players always, where layoffs on its melds would help all of them. Where only one meld a turn is allowed it melds
at once.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import convert

from pitboss.bot import Choice, Question, run
from pitboss_rummy.messages import RummyOptions
from pitboss_rummy.strategy import Situation, melds_of

UNSEEN_SAVING: Final = 0.6  # what an unseen card saves on average
FEW_CARDS: Final = 3  # an opponent with fewer cards may soon be out
LAST_EARLY_TURN: Final = 9  # turns


def choose(decision: Question) -> Choice:
    """Answer one question."""
    turn = RummyTurn(decision)
    return turn.choose_draw() if decision.phase == "draw" else turn.choose_play()


class RummyTurn:
    """A turn as the bot sees it."""

    def __init__(self, decision: Question) -> None:
        self.legal = decision.legal
        self.options = convert(decision.hello.options, RummyOptions)
        self.view: dict[str, Any] = decision.view
        self.seat, self.seats = decision.seat, decision.hello.seats
        self.situation = Situation(self.view, self.seat, self.seats, self.options)
        self.board = self.situation.board
        self.hand = self.board.places(self.view["hand"])

    def choose_draw(self) -> Choice:
        """Take the discard if it leaves less to pay than the stock.

        The stock is its top card if that is known, else an unseen card.
        """
        top, stock = self.view["discard"][-1], self.view["stock_known"]
        if self.view["stock"] == 0:
            stock = self.view["discard"]  # it is turned over
        hope = self.cost_with(stock[0], None) if stock else self.cost_now() - UNSEEN_SAVING
        banned = None if self.options.discard_taken else self.board.place_by_face[top]
        return {"do": "take"} if self.cost_with(top, banned) < hope else {"do": "draw"}

    def cost_with(self, face: str, banned: int | None) -> float:
        """Return what the best turn costs with one more card."""
        hand = tuple(sorted((*self.hand, self.board.place_by_face[face])))
        return self.situation.best_plan(hand, melds_of(self.board, hand), banned).cost

    def cost_now(self) -> float:
        """Return what the hand costs with its melds and layoffs made, if the drawn card is thrown."""
        situation = self.situation
        meldings = situation.meld_choices(self.hand, melds_of(self.board, self.hand))
        return min(situation.cost(situation.lay_off(rest, chosen)[1]) for chosen, rest in meldings)

    def choose_play(self) -> Choice:
        """Do the next thing of the best way to play the turn, or hold melds and layoffs back."""
        melds = [self.board.places(action["cards"]) for action in self.legal if action["do"] == "meld"]
        taken = self.view["taken"]
        banned = self.board.place_by_face[taken] if taken is not None and not self.options.discard_taken else None
        way = self.situation.best_plan(self.hand, melds, banned)
        if way.is_out or not self.is_holding_back():
            if way.melds:
                return {"do": "meld", "cards": [*self.board.faces_at(way.melds[0])]}
            if way.layoffs:
                [face] = self.board.faces_at(way.layoffs[:1])
                layoffs = (
                    at for at, action in enumerate(self.legal) if action["do"] == "layoff" and action["card"] == face
                )
                return next(layoffs)
        return {"do": "discard", "card": self.board.pack[way.discard]}

    def is_holding_back(self) -> bool:
        """Whether to keep melds in the hand for now: only a player without melds in this deal can."""
        laid_down_now = len(self.hand) <= (self.options.hand_size or 0)
        if laid_down_now or not self.view["clean"][self.seat] or self.options.melds_per_turn:
            return False
        if self.seats > 2:
            return True
        opponent = self.view["counts"][1 - self.seat]
        turns: int = self.view["turns_done"] // self.seats
        return self.options.going_rummy != "off" and opponent >= FEW_CARDS and turns <= LAST_EARLY_TURN


if __name__ == "__main__":
    run(choose, name="house:rummy", version="1")
