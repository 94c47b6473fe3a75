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

from pitboss.errors import TableError
from pitboss.table.constraints import CardDomain, Constraint
from pitboss.table.zones import EMPTY, Layout

PRUNE_LIMIT: Final = 6  # constraints stated before those that everybody can see to be true are forgotten


class ShuffleGroup(NamedTuple):
    """Cards that were mixed. Which cards have not been mixed again since is told by `Table.batch`."""

    chance_index: int  # the index of the shuffle in the table's chance record, -1 if nothing was shuffled
    cards: tuple[int, ...] = ()  # what went in; empty for the whole deck
    known_by: tuple[
        int, ...
    ] = ()  # which seats knew where each of them was, just before; empty if everybody knew them all


class Knowledge:
    """Who knows where each card of a table is, and what the rules have told everybody."""

    __slots__ = (
        "card_domains",
        "constraints",
        "has_constraints_or_mixing",
        "known_by",
        "layout",
        "prune_limit",
        "shuffle_group_of",
        "shuffle_groups",
        "stands_for",
    )

    def __init__(self, layout: Layout) -> None:
        cards = len(layout.deck)
        self.layout = layout
        self.known_by = [layout.everybody] * cards  # by card: the mask of seats that know where it is
        self.shuffle_group_of = [0] * cards  # by card: the batch that it is in for those who do not know
        self.shuffle_groups = [ShuffleGroup(-1)]
        self.constraints: list[Constraint] = []  # shared by copies: replaced, never changed
        self.card_domains: list[CardDomain] = []  # likewise
        self.has_constraints_or_mixing = (
            False  # has something been stated, or were hidden cards mixed, since the last whole shuffle?
        )
        self.stands_for: list[int] | None = None  # in an imagined table: which card a constraint's card stands for
        self.prune_limit = PRUNE_LIMIT

    # ---- what the rules tell

    def constrain(self, holds: Callable[[Iterable[int | None]], bool], cards: Iterable[int]) -> None:
        """State what the rules have told everybody about some cards (see `Constraint`): it stays true in every imagined world."""
        stated = tuple(cards) if self.stands_for is None else tuple(map(self.stands_for.index, cards))
        if EMPTY in stated:
            stated = tuple(len(self.known_by) if card == EMPTY else card for card in stated)
        self.constraints = [*self.constraints, Constraint(holds, stated)]
        self.has_constraints_or_mixing = True
        if len(self.constraints) > self.prune_limit:
            self.constraints = [
                stated for stated in self.constraints if not stated.holds(self._public_cards(stated.cards))
            ]
            self.prune_limit = 2 * len(self.constraints) + PRUNE_LIMIT

    def retract_constraints(self) -> None:
        """Take back all that was stated by `constrain`: for a game that states it anew, of other cards."""
        self.constraints = []

    def restrict(self, cards: Iterable[int], domain: Set[int]) -> None:
        """State that the rules have told everybody of each of some cards that it is one of `among`: so it is in every imagined world.

        The same could be said by `constrain`; but worlds are dealt to fit a confinement, however rare it is that one fits by chance.
        """
        everybody, known, backs = self.layout.everybody, self.known_by, self._cards_by_number()
        self.has_constraints_or_mixing = True
        stated = CardDomain(frozenset(domain), tuple(backs.index(card) for card in cards if card != EMPTY))
        self.card_domains = [
            one for one in (*self.card_domains, stated) if any(known[backs[card]] != everybody for card in one.cards)
        ]  # no longer what everybody can see

    # ---- what is no longer known

    def _forget_everything(self, chance_index: int) -> None:
        """Forget all that was known and told: the whole deck is shuffled."""
        self.shuffle_groups = [ShuffleGroup(chance_index)]
        self.shuffle_group_of = [0] * len(self.known_by)
        self.known_by = [0] * len(self.known_by)
        self.constraints = []
        self.card_domains = []
        self.has_constraints_or_mixing = False

    def _constraint_numbers(self, cards: Sequence[int]) -> dict[int, int]:
        """Return the numbers by which constraints name some cards, with the place of each among them."""
        if self.stands_for is None:
            return {card: place for place, card in enumerate(cards)}
        return {self.stands_for.index(card): place for place, card in enumerate(cards)}

    def _mix_cards(self, cards: Sequence[int], chance_index: int) -> None:
        """Make one batch of some cards.

        What a constraint says of a card that everybody knew stays said of that card. Otherwise it is said of what went into the batch:
        these are numbered from the size of the deck + 1 on, one batch after another.
        """
        batch, backs = (
            form_shuffle_group(cards, self.known_by, self.layout.everybody, chance_index),
            self._cards_by_number(),
        )
        first = len(self.known_by) + 1 + sum(len(earlier.cards) for earlier in self.shuffle_groups)
        gone = {number: first + place for number, place in self._constraint_numbers(cards).items()}
        loose = [one for one in self.card_domains if not gone.keys().isdisjoint(one.cards)]
        self.card_domains = [one for one in self.card_domains if one not in loose]
        self.constraints = [
            stated.renumber_cards(gone) if batch.known_by else stated.bind_cards(gone, backs)
            for stated in (*self.constraints, *(one.as_constraint() for one in loose))
        ]
        for card in cards:
            self.shuffle_group_of[card] = len(self.shuffle_groups)
        self.shuffle_groups.append(batch)
        if has_only_public_groups(self.shuffle_groups):
            self._drop_unused_groups()
        else:
            self.has_constraints_or_mixing = True

    def _drop_unused_groups(self) -> None:
        """Drop the batches of a plain table of which every card was mixed again: it was known before, so they tell nothing more."""
        used = sorted({0, *self.shuffle_group_of})
        if len(used) < len(self.shuffle_groups):
            number = {old: new for new, old in enumerate(used)}
            self.shuffle_group_of = [number[old] for old in self.shuffle_group_of]
            self.shuffle_groups = [self.shuffle_groups[old] for old in used]

    def _public_cards(self, cards: Iterable[int]) -> list[int | None]:
        """Return the cards of a constraint, None for those that not everybody knows."""
        count, known, everybody, backs = (
            len(self.known_by),
            self.known_by,
            self.layout.everybody,
            self._cards_by_number(),
        )
        public: list[int | None] = []
        for card in cards:
            if card < count:
                public.append(backs[card] if known[backs[card]] == everybody else None)
            else:
                public.append(EMPTY if card == count else self._public_group_member(card))
        return public

    def _public_group_member(self, number: int) -> int | None:
        """Return the card that went into a batch, None if not everybody knew it: see `_mix`."""
        at = number - len(self.known_by) - 1
        for batch in self.shuffle_groups:
            if at < len(batch.cards):
                return batch.cards[at] if not batch.known_by or batch.known_by[at] == self.layout.everybody else None
            at -= len(batch.cards)
        raise TableError(f"a constraint is about card number {number}, which never was")

    def _cards_by_number(self) -> Sequence[int]:
        return range(len(self.known_by)) if self.stands_for is None else self.stands_for


def form_shuffle_group(
    cards: Sequence[int], known_by: Sequence[int], everybody: int, chance_index: int
) -> ShuffleGroup:
    """Return the batch that `cards` make when they are mixed."""
    before = tuple(known_by[card] for card in cards)
    return ShuffleGroup(chance_index, tuple(cards), () if all(seats == everybody for seats in before) else before)


def has_only_public_groups(shuffle_groups: Sequence[ShuffleGroup]) -> bool:
    """Tell whether every seat knows which cards each batch holds."""
    return len(shuffle_groups) == 1 or not any(batch.known_by for batch in shuffle_groups)
