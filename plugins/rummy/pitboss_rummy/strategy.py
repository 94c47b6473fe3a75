"""How `house:rummy` thinks: what the cards that it keeps are worth, what a discard gives away, and the ways to lay cards down. `bot` talks.

Cards are places in the pack (see `pack`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple, TypeAlias

from pitboss_rummy.counting import Cards, coming, completing, known_pack, partners, unseen, without
from pitboss_rummy.melds import Groups, fits_of, kind_of
from pitboss_rummy.pack import CARDS, RANKS
from pitboss_rummy.scoring import POINTS

# Costs. These numbers were found by playing variants against each other.
CARD: Final = 1.0  # for each card that is kept
POINT: Final = 0.08  # and for each point that it would cost
COMPLETING: Final = 9.0  # what it is worth if every card that may come made a meld
GIFT: Final = 2.0  # a discard that the next player can lay off, or needs for a meld
NEARLY_GIFT: Final = 0.4  # a discard that goes with a card which the next player is known to hold
UNCLEAR_GIFT: Final = 0.5  # a discard for which all melds are still possible

NOTHING: Final = -1  # no card
FEW: Final = 3  # cards, of which one layoff is most of what is missing

# So that no hand, however large, takes long.
MANY: Final = 45  # melds that a hand holds
MOST_WAYS: Final = 200
BEST_WAYS: Final = 16
DISCARDS: Final = 12

Melding: TypeAlias = tuple[tuple[Cards, ...], Cards]


class Way(NamedTuple):
    """A way to play a turn: first the melds, then the layoffs, then the discard, if a card is left."""

    cost: float
    melds: tuple[Cards, ...]
    layoffs: Cards
    rest: Cards
    discard: int

    @property
    def is_out(self) -> bool:
        """Tell whether the player goes out by it."""
        return len(self.rest) <= 1


class Rules(NamedTuple):
    """The options that decide what may be laid down."""

    groups: Groups
    melds_per_turn: int
    layoff_needs_meld: bool
    must_discard_out: bool

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Rules:
        """Return the rules of a table."""
        groups = Groups(options["group_max"], options["group_copies"] and options["decks"] == 2)
        return cls(groups, options["melds_per_turn"] or CARDS, options["layoff_needs_meld"], options["must_discard_out"])

    def fits(self, melds: Iterable[Cards]) -> int:
        """Return the mask of all cards that may be laid off on some melds."""
        mask = 0
        for meld in melds:
            kind = kind_of(meld, self.groups)
            if kind is not None:
                mask |= fits_of(kind, meld, self.groups)
        return mask


class Situation:
    """The table as one seat sees it."""

    def __init__(self, view: Mapping[str, Any], seat: int, seats: int, options: Mapping[str, Any]) -> None:
        self.rules: Final = Rules.of(options)
        self.pack: Final = known_pack(options["pack"], self.rules.groups)
        places = self.pack.places
        self.melds: Final = [places(meld["cards"]) for meld in view["melds"]]
        owners = {meld["owner"] for meld in view["melds"]}
        following = (seat + 1) % seats
        self.has_meld: Final = seat in owners
        self.next_may_lay_off: Final = not self.rules.layoff_needs_meld or following in owners
        self.next_holds: Final = set(places(view["known"][following]))
        self.fits: Final = self.rules.fits(self.melds)
        self.unseen: Final = unseen(view, self.pack, options["decks"])
        self.coming: Final = coming(view, self.pack, seat, self.unseen)
        self.all_coming: Final = max(1.0, sum(self.coming))
        self._costs: dict[Cards, float] = {}

    def best_way(self, hand: Sequence[int], melds: Sequence[Cards], banned: int | None) -> Way:
        """Return the cheapest way to play a turn with these cards and melds; `banned` may not be discarded unless nothing else is left."""
        return min((self.way(chosen, rest, banned) for chosen, rest in self.meldings(hand, melds)), key=lambda way: way.cost)

    def meldings(self, hand: Sequence[int], melds: Sequence[Cards]) -> list[Melding]:
        """Return choices of melds that can be made together, each with the rest of the hand: those that leave the fewest cards."""
        found: list[Melding] = [((), tuple(hand))]
        if len(melds) > MANY:
            return [self.greedy_melding(found[0], melds)]
        for chosen, rest in found:
            first = melds.index(chosen[-1]) if chosen else 0
            for meld in melds[first:] if len(found) <= MOST_WAYS else ():
                found += self.with_meld(chosen, rest, meld)
        return sorted(found, key=lambda melding: len(melding[1]))[:BEST_WAYS]

    def greedy_melding(self, melding: Melding, melds: Sequence[Cards]) -> Melding:
        """Return the choice that makes the longest meld that is left, again and again."""
        for meld in sorted(melds, key=len, reverse=True):
            for longer in self.with_meld(*melding, meld):
                melding = longer
        return melding

    def with_meld(self, chosen: tuple[Cards, ...], rest: Cards, meld: Cards) -> list[Melding]:
        """Return the choice with one more meld, or nothing if it may not be made."""
        left = without(rest, meld)
        if left is None or len(chosen) == self.rules.melds_per_turn or (self.rules.must_discard_out and not left):
            return []
        return [((*chosen, meld), left)]

    def way(self, melds: tuple[Cards, ...], rest: Cards, banned: int | None) -> Way:
        """Return a way with these melds, all layoffs, and the best discard."""
        layoffs, rest = self.lay_off(rest, melds)
        if len(rest) <= 1:
            return Way(-float(CARDS), melds, layoffs, rest, rest[0] if rest else NOTHING)
        cost, discard = self.best_discard(rest, banned)
        return Way(cost, melds, layoffs, rest, discard)

    def lay_off(self, rest: Cards, melds: Sequence[Cards]) -> tuple[Cards, Cards]:
        """Lay off what can be, the dearest first; return these cards and the others."""
        if self.rules.layoff_needs_meld and not (self.has_meld or melds):
            return (), rest
        table, left = [*self.melds, *melds], list(rest)
        laid: list[int] = []
        least = 1 if self.rules.must_discard_out else 0
        while len(left) > least:
            fits = self.rules.fits(table) if laid or melds else self.fits
            fitting = [card for card in left if fits >> card & 1]
            if not fitting:
                break
            card = max(fitting, key=POINTS.__getitem__)
            at = next(at for at, meld in enumerate(table) if self.rules.fits([meld]) >> card & 1)
            table[at] = tuple(sorted((*table[at], card)))
            left.remove(card)
            laid.append(card)
        return tuple(laid), tuple(left)

    def best_discard(self, rest: Cards, banned: int | None) -> tuple[float, int]:
        """Return what the best discard costs, with what is kept, and that card."""
        allowed = sorted({card for card in rest if card != banned} or {*rest}, key=POINTS.__getitem__)
        return min((self.cost(without(rest, (card,)) or ()) + self.gift(card), card) for card in allowed[-DISCARDS:])

    def cost(self, kept: Cards) -> float:
        """Return what it costs to keep these cards: their number and points, less the chance that the next card makes a meld."""
        if kept not in self._costs:
            wanted = self.wanted(kept)
            chance = sum(self.coming[card] for card in wanted) / self.all_coming
            self._costs[kept] = sum(CARD + POINT * POINTS[card] for card in kept) - COMPLETING * chance
        return self._costs[kept]

    def wanted(self, kept: Cards) -> set[int]:
        """Return the cards that would complete a meld, or let a kept card be laid off after them; of a small hand also all layoffs."""
        pairs = [pair for pair in combinations(kept, 2) if pair[0] != pair[1] or self.rules.groups.copies]
        wanted = {card for pair in pairs for card in completing(*pair)}
        for meld in self.melds:
            if meld[0] // RANKS == meld[-1] // RANKS:
                low, high = meld[0], meld[-1]
                wanted |= {low - 1} if low % RANKS > 1 and low - 2 in kept else set()
                wanted |= {high + 1} if high % RANKS < RANKS - 2 and high + 2 in kept else set()
        if len(kept) <= FEW:
            wanted |= {card for card in range(CARDS) if self.fits >> card & 1}
        return wanted

    def gift(self, card: int) -> float:
        """Return what a discard gives the next player, as far as one can know."""
        gift = GIFT if self.fits >> card & 1 and self.next_may_lay_off else 0.0
        for one, other in partners(card):
            held = (one in self.next_holds) + (other in self.next_holds)
            missing = other if one in self.next_holds else one
            if held == 2:
                gift += GIFT
            elif held == 1:
                gift += NEARLY_GIFT * (self.unseen[missing] > 0)
            elif self.unseen[one] > 0 and self.unseen[other] > 0:
                gift += UNCLEAR_GIFT / 6
        return gift
