"""Goofspiel. All bid a card at the same moment for the prize that lies open; the highest bid alone takes it.

Everybody holds a suit, ace (1) to king (13); the diamonds are the prizes. If two bid the highest card nobody has the
prize. Most points win. Where the prizes lie in order nothing is left to chance. With `hidden` bids stay face down: all
are told only who won.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from pitboss import Action, CardFace, Deck, Options, Outcome, TableGame, TableState, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.plugins.hookspec import hookimpl
from pitboss.table.zone_fields import hand_each, pile, pile_each, spread

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS: Final = "DSHC"  # the prizes, then those of the players


class GoofspielOptions(Options, frozen=True):
    """What people may choose."""

    cards: Annotated[int, Meta(ge=2, le=13, description="Cards that everybody holds.")] = 13
    order: Annotated[Literal["random", "up", "down"], Meta(description="How the prizes lie.")] = "random"
    hidden: Annotated[bool, Meta(description="Bids are never shown.")] = False


class Bid(Action, frozen=True):
    """Bid a card for the prize."""

    card: CardFace


class GoofspielView(Struct, frozen=True):
    """What a seat may know."""

    hand: Annotated[list[str], Meta(description="Your cards; empty for a spectator.")]
    prize: Annotated[str | None, Meta(description="What is bid for.")]
    spent: Annotated[list[list[str | None]], Meta(description="By seat, its bids; null for one that you did not see.")]
    won: Annotated[list[list[str]], Meta(description="By seat, the prizes that it has won.")]
    lost: Annotated[list[str], Meta(description="The prizes that nobody has.")]


class GoofspielState(TableState[GoofspielOptions, Bid]):
    """A game at one moment. A card is its suit's number times the number of ranks, and its rank."""

    box: Zone = pile()
    prizes: Zone = pile(Visibility.NOBODY)
    prize: Zone = spread()
    lost: Zone = pile()
    hands: Zones = hand_each()
    bids: Zones = pile_each(Visibility.OWNER)
    spent: Zones = pile_each(Visibility.OWNER)
    won: Zones = pile_each()

    @classmethod
    def make_deck(cls, seats: int, options: GoofspielOptions) -> Deck:
        """Return the prizes, and a suit for each player."""
        return Deck(suit + rank for suit in SUITS[: seats + 1] for rank in RANKS[: options.cards])

    def start(self) -> None:
        """Give everybody a suit, and lay the prizes."""
        table, size = self.table, self.options.cards
        prizes = list(range(size))
        table.lay(prizes if self.options.order == "down" else prizes[::-1], self.box, self.prizes)
        for seat, hand in enumerate(self.hands):
            table.lay(list(range(size * (seat + 1), size * (seat + 2))), self.box, hand, "take")
        if self.options.order == "random":
            table.shuffle(self.prizes)
        self.turn_up()

    def turn_up(self) -> None:
        """Turn up the next prize, if there is one."""
        self.turn = None
        if self.table.zones[self.prizes]:
            self.table.draw(self.prizes, self.prize, "prize")
            self.turn = Turn(0, "bid")

    def together(self) -> Sequence[int]:
        """Everybody bids at the same moment."""
        return range(self.seats) if self.turn else ()

    def legal(self) -> Sequence[Bid]:
        """Return a bid for each card of the hand."""
        return [Bid(face) for face in self.faces(self.hands[self.turn.seat])] if self.turn else []

    def apply(self, action: Bid) -> None:
        """Bid; when all have, the highest takes the prize."""
        seat, table = self.require_turn().seat, self.table
        table.play_face(action.card, self.hands[seat], self.bids[seat], "bid")
        if seat + 1 < self.seats:
            self.turn = Turn(seat + 1, "bid")
            return
        winner = find_winner([self.worth(zone) for zone in self.bids])
        for zone, spent in zip(self.bids, self.spent, strict=True):
            if not self.options.hidden:
                table.reveal(zone, "show")
            table.draw(zone, spent, "spend")
        table.tell("won", seat=winner)
        if self.options.hidden:
            self.constrain_bids(winner)
        table.draw(self.prize, self.lost if winner is None else self.won[winner], "win")
        self.turn_up()

    def constrain_bids(self, winner: int | None) -> None:
        """State what everybody learns of bids that stay face down: whose was the highest."""
        size = self.options.cards

        def holds(cards: Iterable[int | None]) -> bool:
            values = [card % size for card in cards if card is not None]
            return len(values) == self.seats and find_winner(values) == winner  # unknown cards may be otherwise

        self.table.constrain(holds, [self.table.zones[zone][-1] for zone in self.spent])

    def worth(self, zone: Zone) -> int:
        """Return what the cards of a zone count."""
        return sum(card % self.options.cards + 1 for card in self.table.zones[zone])

    def view(self, seat: int) -> GoofspielView:
        """Return the seat's hand, and what it has seen."""
        known = [self.table.faces_known_to(zone, seat) for zone in self.spent]
        return GoofspielView(
            hand=self.faces(self.hands[seat]) if seat < self.seats else [],
            prize=next(iter(self.faces(self.prize)), None),
            spent=[[None if face is None else str(face) for face in faces] for faces in known],
            won=[self.faces(zone) for zone in self.won],
            lost=self.faces(self.lost),
        )

    def outcome(self) -> Outcome:
        """Count the prizes."""
        return outcome_by_side([self.worth(zone) for zone in self.won])


def find_winner(values: Sequence[int]) -> int | None:
    """Return who bids most; None if two do."""
    best = max(values)
    return values.index(best) if values.count(best) == 1 else None


class Goofspiel(TableGame[GoofspielOptions, GoofspielState]):
    """The game: one object without state."""

    state = GoofspielState
    name = "goofspiel"
    title = "Goofspiel"
    seats = (2, 3)
    presets: Mapping[str, GoofspielOptions] = {
        "short": GoofspielOptions(cards=5),
        "order": GoofspielOptions(order="up"),
    }

    def has_chance(self, seats: int, options: GoofspielOptions) -> bool:
        """Return whether the prizes are shuffled."""
        return options.order == "random"


pitboss_games = hookimpl(lambda: [Goofspiel()])
