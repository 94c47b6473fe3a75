"""`house:racko`, a bot for Rack-O.

It finds the cards of its rack to keep because they go up, with gaps between them that are easy to fill: a gap is easy
when few slots lie in it and many cards that fit may still come (those in the discard pile come back only when it is
turned over, and those in other racks hardly ever). It takes the discard when that helps more than an unseen card would
on average, and puts a card where it saves most effort.

Where two slots are nearly as good, the card that leaves is one that the next player cannot place. Where runs count it
holds on to what is nearly a run, and it declares a complete rack unless enough cards would lengthen the run to make
waiting worth the risk.
"""

from __future__ import annotations

from math import inf
from typing import Any, Final

from pitboss.bot import Choice, Question, run
from pitboss_racko.rack import SLOTS
from pitboss_racko.strategy import FillCosts, RackFillPlan, has_slot_for, is_worth_waiting

DRAW_PREFERENCE: Final = 0.3  # a draw that helps so much less than the discard is preferred, as it hides the rack
DENIAL_VALUE: Final = 0.05  # what it is worth to leave the next player nothing
RUN_MARGIN: Final = 5.0  # for the sake of a run a card may go where it costs so much more


def choose(decision: Question) -> Choice:
    """Answer one question."""
    turn = RackoTurn(decision)
    if decision.phase == "declare":
        return {"do": "wait" if turn.is_worth_waiting() else "declare"}
    return turn.choose_place() if decision.phase == "place" else turn.choose_draw()


class RackoTurn:
    """A turn as the bot sees it: the rack, the plan for it, and the neighbour on the left."""

    def __init__(self, decision: Question) -> None:
        options = decision.hello.options
        self.view: dict[str, Any] = decision.view
        self.seats = decision.hello.seats
        self.needs_run = options["min_run"] > 0
        self.bonus_runs: bool = options["bonus_runs"]
        self.rack: list[int] = self.view["rack"]
        self.next_known_rack: list[int | None] = self.view["known_racks"][(decision.seat + 1) % self.seats]
        self.fill_costs = FillCosts(self.view, options["deck_size"])
        self.plan = RackFillPlan(self.rack, self.fill_costs)
        self.current_effort = self.plan.target_effort(self.needs_run, self.bonus_runs)

    def choose_draw(self) -> Choice:
        """Take the discard if it saves enough, else draw."""
        effort, slot = self.best_slot(self.view["discard"][-1])
        hope = self.current_effort - (self.plan.effort - self.plan.mean_effort_after_draw()) - DRAW_PREFERENCE
        if self.view["stock_known"]:
            hope = self.best_slot(self.view["stock_known"][0])[0]
        return {"do": "take", "slot": slot} if effort < self.current_effort and effort <= hope else {"do": "draw"}

    def choose_place(self) -> Choice:
        """Put the drawn card where it saves most effort, if anywhere."""
        effort, slot = self.best_slot(self.view["drawn"])
        return {"do": "swap", "slot": slot} if effort < self.current_effort else {"do": "discard"}

    def best_slot(self, card: int) -> tuple[float, int]:
        """Return the effort that remains if the card goes into the best slot, and that slot."""
        found = []
        for at, slot in enumerate(SLOTS):
            effort = self.effort_with(card, at)
            gift = DENIAL_VALUE * has_slot_for(self.rack[at], self.next_known_rack)
            found.append((effort + gift, effort, slot))
        _, effort, slot = min(found)
        return effort, slot

    def effort_with(self, card: int, at: int) -> float:
        """Return the effort that remains with the card in a slot.

        Where runs count, it is that of a plan for the rack with the card in it.
        """
        effort = self.plan.filling.turns_with(card, at + 1)
        if not (self.needs_run or self.bonus_runs):
            return effort
        if effort > self.plan.effort + RUN_MARGIN:
            return inf
        rack = [*self.rack[:at], card, *self.rack[at + 1 :]]
        return RackFillPlan(rack, self.fill_costs).target_effort(self.needs_run, self.bonus_runs)

    def is_worth_waiting(self) -> bool:
        """Whether to try for a longer run.

        Not if only the declarer's 75 points can be won, nor when the round is cut off soon.
        """
        turn = self.view["turns_done"] // self.seats
        return (
            self.bonus_runs
            and turn + 2 < self.view["max_turns"]
            and is_worth_waiting(self.rack, self.fill_costs, turn, self.seats - 1)
        )


if __name__ == "__main__":
    run(choose, name="house:racko", version="1")
