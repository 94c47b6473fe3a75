"""How `house:racko` thinks: which cards of a rack to keep, and how hard the gaps between them are to fill. `bot` talks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Final

from pitboss_racko.rack import RACKO_POINTS, RUN_BONUS, longest_run

SLOT_COUNT: Final = 10

# What a card counts for that may come: nobody has seen it; it lies in the discard pile, which is turned over one day; it lies openly in a rack.
UNSEEN_WEIGHT: Final = 1.0
DISCARD_WEIGHT: Final = 0.4
RACK_WEIGHT: Final = 0.1

# Efforts are in turns, roughly. These numbers were found by playing variants against each other.
PACE: Final = 0.25
UNFILLABLE: Final = 50.0  # for a slot that no card can fill
POINTS_A_TURN: Final = 40.0  # what a bonus must bring for each turn that it costs


class FillCosts:
    """Which cards may still come, and so what it takes to fill a gap."""

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

    def gap_effort(self, slots: int, low: int, high: int) -> float:
        """Return the effort to fill neighbouring slots between two cards that are kept."""
        if not slots:
            return 0.0
        coming = self.weights_below[high - 1] - self.weights_below[low]
        if high - low <= slots or coming <= 0:
            return UNFILLABLE * slots
        return min(UNFILLABLE * slots, slots + self.pace * slots * slots / coming)

    def card_effort(self, card: int) -> float:
        """Return the effort to get one certain card."""
        return min(UNFILLABLE, 1 + self.pace / self.weights[card]) if self.weights[card] else UNFILLABLE


class RackFillPlan:
    """What to keep of a rack, so that the rest takes the least effort. Slots are counted from 1, between the walls 0 and `size + 1`."""

    def __init__(self, rack: Sequence[int], fill_costs: FillCosts) -> None:
        self.fill_costs = fill_costs
        self.walls: Final = [0, *rack, fill_costs.size + 1]
        self.prefix_efforts: Final = [0.0]  # by slot: the least effort for all before it, if its card is kept
        for to in range(1, SLOT_COUNT + 2):
            self.prefix_efforts.append(self.effort_before(to, self.walls[to]))
        self.effort: Final = self.prefix_efforts[-1]
        self.suffix_efforts: Final = [0.0] * (SLOT_COUNT + 2)  # the same for all after it
        for at in range(SLOT_COUNT, -1, -1):
            self.suffix_efforts[at] = self.effort_after(at, self.walls[at])

    def effort_before(self, to: int, high: int) -> float:
        """Return the least effort for the slots before one that shows `high`."""
        walls, ahead, gap = self.walls, self.prefix_efforts, self.fill_costs.gap_effort
        return min([ahead[at] + gap(to - at - 1, walls[at], high) for at in range(to) if walls[at] < high])

    def effort_after(self, at: int, low: int) -> float:
        """Return the least effort for the slots after one that shows `low`."""
        walls, behind, gap = self.walls, self.suffix_efforts, self.fill_costs.gap_effort
        return min(
            [behind[to] + gap(to - at - 1, low, walls[to]) for to in range(at + 1, SLOT_COUNT + 2) if walls[to] > low]
        )

    def effort_with(self, card: int, at: int) -> float:
        """Return the effort that remains if a card goes into a slot and stays there."""
        return self.effort_before(at, card) + self.effort_after(at, card)

    def mean_effort_after_draw(self) -> float:
        """Return the mean effort that remains after drawing a card that nobody has seen."""
        unseen, now = self.fill_costs.unseen, self.effort
        left = [min(now, min([self.effort_with(card, at) for at in range(1, SLOT_COUNT + 1)])) for card in unseen]
        return sum(left) / len(left) if left else now

    def effort_for_run(self, length: int, most: int) -> float:
        """Return the least effort for a rack with a run that lacks at most so many cards."""
        walls, best = self.walls, SLOT_COUNT * UNFILLABLE
        for start in range(1, SLOT_COUNT + 2 - length):
            for low in {walls[start + step] - step for step in range(length)}:
                lacking = [low + step for step in range(length) if walls[start + step] != low + step]
                if len(lacking) <= most and 0 < low <= self.fill_costs.size + 1 - length:
                    effort = sum([self.fill_costs.card_effort(card) for card in lacking])
                    if effort < best:
                        effort += self.effort_before(start, low) + self.effort_after(
                            start + length - 1, low + length - 1
                        )
                        best = min(best, effort)
        return best

    def target_effort(self, needs_run: bool, bonus_runs: bool) -> float:
        """Return the effort for the best rack to aim at, less what its run is worth."""
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
    """Tell whether a rack, as far as it is known, has a slot left where the card would be in order."""
    first = max([at + 1 for at, known in enumerate(row) if known is not None and known < card], default=0)
    end = min([at for at, known in enumerate(row) if known is not None and known > card], default=SLOT_COUNT)
    return first < end


CARDS_SEEN_A_TURN: Final = (
    1.3  # cards that a player can choose from in a turn: one from the stock, and at times the discard
)
LAST_CALM_TURN: Final = 8
FINISH_RISK: Final = 0.3  # that an opponent finishes during a turn, from then on


def is_worth_waiting(rack: Sequence[int], fill_costs: FillCosts, turn: int, opponents: int) -> bool:
    """Tell whether to keep a complete rack and try for a longer run: the chance times the gain against the risk times the loss."""
    has = RUN_BONUS[min(6, longest_run(rack))]
    gains = [best_bonus_with(card, rack) - has for card in fill_costs.unseen]
    gain = CARDS_SEEN_A_TURN * sum(gain for gain in gains if gain > 0) / max(1, len(gains))
    return gain > FINISH_RISK * opponents * min(1.0, turn / LAST_CALM_TURN) * (RACKO_POINTS + has)


def best_bonus_with(card: int, rack: Sequence[int]) -> int:
    """Return the highest bonus of a complete rack once the card has been put somewhere where it stays complete; 0 if it cannot."""
    racks = ([*rack[:at], card, *rack[at + 1 :]] for at in range(SLOT_COUNT))
    return max((RUN_BONUS[min(6, longest_run(one))] for one in racks if is_in_order(one)), default=0)


def is_in_order(rack: Collection[int]) -> bool:
    """Tell whether the cards go up all the way."""
    return all(low < high for low, high in pairwise(rack))
