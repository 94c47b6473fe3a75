"""Events: what has happened at a table, as one seat may see it. Records, replays and viewers are made from them.

The log of a table holds `LogEntry` values, with all hidden cards. `project_events` makes of them the events of one
seat, in which a face that the seat may not see is null.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct, field

from pitboss.table.cards import Face
from pitboss.table.secrets import Scalar, Secret
from pitboss.table.zones import Layout, Zone

Fact: TypeAlias = Scalar | Sequence[Scalar]

ZoneOwner: TypeAlias = Annotated[
    int | None, Meta(description="The owner of the zone that it came to, or else of the one it left; null: nobody.")
]
SourceName: TypeAlias = Annotated[str, Meta(description="The zone that it left, by name.")]
TargetName: TypeAlias = Annotated[str, Meta(description="The zone that it came to, by name.")]
VisibleFace: TypeAlias = Annotated[Face | None, Meta(description="The face; null: this seat may not see it.")]
VisibleFaces: TypeAlias = Annotated[
    list[Face | None], Meta(description="The faces, in their order; null for one that this seat may not see.")
]

SecretOwner: TypeAlias = Annotated[int | None, Meta(description="The owner of the values; null: nobody.")]
SecretName: TypeAlias = Annotated[str, Meta(description="The place of the values, by name.")]
SecretValues: TypeAlias = Annotated[
    list[Scalar] | None, Meta(description="The values; null: this seat may not see them.")
]


class Event(Struct, frozen=True, tag_field="verb", kw_only=True):
    """Something that happened. `verb` is what the table did."""

    event: Annotated[str, Meta(description="The game's own word for it.")]


class Deal(Event, frozen=True, tag="deal"):
    """Cards were dealt."""

    source: SourceName = field(name="from")
    cards: Annotated[
        dict[str, list[Face | None]],
        Meta(
            description="For each zone, by name, the faces in the order in which they came; "
            "null for one that this seat may not see."
        ),
    ]


class Move(Event, frozen=True, tag="move"):
    """One card moved."""

    seat: ZoneOwner
    card: VisibleFace
    source: SourceName = field(name="from")
    target: TargetName = field(name="to")


class Lay(Event, frozen=True, tag="lay"):
    """Several cards moved at once, in this order."""

    seat: ZoneOwner
    cards: VisibleFaces
    source: SourceName = field(name="from")
    target: TargetName = field(name="to")


class Swap(Event, frozen=True, tag="swap"):
    """A card went into a slot, and the one that was there went out."""

    seat: Annotated[int | None, Meta(description="The owner of the slots.")]
    slot: Annotated[int, Meta(description="The slot's label.")]
    card: Annotated[Face | None, Meta(description="The card that went in; null: this seat may not see it.")]
    discarded: Annotated[Face | None, Meta(description="The card that went out; null: this seat may not see it.")]
    source: SourceName = field(name="from")
    target: TargetName = field(name="to")


class TurnOver(Event, frozen=True, tag="turn_over"):
    """A pile was turned over, unshuffled: the cards are those of the new pile, from its top down."""

    source: SourceName = field(name="from")
    target: TargetName = field(name="to")
    cards: VisibleFaces


class Shuffle(Event, frozen=True, tag="shuffle"):
    """A zone was shuffled."""

    zone: Annotated[str, Meta(description="The zone, by name.")]
    size: Annotated[int, Meta(description="How many cards lie there.")]


class Reveal(Event, frozen=True, tag="reveal"):
    """The cards of a zone were shown."""

    seat: Annotated[int | None, Meta(description="The owner of the zone; null: nobody.")]
    zone: Annotated[str, Meta(description="The zone, by name.")]
    cards: VisibleFaces


class Tell(Event, frozen=True, tag="tell"):
    """The game said something that is not about where a card lies."""

    facts: Annotated[dict[str, Fact], Meta(description="What it said, each with a name of the game's own.")]


class Roll(Event, frozen=True, tag="roll"):
    """Chance drew values: dice were rolled, a wheel was spun."""

    seat: SecretOwner
    secret: SecretName
    values: SecretValues


class Choose(Event, frozen=True, tag="choose"):
    """A player chose a value in secret: a bid, a number, a commitment."""

    seat: SecretOwner
    secret: SecretName
    values: SecretValues


class Show(Event, frozen=True, tag="show"):
    """What was rolled or chosen before was shown."""

    seat: SecretOwner
    secret: SecretName
    values: SecretValues


AnyEvent: TypeAlias = Deal | Move | Lay | Swap | TurnOver | Shuffle | Reveal | Tell | Roll | Choose | Show


class LogEntry(NamedTuple):
    """One entry of a table's log, with all hidden cards."""

    verb: Literal["deal", "move", "lay", "swap", "turn_over", "shuffle", "reveal", "tell", "roll", "choose", "show"]
    event: str
    cards: tuple[int, ...] = ()
    seen_by: tuple[int, ...] = ()  # by card: the mask of the seats that see its face
    source: Zone | None = None
    target: Zone | None = None
    slot: int = -1
    audience: int = -1  # a mask of seats: the entry exists only for them
    facts: Mapping[str, Fact] | None = None
    zones: tuple[Zone, ...] = ()  # of a deal: the target of each card; of a swap: the rack
    slots: tuple[int, ...] = ()  # of a deal into racks: the slot of each round
    secret: Secret | None = None
    values: tuple[Scalar, ...] = ()  # of the secret
    shown_to: int = 0  # the mask of the seats that see the values
    pointed_out: Set[int] = frozenset()  # of a tell about the cards of `target`: those that it points out


def project_events(log: Iterable[LogEntry], layout: Layout, seat: int | None) -> list[AnyEvent]:
    """Return the log as the observation history of `seat`; None sees every face."""
    viewer_mask = -1 if seat is None else 1 << seat
    return [_project_entry(entry, layout, viewer_mask) for entry in log if entry.audience & viewer_mask]


def _owner_seat(entry: LogEntry) -> int | None:
    for zone in (entry.target, entry.source):
        if zone is not None and zone.owner is not None:
            return zone.owner
    return None


def _project_entry(entry: LogEntry, layout: Layout, viewer_mask: int) -> AnyEvent:
    event, verb = entry.event, entry.verb
    source = entry.source.name if entry.source is not None else ""
    target = entry.target.name if entry.target is not None else ""
    if verb == "tell":
        return Tell(event=event, facts=dict(entry.facts or {}))
    if entry.secret is not None:
        values = [*entry.values] if entry.shown_to & viewer_mask or viewer_mask == -1 else None
        kind = Roll if verb == "roll" else Choose if verb == "choose" else Show
        return kind(event=event, seat=entry.secret.owner, secret=entry.secret.name, values=values)
    if verb == "shuffle":
        return Shuffle(event=event, zone=target, size=len(entry.cards))
    printed = layout.deck.faces
    faces = [
        printed[card] if seen & viewer_mask or viewer_mask == -1 else None
        for card, seen in zip(entry.cards, entry.seen_by, strict=True)
    ]
    match verb:
        case "move":
            return Move(event=event, seat=_owner_seat(entry), card=faces[0], source=source, target=target)
        case "swap":
            card, discarded = faces
            rack, slot = entry.zones[0], entry.zones[0].labels[entry.slot]
            return Swap(
                event=event, seat=rack.owner, slot=slot, card=card, discarded=discarded, source=source, target=target
            )
        case "lay":
            return Lay(event=event, seat=_owner_seat(entry), cards=faces, source=source, target=target)
        case "deal":
            dealt: dict[str, list[Face | None]] = {}
            for zone, face in zip(entry.zones, faces, strict=True):
                dealt.setdefault(zone.name, []).append(face)
            return Deal(event=event, source=source, cards=dealt)
        case "turn_over":
            return TurnOver(event=event, source=source, target=target, cards=faces[::-1])
        case _:
            return Reveal(event=event, seat=_owner_seat(entry), zone=target, cards=faces)
