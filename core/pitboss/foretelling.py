"""Foretelling: what events tell of the cards that lay hidden before they happened.

The events that a seat has seen are followed on the places of the table, without the rules of the game: a card that is shown as it is played lay hidden
in that hand before, or came from the stock, or from a shuffle. So it is known beforehand which faces some cards must have, and how some shuffles must
turn out, for all of it to happen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from pitboss.cards import Face
from pitboss.events import AnyEvent, Deal, Lay, Move, Reveal, Shuffle, Swap, TurnOver
from pitboss.patience import Patience
from pitboss.randomness import Random
from pitboss.table import Table
from pitboss.tokens import LOST, Pick, Tokens
from pitboss.zones import EMPTY, Kind, Zone

RESTARTS: Final = 200  # with another choice between copies
EVENTS_A_STEP: Final = 40


def foretold(table: Table, seat: int, events: Sequence[AnyEvent], rng: Random, patience: Patience) -> Foretold | None:
    """Return what some events tell of the cards that lie hidden from a seat on a table; None if they cannot follow from there.

    Where that hangs on which of several copies was shown, other picks are tried.
    """
    chosen: dict[tuple[int, int], int] = {}
    wrong: set[tuple[Pick, int]] = set()
    last: tuple[Pick, int] | None = None
    for _ in range(RESTARTS):
        patience.spend(1 + len(events) // EVENTS_A_STEP)
        told = Foretold(table, seat, events, rng, chosen)
        if told.suspects is None:
            return told
        others = [(pick, other) for pick in told.suspects for other in pick.others if (pick, other) not in wrong]
        if others:
            last = rng.choice(others)
            chosen[last[0].key] = last[1]
        elif last is not None:
            wrong.add(last)
            chosen.pop(last[0].key, None)
            last = None
        else:
            return None
        if patience.is_over:
            return None
    return None


class Foretold(Tokens):
    """What some events tell of the cards that lie hidden from a seat on a table."""

    def __init__(
        self, table: Table, seat: int, events: Iterable[AnyEvent], rng: Random, chosen: Mapping[tuple[int, int], int]
    ) -> None:
        super().__init__(table, seat, rng, chosen)
        self._named = {zone.name: zone for zone in table.layout.zones}
        self._zones = [cards[:] for cards in table.zones]
        for self.at, event in enumerate(events):
            follow = _FOLLOW.get(type(event))
            if follow is not None:
                follow(self, event)
                if self.suspects is not None:
                    break

    # ---- the verbs

    def _zone(self, name: str) -> Zone:
        return self._named[name]

    def _leave(self, zone: Zone, face: Face | None) -> int:
        """Take a card out of a zone: the top of a pile, or one with that face."""
        held, self.left = self._zones[zone], zone
        token = self._leaving(zone, held, face)
        if zone.is_slotted:
            if token in held:
                held[held.index(token)] = EMPTY
        elif token in held:
            held.remove(token)
        elif held:
            held.pop()
        return token

    def _leaving(self, zone: Zone, held: list[int], face: Face | None) -> int:
        top = next((token for token in reversed(held) if token != EMPTY), LOST)
        if face is None:
            if zone.kind is Kind.PILE:
                return top
            return next((token for token in reversed(held) if token != EMPTY and self.face(token) is None), top)
        if zone.kind is Kind.PILE:
            if self.face(top) != face and any(self.face(token) == face for token in held):
                return self.one(held, face)
            self.claim(top, face)
            return top
        return self.one(held, face)

    def _arrive(self, zone: Zone, token: int) -> None:
        if not zone.is_slotted:
            self._zones[zone].append(token)

    def _move(self, event: Move) -> None:
        self._arrive(self._zone(event.target), self._leave(self._zone(event.source), event.card))

    def _lay(self, event: Lay) -> None:
        for face in event.cards:
            self._arrive(self._zone(event.target), self._leave(self._zone(event.source), face))

    def _swap(self, event: Swap) -> None:
        token = self._leave(self._zone(event.source), event.card)
        for zone in self._named.values():
            if zone.is_slotted and zone.owner == event.seat and event.slot in zone.labels:
                rack, slot = self._zones[zone], zone.labels.index(event.slot)
                if event.discarded is not None:
                    self.claim(rack[slot], event.discarded)
                self._arrive(self._zone(event.target), rack[slot])
                rack[slot] = token
                return

    def _deal(self, event: Deal) -> None:
        pile = self._zones[self._zone(event.source)]
        dealt = [(name, number) for number in range(max(map(len, event.cards.values()), default=0)) for name in event.cards]
        for name, number in dealt:
            token, zone, face = pile.pop() if pile else LOST, self._zone(name), event.cards[name][number]
            if face is not None:
                self.claim(token, face)
            self._arrive(zone, token)
            if zone.is_slotted:  # the event does not say into which slot
                self._zones[zone] = [LOST] * len(zone.labels)

    def _turn_over(self, event: TurnOver) -> None:
        source, target = self._zone(event.source), self._zone(event.target)
        tokens, self._zones[source] = self._zones[source][::-1], []
        for token, face in zip(tokens, reversed(event.cards), strict=False):
            if face is not None:
                self.claim(token, face)
        self._zones[target] += tokens

    def _shuffle(self, event: Shuffle) -> None:
        zone = self._zone(event.zone)
        if event.size == len(self.deck):
            self._zones = [[EMPTY] * len(one.labels) for one in self.table.layout.zones]
            self._zones[zone] = self.mixed(None, event.size)
        else:
            self._zones[zone] = self.mixed(self._zones[zone], event.size)

    def _reveal(self, event: Reveal) -> None:
        zone = self.left = self._zone(event.zone)
        tokens = [token for token in self._zones[zone] if token != EMPTY]
        if zone.kind is not Kind.HAND:
            for token, face in zip(tokens, event.cards, strict=False):
                if face is not None:
                    self.claim(token, face)
            return
        for face in event.cards:
            token = self.one(tokens, face) if face is not None and self.suspects is None else LOST
            if token in tokens:
                tokens.remove(token)


_FOLLOW: Final[dict[type[Any], Callable[[Foretold, Any], None]]] = {
    Move: Foretold._move,
    Lay: Foretold._lay,
    Swap: Foretold._swap,
    Deal: Foretold._deal,
    TurnOver: Foretold._turn_over,
    Shuffle: Foretold._shuffle,
    Reveal: Foretold._reveal,
}
