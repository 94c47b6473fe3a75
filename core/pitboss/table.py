"""The table: all zones of a game, and the few verbs by which cards move.

The verbs keep three things right without the game's help: what each seat knows (`knowledge`), the log of what happened (`events`),
and the worlds that a seat can imagine (`imagining`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from typing import Final, TypeAlias

from pitboss.cards import Face
from pitboss.constraints import Confinement, Constraint, are_divided
from pitboss.errors import TableError
from pitboss.events import AnyEvent, Entry, Fact, projected
from pitboss.imagining import imagined
from pitboss.knowledge import Batch, is_plain, mixed
from pitboss.outlook import Outlook
from pitboss.randomness import Random
from pitboss.zones import EMPTY, Kind, Layout, Zone

PATIENCE: Final = 6  # constraints stated before those that everybody can see to be true are forgotten
Chance: TypeAlias = tuple[int, ...] | int  # an order that a shuffle gave, or a lot that was drawn


class Table:
    """The cards on the table at one moment. `zones[zone]` lists the cards of a zone, the top of a pile being the end."""

    __slots__ = (
        "backs",
        "batch",
        "batches",
        "chance",
        "confined",
        "constraints",
        "known",
        "layout",
        "log",
        "outlook",
        "patience",
        "rng",
        "zones",
    )

    def __init__(self, layout: Layout, rng: Random, start: Zone) -> None:
        cards = len(layout.deck)
        self.layout = layout
        self.rng = rng
        self.zones: list[list[int]] = [[EMPTY] * len(zone.labels) for zone in layout.zones]
        self.zones[start] = list(range(cards))
        self.known = [layout.everybody] * cards  # by card: the mask of seats that know where it is
        self.batch = [0] * cards  # by card: the batch that it is in for those who do not know
        self.batches = [Batch(-1)]
        self.constraints: list[Constraint] = []  # shared by copies: replaced, never changed
        self.confined: list[Confinement] = []  # likewise
        self.backs: list[int] | None = None  # in an imagined table: which card a constraint's card stands for
        self.patience = PATIENCE
        self.outlook: Outlook | None = None  # what the last seat that imagined has to imagine
        self.log: list[Entry] | None = []  # None: nothing is written down
        self.chance: list[Chance] | None = []  # every shuffle and lot so far; None as the log

    def copy(self) -> Table:
        """Return an independent table for looking ahead: it writes no log."""
        twin = object.__new__(Table)
        twin.layout = self.layout
        twin.rng = self.rng.copy()
        twin.zones = [cards[:] for cards in self.zones]
        twin.known = self.known[:]
        twin.batch = self.batch[:]
        twin.batches = self.batches[:]
        twin.constraints = self.constraints
        twin.confined = self.confined
        twin.backs = self.backs
        twin.patience = self.patience
        twin.outlook = None
        twin.log = None
        twin.chance = None
        return twin

    def imagine(self, seat: int, rng: Random, also: Sequence[Constraint] = ()) -> Table:
        """Return a table that `seat` cannot tell from this one, drawn fairly from all of them; `rng` is its future.

        Every card that the seat cannot place is dealt anew among the places it may lie in, so that all that the seat has seen
        and all constraints stay true (and what is `also` to hold now). The past, too: `chance` tells the shuffles that would have led
        here (None where hidden cards were mixed with others, and on a table that writes no log).

        Raises:
            TableError: a constraint is not true.
        """
        return imagined(self, seat, rng, also)

    def quiet(self) -> None:
        """Stop writing the log and the chance record: for simulation."""
        self.log = None
        self.chance = None

    # ---- looking

    def faces(self, zone: Zone) -> list[Face]:
        """Return all faces of a zone, hidden ones too."""
        return self.layout.deck.named(self.zones[zone])

    def seen(self, zone: Zone, seat: int) -> list[Face | None]:
        """Return the faces of a zone that `seat` knows, place by place, and None for the others."""
        faces, known, bit = self.layout.deck.faces, self.known, 1 << seat
        return [faces[card] if card >= 0 and known[card] & bit else None for card in self.zones[zone]]

    def is_known(self, zone: Zone, seat: int) -> bool:
        """Tell whether `seat` knows every card of a zone."""
        known, bit = self.known, 1 << seat
        return all(known[card] & bit for card in self.zones[zone] if card >= 0)

    def events(self, seat: int | None, since: int = 0) -> list[AnyEvent]:
        """Return what happened from entry `since` of the log on, as `seat` may see it; None sees everything."""
        return projected((self.log or [])[since:], self.layout, seat)

    # ---- moving cards

    def draw(self, source: Zone, target: Zone, event: str = "draw") -> int:
        """Move the top card of a pile to the end of another zone and return it."""
        zones, known = self.zones, self.known
        pile = zones[source]
        if not pile:
            raise TableError(f"{event}: {source.name} is empty")
        card = pile.pop()
        if source.stirs and pile:
            self._leave(card, source, target)
        zones[target].append(card)
        known[card] |= target.sees
        if self.log is not None:
            self.log.append(Entry("move", event, (card,), (known[card],), source, target))
        return card

    def move(self, card: int, source: Zone, target: Zone, event: str = "move") -> None:
        """Move one card, chosen by its holder, to the end of another zone; a slot that it leaves is empty."""
        held = self.zones[source]
        if card not in held or card == EMPTY:
            raise TableError(f"{event}: {self._face(card)} is not in {source.name}")
        if target.kind is Kind.SLOTS:
            raise TableError(f"{event}: a card comes into {target.name} by `deal` or `swap`, which say into which slot")
        if source.kind is Kind.SLOTS:
            held[held.index(card)] = EMPTY
        else:
            held.remove(card)
        if source.stirs and held:
            self._leave(card, source, target)
        self.zones[target].append(card)
        self.known[card] |= target.sees
        if self.log is not None:
            self.log.append(Entry("move", event, (card,), (self.known[card],), source, target))

    def swap(self, source: Zone, rack: Zone, slot: int, target: Zone, event: str = "swap") -> int:
        """Put the top card of `source` into a slot, and the card that was there on top of `target`; return that one."""
        zones, known = self.zones, self.known
        held = zones[rack]
        if not zones[source] or not 0 <= slot < len(held) or held[slot] == EMPTY:
            raise TableError(f"{event}: there is no card in {source.name} or in slot {slot} of {rack.name}")
        card = zones[source].pop()
        if source.stirs and zones[source]:
            self._leave(card, source, rack)
        out = held[slot]
        held[slot] = card
        known[card] |= rack.sees
        zones[target].append(out)
        known[out] |= target.sees
        if self.log is not None:
            self.log.append(Entry("swap", event, (card, out), (known[card], known[out]), source, target, slot, zones=(rack,)))
        return out

    def deal(self, source: Zone, targets: Sequence[Zone], rounds: int, slots: Sequence[int] = (), event: str = "deal") -> None:
        """Deal cards one at a time to each target in turn, for so many rounds; in round r a rack gets its card in slot `slots[r]`."""
        pile, zones, known = self.zones[source], self.zones, self.known
        if len(pile) < rounds * len(targets):
            raise TableError(f"{event}: {source.name} holds {len(pile)} cards, {rounds * len(targets)} are to be dealt")
        if source.kind is Kind.HAND:
            raise TableError(f"{event}: a card leaves {source.name} by `move`")
        self._check_slots(targets, rounds, slots, event)
        dealt = []
        for turn in range(rounds):
            for target in targets:
                card = pile.pop()
                if slots:
                    zones[target][slots[turn]] = card
                else:
                    zones[target].append(card)
                known[card] |= target.sees
                dealt.append(card)
        if source.uncovers:
            self._look(pile, source)
        if self.log is not None:
            seen = tuple(known[card] for card in dealt)
            self.log.append(Entry("deal", event, tuple(dealt), seen, source, zones=tuple(targets) * rounds))

    def turn_over(self, source: Zone, target: Zone, event: str = "turn_over") -> None:
        """Turn a whole pile over, unshuffled, onto another: its oldest card comes to the top. Nobody forgets anything."""
        cards = self.zones[source][::-1]
        self.zones[source] = []
        self.zones[target].extend(cards)
        self._look(cards, target)
        if self.log is not None:
            seen = tuple(self.known[card] for card in cards)
            self.log.append(Entry("turn_over", event, tuple(cards), seen, source, target))

    def collect(self, target: Zone) -> None:
        """Gather the cards of all zones in one, in zone order: to be shuffled for the next deal."""
        zones = self.zones
        cards = [card for zone in zones for card in zone if card != EMPTY]
        for index, zone in enumerate(self.layout.zones):
            zones[index] = [EMPTY] * len(zone.labels)
        zones[target] = cards

    def shuffle(self, zone: Zone, event: str = "shuffle", order: Sequence[int] | None = None) -> None:
        """Shuffle a zone: its cards become unknown to all who may not look into it, as one new batch.

        With an `order` they come to lie in that order: a stacked deck.
        """
        cards = sorted(self.zones[zone])  # so that the new order depends on the cards and the stream alone
        if cards[:1] == [EMPTY]:
            raise TableError(f"{event}: {zone.name} has empty slots")
        if order is None:
            self.rng.shuffle(cards)
        elif sorted(order) == cards:
            cards = list(order)
        else:
            raise TableError(f"{event}: {list(order)!r} is not an order of the cards of {zone.name}")
        self.zones[zone] = cards
        chance = -1 if self.chance is None else len(self.chance)
        if len(cards) == len(self.known):
            self.batches = [Batch(chance)]
            self.batch = [0] * len(cards)
            self.constraints = []
            self.confined = []
        else:
            self._mix(cards, chance)
        if self.chance is not None:
            self.chance.append(tuple(cards))
        for card in cards:
            self.known[card] = 0
        self._look(cards, zone)
        if self.log is not None:
            self.log.append(Entry("shuffle", event, tuple(cards), (0,) * len(cards), target=zone))

    def reveal(self, zone: Zone, event: str = "reveal") -> None:
        """Show all cards of a zone to everybody."""
        cards = [card for card in self.zones[zone] if card != EMPTY]
        for card in cards:
            self.known[card] = self.layout.everybody
        if self.log is not None:
            self.log.append(Entry("reveal", event, tuple(cards), (self.layout.everybody,) * len(cards), target=zone))

    # ---- saying things

    def tell(self, event: str, only: int | None = None, **facts: Fact) -> None:
        """Write down something that is not about where a card lies; with `only`, for that seat alone."""
        if self.log is not None:
            self.log.append(Entry("tell", event, audience=-1 if only is None else 1 << only, facts=facts))

    def lot(self, outcomes: int) -> int:
        """Draw a lot in 0 .. outcomes - 1. It is the game's to tell whom it likes."""
        drawn = self.rng.below(outcomes)
        if self.chance is not None:
            self.chance.append(drawn)
        return drawn

    def constrain(self, holds: Callable[[Iterable[int | None]], bool], cards: Iterable[int]) -> None:
        """State what the rules have told everybody about some cards (see `Constraint`): it stays true in every imagined world."""
        stated = tuple(cards) if self.backs is None else tuple(map(self.backs.index, cards))
        if EMPTY in stated:
            stated = tuple(len(self.known) if card == EMPTY else card for card in stated)
        self.constraints = [*self.constraints, Constraint(holds, stated)]
        if len(self.constraints) > self.patience:
            self.constraints = [stated for stated in self.constraints if not stated.holds(self._public(stated.cards))]
            self.patience = 2 * len(self.constraints) + PATIENCE

    def confine(self, cards: Iterable[int], among: Set[int]) -> None:
        """State that the rules have told everybody of each of some cards that it is one of `among`: so it is in every imagined world.

        The same could be said by `constrain`; but worlds are dealt to fit a confinement, however rare it is that one fits by chance.
        """
        everybody, known, backs = self.layout.everybody, self.known, self._backs()
        stated = Confinement(frozenset(among), tuple(backs.index(card) for card in cards if card != EMPTY))
        self.confined = [
            one for one in (*self.confined, stated) if any(known[backs[card]] != everybody for card in one.cards)
        ]  # no longer what everybody can see

    # ---- writing a position down

    def place(self, cards: Iterable[int], source: Zone, target: Zone, known: int) -> None:
        """Put cards into a zone without an event, known to a mask of seats beside those who see them there: to set up a position.

        Raises:
            TableError: they are not all in `source`.
        """
        placed = list(cards)
        missing = [card for card in placed if card not in self.zones[source]] or [
            card for card in placed if placed.count(card) > 1
        ]
        if missing:
            raise TableError(f"place: {self._face(missing[0])} is not in {source.name}, or is placed twice")
        for card in placed:
            self.zones[source].remove(card)
            self.known[card] = known
        self.zones[target].extend(placed)
        self._look(placed, target)

    # ---- what follows from a verb

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

    def _check_slots(self, targets: Sequence[Zone], rounds: int, slots: Sequence[int], event: str) -> None:
        for target in targets:
            if (target.kind is Kind.SLOTS) != bool(slots) or (slots and len(slots) < rounds):
                raise TableError(f"{event}: {rounds} cards are to be dealt into {target.name}, into slots {list(slots)!r}")
            lie = self.zones[target]
            if slots and not (
                len(set(slots[:rounds])) == rounds and all(0 <= slot < len(lie) and lie[slot] == EMPTY for slot in slots[:rounds])
            ):
                raise TableError(f"{event}: not all of slots {list(slots)!r} of {target.name} are free")

    def _look(self, cards: Sequence[int], zone: Zone) -> None:
        """Those who may look into a zone see a block of cards that has come to lie on its top."""
        for card in cards[-1:] if zone.uncovers else cards:
            self.known[card] |= zone.sees

    def _face(self, card: int) -> str:
        faces = self.layout.deck.faces
        return repr(faces[card]) if 0 <= card < len(faces) else f"card number {card}"

    def _leave(self, card: int, source: Zone, target: Zone) -> None:
        """Make known what a card that leaves uncovers; or make unknown which card left a hand."""
        if source.uncovers:
            self.known[self.zones[source][-1]] = self.layout.everybody
        else:
            self._leave_hand(card, source, target)

    def _leave_hand(self, card: int, source: Zone, target: Zone) -> None:
        """Those who may not look into a hand cannot tell which of its cards leaves it, unless they see its face.

        On a plain table the face is enough to tell, as each batch is known, unless a constraint is about some cards of the hand and not about others.
        """
        known, batch, everybody = self.known, self.batch, self.layout.everybody
        blind = everybody & ~(source.sees | target.sees)
        by_batch = bool(blind) or not is_plain(self.batches)
        if source.sees == everybody or not (by_batch or self.constraints or self.confined):
            return
        held = [*self.zones[source], card]
        mixes = by_batch and any(batch[other] != batch[card] or known[other] & blind for other in held)
        if mixes or are_divided(self._numbers(held), (*self.constraints, *self.confined)):
            self._mix(held, -1)
            for other in held:
                known[other] &= ~blind

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
