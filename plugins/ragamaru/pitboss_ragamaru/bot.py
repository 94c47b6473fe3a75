"""`house:ragamaru`, a bot for RAGAMARU.

The bot evaluates each action in turns. The cost of a hand is about the number of plays that it still takes: cards of
one number or kind go together. A card that always fits costs less; a card that only answers an attack, or leaves by an
Advantage, costs more. A hand without a number card costs more too, as only number cards may be the last ones.

The worth of a play depends on the cost of the rest of the hand, on the seats that have to draw or rest, and on the
seats that play before the bot's next turn: an opponent with few cards left should be attacked or skipped, a partner
who may go out should play. If the bot is on turn again at once (after a RAGAMARU, or a Cut with two players), it
searches its next plays too, so that it can go out in several plays in a row. Harm to a player with few cards counts
more; harm to a partner counts as a loss.

The bot names the colour and number of most of its cards, keeps answers while others can attack, and draws or passes
where every play would cost more.
"""

from __future__ import annotations

from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss_ragamaru.cards import FIRST_PLACE
from pitboss_ragamaru.strategy import DRAWN_CARD_COST, TEMPO, PlayEvaluator, mask_of_hand

DRAW_HOPE: Final = 0.35  # worth of a card that is drawn by choice: it may be played at once
WAITING_COST: Final = 0.05  # of a pass without drawing, for each round played so far


def choose(decision: Question) -> Choice:
    """Answer one question."""
    return RagamaruTurn(decision).choose_action() if len(decision.legal) > 1 else 0


class RagamaruTurn:
    """One decision of the bot: its legal actions and their worth."""

    def __init__(self, decision: Question) -> None:
        self.legal: list[dict[str, Any]] = decision.legal
        self.view: dict[str, Any] = decision.view
        self.evaluator = PlayEvaluator(self.view, decision.hello.options)
        self.hand_mask = mask_of_hand(self.view["hand"])
        self.colour = self.view["field"]["colour"]

    def choose_action(self) -> Choice:
        """Return the best action, the first of equals."""
        match self.legal[0]["do"]:
            case "colour":
                return {"do": "colour", "colour": self.evaluator.best_colour(self.hand_mask)}
            case "number":
                return {"do": "number", "number": self.evaluator.best_number(self.hand_mask, self.colour)}
            case _:
                return max(range(len(self.legal)), key=lambda at: (round(self.action_worth(self.legal[at]), 9), -at))

    def action_worth(self, action: dict[str, Any]) -> float:
        """Return what an action is worth, in turns."""
        evaluator, held = self.evaluator, self.hand_mask
        match action["do"]:
            case "play":
                return evaluator.play_worth(held, evaluator.book.combinations[tuple(action["cards"])], self.colour)
            case "discard":
                return -evaluator.cost(held & ~(1 << FIRST_PLACE[action["card"]]))
            case "take":
                return (
                    TEMPO - evaluator.cost(held) - DRAWN_CARD_COST * evaluator.draw_due + evaluator.others_turn_worth()
                )
            case "sit":
                return -TEMPO * evaluator.rests_due - evaluator.cost(held) + evaluator.others_turn_worth()
            case "draw":
                return DRAW_HOPE - DRAWN_CARD_COST - evaluator.cost(held) + evaluator.others_turn_worth()
            case "stop":
                return -evaluator.cost(held)
            case _:
                return evaluator.others_turn_worth() - evaluator.cost(held) - self.waiting_cost()

    def waiting_cost(self) -> float:
        """Return the cost of a pass, 0 after a drawn card; it grows with the rounds, as others may be waiting too."""
        rounds: float = self.view["turn_no"] / self.evaluator.seats
        return WAITING_COST * rounds if self.view["drawn"] is None else 0.0


if __name__ == "__main__":
    run(choose, name="house:ragamaru", version="1")
