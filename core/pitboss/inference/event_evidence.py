"""Evidence from events: the faces that hidden cards must have, and the places that faces must get in shuffles.

The evidence follows from the movement of cards between zones, without the rules of the game. A card that is shown when
it is played was in that hand before, and had come there from the stock or from a shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss.inference.card_tracks import LOST, CardTracks, TrackChoice
from pitboss.inference.step_budget import StepBudget
from pitboss.table.cards import Face
from pitboss.table.events import AnyEvent, Deal, Lay, Move, Reveal, Shuffle, Swap, TurnOver
from pitboss.table.randomness import Random
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY, Zone

MAX_RESTARTS: Final = 200  # with another choice between copies
EVENTS_PER_STEP: Final = 40


def gather_evidence(
    table: Table, seat: int, events: Sequence[AnyEvent], rng: Random, budget: StepBudget
) -> CardTracks | None:
    """Return the evidence of `events` on the cards hidden from `seat`; None if none consistent with `table` was found.

    Where a shown copy may come from several shuffle groups, a conflict makes the search restart with another choice, up
    to MAX_RESTARTS times or until the budget is spent.
    """
    fixed_choices: dict[tuple[int, int], int] = {}
    refuted: set[tuple[TrackChoice, int]] = set()
    last: tuple[TrackChoice, int] | None = None
    for _ in range(MAX_RESTARTS):
        budget.spend(1 + len(events) // EVENTS_PER_STEP)
        tracks = CardTracks(table, seat, rng, fixed_choices)
        follower = _EventFollower(table, tracks)
        for tracks.event_number, event in enumerate(events):
            follower.follow(event)
            if tracks.conflict is not None:
                break
        else:
            return tracks
        alternatives = [
            (choice, group)
            for choice in tracks.conflict
            for group in choice.other_groups
            if (choice, group) not in refuted
        ]
        if alternatives:
            last = rng.choice(alternatives)
            fixed_choices[last[0].key] = last[1]
        elif last is not None:
            refuted.add(last)
            fixed_choices.pop(last[0].key, None)
            last = None
        else:
            return None
        if budget.is_spent:
            return None
    return None


class _EventFollower:
    """Applies events to card tracks: moves them between zones and records the faces shown."""

    def __init__(self, table: Table, tracks: CardTracks) -> None:
        self._table = table
        self._tracks = tracks
        self._zones_by_name = {zone.name: zone for zone in table.layout.zones}
        self._tracks_by_zone = [cards[:] for cards in table.zones]

    def follow(self, event: AnyEvent) -> None:
        """Apply one event; a `Tell` is ignored."""
        zones = self._zones_by_name
        match event:
            case Move():
                self._put_track(zones[event.target], self._take_track(zones[event.source], event.card))
            case Lay():
                taken = [self._take_track(zones[event.source], face) for face in event.cards]
                if zones[event.source].hides_places and all(face is None for face in event.cards):
                    taken.reverse()  # hidden cards were taken from the end: they are laid in the order of the hand
                for track in taken:
                    self._put_track(zones[event.target], track)
            case Swap():
                self._follow_swap(event)
            case Deal():
                self._follow_deal(event)
            case TurnOver():
                self._follow_turn_over(event)
            case Shuffle():
                self._follow_shuffle(event)
            case Reveal():
                self._follow_reveal(event)

    def _take_track(self, zone: Zone, face: Face | None) -> int:
        """Remove and return the track that leaves a zone: the top of a pile, else one with `face`."""
        held = self._tracks_by_zone[zone]
        self._tracks.source_zone = zone
        track = self._find_leaving_track(zone, held, face)
        if self._tracks.event_number == 0:
            self._tracks.first_moved.append(track)
        if track in held:
            zone.remove_card(held, track)
        elif held and not zone.has_slots:
            held.pop()
        return track

    def _find_leaving_track(self, zone: Zone, held: list[int], face: Face | None) -> int:
        tracks = self._tracks
        top = next((track for track in reversed(held) if track != EMPTY), LOST)
        if face is None:
            if zone.is_stacked:
                return top
            return next((track for track in reversed(held) if track != EMPTY and tracks.known_face(track) is None), top)
        if zone.is_stacked:
            if tracks.known_face(top) != face and any(tracks.known_face(track) == face for track in held):
                return tracks.assign(held, face)
            tracks.set_face(top, face)
            return top
        return tracks.assign(held, face)

    def _put_track(self, zone: Zone, track: int) -> None:
        if not zone.has_slots:
            self._tracks_by_zone[zone].append(track)

    def _follow_swap(self, event: Swap) -> None:
        track = self._take_track(self._zones_by_name[event.source], event.card)
        for zone in self._zones_by_name.values():
            if zone.has_slots and zone.owner == event.seat and event.slot in zone.labels:
                rack, slot = self._tracks_by_zone[zone], zone.labels.index(event.slot)
                self._tracks.set_face(rack[slot], event.discarded)
                self._put_track(self._zones_by_name[event.target], rack[slot])
                rack[slot] = track
                return

    def _follow_deal(self, event: Deal) -> None:
        pile = self._tracks_by_zone[self._zones_by_name[event.source]]
        zones = [self._zones_by_name[name] for name in event.cards]
        for dealt_round in zip(*event.cards.values(), strict=True):
            for zone, face in zip(zones, dealt_round, strict=True):
                track = pile.pop() if pile else LOST
                self._tracks.set_face(track, face)
                self._put_track(zone, track)
                if zone.has_slots:  # the event does not say into which slot
                    self._tracks_by_zone[zone] = [LOST] * len(zone.labels)

    def _follow_turn_over(self, event: TurnOver) -> None:
        source, target = self._zones_by_name[event.source], self._zones_by_name[event.target]
        moved, self._tracks_by_zone[source] = self._tracks_by_zone[source][::-1], []
        for track, face in zip(moved, reversed(event.cards), strict=False):
            self._tracks.set_face(track, face)
        self._tracks_by_zone[target] += moved

    def _follow_shuffle(self, event: Shuffle) -> None:
        zone = self._zones_by_name[event.zone]
        if event.size == len(self._table.layout.deck):
            self._tracks_by_zone = [each.empty_cards() for each in self._table.layout.zones]
            self._tracks_by_zone[zone] = self._tracks.add_shuffle(None, event.size)
        else:
            self._tracks_by_zone[zone] = self._tracks.add_shuffle(self._tracks_by_zone[zone], event.size)

    def _follow_reveal(self, event: Reveal) -> None:
        zone = self._tracks.source_zone = self._zones_by_name[event.zone]
        held = [track for track in self._tracks_by_zone[zone] if track != EMPTY]
        if not zone.hides_places:
            for track, face in zip(held, event.cards, strict=False):
                self._tracks.set_face(track, face)
            return
        for face in event.cards:
            track = self._tracks.assign(held, face) if face is not None and self._tracks.conflict is None else LOST
            if track in held:
                held.remove(track)
