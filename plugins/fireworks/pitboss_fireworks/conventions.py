"""What hints mean by the conventions of `house:fireworks`, read by all players alike from what all have seen.

* The *chop* of a hand is its oldest card without a hint: it is discarded next.
* A hint has a *focus*: the chop if the hint is about it and it had none, else the newest card that had none, else the
  newest one.
* The focus is to be played: now, or when cards that are known have been. If it is the chop it may also be to be saved:
  a five, a two, or the last copy of a card.
* Other cards that a hint is about are of use: no card like them has been played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from pitboss.table.events import AnyEvent, Deal, Move, Tell
from pitboss_fireworks.cards import HIGHEST, is_about, list_faces
from pitboss_fireworks.knowledge import TableKnowledge

SAVED_NUMBERS: Final = "25"  # which a hint of their number may save


class ReadCard(NamedTuple):
    """A card of a hand, as all players read it."""

    possible: frozenset[str]  # by the rules
    meaning: frozenset[str]  # by the conventions too
    is_hinted: bool = False


ReadHand = tuple[ReadCard, ...]


class ConventionReading:
    """The hands of a game as all players read them; it follows the events of one seat."""

    def __init__(self, options: dict[str, Any], signs: str) -> None:
        colours = {sign: 0 for sign in signs if sign.isalpha()}
        self.table = TableKnowledge(options, colours, ())
        self.plain = len(colours) - (options["rainbow"] or options["special"] is not None)
        every = frozenset(list_faces(signs))
        self.unread = ReadCard(every, every)
        self.hands: list[ReadHand] = []

    def follow(self, events: Iterable[AnyEvent]) -> None:
        """Read events in their order."""
        for event in events:
            match event:
                case Deal(cards=cards):
                    self.hands = [(self.unread,) * len(dealt) for dealt in cards.values()]
                case Tell(event="hint", facts={"seat": int(seat), "sign": str(sign), "slots": list(told)}):
                    slots = [slot for slot in told if isinstance(slot, int)]
                    self.hands[seat] = self.read_hint(self.hands[seat], sign, slots)
                case Tell(facts={"seat": int(seat), "slot": int(slot)}):
                    self.hands[seat] = self.hands[seat][: slot - 1] + self.hands[seat][slot:]
                case Move(event="fits", card=str(card)):
                    self.table.heights[card[0]] += 1
                case Move(event="lost", card=str(card)):
                    self.table.gone[card] += 1
                case Move(event="draw", seat=int(seat)):
                    self.hands[seat] += (self.unread,)

    def find_chop(self, hand: ReadHand) -> int | None:
        """Return the place of the oldest card without a hint."""
        return next((place for place, card in enumerate(hand) if not card.is_hinted), None)

    def find_focus(self, hand: ReadHand, slots: Sequence[int]) -> int:
        """Return the place of the card that a hint is meant for."""
        fresh = [slot - 1 for slot in slots if not hand[slot - 1].is_hinted]
        chop = self.find_chop(hand)
        return chop if chop is not None and chop in fresh else fresh[-1] if fresh else slots[-1] - 1

    def read_hint(self, hand: ReadHand, sign: str, slots: Sequence[int]) -> ReadHand:
        """Return a hand as it is read after a hint."""
        read = []
        for slot, card in enumerate(hand, 1):
            possible = frozenset(face for face in card.possible if is_about(sign, face, self.plain) == (slot in slots))
            meaning = card.meaning & possible
            if slot in slots:
                meaning = frozenset(face for face in meaning if not self.table.is_dead(face))
            read.append(ReadCard(possible, meaning or possible, card.is_hinted or slot in slots))
        if slots:
            focus = self.find_focus(hand, slots)
            wanted = self.list_next()
            if focus == self.find_chop(hand):
                wanted |= {face for face in read[focus].possible if self.is_saved(face, sign)}
            read[focus] = read[focus]._replace(meaning=read[focus].meaning & wanted or read[focus].meaning)
        return tuple(read)

    def is_saved(self, face: str, sign: str) -> bool:
        """Return whether a hint may save a card: by its number a five or two, else the last copy of another one."""
        if face[1] == sign and sign in SAVED_NUMBERS:
            return not self.table.is_dead(face)
        return face[1] != str(HIGHEST) and self.table.is_last(face)

    def list_next(self) -> set[str]:
        """Return the cards that fit now, or when the cards have been played of which all know what they are."""
        known = {next(iter(card.meaning)) for hand in self.hands for card in hand if len(card.meaning) == 1}
        found = {*self.table.list_fitting()}
        for face in sorted(known, key=lambda one: one[1]):
            if face in found and int(face[1]) < HIGHEST:
                found.add(f"{face[0]}{int(face[1]) + 1}")
        return found

    def list_candidates(self, card: ReadCard, seen: Iterable[str | None]) -> frozenset[str]:
        """Return what a card can be for an owner who sees these cards in other hands."""
        unseen = self.table.count_unseen(seen)
        found = frozenset(face for face in card.meaning if unseen[face] > 0)
        found = found or frozenset(face for face in card.possible if unseen[face] > 0)
        alive = frozenset(face for face in found if not self.table.is_dead(face))
        return (alive or found) if card.is_hinted else found

    def list_plays(self, hand: ReadHand, seen: Sequence[str | None]) -> list[int]:
        """Return the places of the cards that their owner, who sees these in other hands, takes to fit."""
        fitting, found = self.table.list_fitting(), []
        for place, card in enumerate(hand):
            candidates = self.list_candidates(card, seen) if card.is_hinted else card.possible
            if candidates and candidates <= fitting:
                found.append(place)
        return found

    def list_dead(self, hand: ReadHand, seen: Sequence[str | None]) -> list[int]:
        """Return the places of the cards that their owner knows to be of no use."""
        return [
            place
            for place, card in enumerate(hand)
            if all(self.table.is_dead(face) for face in self.list_candidates(card, seen))
        ]
