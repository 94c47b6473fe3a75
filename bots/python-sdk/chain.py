"""A bot with the SDK (`pitboss.bot`): it plans which of its Rack-O cards to keep, and how hard the rest will be to get.

The function to change is `choose`. The SDK does the reading and writing; `print` is safe, it goes to standard error. In
a game that it does not know, the bot plays the first legal action.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Final

from pitboss.bot import Choice, Question, run

SLOTS: Final = 10
NEVER: Final = 50.0  # the effort for a slot that no card in play can fill
NO_RUN: Final = 4.0  # the effort for each card that a needed run of three still lacks
ENOUGH: Final = 1.0  # a visible discard must save this much, or the unseen card of the stock is the better hope


def choose(question: Question) -> Choice:
    """Answer one question: with an index into `question.legal`, or with one of the actions in it.

    Write your own bot here.
    """
    if question.hello.game != "racko":
        return 0
    if question.phase == "declare":
        return {"do": "declare"}
    return racko_turn(question.phase, question.view, question.hello.options)


def racko_turn(phase: str, view: dict[str, Any], options: dict[str, Any]) -> Choice:
    """Put the card at hand (in `draw` the visible discard, in `place` the drawn card) where it saves most effort."""
    plan = RackPlan(view, options)
    if phase == "place":
        effort, slot = plan.best_place(view["drawn"])
        return {"do": "swap", "slot": slot} if effort < plan.effort_now else {"do": "discard"}
    effort, slot = plan.best_place(view["discard"][-1])
    hope = plan.effort_now - ENOUGH
    if view["stock_known"]:
        hope = min(plan.effort_now, plan.best_place(view["stock_known"][0])[0])
    return {"do": "take", "slot": slot} if effort < plan.effort_now and effort <= hope else {"do": "draw"}


class RackPlan:
    """What the rack is worth now, and with another card in it."""

    def __init__(self, view: dict[str, Any], options: dict[str, Any]) -> None:
        self.size: int = options["deck_size"]
        self.needs_run = options["min_run"] == 3
        self.rack: list[int] = view["rack"]
        self.may_come = cards_that_may_come(view, self.size)
        self.effort_now = self.effort(self.rack, self.may_come)

    def best_place(self, card: int) -> tuple[float, int]:
        """Return the least effort that remains if the card goes into a slot, and that slot as printed on the rack."""
        best = (float("inf"), 0)
        for at, leaving in enumerate(self.rack):
            rack = [*self.rack[:at], card, *self.rack[at + 1 :]]
            best = min(best, (self.effort(rack, self.may_come - {card} | {leaving}), 5 * (at + 1)))
        return best

    def effort(self, rack: Sequence[int], may_come: set[int]) -> float:
        """Return how far the rack is from complete: 0 when it is."""
        effort = chain_effort(rack, may_come, self.size)
        return effort + NO_RUN * lacking_for_a_run(rack, may_come) if self.needs_run else effort


def cards_that_may_come(view: dict[str, Any], size: int) -> set[int]:
    """Return the cards that may still reach this seat: those in no rack that is known."""
    return set(range(1, size + 1)).difference(view["rack"], *view["known_racks"])


def chain_effort(rack: Sequence[int], may_come: Iterable[int], size: int) -> float:
    """Choose the rising cards to keep so that the gaps are easiest to fill; return the effort that is left.

    `least[to]` is the least effort for all slots before `to`, if the card there is kept; the walls 0 and size + 1 stand
    beside the rack.
    """
    coming = [0] * (size + 1)
    for card in may_come:
        coming[card] = 1
    below = [*accumulate(coming), 0]  # below[v]: how many of them are v or less
    walls = [0, *rack, size + 1]
    least = [0.0]
    for to in range(1, SLOTS + 2):
        high = walls[to]
        least.append(
            min(
                least[at] + gap_effort(to - at - 1, below[high - 1] - below[walls[at]])
                for at in range(to)
                if walls[at] < high
            )
        )
    return least[-1]


def gap_effort(slots: int, fitting: int) -> float:
    """Return how hard it is to fill `slots` neighbouring slots with `fitting` fitting cards in play.

    The numbers come from many simulated games.
    """
    if not slots:
        return 0.0
    return slots * (1 + 5 * slots / fitting) if fitting >= slots else slots * NEVER


def lacking_for_a_run(rack: Sequence[int], may_come: set[int]) -> int:
    """Return how many cards the nearest run of three neighbours lacks: 0 to 3."""
    lacking = 3
    for at in range(SLOTS - 2):
        for first in (rack[at], rack[at + 1] - 1, rack[at + 2] - 2):
            missing = [first + step for step in range(3) if rack[at + step] != first + step]
            if may_come.issuperset(missing):
                lacking = min(lacking, len(missing))
    return lacking


if __name__ == "__main__":
    run(choose, name="chain", version="1")
