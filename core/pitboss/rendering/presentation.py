"""Presentation: how a game speaks to people, declared once in its package; terminal, pages, reports and replays use it.

A game has an attribute `presentation`. Each part may be left out: the game then speaks in the words of its messages.

The words are templates. `{card}` is a field of an action, or a fact of an event, in words: a face as it looks, a list
with blanks or commas, a number with commas. `{seat!p}` is the player in a seat. `{points:point|points}` counts. What
stands in `[brackets]` is left out where one of its fields is absent, false or empty.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from pitboss.rendering.appearance import ZoneHint, zone_stem
from pitboss.rendering.instruments import Instrument
from pitboss.table.cards import Deck, Face
from pitboss.table.zones import Zone
from pitboss.text import join_words

_FIELD: Final = re.compile(r"\{(?P<name>\w+)(?P<player>!p)?(?::(?P<one>[^|{}]*)\|(?P<many>[^{}]*))?\}")
_OPTIONAL: Final = re.compile(r"\[([^\[\]]*)\]")
_SUIT_LETTERS: Final = "SHCD"  # red and black alternate, so that overlapping suits differ


class PartSheet(Struct, frozen=True):
    """What people are shown when a part of the game has ended, made from the event that says so."""

    title: Annotated[str, Meta(description='A template with the facts of the event: "Deal {deal}".')]
    columns: Annotated[
        Mapping[str, str], Meta(description="By heading: the fact of the event that has a value for each seat.")
    ]
    lines: Annotated[
        Sequence[str], Meta(description="Events since the part before whose words tell how it came to this.")
    ] = ()


class Presentation(Struct, frozen=True, kw_only=True):
    """How a game looks and speaks, beside the looks of its cards (`card_look`)."""

    goal: Annotated[
        Sequence[str], Meta(description="For people who are new to the game, three lines: what wins, what a turn is.")
    ] = ()
    zones: Annotated[
        Mapping[str, ZoneHint],
        Meta(description="Where zones are drawn, by name without the number of the owner or the number at the end."),
    ] = {}
    order: Annotated[
        Sequence[Face], Meta(description="Faces as a hand is held, from left to right; (): suits in turn, as dealt.")
    ] = ()
    phases: Annotated[
        Mapping[str, str], Meta(description='What a player is to do: {"lay_away": "lay two cards away"}.')
    ] = {}
    actions: Annotated[
        Mapping[str, str], Meta(description='Templates by what an action is called: its `do`; "" if it has none.')
    ] = {}
    events: Annotated[Mapping[str, str], Meta(description="Templates by the name of an event.")] = {}
    retold: Annotated[
        Sequence[str],
        Meta(
            description="Fields of the view that the events of a deal tell as well, as its tricks, or that follow from "
            "the legal actions: a language model is told these once."
        ),
    ] = ()
    unspoken: Annotated[
        Sequence[str], Meta(description="Events that people are not told, as what they see shows them.")
    ] = ()
    values: Annotated[
        Mapping[str, Mapping[str, str]], Meta(description='Words for values, by field: {"suit": {"H": "hearts"}}.')
    ] = {}
    sheets: Annotated[Mapping[str, PartSheet], Meta(description="By the event that ends a part of the game.")] = {}
    buttons: Annotated[
        Sequence[str],
        Meta(description="Actions that are buttons, by their `do`, though one of them moves cards: all bids together."),
    ] = ()
    counts: Annotated[
        Mapping[str, str], Meta(description='Words for the names of counts (`public_counts`); "": pages leave it out.')
    ] = {}
    instruments: Annotated[
        Sequence[Instrument], Meta(description="What is drawn and said beside cards and counts.")
    ] = ()


SILENT: Final = Presentation()


def find_presentation(game: object) -> Presentation:
    """Return what a game declares; an empty presentation if it declares nothing."""
    found = getattr(game, "presentation", SILENT)
    return found if isinstance(found, Presentation) else SILENT


def find_hint(game: object, zone: Zone) -> ZoneHint:
    """Return where a zone is drawn: as the game says, else with its owner or in the centre."""
    stem = zone_stem(zone)
    if (hint := find_presentation(game).zones.get(stem)) is not None:
        return hint
    return ZoneHint("centre" if zone.owner is None else "owner", "" if zone.owner is not None else stem)


def word_phase(game: object, phase: str) -> str:
    """Return what a player is to do in a phase, in the words of the game, else its name."""
    return find_presentation(game).phases.get(phase, phase.replace("_", " "))


def order_faces(game: object, deck: Deck) -> list[str]:
    """Return the faces of a deck as a hand is held: as the game says, else its suits in turn, else as in the deck."""
    faces = list(dict.fromkeys(map(str, deck.faces)))
    own = {str(face): place for place, face in enumerate(find_presentation(game).order)}
    if own:
        return sorted(faces, key=lambda face: own.get(face, len(own)))
    return sorted(faces, key=_place_suit) if deck.copies("SA") else faces


def _place_suit(face: str) -> int:
    return _SUIT_LETTERS.index(face[0]) if face[:1] in _SUIT_LETTERS and len(face) > 1 else -1


class Speech:
    """Fills templates of a presentation with the words for faces, values and players.

    `faces` are words for faces; `names` the players by seat, () where these are not known: "seat 1"; `reader` is the
    seat called "you".
    """

    def __init__(
        self,
        presentation: Presentation,
        faces: Mapping[str, str],
        names: Sequence[str] = (),
        reader: int | None = None,
    ) -> None:
        self.presentation = presentation
        self._faces = faces
        self._names = names
        self._reader = reader

    def tell_action(self, fields: Mapping[str, Any]) -> str:
        """Return an action, given by its fields, in the words of the game; "" if it has none."""
        return self._tell(self.presentation.actions.get(str(fields.get("do", ""))), fields)

    def tell_event(self, event: str, fields: Mapping[str, Any]) -> str:
        """Return an event in the words of the game; "" if it has none, or none for an event with these fields."""
        return self._tell(self.presentation.events.get(event), fields)

    def fill(self, template: str, fields: Mapping[str, Any]) -> str:
        """Return a template with its fields in words."""

        def keep(found: re.Match[str]) -> str:
            named = [(fields.get(one["name"]), one["player"]) for one in _FIELD.finditer(found[1])]
            return found[1] if all(value or (player and value is not None) for value, player in named) else ""

        def word(found: re.Match[str]) -> str:
            value = fields.get(found["name"])
            if found["player"]:
                seats = value if isinstance(value, list) else [value]
                return join_words([self.name(seat) for seat in seats], "and")
            if found["one"] is not None and isinstance(value, int | float):
                return f"{value:,} {found['one'] if value == 1 else found['many']}"
            return self.word(found["name"], value)

        return _FIELD.sub(word, _OPTIONAL.sub(keep, template))

    def name(self, seat: Any) -> str:  # noqa: ANN401 - whatever a game's event holds
        """Return who sits in a seat."""
        if seat == self._reader and seat is not None:
            return "you"
        known = isinstance(seat, int) and 0 <= seat < len(self._names)
        return self._names[seat] if known else "nobody" if seat is None else f"seat {seat}"

    def word(self, field: str, value: Any) -> str:  # noqa: ANN401 - whatever a game's action holds
        """Return a value of a field in words."""
        if isinstance(value, list | tuple):
            parts = [self.word(field, part) for part in value]
            return (", " if any(" " in part for part in parts) else " ").join(parts)
        text = str(value)
        own = self.presentation.values.get(field, {}).get(text)
        if own is not None or value is True:
            return own or ""
        if value is None:
            return "a card" if field in ("card", "cards") else "none"
        parts = text.split(" ")  # an event may write down a meld as one text
        words = [self._faces[part] for part in parts if part in self._faces]
        return f"{value:,}" if isinstance(value, int) else " ".join(words) if len(words) == len(parts) else text

    def _tell(self, template: str | None, fields: Mapping[str, Any]) -> str:
        required = [] if template is None else [one["name"] for one in _FIELD.finditer(_OPTIONAL.sub("", template))]
        return "" if template is None or not fields.keys() >= set(required) else self.fill(template, fields)
