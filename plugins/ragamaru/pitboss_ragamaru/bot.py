"""`house:ragamaru`, a bot for RAGAMARU.

It counts turns. A hand costs as many as it has plays left: equal numbers, or two of a kind, go together; what always
fits costs less, what only answers an attack or goes by an Advantage costs more, and a hand without a number card costs
another one, as nothing else can be the last. So it keeps a way out and throws what cannot go.

For each play it evaluates the rest of the hand, who has to draw or rest, and who plays before its own next turn: an
opponent with one or two cards left must be attacked, skipped, or played round. With two players (or RAGAMARU) the turn
comes back at once, and it looks on from there, so that it finds a way to go out in one sweep. Harm to a player with few
cards counts more; a partner is spared, and let through if he may go out.

It names what it holds most of, holds answers back while others can attack, and draws and passes where a play would
spoil more than it saves.
"""

from __future__ import annotations

from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss_ragamaru.deck import FIRST_PLACE
from pitboss_ragamaru.strategy import DRAWN_CARD_COST, TEMPO, PlayEvaluator, mask_of_hand

DRAW_HOPE: Final = 0.35  # of a card that is drawn of one's own will: it may be played at once
WAITING_COST: Final = 0.05  # for each round that was played, where one may pass without drawing


def choose(decision: Question) -> Choice:
    """Answer one question."""
    return RagamaruTurn(decision).choose_action() if len(decision.legal) > 1 else 0


class RagamaruTurn:
    """A turn as the bot sees it."""

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
        """Return what it costs to pass once more: the later in the game the more, as others may be waiting too."""
        rounds: float = self.view["turn_no"] / self.evaluator.seats
        return WAITING_COST * rounds if self.view["drawn"] is None else 0.0


if __name__ == "__main__":
    run(choose, name="house:ragamaru", version="1")
