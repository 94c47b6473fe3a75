"""The table: all zones of a game, and the few verbs by which cards move.

The verbs keep three things right without the game's help: what each seat knows (`knowledge`), the log of what happened (`events`),
and the worlds that a seat can imagine (`imagining`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TypeAlias

from pitboss.determinization.sampling import sample_world
from pitboss.errors import TableError
from pitboss.table.cards import Face
from pitboss.table.constraints import Constraint, is_partly_constrained
from pitboss.table.events import AnyEvent, Fact, LogEntry, project_events
from pitboss.table.information_set import InformationSet
from pitboss.table.knowledge import Knowledge, has_only_public_groups
from pitboss.table.randomness import Random
from pitboss.table.zones import EMPTY, Layout, Zone, ZoneKind

ChanceEvent: TypeAlias = tuple[int, ...] | int  # an order that a shuffle gave, or a lot that was drawn


class Table(Knowledge):
    """The cards on the table at one moment. `zones[zone]` lists the cards of a zone, the top of a pile being the end."""

    __slots__ = ("chance_events", "information_set", "log", "rng", "zones")

    def __init__(self, layout: Layout, rng: Random, start: Zone) -> None:
        super().__init__(layout)
        self.rng = rng
        self.zones: list[list[int]] = [[EMPTY] * len(zone.labels) for zone in layout.zones]
        self.zones[start] = list(range(len(layout.deck)))
        self.information_set: InformationSet | None = None  # what the last seat that imagined has to imagine
        self.log: list[LogEntry] | None = []  # None: nothing is written down
        self.chance_events: list[ChanceEvent] | None = []  # every shuffle and lot so far; None as the log

    def copy(self) -> Table:
        """Return an independent table for looking ahead: it writes no log."""
        twin = object.__new__(Table)
        twin.layout = self.layout
        twin.rng = self.rng.copy()
        twin.zones = [cards[:] for cards in self.zones]
        twin.known_by = self.known_by[:]
        twin.shuffle_group_of = self.shuffle_group_of[:]
        twin.shuffle_groups = self.shuffle_groups[:]
        twin.constraints = self.constraints
        twin.card_domains = self.card_domains
        twin.has_constraints_or_mixing = self.has_constraints_or_mixing
        twin.stands_for = self.stands_for
        twin.prune_limit = self.prune_limit
        twin.information_set = None
        twin.log = None
        twin.chance_events = None
        return twin

    def imagine(self, seat: int, rng: Random, also: Sequence[Constraint] = ()) -> Table:
        """Return a table that `seat` cannot tell from this one, drawn fairly from all of them; `rng` is its future.

        Every card that the seat cannot place is dealt anew among the places it may lie in, so that all that the seat has seen
        and all constraints stay true (and what is `also` to hold now). The past, too: `chance` tells the shuffles that would have led
        here (None where hidden cards were mixed with others, and on a table that writes no log).

        Raises:
            TableError: a constraint is not true.
        """
        return sample_world(self, seat, rng, also)

    def stop_logging(self) -> None:
        """Stop writing the log and the chance record: for simulation."""
        self.log = None
        self.chance_events = None

    # ---- looking

    def faces(self, zone: Zone) -> list[Face]:
        """Return all faces of a zone, hidden ones too."""
        return self.layout.deck.faces_of(self.zones[zone])

    def faces_known_to(self, zone: Zone, seat: int) -> list[Face | None]:
        """Return the faces of a zone that `seat` knows, place by place, and None for the others."""
        faces, known, bit = self.layout.deck.faces, self.known_by, 1 << seat
        return [faces[card] if card >= 0 and known[card] & bit else None for card in self.zones[zone]]

    def is_known(self, zone: Zone, seat: int) -> bool:
        """Tell whether `seat` knows every card of a zone."""
        known, bit = self.known_by, 1 << seat
        return all(known[card] & bit for card in self.zones[zone] if card >= 0)

    def events(self, seat: int | None, since: int = 0) -> list[AnyEvent]:
        """Return what happened from entry `since` of the log on, as `seat` may see it; None sees everything."""
        return project_events((self.log or [])[since:], self.layout, seat)

    # ---- moving cards

    def draw(self, source: Zone, target: Zone, event: str = "draw") -> int:
        """Move the top card of a pile to the end of another zone and return it."""
        zones, known = self.zones, self.known_by
        pile = zones[source]
        if not pile:
            raise TableError(f"{event}: {source.name} is empty")
        card = pile.pop()
        if (
            source.departures_change_knowledge
            and pile
            and (self.has_constraints_or_mixing or source.reveals_next or not target.is_face_up)
        ):
            self._record_departure(card, source, target)
        zones[target].append(card)
        known[card] |= target.viewers
        if self.log is not None:
            self.log.append(LogEntry("move", event, (card,), (known[card],), source, target))
        return card

    def move(self, card: int, source: Zone, target: Zone, event: str = "move") -> None:
        """Move one card, chosen by its holder, to the end of another zone; a slot that it leaves is empty."""
        zones, known = self.zones, self.known_by
        held = zones[source]
        if target.has_slots:
            raise TableError(f"{event}: a card comes into {target.name} by `deal` or `swap`, which say into which slot")
        try:
            if source.has_slots:
                held[held.index(card) if card != EMPTY else len(held)] = EMPTY
            else:
                held.remove(card)
        except (ValueError, IndexError):
            raise TableError(f"{event}: {self._describe_card(card)} is not in {source.name}") from None
        if (
            source.departures_change_knowledge
            and held
            and (self.has_constraints_or_mixing or source.reveals_next or not target.is_face_up)
        ):
            self._record_departure(card, source, target)
        zones[target].append(card)
        known[card] |= target.viewers
        if self.log is not None:
            self.log.append(LogEntry("move", event, (card,), (known[card],), source, target))

    def lay(self, cards: Sequence[int], source: Zone, target: Zone, event: str = "lay") -> None:
        """Move several cards, chosen by their holder, to the end of another zone, in this order: one act, one event."""
        if missing := [
            card for place, card in enumerate(cards) if card not in self.zones[source] or card in cards[:place]
        ]:
            raise TableError(f"{event}: {self._describe_card(missing[0])} is not in {source.name}, or is laid twice")
        if target.has_slots:
            raise TableError(f"{event}: cards come into {target.name} by `deal` or `swap`, which say into which slot")
        log, self.log = self.log, None
        for card in cards:
            self.move(card, source, target, event)
        self.log = log
        if log is not None:
            log.append(
                LogEntry("lay", event, tuple(cards), tuple(self.known_by[card] for card in cards), source, target)
            )

    def swap(self, source: Zone, rack: Zone, slot: int, target: Zone, event: str = "swap") -> int:
        """Put the top card of `source` into a slot, and the card that was there on top of `target`; return that one."""
        zones, known = self.zones, self.known_by
        held = zones[rack]
        if not zones[source] or not 0 <= slot < len(held) or held[slot] == EMPTY:
            raise TableError(f"{event}: there is no card in {source.name} or in slot {slot} of {rack.name}")
        card = zones[source].pop()
        if source.departures_change_knowledge and zones[source]:
            self._record_departure(card, source, rack)
        out = held[slot]
        held[slot] = card
        known[card] |= rack.viewers
        zones[target].append(out)
        known[out] |= target.viewers
        if self.log is not None:
            self.log.append(
                LogEntry("swap", event, (card, out), (known[card], known[out]), source, target, slot, zones=(rack,))
            )
        return out

    def deal(
        self, source: Zone, targets: Sequence[Zone], rounds: int, slots: Sequence[int] = (), event: str = "deal"
    ) -> None:
        """Deal cards one at a time to each target in turn, for so many rounds; in round r a rack gets its card in slot `slots[r]`."""
        pile, zones, known = self.zones[source], self.zones, self.known_by
        if len(pile) < rounds * len(targets):
            raise TableError(f"{event}: {source.name} holds {len(pile)} cards, {rounds * len(targets)} are to be dealt")
        if source.kind is ZoneKind.HAND:
            raise TableError(f"{event}: a card leaves {source.name} by `move`")
        if len(set(targets)) < len(targets):
            raise TableError(f"{event}: a zone is to be dealt to twice in a round")
        if slots or any(target.has_slots for target in targets):
            self._check_slots(targets, rounds, slots, event)
        dealt = pile[::-1][: rounds * len(targets)]
        del pile[len(pile) - len(dealt) :]
        for place, target in enumerate(targets):
            cards, lie, sees = dealt[place :: len(targets)], zones[target], target.viewers
            if slots:
                for slot, card in zip(slots, cards, strict=False):
                    lie[slot] = card
            else:
                lie += cards
            for card in cards if sees else ():
                known[card] |= sees
        if source.reveals_next:
            self._show_to_viewers(pile, source)
        if self.log is not None:
            seen = tuple(known[card] for card in dealt)
            self.log.append(LogEntry("deal", event, tuple(dealt), seen, source, zones=tuple(targets) * rounds))

    def turn_over(self, source: Zone, target: Zone, event: str = "turn_over") -> None:
        """Turn a whole pile over, unshuffled, onto another: its oldest card comes to the top. Nobody forgets anything."""
        cards = self.zones[source][::-1]
        self.zones[source] = []
        self.zones[target].extend(cards)
        if target.reveals_next or source.reveals_next or target.viewers & ~source.viewers:
            self._show_to_viewers(cards, target)
        if self.log is not None:
            seen = tuple(self.known_by[card] for card in cards)
            self.log.append(LogEntry("turn_over", event, tuple(cards), seen, source, target))

    def collect(self, target: Zone) -> None:
        """Gather the cards of all zones in one, in zone order: to be shuffled for the next deal."""
        zones = self.zones
        cards = [*chain.from_iterable(zones)]
        if len(cards) > len(self.known_by):
            cards = [card for card in cards if card != EMPTY]
        for index, zone in enumerate(self.layout.zones):
            zones[index] = [EMPTY] * len(zone.labels)
        zones[target] = cards

    def shuffle(self, zone: Zone, event: str = "shuffle", order: Sequence[int] | None = None) -> None:
        """Shuffle a zone: its cards become unknown to all who may not look into it, as one new batch.

        With an `order` they come to lie in that order: a stacked deck.
        """
        held = self.zones[zone]
        cards = (
            sorted(held) if len(held) < len(self.known_by) else [*range(len(held))]
        )  # so that nothing hangs on how they lay
        if cards[:1] == [EMPTY]:
            raise TableError(f"{event}: {zone.name} has empty slots")
        if order is None:
            self.rng.shuffle(cards)
        elif sorted(order) == cards:
            cards = list(order)
        else:
            raise TableError(f"{event}: {list(order)!r} is not an order of the cards of {zone.name}")
        self.zones[zone] = cards
        chance = -1 if self.chance_events is None else len(self.chance_events)
        if len(cards) == len(self.known_by):
            self._forget_everything(chance)
        else:
            self._mix_cards(cards, chance)
            for card in cards:
                self.known_by[card] = 0
        if self.chance_events is not None:
            self.chance_events.append(tuple(cards))
        if zone.viewers:
            self._show_to_viewers(cards, zone)
        if self.log is not None:
            self.log.append(LogEntry("shuffle", event, tuple(cards), (0,) * len(cards), target=zone))

    def reveal(self, zone: Zone, event: str = "reveal") -> None:
        """Show all cards of a zone to everybody."""
        cards = [card for card in self.zones[zone] if card != EMPTY]
        for card in cards:
            self.known_by[card] = self.layout.everybody
        if self.log is not None:
            self.log.append(LogEntry("reveal", event, tuple(cards), (self.layout.everybody,) * len(cards), target=zone))

    # ---- saying things

    def tell(self, event: str, only: int | None = None, **facts: Fact) -> None:
        """Write down something that is not about where a card lies; with `only`, for that seat alone."""
        if self.log is not None:
            self.log.append(LogEntry("tell", event, audience=-1 if only is None else 1 << only, facts=facts))

    def draw_lot(self, outcomes: int) -> int:
        """Draw a lot in 0 .. outcomes - 1. It is the game's to tell whom it likes."""
        drawn = self.rng.randbelow(outcomes)
        if self.chance_events is not None:
            self.chance_events.append(drawn)
        return drawn

    # ---- writing a position down

    def place(self, cards: Iterable[int], source: Zone, target: Zone, known_by: int) -> None:
        """Put cards into a zone without an event, known to a mask of seats beside those who see them there: to set up a position.

        Raises:
            TableError: they are not all in `source`.
        """
        placed = list(cards)
        missing = [card for card in placed if card not in self.zones[source]] or [
            card for card in placed if placed.count(card) > 1
        ]
        if missing:
            raise TableError(f"place: {self._describe_card(missing[0])} is not in {source.name}, or is placed twice")
        if target.has_slots and len(placed) != len(target.labels):
            raise TableError(
                f"place: {target.name} has {len(target.labels)} slots, and {len(placed)} cards are placed there"
            )
        for card in placed:
            self.zones[source].remove(card)
            self.known_by[card] = known_by
        self.zones[target] = placed if target.has_slots else [*self.zones[target], *placed]
        self._show_to_viewers(placed, target)

    # ---- what follows from a verb

    def _check_slots(self, targets: Sequence[Zone], rounds: int, slots: Sequence[int], event: str) -> None:
        for target in targets:
            if target.has_slots != bool(slots) or (slots and len(slots) < rounds):
                raise TableError(
                    f"{event}: {rounds} cards are to be dealt into {target.name}, into slots {list(slots)!r}"
                )
            lie = self.zones[target]
            if slots and not (
                len(set(slots[:rounds])) == rounds
                and all(0 <= slot < len(lie) and lie[slot] == EMPTY for slot in slots[:rounds])
            ):
                raise TableError(f"{event}: not all of slots {list(slots)!r} of {target.name} are free")

    def _show_to_viewers(self, cards: Sequence[int], zone: Zone) -> None:
        """Those who may look into a zone see a block of cards that has come to lie on its top."""
        for card in cards[-1:] if zone.reveals_next else cards:
            self.known_by[card] |= zone.viewers

    def _describe_card(self, card: int) -> str:
        faces = self.layout.deck.faces
        return repr(faces[card]) if 0 <= card < len(faces) else f"card number {card}"

    def _record_departure(self, card: int, source: Zone, target: Zone) -> None:
        """Make known what a card that leaves uncovers; or make unknown which card left a hand."""
        if source.reveals_next:
            self.known_by[self.zones[source][-1]] = self.layout.everybody
        else:
            self._mix_hand_after_departure(card, source, target)

    def _mix_hand_after_departure(self, card: int, source: Zone, target: Zone) -> None:
        """Those who may not look into a hand cannot tell which of its cards leaves it, unless they see its face.

        On a plain table the face is enough to tell, as each batch is known, unless a constraint is about some cards of the hand and not about others.
        """
        known, batch, everybody = self.known_by, self.shuffle_group_of, self.layout.everybody
        blind = everybody & ~(source.viewers | target.viewers)
        by_batch = bool(blind) or not has_only_public_groups(self.shuffle_groups)
        if source.viewers == everybody or not (by_batch or self.constraints or self.card_domains):
            return
        held = [*self.zones[source], card]
        mixes = by_batch and any(batch[other] != batch[card] or known[other] & blind for other in held)
        if mixes or is_partly_constrained(self._constraint_numbers(held), (*self.constraints, *self.card_domains)):
            self._mix_cards(held, -1)
            for other in held:
                known[other] &= ~blind
