"""Knowledge: which seats know where a card is, and for those who do not, what it was mixed with.

`Table.known` says who can place a card. A card that a seat cannot place belongs to a *batch*: the cards it was mixed with when the seat lost
sight of it. A shuffle makes a batch; so does a card that leaves a hand, for those who cannot tell which of its cards went.

The first batch is the whole deck. If everybody knew the cards that went into a later one, as in a reshuffled discard pile, every seat knows
what each batch holds, and the table is *plain*: a world is a shuffle within each batch. Otherwise it is a matter of *histories* (see there):
a card that comes out of a batch may be any that went in, and what went in is itself in doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final, NamedTuple

from pitboss.constraints import Confinement, Constraint
from pitboss.errors import TableError
from pitboss.zones import EMPTY, Layout

PATIENCE: Final = 6  # constraints stated before those that everybody can see to be true are forgotten


class Batch(NamedTuple):
    """Cards that were mixed. Which cards have not been mixed again since is told by `Table.batch`."""

    chance: int  # the index of the shuffle in the table's chance record, -1 if nothing was shuffled
    cards: tuple[int, ...] = ()  # what went in; empty for the whole deck
    known: tuple[int, ...] = ()  # which seats knew where each of them was, just before; empty if everybody knew them all


class Knowledge:
    """Who knows where each card of a table is, and what the rules have told everybody."""

    __slots__ = ("backs", "batch", "batches", "confined", "constraints", "intricate", "known", "layout", "patience")

    def __init__(self, layout: Layout) -> None:
        cards = len(layout.deck)
        self.layout = layout
        self.known = [layout.everybody] * cards  # by card: the mask of seats that know where it is
        self.batch = [0] * cards  # by card: the batch that it is in for those who do not know
        self.batches = [Batch(-1)]
        self.constraints: list[Constraint] = []  # shared by copies: replaced, never changed
        self.confined: list[Confinement] = []  # likewise
        self.intricate = False  # has something been stated, or were hidden cards mixed, since the last whole shuffle?
        self.backs: list[int] | None = None  # in an imagined table: which card a constraint's card stands for
        self.patience = PATIENCE

    # ---- what the rules tell

    def constrain(self, holds: Callable[[Iterable[int | None]], bool], cards: Iterable[int]) -> None:
        """State what the rules have told everybody about some cards (see `Constraint`): it stays true in every imagined world."""
        stated = tuple(cards) if self.backs is None else tuple(map(self.backs.index, cards))
        if EMPTY in stated:
            stated = tuple(len(self.known) if card == EMPTY else card for card in stated)
        self.constraints = [*self.constraints, Constraint(holds, stated)]
        self.intricate = True
        if len(self.constraints) > self.patience:
            self.constraints = [stated for stated in self.constraints if not stated.holds(self._public(stated.cards))]
            self.patience = 2 * len(self.constraints) + PATIENCE

    def retract(self) -> None:
        """Take back all that was stated by `constrain`: for a game that states it anew, of other cards."""
        self.constraints = []

    def confine(self, cards: Iterable[int], among: Set[int]) -> None:
        """State that the rules have told everybody of each of some cards that it is one of `among`: so it is in every imagined world.

        The same could be said by `constrain`; but worlds are dealt to fit a confinement, however rare it is that one fits by chance.
        """
        everybody, known, backs = self.layout.everybody, self.known, self._backs()
        self.intricate = True
        stated = Confinement(frozenset(among), tuple(backs.index(card) for card in cards if card != EMPTY))
        self.confined = [
            one for one in (*self.confined, stated) if any(known[backs[card]] != everybody for card in one.cards)
        ]  # no longer what everybody can see

    # ---- what is no longer known

    def _forget(self, chance: int) -> None:
        """Forget all that was known and told: the whole deck is shuffled."""
        self.batches = [Batch(chance)]
        self.batch = [0] * len(self.known)
        self.known = [0] * len(self.known)
        self.constraints = []
        self.confined = []
        self.intricate = False

    def _numbers(self, cards: Sequence[int]) -> dict[int, int]:
        """Return the numbers by which constraints name some cards, with the place of each among them."""
        if self.backs is None:
            return {card: place for place, card in enumerate(cards)}
        return {self.backs.index(card): place for place, card in enumerate(cards)}

    def _mix(self, cards: Sequence[int], chance: int) -> None:
        """Make one batch of some cards.

        What a constraint says of a card that everybody knew stays said of that card. Otherwise it is said of what went into the batch:
        these are numbered from the size of the deck + 1 on, one batch after another.
        """
        batch, backs = mixed(cards, self.known, self.layout.everybody, chance), self._backs()
        first = len(self.known) + 1 + sum(len(earlier.cards) for earlier in self.batches)
        gone = {number: first + place for number, place in self._numbers(cards).items()}
        loose = [one for one in self.confined if not gone.keys().isdisjoint(one.cards)]
        self.confined = [one for one in self.confined if one not in loose]
        self.constraints = [
            stated.renumbered(gone) if batch.known else stated.remembering(gone, backs)
            for stated in (*self.constraints, *(one.as_constraint() for one in loose))
        ]
        for card in cards:
            self.batch[card] = len(self.batches)
        self.batches.append(batch)
        if is_plain(self.batches):
            self._drop_batches()
        else:
            self.intricate = True

    def _drop_batches(self) -> None:
        """Drop the batches of a plain table of which every card was mixed again: it was known before, so they tell nothing more."""
        used = sorted({0, *self.batch})
        if len(used) < len(self.batches):
            number = {old: new for new, old in enumerate(used)}
            self.batch = [number[old] for old in self.batch]
            self.batches = [self.batches[old] for old in used]

    def _public(self, cards: Iterable[int]) -> list[int | None]:
        """Return the cards of a constraint, None for those that not everybody knows."""
        count, known, everybody, backs = len(self.known), self.known, self.layout.everybody, self._backs()
        public: list[int | None] = []
        for card in cards:
            if card < count:
                public.append(backs[card] if known[backs[card]] == everybody else None)
            else:
                public.append(EMPTY if card == count else self._then(card))
        return public

    def _then(self, number: int) -> int | None:
        """Return the card that went into a batch, None if not everybody knew it: see `_mix`."""
        at = number - len(self.known) - 1
        for batch in self.batches:
            if at < len(batch.cards):
                return batch.cards[at] if not batch.known or batch.known[at] == self.layout.everybody else None
            at -= len(batch.cards)
        raise TableError(f"a constraint is about card number {number}, which never was")

    def _backs(self) -> Sequence[int]:
        return range(len(self.known)) if self.backs is None else self.backs


def mixed(cards: Sequence[int], known: Sequence[int], everybody: int, chance: int) -> Batch:
    """Return the batch that `cards` make when they are mixed."""
    before = tuple(known[card] for card in cards)
    return Batch(chance, tuple(cards), () if all(seats == everybody for seats in before) else before)


def is_plain(batches: Sequence[Batch]) -> bool:
    """Tell whether every seat knows which cards each batch holds."""
    return len(batches) == 1 or not any(batch.known for batch in batches)
