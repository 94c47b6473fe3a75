"""Fireworks. All together: play each colour from 1 to 5. Everybody sees all hands but its own, and hints cost tokens.

On your turn play a card of your hand; or discard one, which gives a token back; or pay a token and tell a player which
of its cards have a colour or a number. A card that does not fit costs a life, and the last life the game. After the
last card of the stock has been drawn everybody has one more turn. The cards that fitted are the points of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated, Final, Literal, TypeAlias, get_args

from msgspec import Meta, Struct

from pitboss import Action, Deck, Options, Outcome, Sides, TableGame, TableState, Turn, Visibility, Zone, Zones
from pitboss.game import PublicCount, PublicCounts
from pitboss.outcome import outcome_by_side
from pitboss.plugins.hookspec import hookimpl
from pitboss.table.zone_fields import pile, spread_each, spreads

COLOURS: Final = "RYGWB"
COPIES: Final = {"1": 3, "2": 2, "3": 2, "4": 2, "5": 1}
Sign: TypeAlias = Literal["R", "Y", "G", "W", "B", "1", "2", "3", "4", "5"]
SIGNS: Final = COLOURS + "".join(COPIES)
ALL_PLAYED: Final = 25


class FireworksOptions(Options, frozen=True):
    """What people may choose."""

    tokens: Annotated[int, Meta(ge=1, le=8, description="Hint tokens, at the beginning and at most.")] = 8
    lives: Annotated[int, Meta(ge=1, le=3, description="Cards that do not fit; the last one ends the game.")] = 3
    strict: Annotated[bool, Meta(description="Without lives there are no points.")] = True


class Play(Action, frozen=True):
    """Play a card of your hand; slot 1 has the oldest."""

    slot: Annotated[int, Meta(ge=1, le=5)]


class Discard(Action, frozen=True):
    """Discard a card of your hand, for a token."""

    slot: Annotated[int, Meta(ge=1, le=5)]


class Hint(Action, frozen=True):
    """Tell a player which of its cards have a colour (R, Y, G, W, B) or a number."""

    seat: Annotated[int, Meta(ge=0, le=4)]
    sign: Sign


class FireworksView(Struct, frozen=True):
    """What a seat may know."""

    hands: Annotated[list[list[str | None]], Meta(description="By seat, its cards from the oldest; null for your own.")]
    possible: Annotated[
        list[list[str]], Meta(description="By seat and card, the colours and numbers that hints have left it: RY15.")
    ]
    heights: Annotated[dict[str, int], Meta(description="By colour, the highest card played.")]
    discards: Annotated[list[str], Meta(description="The cards discarded, and those that did not fit.")]
    tokens: int
    lives: int
    stock: int


class FireworksState(TableState[FireworksOptions, Play | Discard | Hint]):
    """A game at one moment."""

    deck = Deck(colour + number for colour in COLOURS for number, copies in COPIES.items() for _ in range(copies))
    stock: Zone = pile(Visibility.NOBODY)
    hands: Zones = spread_each(Visibility.OTHERS)
    fireworks: Zones = spreads(len(COLOURS))  # by colour
    discards: Zone = pile()
    possible: list[tuple[str, ...]] = field(default_factory=list)  # as in the view
    tokens: int = 0
    lives: int = 0
    last_turns: int | None = None  # None: there is still a stock

    def start(self) -> None:
        """Deal five cards each, four to four players and more."""
        self.tokens, self.lives = self.options.tokens, self.options.lives
        size = 5 if self.seats < 4 else 4
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, size)
        self.possible = [(SIGNS,) * size for _ in self.hands]
        self.turn = Turn(0, "play")

    @property
    def score(self) -> int:
        """How many cards have fitted."""
        return sum(len(self.table.zones[zone]) for zone in self.fireworks)

    def legal(self) -> Sequence[Play | Discard | Hint]:
        """Return cards to play and to discard, and the hints that are about some card."""
        if self.turn is None:
            return []
        slots = range(1, len(self.possible[self.turn.seat]) + 1)
        actions: list[Play | Discard | Hint] = [Play(slot) for slot in slots]
        if self.tokens < self.options.tokens:
            actions += [Discard(slot) for slot in slots]
        for seat in range(self.seats) if self.tokens else ():
            if seat != self.turn.seat:
                shown = "".join(self.faces(self.hands[seat]))
                actions += [Hint(seat, sign) for sign in get_args(Sign) if sign in shown]
        return actions

    def neutral(self) -> Play | Discard | Hint:
        """Discard the oldest card, or give the first hint: nothing that costs a life, if there is another way."""
        legal = self.legal()
        return next((action for action in legal if not isinstance(action, Play)), legal[0])

    def apply(self, action: Play | Discard | Hint) -> None:
        """Do an action, and pass the turn."""
        seat = self.require_turn().seat
        has_stock = bool(self.table.zones[self.stock])
        if isinstance(action, Hint):
            self.give_hint(action.seat, action.sign)
        else:
            self.leave_hand(seat, action.slot - 1, is_played=isinstance(action, Play))
        if self.last_turns is not None:
            self.last_turns -= 1
        elif has_stock and not self.table.zones[self.stock]:
            self.last_turns = self.seats
        is_over = not self.lives or self.last_turns == 0 or self.score == ALL_PLAYED
        self.turn = None if is_over else Turn((seat + 1) % self.seats, "play")

    def leave_hand(self, seat: int, place: int, *, is_played: bool) -> None:
        """Play or discard a card, and draw another."""
        table, hand = self.table, self.hands[seat]
        card = table.zones[hand][place]
        face = str(self.deck.faces[card])
        row = self.fireworks[COLOURS.index(face[0])]
        does_fit = is_played and len(table.zones[row]) + 1 == int(face[1])
        table.tell("play" if is_played else "discard", seat=seat, slot=place + 1)
        table.move(card, hand, row if does_fit else self.discards, "fits" if does_fit else "lost")
        self.lives -= is_played and not does_fit
        if not is_played or (does_fit and face[1] == "5"):
            self.tokens = min(self.tokens + 1, self.options.tokens)
        kept = self.possible[seat][:place] + self.possible[seat][place + 1 :]
        if table.zones[self.stock]:
            table.draw(self.stock, hand)
            kept = (*kept, SIGNS)
        self.possible[seat] = kept

    def give_hint(self, seat: int, sign: str) -> None:
        """Tell everybody which cards of a hand have a colour or a number."""
        self.tokens -= 1
        hand, place = self.hands[seat], 0 if sign in COLOURS else 1
        having = {card for card, face in enumerate(self.deck.faces) if str(face)[place] == sign}
        self.table.point_out(hand, having, "hint", seat=seat, sign=sign)
        touched = [card in having for card in self.table.zones[hand]]
        self.possible[seat] = tuple(map(narrow, self.possible[seat], [sign] * len(touched), touched))

    def view(self, seat: int) -> FireworksView:
        """Return the hands of the others, and what lies open."""
        return FireworksView(
            hands=[
                [None if face is None else str(face) for face in self.table.faces_known_to(hand, seat)]
                for hand in self.hands
            ],
            possible=list(map(list, self.possible)),
            heights={colour: len(self.table.zones[row]) for colour, row in zip(COLOURS, self.fireworks, strict=True)},
            discards=self.faces(self.discards),
            tokens=self.tokens,
            lives=self.lives,
            stock=len(self.table.zones[self.stock]),
        )

    def public_counts(self) -> PublicCounts:
        """Return points, tokens and lives."""
        counts = {"points": self.score, "tokens": self.tokens, "lives": self.lives}
        return PublicCounts([PublicCount(name, count) for name, count in counts.items()], [[] for _ in self.hands])

    def evaluate(self) -> Sequence[float]:
        """Estimate the points of all: those made, and a part of what lives, tokens and known cards will make."""
        if self.turn is None:
            return self.outcome().points
        faces, zones = self.deck.faces, self.table.zones
        heights = {colour: len(zones[row]) for colour, row in zip(COLOURS, self.fireworks, strict=True)}
        value = self.score + 2.0 * self.lives + 0.2 * self.tokens
        for hand, left in zip(self.hands, self.possible, strict=True):
            for card, signs in zip(zones[hand], left, strict=True):
                face = str(faces[card])
                if int(face[1]) == heights[face[0]] + 1:  # the fewer signs are left, the sooner it will be played
                    value += 1.0 / (len(signs) - 1)
        for colour in COLOURS:
            gone = [number for number in COPIES if self.is_gone(colour + number, heights[colour])]
            value -= 0.5 * (6 - int(min(gone))) if gone else 0.0
        return [value] * self.seats

    def is_gone(self, face: str, height: int) -> bool:
        """Return whether a card that is still wanted can be played no more: all of it lie on the discards."""
        copies = self.deck.copies(face)
        return int(face[1]) > height and sum(card in copies for card in self.table.zones[self.discards]) == len(copies)

    def outcome(self) -> Outcome:
        """Give everybody the points of all."""
        points = self.score if self.lives or not self.options.strict else 0
        return outcome_by_side([points], (tuple(range(self.seats)),))


def narrow(signs: str, sign: str, is_touched: bool) -> str:
    """Return the colours and numbers that a hint leaves a card."""
    kind = COLOURS if sign in COLOURS else SIGNS[len(COLOURS) :]
    return "".join(one for one in signs if one not in kind or (one == sign) == is_touched)


class Fireworks(TableGame[FireworksOptions, FireworksState]):
    """The game: one object without state."""

    state = FireworksState
    name = "fireworks"
    title = "Fireworks"
    seats = (2, 3, 4, 5)

    def sides(self, seats: int, options: FireworksOptions) -> Sides:
        """Return one side of all."""
        return (tuple(range(seats)),)


pitboss_games = hookimpl(lambda: [Fireworks()])
