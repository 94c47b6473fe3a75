"""Knowledge: which seats know where a card is, and which cards a hidden one may be.

`Knowledge.known_by` gives the seats that know where a card lies. For the other seats the card belongs to a *shuffle
group*: the cards that were mixed when they lost track of the card. A shuffle forms a group; so does a card that leaves
a hand, for seats that cannot tell which card left.

The first group is the whole deck. If every seat knew the cards that entered each later group, as with a reshuffled
discard pile, all groups are *public*: a world is a shuffle within each group. Otherwise there was *private mixing*: the
cards that entered a group are in doubt themselves, and a world is the end of a mixing history
(`determinization.mixing_history`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final, NamedTuple

from pitboss.errors import TableError
from pitboss.table.constraints import CardDomain, Constraint
from pitboss.table.zones import EMPTY, Layout

MAX_OPEN_PLAYS: Final = 8  # the latest ones are kept
PRUNE_LIMIT: Final = 6  # number of constraints from which on those that are true in public are dropped


class ShuffleGroup(NamedTuple):
    """Cards that were mixed. Those not mixed again since have its index in `Knowledge.shuffle_group_of`."""

    chance_index: int  # the index of the shuffle in the table's chance events; -1 if no shuffle formed the group
    cards: tuple[int, ...] = ()  # the cards that entered; empty for the whole deck
    known_by: tuple[int, ...] = ()  # the seats that knew each of them just before; empty if every seat knew all


class OpenPlay(NamedTuple):
    """A card that left a hand openly, where its copy from another shuffle group may have left in its place."""

    card: int
    group: int  # its shuffle group
    known_by: int  # the seats that knew it before
    rest: tuple[int, ...]  # the other cards of the hand
    rest_groups: tuple[int | None, ...]  # their groups; None for a group of which every card was mixed again


class Knowledge:
    """The seats that know each card of a table, and the constraints on the cards."""

    __slots__ = (
        "card_domains",
        "constraints",
        "has_constraints_or_mixing",
        "has_only_public_groups",
        "known_by",
        "layout",
        "open_plays",
        "prune_limit",
        "shuffle_group_of",
        "shuffle_groups",
        "stands_for",
    )

    def __init__(self, layout: Layout) -> None:
        cards = len(layout.deck)
        self.layout = layout
        self.known_by = [layout.everybody] * cards  # by card: the mask of seats that know where it is
        self.shuffle_group_of = [0] * cards  # by card: its group, for the seats that do not know it
        self.shuffle_groups = [ShuffleGroup(-1)]
        self.constraints: list[Constraint] = []  # shared by copies: replaced, never changed
        self.card_domains: list[CardDomain] = []  # shared by copies, too
        self.open_plays: tuple[OpenPlay, ...] = ()  # since the whole deck was shuffled; none with private mixing
        # a constraint, private mixing, or equal cards in several groups since the whole deck was shuffled
        self.has_constraints_or_mixing = False
        self.has_only_public_groups = True  # every seat knows which cards each group holds: no private mixing
        self.stands_for: list[int] | None = None  # by constraint number: its card in a sampled world; None: itself
        self.prune_limit = PRUNE_LIMIT

    def constrain(
        self,
        holds: Callable[[tuple[int | None, ...]], bool],
        cards: Iterable[int],
        to: Iterable[int] | None = None,
    ) -> None:
        """State a fact about cards that every seat knows by the rules; each world satisfies it (see `Constraint`).

        With `to` these seats alone know it: the worlds of others need not satisfy it.
        """
        numbers = tuple(cards) if self.stands_for is None else tuple(map(self.stands_for.index, cards))
        if EMPTY in numbers:
            numbers = tuple(len(self.known_by) if number == EMPTY else number for number in numbers)
        seats = -1 if to is None else sum(1 << seat for seat in {*to})
        self.constraints = [*self.constraints, Constraint(holds, numbers, seats)]
        self.has_constraints_or_mixing = True
        if len(self.constraints) > self.prune_limit:
            everybody = self.layout.everybody
            self.constraints = [
                fact
                for fact in self.constraints
                if not fact.holds(self._known_cards(fact.cards, fact.seats & everybody))
            ]
            self.prune_limit = 2 * len(self.constraints) + PRUNE_LIMIT

    def retract_constraints(self) -> None:
        """Remove all constraints made by `constrain`; domains stay."""
        self.constraints = []

    def restrict(self, cards: Iterable[int], domain: Set[int]) -> None:
        """State that each of `cards` is in `domain`, which the rules make known to every seat.

        Unlike a predicate of `constrain`, a domain may hold rarely by chance: worlds are dealt to fit it. Cards that
        every seat knows are left out, so that the domains of a hand that has become smaller are one.
        """
        numbers = frozenset(self._constraint_numbers([card for card in cards if card != EMPTY]))
        self.has_constraints_or_mixing = True
        hidden, allowed = self._hidden_numbers(numbers), frozenset(domain)
        if not hidden:
            return
        domains: list[CardDomain] = []
        for stated in self.card_domains:
            if stated.cards.isdisjoint(hidden):
                domains.append(stated)
            elif (still := self._hidden_numbers(stated.cards)) == hidden:
                allowed &= stated.domain
            else:
                domains.append(CardDomain(stated.domain, still))
        self.card_domains = [*domains, CardDomain(allowed, hidden)]

    def current_cards(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Return the cards that these constraint numbers stand for on this table."""
        return tuple(numbers) if self.stands_for is None else tuple(map(self.stands_for.__getitem__, numbers))

    def open_constraints(self, seats: int) -> list[Constraint]:
        """Return the constraints that every seat of a mask knows, and that do not follow from the cards it knows."""
        return [
            fact
            for fact in self.constraints
            if fact.seats & seats == seats and not fact.holds(self._known_cards(fact.cards, seats))
        ]

    def names_part_of(self, cards: Sequence[int]) -> bool:
        """Return whether a constraint names some of the cards, but not all."""
        if not self.constraints:
            return False
        group = frozenset(self._constraint_numbers(cards))
        return any(0 < len(group.intersection(constraint.cards)) < len(group) for constraint in self.constraints)

    def may_have_changed_places(self, card: int, others: Sequence[int], is_seen: bool) -> bool:
        """Return whether domains tell the place of `card` apart from that of another card where it may have lain.

        If every seat has seen its face (`is_seen`), it lay in no place whose domain it is not in.
        """
        if not self.card_domains:
            return False
        numbers = [card, *others]
        if self.stands_for is not None:
            numbers = [*self._constraint_numbers(numbers)]
        for domain in self.card_domains:
            if not (domain.cards.isdisjoint(numbers) or domain.cards.issuperset(numbers)):
                return self._is_told_apart(card, numbers, is_seen)
        return False

    def _is_told_apart(self, card: int, numbers: Sequence[int], is_seen: bool) -> bool:
        [number, *rest] = numbers
        stated = [domain for domain in self.card_domains if number in domain.cards]
        for other in rest:
            domains = [domain for domain in self.card_domains if other in domain.cards]
            if domains != stated and (not is_seen or all(card in domain.domain for domain in domains)):
                return True
        return False

    def _constraint_numbers(self, cards: Sequence[int]) -> dict[int, int]:
        """Return some cards by their constraint numbers."""
        if self.stands_for is None:
            return dict(zip(cards, cards, strict=True))
        number_of = {card: number for number, card in enumerate(self.stands_for)}
        return {number_of[card]: card for card in cards}

    def _hidden_numbers(self, numbers: frozenset[int]) -> frozenset[int]:
        """Return those of some constraint numbers whose cards not every seat knows."""
        if self.stands_for is None and max(numbers, default=0) < len(self.known_by):  # as is all but always so
            known_by, everybody = self.known_by, self.layout.everybody
            return frozenset([number for number in numbers if known_by[number] != everybody])
        cards = self._known_cards(numbers, self.layout.everybody)
        return frozenset([number for number, card in zip(numbers, cards, strict=True) if card is None])

    def _known_cards(self, numbers: Iterable[int], seats: int) -> tuple[int | None, ...]:
        """Return the cards with these constraint numbers; None for a card that not every seat of the mask knows."""
        deck_size, known_by, stands_for = len(self.known_by), self.known_by, self.stands_for
        cards: list[int | None] = []
        for number in numbers:
            if number < deck_size:
                card = number if stands_for is None else stands_for[number]
                cards.append(card if known_by[card] & seats == seats else None)
            else:
                cards.append(EMPTY if number == deck_size else self._public_group_member(number))
        return tuple(cards)

    def _public_group_member(self, number: int) -> int | None:
        """Return the card that entered a shuffle group; None if not every seat knew it (see `_mix_cards`)."""
        at = first = number - len(self.known_by) - 1
        for group in self.shuffle_groups:
            if at < len(group.cards):
                return group.cards[at] if not group.known_by or group.known_by[at] == self.layout.everybody else None
            at -= len(group.cards)
        last = len(self.known_by) + first - at
        raise TableError(f"internal error: constraint names card {number}; the table has 0..{last}")

    def _forget_everything(self, chance_index: int) -> None:
        """Forget all knowledge and all constraints: the whole deck is shuffled."""
        self.shuffle_groups = [ShuffleGroup(chance_index)]
        self.shuffle_group_of = [0] * len(self.known_by)
        self.known_by = [0] * len(self.known_by)
        self.constraints = []
        self.card_domains = []
        self.open_plays = ()
        self.has_constraints_or_mixing = False
        self.has_only_public_groups = True

    def _mix_cards(self, cards: Sequence[int], chance_index: int) -> None:
        """Form a shuffle group of some cards.

        If every seat knew all of them, their numbers in constraints are bound to the cards. Otherwise the numbers are
        replaced by those of the group's members, which stand for the cards that entered it: members are numbered from
        deck size + 1 on, one group after another.
        """
        before = tuple(map(self.known_by.__getitem__, cards))
        is_public = before.count(self.layout.everybody) == len(before)
        if self.constraints or self.card_domains:
            entered = self._constraint_numbers(cards)
            if not is_public:
                first = len(self.known_by) + 1 + sum(len(earlier.cards) for earlier in self.shuffle_groups)
                members = {number: first + place for place, number in enumerate(entered)}
                self.constraints = [constraint.renumber_cards(members) for constraint in self.constraints]
                self.card_domains = [domain.renumber_cards(members) for domain in self.card_domains]
            else:
                self.constraints = [constraint.bind_cards(entered) for constraint in self.constraints]
                self.card_domains = [domain.drop_cards(entered) for domain in self.card_domains]
        for card in cards:
            self.shuffle_group_of[card] = len(self.shuffle_groups)
        self.shuffle_groups.append(ShuffleGroup(chance_index, tuple(cards), () if is_public else before))
        self.has_only_public_groups &= is_public
        if self.has_only_public_groups:
            self._drop_unused_groups()
            self.has_constraints_or_mixing |= len(self.shuffle_groups) > 1 and self.layout.deck.has_copies
        else:
            self.open_plays = ()
            self.has_constraints_or_mixing = True

    def _drop_unused_groups(self) -> None:
        """Drop public groups of which every card was mixed again: every seat knew the cards in between."""
        used = sorted({0, *self.shuffle_group_of})
        if len(used) < len(self.shuffle_groups):
            new_number: dict[int | None, int] = {old: new for new, old in enumerate(used)}
            self.shuffle_group_of = [*map(new_number.__getitem__, self.shuffle_group_of)]
            self.shuffle_groups = [self.shuffle_groups[old] for old in used]
            if self.open_plays:
                self.open_plays = tuple(
                    OpenPlay(card, new_number[group], known_by, rest, tuple(map(new_number.get, rest_groups)))
                    for card, group, known_by, rest, rest_groups in self.open_plays
                    if group in new_number
                )

    def _note_open_play(self, card: int, others: Sequence[int]) -> None:
        """Keep the play of a card from a hand, whose other cards are `others`, if its copy may have been played."""
        known_by, group_of, copies = self.known_by[card], self.shuffle_group_of, self.layout.deck.copies_of[card]
        group = group_of[card]
        for copy in copies:  # a loop: this is the path of many cards
            if group_of[copy] != group:
                break
        else:
            return
        if known_by == self.layout.everybody:
            return
        rest = tuple(others) if EMPTY not in others else tuple(other for other in others if other != EMPTY)
        groups = tuple(map(group_of.__getitem__, rest))
        if any(group_of[copy] != group and group_of[copy] in groups for copy in copies):
            self.open_plays = (*self.open_plays, OpenPlay(card, group, known_by, rest, groups))[-MAX_OPEN_PLAYS:]
