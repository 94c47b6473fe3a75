"""Events: what happened at a table, as one seat may see it. The table's log is the source of records, replays and viewers.

The log holds `Entry` values, with every hidden card; `projected` turns them into the events of one seat, in which a face
that the seat may not see is null.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, NamedTuple, TypeAlias

from msgspec import Meta, Struct, field

from pitboss.cards import Face
from pitboss.zones import Layout, Zone

Scalar: TypeAlias = bool | int | float | str | None
Fact: TypeAlias = Scalar | list[Scalar]

Owner: TypeAlias = Annotated[
    int | None, Meta(description="The owner of the zone that it came to, or else of the one it left; null: nobody.")
]
Source: TypeAlias = Annotated[str, Meta(description="The zone that it left, by name.")]
Target: TypeAlias = Annotated[str, Meta(description="The zone that it came to, by name.")]
Seen: TypeAlias = Annotated[Face | None, Meta(description="The face; null: this seat may not see it.")]
AllSeen: TypeAlias = Annotated[
    list[Face | None], Meta(description="The faces, in their order; null for one that this seat may not see.")
]


class Event(Struct, frozen=True, tag_field="verb", kw_only=True):
    """Something that happened. `verb` is what the table did."""

    event: Annotated[str, Meta(description="The game's own word for it.")]


class Deal(Event, frozen=True, tag="deal"):
    """Cards were dealt."""

    source: Source = field(name="from")
    cards: Annotated[
        dict[str, list[Face | None]],
        Meta(
            description="For each zone, by name, the faces in the order in which they came; null for one that this seat may not see."
        ),
    ]


class Move(Event, frozen=True, tag="move"):
    """One card moved."""

    seat: Owner
    card: Seen
    source: Source = field(name="from")
    target: Target = field(name="to")


class Lay(Event, frozen=True, tag="lay"):
    """Several cards moved at once, in this order."""

    seat: Owner
    cards: AllSeen
    source: Source = field(name="from")
    target: Target = field(name="to")


class Swap(Event, frozen=True, tag="swap"):
    """A card went into a slot, and the one that was there went out."""

    seat: Annotated[int | None, Meta(description="The owner of the slots.")]
    slot: Annotated[int, Meta(description="The slot's label.")]
    card: Annotated[Face | None, Meta(description="The card that went in; null: this seat may not see it.")]
    discarded: Annotated[Face | None, Meta(description="The card that went out; null: this seat may not see it.")]
    source: Source = field(name="from")
    target: Target = field(name="to")


class TurnOver(Event, frozen=True, tag="turn_over"):
    """A pile was turned over, unshuffled: the cards are those of the new pile, from its top down."""

    source: Source = field(name="from")
    target: Target = field(name="to")
    cards: AllSeen


class Shuffle(Event, frozen=True, tag="shuffle"):
    """A zone was shuffled."""

    zone: Annotated[str, Meta(description="The zone, by name.")]
    size: Annotated[int, Meta(description="How many cards lie there.")]


class Reveal(Event, frozen=True, tag="reveal"):
    """The cards of a zone were shown."""

    seat: Annotated[int | None, Meta(description="The owner of the zone; null: nobody.")]
    zone: Annotated[str, Meta(description="The zone, by name.")]
    cards: AllSeen


class Tell(Event, frozen=True, tag="tell"):
    """The game said something that is not about where a card lies."""

    facts: Annotated[dict[str, Fact], Meta(description="What it said, each with a name of the game's own.")]


AnyEvent: TypeAlias = Deal | Move | Lay | Swap | TurnOver | Shuffle | Reveal | Tell


class Entry(NamedTuple):
    """A line of a table's log. `seen[i]` is the mask of the seats that see the face of `cards[i]`."""

    verb: str
    event: str
    cards: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    source: Zone | None = None
    target: Zone | None = None
    slot: int = -1
    audience: int = -1  # a mask: the entry does not exist for other seats
    facts: Mapping[str, Fact] | None = None
    zones: tuple[Zone, ...] = ()  # of a deal: where each card went


def projected(log: Iterable[Entry], layout: Layout, seat: int | None) -> list[AnyEvent]:
    """Return the events as `seat` may see them; None sees everything."""
    eyes = -1 if seat is None else 1 << seat
    return [_READ[entry.verb](entry, layout, eyes) for entry in log if entry.audience & eyes]


def _faces(entry: Entry, layout: Layout, eyes: int) -> list[Face | None]:
    faces = layout.deck.faces
    return [faces[card] if seen & eyes or eyes == -1 else None for card, seen in zip(entry.cards, entry.seen, strict=True)]


def _name(zone: Zone | None) -> str:
    return zone.name if zone is not None else ""


def _seat(entry: Entry) -> int | None:
    for zone in (entry.target, entry.source):
        if zone is not None and zone.owner is not None:
            return zone.owner
    return None


def _deal(entry: Entry, layout: Layout, eyes: int) -> Deal:
    cards: dict[str, list[Face | None]] = {}
    for zone, face in zip(entry.zones, _faces(entry, layout, eyes), strict=True):
        cards.setdefault(zone.name, []).append(face)
    return Deal(event=entry.event, source=_name(entry.source), cards=cards)


def _move(entry: Entry, layout: Layout, eyes: int) -> Move:
    [face] = _faces(entry, layout, eyes)
    return Move(event=entry.event, seat=_seat(entry), card=face, source=_name(entry.source), target=_name(entry.target))


def _lay(entry: Entry, layout: Layout, eyes: int) -> Lay:
    cards = _faces(entry, layout, eyes)
    return Lay(event=entry.event, seat=_seat(entry), cards=cards, source=_name(entry.source), target=_name(entry.target))


def _swap(entry: Entry, layout: Layout, eyes: int) -> Swap:
    card, discarded = _faces(entry, layout, eyes)
    rack = entry.zones[0]
    return Swap(
        event=entry.event,
        seat=rack.owner,
        slot=rack.labels[entry.slot],
        card=card,
        discarded=discarded,
        source=_name(entry.source),
        target=_name(entry.target),
    )


def _turn_over(entry: Entry, layout: Layout, eyes: int) -> TurnOver:
    cards = _faces(entry, layout, eyes)[::-1]
    return TurnOver(event=entry.event, source=_name(entry.source), target=_name(entry.target), cards=cards)


def _shuffle(entry: Entry, layout: Layout, eyes: int) -> Shuffle:
    return Shuffle(event=entry.event, zone=_name(entry.target), size=len(entry.cards))


def _reveal(entry: Entry, layout: Layout, eyes: int) -> Reveal:
    return Reveal(event=entry.event, seat=_seat(entry), zone=_name(entry.target), cards=_faces(entry, layout, eyes))


def _tell(entry: Entry, layout: Layout, eyes: int) -> Tell:
    return Tell(event=entry.event, facts=dict(entry.facts or {}))


_READ: dict[str, Callable[[Entry, Layout, int], AnyEvent]] = {
    "deal": _deal,
    "move": _move,
    "lay": _lay,
    "swap": _swap,
    "turn_over": _turn_over,
    "shuffle": _shuffle,
    "reveal": _reveal,
    "tell": _tell,
}
