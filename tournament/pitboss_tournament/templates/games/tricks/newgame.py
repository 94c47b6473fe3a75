"""New Game. Follow the suit that was led; the highest card of it takes the trick, and most tricks win."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from pitboss import Options, Outcome, TableGame
from pitboss.outcome import outcome_by_side
from pitboss.parts.suits import make_suited_deck
from pitboss.parts.trick_match import TRICK_EVENTS, TRICK_ZONES
from pitboss.parts.tricks import PlayCard, TrickState
from pitboss.plugins.hookspec import hookimpl
from pitboss.rendering.presentation import Presentation


class NewGameOptions(Options, frozen=True):
    """What people may choose."""

    hand: Annotated[int, Meta(ge=1, le=13, description="Cards that everybody is dealt.")] = 7


class NewGameState(TrickState[NewGameOptions, PlayCard]):
    """A game at one moment: which cards may be played, who takes a trick, and what is shown, is that of all tricks."""

    deck = make_suited_deck()

    def start(self) -> None:
        """Deal; the first seat leads."""
        self.table.shuffle(self.stock)
        self.deal_hands(self.options.hand)
        self.lead_trick(0)

    def end_tricks(self) -> None:
        """End the game after the last trick."""
        self.turn = None

    def outcome(self) -> Outcome:
        """Count a point for each trick."""
        return outcome_by_side(self.tricks_won())


class NewGame(TableGame[NewGameOptions, NewGameState]):
    """The game."""

    state = NewGameState
    name = "new-game"
    title = "New Game"
    seats = (2, 3, 4)
    presentation = Presentation(  # how the game looks, and what people read: words, score sheets, instruments
        zones=TRICK_ZONES, phases={"play": "play a card"}, actions={"play": "play {card}"}, events=TRICK_EVENTS
    )


pitboss_games = hookimpl(lambda: [NewGame()])
