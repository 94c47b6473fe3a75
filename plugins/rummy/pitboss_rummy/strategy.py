"""Strategy of `house:rummy`: the cost of the cards that it keeps and of each discard, and the ways to lay cards down.

Cards are places in the pack (see `melds`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Any, Final, NamedTuple, TypeAlias

from pitboss.parts.melds import CARDS
from pitboss_rummy.melds import NO_CARD, RANKS, kind_of, layoff_mask_of
from pitboss_rummy.messages import RummyOptions
from pitboss_rummy.rules import POINTS, RummyBoard, board_of

Cards: TypeAlias = tuple[int, ...]

# What a card counts for that may come, an unseen one being 1.
DISCARD_WEIGHT: Final = 0.15
HAND_WEIGHT: Final = 0.05
OUTSIDE_KNOWN_STOCK_WEIGHT: Final = 0.1


def melds_of(board: RummyBoard, hand: Cards) -> list[Cards]:
    """Return all melds that a hand holds."""
    held = twice = 0
    for card in hand:
        twice |= held & 1 << card
        held |= 1 << card
    return [board.places(meld.cards) for meld in board.meld_table.all_melds(held, twice)]


def remove_cards(hand: Cards, cards: Cards) -> Cards | None:
    """Return a hand without some cards, None if it does not hold them."""
    left = list(hand)
    for card in cards:
        if card not in left:
            return None
        left.remove(card)
    return tuple(left)


def count_unseen(view: Mapping[str, Any], board: RummyBoard, decks: int) -> list[int]:
    """Return by place how many cards the seat has not seen."""
    left = [decks] * CARDS
    for faces in (view["discard"], *view["known"], *(meld["cards"] for meld in view["melds"])):
        for face in faces:
            left[board.place_by_face[face]] -= 1
    return left


def arrival_weights(view: Mapping[str, Any], board: RummyBoard, seat: int, left: Sequence[int]) -> list[float]:
    """By place: the weight of such a card to come; `left` are the unseen cards."""
    counts = [float(count) for count in left]
    if view["stock_known"]:
        counts = [count * OUTSIDE_KNOWN_STOCK_WEIGHT for count in counts]
        for face in view["stock_known"]:
            counts[board.place_by_face[face]] += 1 - OUTSIDE_KNOWN_STOCK_WEIGHT
    for face in view["discard"]:
        counts[board.place_by_face[face]] += DISCARD_WEIGHT
    for owner, faces in enumerate(view["known"]):
        for face in faces if owner != seat else ():
            counts[board.place_by_face[face]] += HAND_WEIGHT
    return counts


@cache
def completing_cards(one: int, other: int) -> Cards:
    """Return the cards that make a meld with two others, the lower one given first."""
    if one % RANKS == other % RANKS:
        return tuple(card for card in range(one % RANKS, CARDS, RANKS) if card not in (one, other))
    if one // RANKS != other // RANKS or other - one > 2:
        return ()
    between = (one + 1,) if other - one == 2 else (one - 1, other + 1)
    return tuple(card for card in between if card // RANKS == one // RANKS)


@cache
def meld_partners(card: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of other cards with which a card is a meld of three."""
    others = [same for same in range(card % RANKS, CARDS, RANKS) if same != card]
    runs = [(card + one, card + other) for one, other in ((-2, -1), (-1, 1), (1, 2))]
    return (*combinations(others, 2), *(pair for pair in runs if all(part // RANKS == card // RANKS for part in pair)))


# Costs. These numbers were found by playing variants against each other.
CARD: Final = 1.0  # for each card that is kept
POINT: Final = 0.08  # and for each point that it would cost
COMPLETING_WORTH: Final = 9.0  # what it is worth if every card that may come made a meld
GIFT: Final = 2.0  # a discard that the next player can lay off, or needs for a meld
NEARLY_GIFT: Final = 0.4  # a discard that goes with a card which the next player is known to hold
UNCLEAR_GIFT: Final = 0.5  # a discard for which all melds are still possible

FEW_CARDS: Final = 3  # cards, of which one layoff is most of what is missing

# So that no hand, however large, takes long.
MANY_MELDS: Final = 45  # melds that a hand holds
MAX_CHOICES: Final = 200
BEST_CHOICES: Final = 16
MAX_DISCARDS: Final = 12

MeldChoice: TypeAlias = tuple[tuple[Cards, ...], Cards]


class TurnPlan(NamedTuple):
    """A way to play a turn: first the melds, then the layoffs, then the discard, if a card is left."""

    cost: float
    melds: tuple[Cards, ...]
    layoffs: Cards
    rest: Cards
    discard: int

    @property
    def is_out(self) -> bool:
        """Whether the player goes out by it."""
        return len(self.rest) <= 1


class Situation:
    """The table as one seat sees it."""

    def __init__(self, view: Mapping[str, Any], seat: int, seats: int, options: RummyOptions) -> None:
        self.options: Final = options
        self.board: Final = board_of(seats, options)
        places = self.board.places
        self.melds: Final = [places(meld["cards"]) for meld in view["melds"]]
        owners = {meld["owner"] for meld in view["melds"]}
        following = (seat + 1) % seats
        self.has_meld: Final = seat in owners
        self.can_next_lay_off: Final = not options.layoff_needs_meld or following in owners
        self.next_known_cards: Final = set(places(view["known"][following]))
        self.layoff_mask: Final = self.layoff_mask_of(self.melds)
        self.unseen_counts: Final = count_unseen(view, self.board, options.decks)
        self.arrival_weights: Final = arrival_weights(view, self.board, seat, self.unseen_counts)
        self.total_weight: Final = max(1.0, sum(self.arrival_weights))
        self._costs: dict[Cards, float] = {}

    def layoff_mask_of(self, melds: Iterable[Cards]) -> int:
        """Return the mask of all cards that may be laid off on some melds."""
        mask = 0
        for meld in melds:
            kind = kind_of(meld, self.board.groups)
            if kind is not None:
                mask |= layoff_mask_of(kind, meld, self.board.groups)
        return mask

    def best_plan(self, hand: Sequence[int], melds: Sequence[Cards], banned: int | None) -> TurnPlan:
        """Return the cheapest plan of a turn with these cards and melds.

        `banned` may not be discarded unless nothing else is left.
        """
        return min(
            (self.plan_turn(chosen, rest, banned) for chosen, rest in self.meld_choices(hand, melds)),
            key=lambda way: way.cost,
        )

    def meld_choices(self, hand: Sequence[int], melds: Sequence[Cards]) -> list[MeldChoice]:
        """Return sets of melds that can be made together, each with the rest of the hand.

        Only those that leave the fewest cards are returned.
        """
        found: list[MeldChoice] = [((), tuple(hand))]
        if len(melds) > MANY_MELDS:
            return [self.choose_melds_greedily(found[0], melds)]
        for chosen, rest in found:
            first = melds.index(chosen[-1]) if chosen else 0
            for meld in melds[first:] if len(found) <= MAX_CHOICES else ():
                found += self.add_meld(chosen, rest, meld)
        return sorted(found, key=lambda melding: len(melding[1]))[:BEST_CHOICES]

    def choose_melds_greedily(self, melding: MeldChoice, melds: Sequence[Cards]) -> MeldChoice:
        """Return the choice that makes the longest meld that is left, again and again."""
        for meld in sorted(melds, key=len, reverse=True):
            for longer in self.add_meld(*melding, meld):
                melding = longer
        return melding

    def add_meld(self, chosen: tuple[Cards, ...], rest: Cards, meld: Cards) -> list[MeldChoice]:
        """Return the choice with one more meld, or nothing if it may not be made."""
        left = remove_cards(rest, meld)
        if left is None or len(chosen) == self.options.melds_per_turn or (self.options.must_discard_out and not left):
            return []
        return [((*chosen, meld), left)]

    def plan_turn(self, melds: tuple[Cards, ...], rest: Cards, banned: int | None) -> TurnPlan:
        """Return a way with these melds, all layoffs, and the best discard."""
        layoffs, rest = self.lay_off(rest, melds)
        if len(rest) <= 1:
            return TurnPlan(-float(CARDS), melds, layoffs, rest, rest[0] if rest else NO_CARD)
        cost, discard = self.best_discard(rest, banned)
        return TurnPlan(cost, melds, layoffs, rest, discard)

    def lay_off(self, rest: Cards, melds: Sequence[Cards]) -> tuple[Cards, Cards]:
        """Lay off what can be, the dearest first; return these cards and the others."""
        if self.options.layoff_needs_meld and not (self.has_meld or melds):
            return (), rest
        table, left = [*self.melds, *melds], list(rest)
        laid: list[int] = []
        least = 1 if self.options.must_discard_out else 0
        while len(left) > least:
            fits = self.layoff_mask_of(table) if laid or melds else self.layoff_mask
            fitting = [card for card in left if fits >> card & 1]
            if not fitting:
                break
            card = max(fitting, key=POINTS.__getitem__)
            at = next(at for at, meld in enumerate(table) if self.layoff_mask_of([meld]) >> card & 1)
            table[at] = tuple(sorted((*table[at], card)))
            left.remove(card)
            laid.append(card)
        return tuple(laid), tuple(left)

    def best_discard(self, rest: Cards, banned: int | None) -> tuple[float, int]:
        """Return what the best discard costs, with what is kept, and that card."""
        allowed = sorted({card for card in rest if card != banned} or {*rest}, key=POINTS.__getitem__)
        return min(
            (self.cost(remove_cards(rest, (card,)) or ()) + self.gift_cost(card), card)
            for card in allowed[-MAX_DISCARDS:]
        )

    def cost(self, kept: Cards) -> float:
        """Return the cost of keeping these cards.

        It is their number and points, less the chance that the next card makes a meld.
        """
        if kept not in self._costs:
            wanted = self.useful_cards(kept)
            chance = sum(self.arrival_weights[card] for card in wanted) / self.total_weight
            self._costs[kept] = sum(CARD + POINT * POINTS[card] for card in kept) - COMPLETING_WORTH * chance
        return self._costs[kept]

    def useful_cards(self, kept: Cards) -> set[int]:
        """Return the cards that would complete a meld, or let a kept card be laid off after them.

        Of a small hand also all layoffs.
        """
        pairs = [pair for pair in combinations(kept, 2) if pair[0] != pair[1] or self.board.groups.copies]
        wanted = {card for pair in pairs for card in completing_cards(*pair)}
        for meld in self.melds:
            if meld[0] // RANKS == meld[-1] // RANKS:
                low, high = meld[0], meld[-1]
                wanted |= {low - 1} if low % RANKS > 1 and low - 2 in kept else set()
                wanted |= {high + 1} if high % RANKS < RANKS - 2 and high + 2 in kept else set()
        if len(kept) <= FEW_CARDS:
            wanted |= {card for card in range(CARDS) if self.layoff_mask >> card & 1}
        return wanted

    def gift_cost(self, card: int) -> float:
        """Return the estimated gain of the next player from a discard."""
        gift = GIFT if self.layoff_mask >> card & 1 and self.can_next_lay_off else 0.0
        for one, other in meld_partners(card):
            held = (one in self.next_known_cards) + (other in self.next_known_cards)
            missing = other if one in self.next_known_cards else one
            if held == 2:
                gift += GIFT
            elif held == 1:
                gift += NEARLY_GIFT * (self.unseen_counts[missing] > 0)
            elif self.unseen_counts[one] > 0 and self.unseen_counts[other] > 0:
                gift += UNCLEAR_GIFT / 6
        return gift
