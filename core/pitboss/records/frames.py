"""Frame sequences: a game as frames, each the table after one verb, as one viewer saw it.

A sequence is made from the log of a table. That of a seat holds no more than the events of the seat: a card that it
could not tell from others is a *token* without a face, and each shuffle brings new tokens. If somebody plays from a
hidden hand, a token leaves that stands for any of its cards. A sequence that sees all has the number of each card as
its token.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from pitboss.errors import TableError
from pitboss.game import AnyGame, PublicCount, PublicCounts, find_public_counts
from pitboss.records.record import Record, replay_states
from pitboss.rendering.appearance import CardLook, Place, ZoneHint, find_looks
from pitboss.rendering.presentation import find_hint, order_faces
from pitboss.table.cards import Face
from pitboss.table.events import AnyEvent, LogEntry, project_events
from pitboss.table.secrets import Scalar
from pitboss.table.table import Table
from pitboss.table.zones import EMPTY, Layout, Visibility, Zone

EVERY_MASK: Final = -1  # of the viewer who sees all
Token: TypeAlias = int  # stands for a card in the zones of a sequence; EMPTY: an empty slot


class FrameZone(Struct, frozen=True, omit_defaults=True):
    """A zone, as in the layout of the table."""

    name: str
    kind: str
    owner: int | None = None
    labels: list[int] = []  # of a zone of slots: what is printed at each
    place: Place = "centre"  # as in ZoneHint
    group: str = ""  # as in ZoneHint
    size: int = 0  # as in ZoneHint
    is_held: bool = False  # its owner alone sees the cards that come, or its owner alone does not


class FrameSecret(Struct, frozen=True, omit_defaults=True):
    """A place for rolled or chosen values, as in the layout of the table."""

    name: str
    owner: int | None = None


class Frame(Struct, omit_defaults=True):
    """What has changed on the table since the frame before; in the first frame, since there was no card."""

    decision: Annotated[int, Meta(description="How many decisions had been made; 0: the deal.")]
    event: Annotated[AnyEvent | None, Meta(description="As the viewer saw it; null: all cards were gathered.")] = None
    zones: Annotated[dict[int, list[Token]], Meta(description="By number of the zone: its tokens.")] = {}
    faces: Annotated[
        dict[Token, Face | None], Meta(description="By token; null, as at first: unknown to the viewer.")
    ] = {}
    known: Annotated[
        dict[Token, int], Meta(description="By token: the mask of the seats that know it; only for who sees all.")
    ] = {}
    secrets: Annotated[
        dict[int, list[Scalar] | None], Meta(description="By number of the secret; null: not known to the viewer.")
    ] = {}
    table_counts: Annotated[list[PublicCount] | None, Meta(description="Of the table; null: as before.")] = None
    seat_counts: Annotated[dict[int, list[PublicCount]], Meta(description="By seat.")] = {}


class FrameSequence(Struct, frozen=True):
    """A whole game for one viewer."""

    viewer: Annotated[int | None, Meta(description="A seat; the number after the last one: a spectator; null: all.")]
    seats: int
    looks: Annotated[dict[str, CardLook], Meta(description="By face, as text.")]
    order: Annotated[list[str], Meta(description="Faces, as text, from left to right as a hand is held.")]
    zones: list[FrameZone]
    secrets: list[FrameSecret]
    frames: list[Frame]


def make_sequence(record: Record, game: AnyGame, viewer: int | None) -> FrameSequence:
    """Return the sequence of a recorded game for a seat or the spectator; None sees all.

    Raises:
        RecordError: the options of the record are not an object.
        ReplayDiffers: a decision or the outcome differs from the record.
    """
    frames: list[Frame] = []
    maker: FrameMaker | None = None
    for number, state in enumerate(replay_states(record, game)):
        maker = maker or FrameMaker(state.table.layout, viewer)
        frames += maker.follow(state.table, number, find_public_counts(state))
    assert maker is not None  # a replay begins with the deal
    return maker.sequence(frames, game)


class _Shot(NamedTuple):
    """The table of a sequence at one moment."""

    zones: list[list[Token]]
    faces: dict[Token, Face | None]
    known: dict[Token, int]
    secrets: list[list[Scalar] | None]


def _describe_zone(zone: Zone, hint: ZoneHint) -> FrameZone:
    return FrameZone(
        name=zone.name,
        kind=zone.kind.value,
        owner=zone.owner,
        labels=list(zone.labels),
        place=hint.place,
        group=hint.group,
        size=hint.size,
        is_held=zone.visibility in (Visibility.OWNER, Visibility.OTHERS),
    )


class FrameMaker:
    """Makes the frames of one game for one viewer while it is played or replayed."""

    def __init__(self, layout: Layout, viewer: int | None) -> None:
        self._layout = layout
        self._viewer = viewer
        self._mask = EVERY_MASK if viewer is None else 1 << viewer
        self._told = 0  # entries of the log that are in frames
        self._cards = [zone.empty_cards() for zone in layout.zones]  # by zone
        self._tokens = [zone.empty_cards() for zone in layout.zones]  # by zone
        self._faces: dict[Token, Face | None] = {}
        self._known: dict[Token, int] = {}
        self._secrets: list[list[Scalar] | None] = [[] for _ in layout.secrets]
        self._next_token = 0
        self._shot = self._empty_shot()
        self._table_counts: list[PublicCount] = []  # that are in frames
        self._seat_counts: list[list[PublicCount]] = [[] for _ in range(layout.seats)]
        self._has_counts = False

    def sequence(self, frames: list[Frame], game: AnyGame) -> FrameSequence:
        """Return the sequence that consists of these frames of a game."""
        layout = self._layout
        return FrameSequence(
            viewer=self._viewer,
            seats=layout.seats,
            looks=find_looks(game, layout.deck),
            order=order_faces(game, layout.deck),
            zones=[_describe_zone(zone, find_hint(game, zone)) for zone in layout.zones],
            secrets=[FrameSecret(secret.name, secret.owner) for secret in layout.secrets],
            frames=frames,
        )

    def cut_whole(self, decision: int) -> Frame:
        """Return a frame with the whole table as it is after the latest frame, for a viewer who has no frame yet."""
        self._shot = self._empty_shot()
        frame = self._cut(decision, None)
        frame.table_counts, frame.seat_counts = self._table_counts, dict(enumerate(self._seat_counts))
        return frame

    def show_hands(self, decision: int) -> Frame:
        """Return a frame in which the viewer sees the cards of all seats: the game is over."""
        for zone in self._layout.zones:
            if zone.owner is not None:
                self._turn_up(zone, {card: self._mask for card in self._cards[zone] if card != EMPTY})
        return self._cut(decision, None)

    def _empty_shot(self) -> _Shot:
        return _Shot([[] for _ in self._layout.zones], {}, {}, [[] for _ in self._layout.secrets])

    def follow(self, table: Table, decision: int, counts: PublicCounts | None = None) -> list[Frame]:
        """Return the frames since the last call; `decision` is the number of decisions that led to this table.

        `counts` are those of the state. What has changed of them is in the last frame; the first ones of a game are in
        its first frame.

        Raises:
            TableError: the log does not tell where the cards lie.
        """
        entries = (table.log or [])[self._told :]
        if not self._told and entries:
            self._lay_out(entries[0])
        self._told += len(entries)
        frames = [frame for entry in entries for frame in self._frame_entry(entry, decision)]
        self._compare(table)
        rest = self._cut(decision, None)
        if rest != Frame(decision=decision):
            frames.append(rest)
        if counts is not None:
            self._show_counts(counts, frames, decision)
        return frames

    def _frame_entry(self, entry: LogEntry, decision: int) -> Iterator[Frame]:
        if entry.verb == "shuffle" and entry.target is not None and len(entry.cards) > len(self._cards[entry.target]):
            self._gather(entry.target)
            yield self._cut(decision, None)
        self._do(entry)
        if entry.audience & self._mask:
            [event] = project_events([entry], self._layout, self._viewer)
            yield self._cut(decision, event)

    # ---- the verbs

    def _lay_out(self, first: LogEntry) -> None:
        """Lay all cards where the first verb finds them."""
        zone = first.target if first.source is None else first.source
        zone = self._layout.zones[0] if zone is None else zone
        self._cards[zone] = list(range(len(self._layout.deck)))
        self._renew_tokens(zone)

    def _do(self, entry: LogEntry) -> None:
        source, target = entry.source, entry.target
        match entry.verb:
            case "move" | "lay":
                assert source is not None and target is not None
                for card, seen in zip(entry.cards, entry.seen_by, strict=True):
                    self._put(self._take(card, seen, source), card, seen, target)
            case "deal":
                assert source is not None
                self._deal(entry, source)
            case "swap":
                assert source is not None and target is not None
                [rack], slot = entry.zones, entry.slot
                [(card, seen), (discarded, seen_then)] = zip(entry.cards, entry.seen_by, strict=True)
                token = self._take(card, seen, source)
                old = self._take(discarded, seen_then, rack)
                self._put(token, card, seen, rack, slot)
                self._put(old, discarded, seen_then, target)
            case "turn_over":
                assert source is not None and target is not None
                self._turn_over(entry, source, target)
            case "shuffle":
                assert target is not None
                self._cards[target] = list(entry.cards)
                self._renew_tokens(target)
            case "reveal":
                assert target is not None
                self._reveal(entry, target)
            case "roll" | "choose" | "show":
                assert entry.secret is not None
                if entry.shown_to & self._mask:
                    self._secrets[entry.secret] = list(entry.values)
                elif entry.verb != "show":
                    self._secrets[entry.secret] = None
            case "tell":
                pass

    def _take(self, card: int, seen_by: int, zone: Zone) -> Token:
        """Take a card out of a zone; return the token that the viewer sees leave."""
        cards, tokens = self._cards[zone], self._tokens[zone]
        at = cards.index(card)
        sees_face = bool(seen_by & self._mask)
        place = at if self._tells_places(zone) else self._guess_place(card if sees_face else None, zone)
        token = tokens[place]
        if zone.has_slots:
            cards[at] = tokens[place] = EMPTY
        else:
            del cards[at], tokens[place]
        if zone.reveals_next and cards:
            self._see(tokens[-1], cards[-1], self._layout.everybody)
        return token

    def _guess_place(self, card: int | None, zone: Zone) -> int:
        """Return the place of the token that stands for a card, or for an unseen one, where places tell nothing.

        It is the uppermost such token of a pile, and the first of a hand.
        """
        tokens = self._tokens[zone]
        places = zone.from_the_top(list(range(len(tokens))))
        wanted = [None] if card is None else [self._layout.deck.faces[card], None]
        found = next((at for face in wanted for at in places if self._faces.get(tokens[at]) == face), places[0])
        if card is None and zone.hides_places:
            self._faces.update(dict.fromkeys(tokens))  # each may have left
        return found

    def _put(self, token: Token, card: int, seen_by: int, zone: Zone, slot: int | None = None) -> None:
        cards, tokens = self._cards[zone], self._tokens[zone]
        if slot is None:
            cards.append(card)
            tokens.append(token)
        else:
            cards[slot], tokens[slot] = card, token
        self._see(token, card, seen_by)

    def _deal(self, entry: LogEntry, source: Zone) -> None:
        count = len(set(entry.zones))
        for number, (card, seen, target) in enumerate(zip(entry.cards, entry.seen_by, entry.zones, strict=True)):
            slot = entry.slots[number // count] if entry.slots else None
            self._put(self._take(card, seen, source), card, seen, target, slot)

    def _turn_over(self, entry: LogEntry, source: Zone, target: Zone) -> None:
        tokens = self._tokens[source][::-1]
        self._cards[source], self._tokens[source] = [], []
        for token, card, seen in zip(tokens, entry.cards, entry.seen_by, strict=True):
            self._put(token, card, seen, target)

    def _reveal(self, entry: LogEntry, zone: Zone) -> None:
        """Give the tokens of a zone the faces that were shown."""
        self._turn_up(
            zone, {card: seen for card, seen in zip(entry.cards, entry.seen_by, strict=True) if seen & self._mask}
        )

    def _turn_up(self, zone: Zone, shown: dict[int, int]) -> None:
        """Give the tokens of a zone the faces of cards; `shown` is, by card, who sees it.

        Tokens with a known face get theirs, the others the rest.
        """
        if self._tells_places(zone):
            for token, card in zip(self._tokens[zone], self._cards[zone], strict=True):
                if card in shown:
                    self._see(token, card, shown[card])
            return
        tokens, faces = self._tokens[zone].copy(), self._layout.deck.faces
        for token in self._tokens[zone]:
            known = next((card for card in shown if faces[card] == self._faces.get(token)), None)
            if known is not None:
                tokens.remove(token)
                self._see(token, known, shown.pop(known))
        for token, card in zip(tokens, [*shown], strict=False):
            self._see(token, card, shown[card])

    def _gather(self, target: Zone) -> None:
        """Bring the cards of all zones to one, to be shuffled there."""
        for held in (self._cards, self._tokens):
            gathered = [one for zone in held for one in zone if one != EMPTY]
            held[:] = [zone.empty_cards() for zone in self._layout.zones]
            held[target] = gathered

    # ---- what the viewer can tell

    def _tells_places(self, zone: Zone) -> bool:
        """Whether the viewer sees from which place of a zone a card leaves."""
        return self._mask == EVERY_MASK or zone.has_slots or self._looks_into(zone)

    def _looks_into(self, zone: Zone) -> bool:
        return bool(zone.viewers & self._mask) and not zone.reveals_next

    def _see(self, token: Token, card: int, seen_by: int) -> None:
        """Record that these seats see the face of a card."""
        if seen_by & self._mask:
            self._faces[token] = self._layout.deck.faces[card]
        if self._mask == EVERY_MASK:
            self._known[token] = self._known.get(token, 0) | seen_by

    def _renew_tokens(self, zone: Zone) -> None:
        """Give the cards of a zone, just mixed, new tokens; with a face for who looks into the zone."""
        cards = self._cards[zone]
        if self._mask == EVERY_MASK:
            self._tokens[zone] = cards.copy()
            self._faces.update({card: self._layout.deck.faces[card] for card in cards})
            self._known.update(dict.fromkeys(cards, 0))
        else:
            for token in self._tokens[zone]:
                self._faces.pop(token, None)
            self._tokens[zone] = list(range(self._next_token, self._next_token + len(cards)))
            self._next_token += len(cards)
            self._faces.update(dict.fromkeys(self._tokens[zone]))
        for token, card in zip(self._tokens[zone], cards, strict=True):
            if card in zone.visible_cards(cards):
                self._see(token, card, zone.viewers)

    def _compare(self, table: Table) -> None:
        """Take over from the table what is in no log: who knows which card, and secrets that were taken away.

        Raises:
            TableError: the log does not tell where the cards lie.
        """
        for zone in self._layout.zones:
            told, there = self._cards[zone], table.zones[zone]
            if told != there and (not zone.hides_places or sorted(told) != sorted(there)):
                raise TableError(f"the log of the table does not tell how the cards lie in {zone.name}")
        if self._mask == EVERY_MASK:
            self._known = dict(enumerate(table.known_by))
        for secret in self._layout.secrets:
            if not table.values(secret):
                self._secrets[secret] = []

    # ---- frames

    def _show_counts(self, counts: PublicCounts, frames: list[Frame], decision: int) -> None:
        """Put into a frame what has changed of the counts; into one of its own if there is none."""
        table, seats = list(counts.table), [list(one) for one in counts.seats]
        changed = {seat: now for seat, now in enumerate(seats) if now != self._seat_counts[seat]}
        if table != self._table_counts or changed:
            if not frames:
                frames.append(Frame(decision=decision))
            frame = frames[-1 if self._has_counts else 0]
            frame.table_counts = None if table == self._table_counts else table
            frame.seat_counts = changed
        self._table_counts, self._seat_counts, self._has_counts = table, seats, True

    def _cut(self, decision: int, event: AnyEvent | None) -> Frame:
        """Return a frame with what has changed since the last one."""
        before, self._shot = self._shot, self._take_shot()
        now = self._shot
        return Frame(
            decision=decision,
            event=event,
            zones={zone: tokens for zone, tokens in enumerate(now.zones) if tokens != before.zones[zone]},
            faces={token: face for token, face in now.faces.items() if face != before.faces.get(token)},
            known={token: seats for token, seats in now.known.items() if seats != before.known.get(token, 0)},
            secrets={secret: held for secret, held in enumerate(now.secrets) if held != before.secrets[secret]},
        )

    def _take_shot(self) -> _Shot:
        zones = [tokens.copy() for tokens in self._tokens]
        return _Shot(zones, self._faces.copy(), self._known.copy(), self._secrets.copy())
