"""Foretelling: what events tell of the cards that lay hidden before they happened.

The events that a seat has seen are followed on the places of the table, without the rules of the game: a card that is shown as it is played lay hidden
in that hand before, or came from the stock, or from a shuffle. So it is known beforehand which faces some cards must have, and how some shuffles must
turn out, for all of it to happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from pitboss.inference.card_tracks import LOST, CardTracks, TrackChoice
from pitboss.inference.step_budget import StepBudget
from pitboss.table.cards import Face
from pitboss.table.events import AnyEvent, Deal, Lay, Move, Reveal, Shuffle, Swap, TurnOver
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY, Zone, ZoneKind

MAX_RESTARTS: Final = 200  # with another choice between copies
EVENTS_PER_STEP: Final = 40


def gather_evidence(
    table: Table, seat: int, events: Sequence[AnyEvent], rng: Random, budget: StepBudget
) -> EventEvidence | None:
    """Return what some events tell of the cards that lie hidden from a seat on a table; None if they cannot follow from there.

    Where that hangs on which of several copies was shown, other picks are tried.
    """
    chosen: dict[tuple[int, int], int] = {}
    wrong: set[tuple[TrackChoice, int]] = set()
    last: tuple[TrackChoice, int] | None = None
    for _ in range(MAX_RESTARTS):
        budget.spend(1 + len(events) // EVENTS_PER_STEP)
        told = EventEvidence(table, seat, events, rng, chosen)
        if told.conflict is None:
            return told
        others = [(pick, other) for pick in told.conflict for other in pick.other_groups if (pick, other) not in wrong]
        if others:
            last = rng.choice(others)
            chosen[last[0].key] = last[1]
        elif last is not None:
            wrong.add(last)
            chosen.pop(last[0].key, None)
            last = None
        else:
            return None
        if budget.is_spent:
            return None
    return None


class EventEvidence(CardTracks):
    """What some events tell of the cards that lie hidden from a seat on a table."""

    def __init__(
        self,
        table: Table,
        seat: int,
        events: Iterable[AnyEvent],
        rng: Random,
        fixed_choices: Mapping[tuple[int, int], int],
    ) -> None:
        super().__init__(table, seat, rng, fixed_choices)
        self._zones_by_name = {zone.name: zone for zone in table.layout.zones}
        self._tracks_by_zone = [cards[:] for cards in table.zones]
        for self.at, event in enumerate(events):
            follow = _FOLLOW_BY_EVENT.get(type(event))
            if follow is not None:
                follow(self, event)
                if self.conflict is not None:
                    break

    # ---- the verbs

    def _find_zone(self, name: str) -> Zone:
        return self._zones_by_name[name]

    def _take_track(self, zone: Zone, face: Face | None) -> int:
        """Take a card out of a zone: the top of a pile, or one with that face."""
        held, self.left = self._tracks_by_zone[zone], zone
        token = self._find_leaving_track(zone, held, face)
        if zone.has_slots:
            if token in held:
                held[held.index(token)] = EMPTY
        elif token in held:
            held.remove(token)
        elif held:
            held.pop()
        return token

    def _find_leaving_track(self, zone: Zone, tracks: list[int], face: Face | None) -> int:
        top = next((token for token in reversed(tracks) if token != EMPTY), LOST)
        if face is None:
            if zone.kind is ZoneKind.PILE:
                return top
            return next((token for token in reversed(tracks) if token != EMPTY and self.known_face(token) is None), top)
        if zone.kind is ZoneKind.PILE:
            if self.known_face(top) != face and any(self.known_face(token) == face for token in tracks):
                return self.assign(tracks, face)
            self.set_face(top, face)
            return top
        return self.assign(tracks, face)

    def _put_track(self, zone: Zone, track: int) -> None:
        if not zone.has_slots:
            self._tracks_by_zone[zone].append(track)

    def _follow_move(self, event: Move) -> None:
        self._put_track(self._find_zone(event.target), self._take_track(self._find_zone(event.source), event.card))

    def _follow_lay(self, event: Lay) -> None:
        for face in event.cards:
            self._put_track(self._find_zone(event.target), self._take_track(self._find_zone(event.source), face))

    def _follow_swap(self, event: Swap) -> None:
        token = self._take_track(self._find_zone(event.source), event.card)
        for zone in self._zones_by_name.values():
            if zone.has_slots and zone.owner == event.seat and event.slot in zone.labels:
                rack, slot = self._tracks_by_zone[zone], zone.labels.index(event.slot)
                if event.discarded is not None:
                    self.set_face(rack[slot], event.discarded)
                self._put_track(self._find_zone(event.target), rack[slot])
                rack[slot] = token
                return

    def _follow_deal(self, event: Deal) -> None:
        pile = self._tracks_by_zone[self._find_zone(event.source)]
        dealt = [
            (name, number) for number in range(max(map(len, event.cards.values()), default=0)) for name in event.cards
        ]
        for name, number in dealt:
            token, zone, face = pile.pop() if pile else LOST, self._find_zone(name), event.cards[name][number]
            if face is not None:
                self.set_face(token, face)
            self._put_track(zone, token)
            if zone.has_slots:  # the event does not say into which slot
                self._tracks_by_zone[zone] = [LOST] * len(zone.labels)

    def _follow_turn_over(self, event: TurnOver) -> None:
        source, target = self._find_zone(event.source), self._find_zone(event.target)
        tokens, self._tracks_by_zone[source] = self._tracks_by_zone[source][::-1], []
        for token, face in zip(tokens, reversed(event.cards), strict=False):
            if face is not None:
                self.set_face(token, face)
        self._tracks_by_zone[target] += tokens

    def _follow_shuffle(self, event: Shuffle) -> None:
        zone = self._find_zone(event.zone)
        if event.size == len(self.deck):
            self._tracks_by_zone = [[EMPTY] * len(one.labels) for one in self.table.layout.zones]
            self._tracks_by_zone[zone] = self.add_shuffle(None, event.size)
        else:
            self._tracks_by_zone[zone] = self.add_shuffle(self._tracks_by_zone[zone], event.size)

    def _follow_reveal(self, event: Reveal) -> None:
        zone = self.left = self._find_zone(event.zone)
        tokens = [token for token in self._tracks_by_zone[zone] if token != EMPTY]
        if zone.kind is not ZoneKind.HAND:
            for token, face in zip(tokens, event.cards, strict=False):
                if face is not None:
                    self.set_face(token, face)
            return
        for face in event.cards:
            token = self.assign(tokens, face) if face is not None and self.conflict is None else LOST
            if token in tokens:
                tokens.remove(token)


_FOLLOW_BY_EVENT: Final[dict[type[Any], Callable[[EventEvidence, Any], None]]] = {
    Move: EventEvidence._follow_move,
    Lay: EventEvidence._follow_lay,
    Swap: EventEvidence._follow_swap,
    Deal: EventEvidence._follow_deal,
    TurnOver: EventEvidence._follow_turn_over,
    Shuffle: EventEvidence._follow_shuffle,
    Reveal: EventEvidence._follow_reveal,
}
