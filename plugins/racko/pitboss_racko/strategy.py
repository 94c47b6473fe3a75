"""Strategy of `house:racko`: which cards of a rack to keep, and the turns to fill the slots between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Final

from pitboss_racko.rack import (
    DISCARD_WEIGHT,
    PACE,
    RACK_WEIGHT,
    RACKO_POINTS,
    RUN_BONUS,
    SLOTS,
    UNFILLABLE,
    UNSEEN_WEIGHT,
    RackFilling,
    is_racko,
    run_bonus,
)

POINTS_A_TURN: Final = 40.0  # what a bonus must bring for each turn that it costs


class FillCosts:
    """Weights of the cards that may still come, and the expected turns to fill slots from them."""

    def __init__(self, view: Mapping[str, Any], size: int) -> None:
        self.size = size
        counts = [0.0, *[UNSEEN_WEIGHT] * size, 0.0]
        for card in view["discard"]:
            counts[card] = DISCARD_WEIGHT
        for row in view["known_racks"]:
            for card in row:
                if card is not None:
                    counts[card] = RACK_WEIGHT
        for card in view["rack"]:
            counts[card] = 0.0
        self.weights: Final = counts
        self.unseen: Final = [card for card in range(1, size + 1) if counts[card] == UNSEEN_WEIGHT]
        self.weights_below: Final = list(accumulate(counts))  # below[v]: what all cards up to v count
        self.pace: Final = PACE * self.weights_below[-1]

    def card_effort(self, card: int) -> float:
        """Return the effort to get one certain card."""
        return min(UNFILLABLE, 1 + self.pace / self.weights[card]) if self.weights[card] else UNFILLABLE


class RackFillPlan:
    """The cards of a rack to keep so that filling the other slots takes the fewest turns.

    Slots are counted from 1. Efforts are turns, roughly.
    """

    def __init__(self, rack: Sequence[int], fill_costs: FillCosts) -> None:
        self.fill_costs = fill_costs
        self.filling: Final = RackFilling(rack, fill_costs.weights_below, fill_costs.pace, fill_costs.size)
        self.effort: Final = self.filling.turns

    def mean_effort_after_draw(self) -> float:
        """Return the mean effort that remains after drawing a card that nobody has seen."""
        left = [turns for turns, _ in self.filling.find_slots(self.fill_costs.unseen)]
        return sum(left) / len(left) if left else self.effort

    def effort_for_run(self, length: int, most: int) -> float:
        """Return the least effort for a rack with a run that lacks at most `most` cards."""
        filling, walls, best = self.filling, self.filling.walls, len(SLOTS) * UNFILLABLE
        for start in range(1, len(SLOTS) + 2 - length):
            for low in {walls[start + step] - step for step in range(length)}:
                lacking = [low + step for step in range(length) if walls[start + step] != low + step]
                if len(lacking) <= most and 0 < low <= self.fill_costs.size + 1 - length:
                    effort = sum([self.fill_costs.card_effort(card) for card in lacking])
                    if effort < best:
                        effort += filling.turns_before(start, low)
                        effort += filling.turns_after(start + length - 1, low + length - 1)
                        best = min(best, effort)
        return best

    def target_effort(self, needs_run: bool, bonus_runs: bool) -> float:
        """Return the least effort over all racks to aim at, minus the value of their runs in turns."""
        most = 2 if needs_run else 1
        best = self.effort_for_run(3, most) if needs_run else self.effort
        if bonus_runs:
            efforts = [
                self.effort_for_run(length, most) - RUN_BONUS[length] / POINTS_A_TURN
                for length in range(3, len(RUN_BONUS))
            ]
            best = min(best, *efforts)
        return best


def has_slot_for(card: int, row: Sequence[int | None]) -> bool:
    """Whether some slot of a partly known rack is left where `card` would be in order."""
    first = max([at + 1 for at, known in enumerate(row) if known is not None and known < card], default=0)
    end = min([at for at, known in enumerate(row) if known is not None and known > card], default=len(SLOTS))
    return first < end


CARDS_SEEN_A_TURN: Final = 1.3  # one from the stock, and at times the discard
LAST_CALM_TURN: Final = 8
FINISH_RISK: Final = 0.3  # that an opponent finishes during a turn, from then on


def is_worth_waiting(rack: Sequence[int], fill_costs: FillCosts, turn: int, opponents: int) -> bool:
    """Whether the expected gain from a longer run exceeds the expected loss if an opponent completes a rack first."""
    has = run_bonus(rack)
    gains = [best_bonus_with(card, rack) - has for card in fill_costs.unseen]
    gain = CARDS_SEEN_A_TURN * sum(gain for gain in gains if gain > 0) / max(1, len(gains))
    return gain > FINISH_RISK * opponents * min(1.0, turn / LAST_CALM_TURN) * (RACKO_POINTS + has)


def best_bonus_with(card: int, rack: Sequence[int]) -> int:
    """Return the highest bonus of a complete rack after `card` replaces one of its cards; 0 if none stays complete."""
    racks = ([*rack[:at], card, *rack[at + 1 :]] for at in range(len(SLOTS)))
    return max((run_bonus(one) for one in racks if is_racko(one, 0)), default=0)
