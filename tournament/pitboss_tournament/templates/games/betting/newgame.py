"""New Game. Everybody antes a chip and gets a card; bet chips, or check; who stays in with the highest card wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Annotated

from msgspec import Meta, Struct

from pitboss import Action, ActionRange, Deck, Options, Outcome, TableGame, TableState, Turn, Visibility, Zone, Zones
from pitboss.outcome import outcome_by_side
from pitboss.plugins.hookspec import hookimpl
from pitboss.plugins.packs import RANKS, STANDARD_PACK, rank_of
from pitboss.rendering.presentation import Presentation
from pitboss.table.zone_fields import hand_each, pile


class Stay(Action, frozen=True):
    """Check; or call, if somebody has bet: as many chips."""


class Bet(Action, frozen=True):
    """Bet some chips: who wants to stay in has to call."""

    chips: int


class Fold(Action, frozen=True):
    """Leave this deal."""


class NewGameView(Struct, frozen=True):
    """What a seat may know."""

    card: Annotated[str | None, Meta(description="Your card; null for a spectator.")]
    paid: Annotated[list[int], Meta(description="By seat, its chips in the pot.")]
    inside: Annotated[list[int], Meta(description="The seats that have not folded.")]


class NewGameState(TableState[Options, Stay | Bet | Fold]):
    """A game at one moment."""

    deck = Deck(STANDARD_PACK.faces)
    stock: Zone = pile(Visibility.NOBODY)
    hands: Zones = hand_each()
    paid: list[int] = field(default_factory=list)  # by seat
    inside: set[int] = field(default_factory=set)  # the seats that have not folded
    to_act: list[int] = field(default_factory=list)  # the seats that have yet to decide, in order

    def start(self) -> None:
        """Ante, and deal a card to everybody."""
        self.table.shuffle(self.stock)
        self.table.deal(self.stock, self.hands, 1)
        self.paid, self.inside, self.to_act = [1] * self.seats, set(range(self.seats)), list(range(self.seats))
        self.turn = Turn(0, "bet")

    def legal(self) -> Sequence[Stay | Fold | ActionRange]:
        """Return both ways to go on: before a bet, and after it."""
        return [Stay(), Fold() if max(self.paid) > 1 else ActionRange.make(Bet, chips=(1, 10))] if self.turn else []

    def apply(self, action: Stay | Bet | Fold) -> None:
        """Check, bet, call or fold; the last one ends the deal."""
        seat = self.to_act.pop(0)
        if isinstance(action, Fold):
            self.inside.remove(seat)
        elif isinstance(action, Bet):
            self.paid[seat] += action.chips
            self.to_act = [(seat + step) % self.seats for step in range(1, self.seats)]
        else:
            self.paid[seat] = max(self.paid)
        self.table.tell(type(action).__name__.lower(), seat=seat, chips=self.paid[seat])
        self.turn = Turn(self.to_act[0], "bet") if self.to_act else None
        for other in [] if self.to_act else sorted(self.inside):
            self.table.reveal(self.hands[other], "show")

    def view(self, seat: int) -> NewGameView:
        """Return the seat's card, the pot, and who is in."""
        card = self.faces(self.hands[seat])[0] if seat < self.seats else None
        return NewGameView(card, [*self.paid], sorted(self.inside))

    def outcome(self) -> Outcome:
        """Give the pot to the highest card of those who are in, of equal ones to the first."""
        winner = max(sorted(self.inside), key=lambda seat: RANKS.index(rank_of(self.faces(self.hands[seat])[0])))
        return outcome_by_side([sum(self.paid) * (seat == winner) - paid for seat, paid in enumerate(self.paid)])


class NewGame(TableGame[Options, NewGameState]):
    """The game."""

    state = NewGameState
    name = "new-game"
    title = "New Game"
    presentation = Presentation(phases={"bet": "stay, bet or fold"}, events={"bet": "bets {chips}", "fold": "folds"})
    seats = (2, 3, 4, 5)


pitboss_games = hookimpl(lambda: [NewGame()])
