"""Events of a table in words, with the players' names for their zones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from pitboss.rendering.presentation import SILENT, Presentation, Speech
from pitboss.table.cards import Face
from pitboss.table.events import (
    AnyEvent,
    Choose,
    Deal,
    Fact,
    Lay,
    Move,
    Reveal,
    Roll,
    Show,
    Shuffle,
    Swap,
    Tell,
    TurnOver,
)
from pitboss.table.secrets import Secret
from pitboss.table.zones import Zone
from pitboss.text import format_count
from pitboss_tournament.text.terminal_text import AS_PRINTED, face_text, secret_text, value_text

YOU: Final = "You"  # the name of a person who gives none
FEW: Final = 4  # dealt cards that are named one by one


class EventDescriber:
    """Describes events; `names` are the players by seat, `places` the zones and secrets, `reader` the seat called you.

    `faces` has other words for faces, `presentation` those of the game. What an event does not tell is not told: "a
    card".
    """

    def __init__(
        self,
        names: Sequence[str],
        places: Iterable[Zone | Secret],
        reader: int | None = None,
        faces: Mapping[str, str] = AS_PRINTED,
        presentation: Presentation = SILENT,
    ) -> None:
        self._names = names
        self._faces = faces
        self.speech = Speech(presentation, faces, names, reader)
        self._reader = reader
        self._owners = {place.name: place.owner for place in places}

    def select_told(self, events: Iterable[AnyEvent]) -> list[AnyEvent]:
        """Return the events that people are told in words: what the game does not leave to its picture."""
        unspoken = self.speech.presentation.unspoken
        return [event for event in events if event.event not in unspoken]

    def describe_for(self, seat: int | None, event: AnyEvent) -> str:
        """Return an event below the name of `seat`: who acted stands before it only if that is somebody else."""
        actor = self.find_actor(event)
        told = self.describe(event, actor)
        return told if actor in (None, seat) else f"{self._names[actor]}: {told}"

    def find_actor(self, event: AnyEvent) -> int | None:
        """Return the seat that acted: the owner of the cards, or the event's `seat`; None if there is none."""
        match event:
            case Move() | Lay() | Swap() | Reveal() | Roll() | Choose() | Show():
                return event.seat
            case TurnOver():
                return self._owners.get(event.target)
            case Deal() | Shuffle():
                return None
            case _:
                seat = event.facts.get("seat")
                return seat if isinstance(seat, int) and 0 <= seat < len(self._names) else None

    def describe(self, event: AnyEvent, actor: int | None) -> str:
        """Return an event in words: "draw, 20 from stock to hand". The zones of `actor` are named without it."""
        if told := self._tell(event):
            return told
        word, what = value_text(event.event).replace("_", " "), self._describe_details(event, actor)
        if what.startswith(f"{word} "):  # "rack, rack is …"
            return what
        return f"{word}, {what}" if what else word

    def describe_briefly(self, event: AnyEvent) -> str:
        """Return an event in a few words: "discard ♠10", "take 26 into slot 25"; "" for what no player does: a deal."""
        word = value_text(event.event).replace("_", " ")
        if isinstance(event, Deal | Shuffle | TurnOver):
            return ""
        if own := self._tell(event):
            return own
        match event:
            case Move(card=card):
                return word if card is None else f"{word} {self._word_face(card)}"
            case Swap(card=card, slot=slot):
                seen = "" if card is None else f" {self._word_face(card)}"
                return f"{word}{seen} into slot {slot}"
            case Lay(cards=cards) | Reveal(cards=cards):
                return f"{word} {self._word_faces(cards)}".rstrip()
            case Tell(facts=facts):
                told = {name: fact for name, fact in facts.items() if name != "seat" and fact is not False}
                plain = len(told) == 1 and "to" not in told  # "call 100", but "raise to 600"
                return " ".join([word, *(_tell_fact(name, fact, plain) for name, fact in told.items())])
            case _:
                return f"{word} {self._describe_details(event, self.find_actor(event))}".strip()

    def _tell(self, event: AnyEvent) -> str:
        """Return an event in the words of the game; "" if it has none."""
        fields = event.facts if isinstance(event, Tell) else msgspec.structs.asdict(event)
        return self.speech.tell_event(value_text(event.event), fields)

    def _describe_details(self, event: AnyEvent, actor: int | None) -> str:
        match event:
            case Deal():
                return ", ".join(self._describe_deal(event))
            case Move():
                return f"{self._word_face(event.card)} {self._describe_route(event, actor)}"
            case Lay():
                return f"{self._word_faces(event.cards)} {self._describe_route(event, actor)}"
            case Swap():
                source = self._describe_zone(event.source, actor)
                goes = f"{self._word_face(event.card)} from {source} into slot {event.slot}"
                return f"{goes}, {self._word_face(event.discarded)} out to {self._describe_zone(event.target, actor)}"
            case TurnOver():
                return f"{format_count(len(event.cards), 'card')} {self._describe_route(event, actor)}"
            case Shuffle():
                return f"{self._describe_zone(event.zone, actor)}, {format_count(event.size, 'card')}"
            case Reveal():
                return f"{self._describe_zone(event.zone, actor)} is {self._word_faces(event.cards) or 'empty'}"
            case Roll() | Choose() | Show():
                return f"{self._describe_zone(event.secret, actor)} is {secret_text(event.values)}"
            case _:
                facts = ((name, fact) for name, fact in event.facts.items() if name != "seat" or actor is None)
                return ", ".join(f"{name.replace('_', ' ')} {value_text(fact) or 'none'}" for name, fact in facts)

    def _describe_deal(self, event: Deal) -> Iterator[str]:
        """Yield what was dealt where; equal deals to all players are one clause."""
        zones = {
            zone: self._word_faces(cards) if len(cards) <= FEW and None not in cards else str(len(cards))
            for zone, cards in event.cards.items()
        }
        owned = [zone for zone in zones if self._owners.get(zone) is not None]
        for kind in dict.fromkeys(zone.removesuffix(f" {self._owners[zone]}") for zone in owned):
            each = [f"{kind} {seat}" for seat in range(len(self._names))]
            alike = {zones.get(zone) for zone in each}
            if len(alike) == 1 and None not in alike:
                yield f"{alike.pop()} to each {kind}"
                zones = {zone: told for zone, told in zones.items() if zone not in each}
        yield from (f"{told} to {self._describe_zone(zone, None)}" for zone, told in zones.items())

    def _describe_route(self, event: Move | Lay | TurnOver, actor: int | None) -> str:
        return f"from {self._describe_zone(event.source, actor)} to {self._describe_zone(event.target, actor)}"

    def _describe_zone(self, name: str, actor: int | None) -> str:
        """Return a zone's name with its owner; without the owner if that is the actor."""
        owner = self._owners.get(name)
        if owner is None:
            return value_text(name).replace("_", " ")
        kind = name.removesuffix(f" {owner}").replace("_", " ")
        if owner == actor:
            return kind
        return f"your {kind}" if owner == self._reader else f"{self._names[owner]}'s {kind}"

    def _word_face(self, face: Face | None) -> str:
        return face_text(face, self._faces)

    def _word_faces(self, cards: Sequence[Face | None]) -> str:
        words = [self._word_face(card) for card in cards if card is not None]
        hidden = len(cards) - len(words)
        return " ".join([*words, format_count(hidden, "card")] if hidden else words)


def _tell_fact(name: str, fact: Fact, is_plain: bool) -> str:
    if fact is True:
        return name.replace("_", " ")
    told = value_text(fact) or "none"
    return told if is_plain else f"{name.replace('_', ' ')} {told}"
