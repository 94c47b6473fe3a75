"""The table: the zones of a game and the verbs that move cards.

Each verb also updates what each seat knows (`knowledge`) and the log (`events`). A world is sampled from a table by
`pitboss.determinization.sampling`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Final

from pitboss.errors import TableError
from pitboss.table.cards import Face
from pitboss.table.events import AnyEvent, Fact, LogEntry, project_events
from pitboss.table.randomness import Random
from pitboss.table.secret_table import SecretTable
from pitboss.table.secrets import Scalar
from pitboss.table.zones import EMPTY, Layout, Zone

NO_FACES: Final[Mapping[int, Face]] = {}


class Table(SecretTable):
    """The cards on a table at one moment. `zones[zone]` lists the cards of a zone; the end of a pile is its top."""

    __slots__ = ("required_faces", "sampler_cache", "zones")

    def __init__(self, layout: Layout, rng: Random, start: Zone) -> None:
        super().__init__(layout, rng)
        self.zones = [zone.empty_cards() for zone in layout.zones]
        self.zones[start] = list(range(len(layout.deck)))
        self.required_faces = NO_FACES  # by card: the face that its place must have in sampled worlds
        self.sampler_cache: object = None  # what `sample_world` keeps for the next world of the same moment

    def copy(self) -> Table:
        """Return an independent table for looking ahead: it writes no log."""
        twin = self.copy_without_cards(self.rng.copy())
        twin.zones = [cards[:] for cards in self.zones]
        twin.known_by = self.known_by[:]
        twin.shuffle_group_of = self.shuffle_group_of[:]
        twin.stands_for = self.stands_for
        return twin

    def copy_without_cards(self, rng: Random) -> Table:
        """Return a copy that lacks what depends on the cards: `zones`, `known_by`, `shuffle_group_of`, `stands_for`."""
        twin = Table.__new__(Table)
        twin.layout = self.layout
        twin.rng = rng
        twin.shuffle_groups = self.shuffle_groups[:]
        twin.constraints = self.constraints
        twin.card_domains = self.card_domains
        twin.open_plays = self.open_plays
        twin.has_constraints_or_mixing = self.has_constraints_or_mixing
        twin.has_only_public_groups = self.has_only_public_groups
        twin.prune_limit = self.prune_limit
        twin.secrets = self.secrets
        twin.secret_facts = self.secret_facts
        twin.required_faces = NO_FACES
        twin.sampler_cache = None
        twin.log = None
        twin.chance_events = None
        return twin

    # ---- queries

    def faces(self, zone: Zone) -> list[Face]:
        """Return all faces of a zone, hidden ones too."""
        return self.layout.deck.faces_of(self.zones[zone])

    def find_card(self, zone: Zone, face: Face) -> int:
        """Return a card of a zone with this face; of equal cards one that the most seats know to lie there.

        Raises:
            TableError: none lies there.
        """
        held = self.zones[zone]
        copies = [card for card in self.layout.deck.copies(face) if card in held]
        if not copies:
            raise TableError(f"{face!r} is not in {zone.name}")
        return copies[0] if len(copies) == 1 else max(copies, key=lambda card: self.known_by[card].bit_count())

    def faces_known_to(self, zone: Zone, seat: int) -> list[Face | None]:
        """Return the faces of a zone place by place; None for those that `seat` does not know."""
        faces, known, bit = self.layout.deck.faces, self.known_by, 1 << seat
        return [faces[card] if card >= 0 and known[card] & bit else None for card in self.zones[zone]]

    def is_known(self, zone: Zone, seat: int) -> bool:
        """Return whether `seat` knows every card of a zone."""
        known, bit = self.known_by, 1 << seat
        return all(known[card] & bit for card in self.zones[zone] if card >= 0)

    def events(self, seat: int | None, since: int = 0, until: int | None = None) -> list[AnyEvent]:
        """Return the events from log entry `since` on, before `until`, as `seat` may see them; None sees every face."""
        return project_events((self.log or [])[since:until], self.layout, seat)

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
            raise self._slots_error(target, event)
        try:
            if source.has_slots:
                source.remove_card(held, card)
            else:
                held.remove(card)  # here, as this is the path of most cards
        except ValueError:
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
        """Move several cards, chosen by their holder, to the end of another zone, in this order, as one event."""
        self._check_cards_in(source, cards, event, "laid")
        if target.has_slots:
            raise self._slots_error(target, event)
        log, self.log = self.log, None
        for card in cards:
            self.move(card, source, target, event)
        self.log = log
        if log is not None:
            seen = tuple(self.known_by[card] for card in cards)
            log.append(LogEntry("lay", event, tuple(cards), seen, source, target))

    def play_face(self, face: Face, source: Zone, target: Zone, event: str = "play") -> int:
        """Move a card with this face as `move` does, and return it; which of equal cards leaves tells nobody anything.

        Raises:
            TableError: none lies in `source`.
        """
        card = self.find_card(source, face)
        self.forget_copies((card,), source)
        self.move(card, source, target, event)
        return card

    def lay_faces(self, faces: Sequence[Face], source: Zone, target: Zone, event: str = "lay") -> list[int]:
        """Move cards with these faces as `lay` does, and return them; which of equal cards leave tells nobody anything.

        Raises:
            TableError: they do not all lie in `source`.
        """
        cards = self.choose_cards(source, faces)
        self.forget_copies(cards, source)
        self.lay(cards, source, target, event)
        return cards

    def choose_cards(self, zone: Zone, faces: Sequence[Face]) -> list[int]:
        """Return a card of a zone for each face: of equal cards first those that the most seats know to lie there.

        Of others those that come first in the zone.

        Raises:
            TableError: they do not all lie there.
        """
        printed, known = self.layout.deck.faces, self.known_by
        by_face: dict[Face, list[int]] = {face: [] for face in faces}
        held = self.zones[zone]
        for card in [card for card in held if card != EMPTY] if zone.has_slots else held:
            if (face := printed[card]) in by_face:
                by_face[face].append(card)
        for cards in by_face.values():
            if len(cards) > 1 and [known[card] for card in cards].count(known[cards[0]]) < len(cards):
                cards.sort(key=lambda card: -known[card].bit_count())
        try:
            return [by_face[face].pop(0) for face in faces]
        except IndexError:
            missing = next(face for face in faces if not by_face[face])
            raise TableError(f"{missing!r} is not in {zone.name}, or not so often") from None

    def forget_copies(self, leaving: Sequence[int], zone: Zone) -> None:
        """Let each seat that knows a copy of a card that leaves a hand take that copy for the one that leaves.

        It cannot tell which of them left: it then knows of the copies that stay no more than it must. Every verb that
        moves a card by its face calls this.
        """
        if not zone.hides_places or not self.layout.deck.has_copies:
            return
        known, others = self.known_by, self.layout.everybody & ~zone.viewers
        for card in leaving:
            missing = others & ~known[card]
            for copy in self.layout.deck.copies_of[card] if missing else ():
                if known[copy] & missing and copy in self.zones[zone] and copy not in leaving:
                    self._exchange_knowledge(card, copy, known[copy] & missing, zone)
                    missing &= ~known[card]

    def swap(self, source: Zone, rack: Zone, slot: int, target: Zone, event: str = "swap") -> int:
        """Put the top card of `source` into a slot, and the card from there on top of `target`; return the latter."""
        zones, known = self.zones, self.known_by
        held = zones[rack]
        if not zones[source] or not 0 <= slot < len(held) or held[slot] == EMPTY:
            raise TableError(f"{event}: there is no card in {source.name} or in slot {slot} of {rack.name}")
        card = zones[source].pop()
        if source.departures_change_knowledge and zones[source]:
            self._record_departure(card, source, rack)
        discarded = held[slot]
        held[slot] = card
        known[card] |= rack.viewers
        zones[target].append(discarded)
        known[discarded] |= target.viewers
        if self.log is not None:
            seen = (known[card], known[discarded])
            self.log.append(LogEntry("swap", event, (card, discarded), seen, source, target, slot, zones=(rack,)))
        return discarded

    def deal(
        self, source: Zone, targets: Sequence[Zone], rounds: int, slots: Sequence[int] = (), event: str = "deal"
    ) -> None:
        """Deal one card at a time to each target in turn, for some rounds; in round r a rack gets it in `slots[r]`."""
        pile, zones, known, step = self.zones[source], self.zones, self.known_by, len(targets)
        count = rounds * step
        if len(pile) < count:
            raise TableError(f"{event}: {source.name} holds {len(pile)} cards, {count} are to be dealt")
        if source.hides_places:
            raise TableError(f"{event}: a card leaves {source.name} by `move`")
        if step > 1 and len(set(targets)) < step:
            raise TableError(f"{event}: a zone is to be dealt to twice in a round")
        if slots or [target for target in targets if target.has_slots]:
            self._check_slots(targets, rounds, slots, event)
        dealt = pile[: -count - 1 : -1]
        del pile[len(pile) - count :]
        for place, target in enumerate(targets):
            cards, viewers = dealt[place::step], target.viewers
            if slots:
                for slot, card in zip(slots, cards, strict=False):
                    zones[target][slot] = card
            else:
                zones[target] += cards
            if viewers:
                for card in cards:
                    known[card] |= viewers
        if source.reveals_next:
            self._show_to_viewers(pile, source)
        if self.log is not None:
            seen = tuple(known[card] for card in dealt)
            into = tuple(targets) * rounds
            self.log.append(LogEntry("deal", event, tuple(dealt), seen, source, zones=into, slots=tuple(slots)))

    def turn_over(self, source: Zone, target: Zone, event: str = "turn_over") -> None:
        """Turn a whole pile over, unshuffled, onto another: its bottom card comes to the top. Knowledge stays."""
        cards = self.zones[source][::-1]
        self.zones[source] = []
        self.zones[target].extend(cards)
        if target.reveals_next or source.reveals_next or target.viewers & ~source.viewers:
            self._show_to_viewers(cards, target)
        if self.log is not None:
            seen = tuple(self.known_by[card] for card in cards)
            self.log.append(LogEntry("turn_over", event, tuple(cards), seen, source, target))

    def collect(self, target: Zone) -> None:
        """Move the cards of all zones to `target`, in zone order: to be shuffled for the next deal."""
        zones = self.zones
        cards = [*chain.from_iterable(zones)]
        if len(cards) > len(self.known_by):
            cards = [card for card in cards if card != EMPTY]
        for zone in self.layout.zones:
            if zones[zone]:
                zones[zone] = zone.empty_cards()
        zones[target] = cards

    def shuffle(
        self, zone: Zone, event: str = "shuffle", order: Sequence[int] | None = None, *, most_drawn: int | None = None
    ) -> None:
        """Shuffle a zone. Its cards form a new shuffle group, unknown to every seat that may not look into the zone.

        With `order` they come to lie in that order: a stacked deck. With `most_drawn` the game promises to draw no more
        cards than these before it shuffles the zone again: while nothing is recorded, only these are shuffled.
        """
        held = self.zones[zone]  # sorted first: the result must not depend on the order before
        cards = sorted(held) if len(held) < len(self.known_by) else [*range(len(held))]
        if cards[:1] == [EMPTY]:
            raise TableError(f"{event}: {zone.name} has empty slots")
        if order is None:
            is_recorded = self.log is not None or self.chance_events is not None
            self.rng.shuffle(cards, None if is_recorded else most_drawn)
        elif sorted(order) == cards:
            cards = list(order)
        else:
            raise TableError(f"{event}: {list(order)!r} is not an order of the cards of {zone.name}")
        self.zones[zone] = cards
        chance_index = -1 if self.chance_events is None else len(self.chance_events)
        if len(cards) == len(self.known_by):
            self._forget_everything(chance_index)
        else:
            self._mix_cards(cards, chance_index)
            for card in cards:
                self.known_by[card] = 0
        if self.chance_events is not None:
            self.chance_events.append(tuple(cards))
        if zone.viewers:
            self._show_to_viewers(cards, zone)
        if self.log is not None:
            self.log.append(LogEntry("shuffle", event, tuple(cards), (0,) * len(cards), target=zone))

    def reveal(
        self, zone: Zone, event: str = "reveal", cards: Sequence[int] | None = None, to: Iterable[int] | None = None
    ) -> None:
        """Show cards of a zone, all unless `cards` are given, to every seat or to the seats `to`.

        The others see that cards were shown.
        """
        held = [card for card in self.zones[zone] if card != EMPTY]
        shown = held if cards is None else list(cards)
        self._check_cards_in(zone, shown, event, "shown")
        viewers = self.layout.everybody if to is None else sum(1 << seat for seat in {*to})
        for card in shown:
            self.known_by[card] |= viewers
        if self.log is not None:
            told = shown if zone.hides_places else held  # where places differ the event says which card it is
            seen = tuple(viewers if card in shown else 0 for card in told)
            self.log.append(LogEntry("reveal", event, tuple(told), seen, target=zone))

    # ---- facts and lots

    def tell(self, event: str, only: int | Iterable[int] | None = None, **facts: Fact) -> None:
        """Log facts that are not about where a card lies; with `only`, for that seat or those seats alone."""
        if self.log is not None:
            seats = () if only is None else (only,) if isinstance(only, int) else only
            audience = -1 if only is None else sum(1 << seat for seat in {*seats})
            self.log.append(LogEntry("tell", event, audience=audience, facts=facts))

    def point_out(self, zone: Zone, having: Set[int], event: str, **facts: Fact) -> None:
        """Tell which cards of a zone are among `having`, as a hint does: their places, from 1, are the fact `slots`.

        Each card is restricted accordingly. Everybody is told, so that its places are ones that all can see: no hand.
        """
        cards = self.zones[zone]
        if self.log is not None:
            slots: list[Scalar] = [slot for slot, card in enumerate(cards, 1) if card in having]
            entry = LogEntry("tell", event, facts={**facts, "slots": slots}, target=zone, pointed_out=having)
            self.log.append(entry)
        self.restrict([card for card in cards if card in having], having)
        if missing := [card for card in cards if card not in having]:
            self.restrict(missing, frozenset(range(len(self.layout.deck))).difference(having))

    def draw_lot(self, outcomes: int) -> int:
        """Draw a chance event: a number in 0 .. outcomes - 1. No seat sees the number unless the game says so."""
        lot = self.rng.randbelow(outcomes)
        if self.chance_events is not None:
            self.chance_events.append(lot)
        return lot

    # ---- position setup

    def place(self, cards: Iterable[int], source: Zone, target: Zone, known_by: int) -> None:
        """Put cards into a zone without an event, to set up a position.

        They become known to the seats of the mask `known_by` beside those that see the zone.

        Raises:
            TableError: the cards are not all in `source`.
        """
        placed = list(cards)
        self._check_cards_in(source, placed, "place", "placed")
        if target.has_slots and len(placed) != len(target.labels):
            raise TableError(
                f"place: {target.name} has {len(target.labels)} slots, and {len(placed)} cards are placed there"
            )
        for card in placed:
            self.zones[source].remove(card)
            self.known_by[card] = known_by
        self.zones[target] = placed if target.has_slots else [*self.zones[target], *placed]
        self._show_to_viewers(placed, target)

    # ---- checks, and effects of the verbs on knowledge

    def _check_cards_in(self, source: Zone, cards: Sequence[int], event: str, done: str) -> None:
        for place, card in enumerate(cards):
            if card not in self.zones[source] or card in cards[:place]:
                raise TableError(f"{event}: {self._describe_card(card)} is not in {source.name}, or is {done} twice")

    def _slots_error(self, target: Zone, event: str) -> TableError:
        return TableError(f"{event}: a card comes into {target.name} by `deal` or `swap`, which say into which slot")

    def _check_slots(self, targets: Sequence[Zone], rounds: int, slots: Sequence[int], event: str) -> None:
        for target in targets:
            if target.has_slots != bool(slots) or (slots and len(slots) < rounds):
                raise TableError(
                    f"{event}: {rounds} cards are to be dealt into {target.name}, into slots {list(slots)!r}"
                )
            held, wanted = self.zones[target], slots[:rounds]
            if len(set(wanted)) < len(wanted) or not all(0 <= at < len(held) and held[at] == EMPTY for at in wanted):
                raise TableError(f"{event}: not all of slots {list(slots)!r} of {target.name} are free")

    def _describe_card(self, card: int) -> str:
        faces = self.layout.deck.faces
        return repr(faces[card]) if 0 <= card < len(faces) else f"card number {card}"

    def _show_to_viewers(self, cards: Sequence[int], zone: Zone) -> None:
        """Record that the viewers of a zone know those of `cards`, which now lie on top, that they see."""
        for card in zone.visible_cards(cards):
            self.known_by[card] |= zone.viewers

    def _exchange_knowledge(self, card: int, copy: int, seats: int, hand: Zone) -> None:
        """Let some seats know `card` in place of `copy`, which has the same face and lies in the same hand."""
        if self.shuffle_group_of[card] != self.shuffle_group_of[copy]:
            self._mix_cards(self.zones[hand], -1)
        self.known_by[card] |= seats
        self.known_by[copy] &= ~seats

    def _are_domains_whole(self, card: int, others: Sequence[int]) -> bool:
        """Return whether each domain names all of some cards or none; False also if numbers stand for other cards."""
        if self.stands_for is not None:
            return not self.card_domains
        for domain in self.card_domains:
            named = domain.cards
            if not (named.issuperset(others) if card in named else named.isdisjoint(others)):
                return False
        return True

    def _record_departure(self, card: int, source: Zone, target: Zone) -> None:
        """Update knowledge after a card has left a hand, or a pile whose top everybody sees.

        The next card of the pile becomes public. A hand becomes a shuffle group in two cases: a constraint names only a
        part of it; or a seat cannot tell which card left, and shuffle groups or that seat's knowledge told the cards of
        the hand apart. A seat can tell if it sees the hand, or sees the face in `target` while all groups are public.
        """
        known_by, group_of, everybody = self.known_by, self.shuffle_group_of, self.layout.everybody
        if source.reveals_next:
            known_by[self.zones[source][-1]] = everybody
            return
        blind = everybody & ~(source.viewers | target.viewers)
        is_ambiguous = blind or not self.has_only_public_groups
        if not is_ambiguous:
            if len(self.shuffle_groups) > 1:
                self._note_open_play(card, self.zones[source])
            if not self.constraints and self._are_domains_whole(card, self.zones[source]):
                return
        if source.viewers == everybody:
            return
        hand = [*self.zones[source], card]
        mixes = is_ambiguous and any(group_of[other] != group_of[card] or known_by[other] & blind for other in hand)
        if mixes or self.names_part_of(hand) or self.may_have_changed_places(card, hand[:-1], not blind):
            self._mix_cards(hand, -1)
            for other in hand:
                known_by[other] &= ~blind
