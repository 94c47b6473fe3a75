"""Games that tell somebody what it may not know."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from pitboss.table.events import LogEntry
from pitboss_magpie import messages
from pitboss_magpie.magpie import Magpie, MagpieState, card_number
from pitboss_magpie.messages import Action, Draw, Drop, Take, Wait


class WiderView(messages.View, frozen=True, kw_only=True):
    """A view with room for too much."""

    stock_cards: tuple[str, ...] = ()
    phase: str = ""


class ShowsHands(MagpieState):
    """The view shows the other players' hands."""

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        hands = [sorted(map(str, self.table.faces(hand))) for hand in self.board.hands]
        return replace(super().view(seat), known_hands=hands)


class ShowsNests(MagpieState):
    """The view shows all nests, as the table of a human player in the same room would."""

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        nests: list[list[str | None]] = [list(map(str, self.table.faces(nest))) for nest in self.board.nests]
        return replace(super().view(seat), known_nests=nests)


class ShowsStock(MagpieState):
    """A field that was made for debugging shows the stock in its order."""

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        plain = super().view(seat)
        stock = tuple(map(str, self.table.faces(self.board.stock)))
        return WiderView(**{name: getattr(plain, name) for name in plain.__struct_fields__}, stock_cards=stock)


class ShowsJokersLeft(MagpieState):
    """The number of cards in the stock is counted without the jokers."""

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        faces = self.table.faces(self.board.stock)
        return replace(super().view(seat), stock=sum(card_number(face) > 0 for face in faces))


class SortsBeforeHiding(MagpieState):
    """The other hands are sorted before the unknown cards are hidden: the gaps tell how high they are."""

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        table, eyes = self.table, 1 << seat
        hands = []
        for hand in self.board.hands:
            cards = sorted(table.zones[hand], key=lambda card: str(table.layout.deck.faces[card]))
            hands.append([str(table.layout.deck.faces[card]) if table.known_by[card] & eyes else "?" for card in cards])
        return replace(super().view(seat), known_hands=hands)


class SpectatorSitsWithSeatZero(MagpieState):
    """The spectator is shown what seat 0 sees."""

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        return super().view(seat % self.seats)


class ShowsPhase(MagpieState):
    """The view names the phase to everybody: that somebody may boast is a secret."""

    games = 24

    def view(self, seat: int) -> messages.View:
        """Show too much."""
        plain = super().view(seat)
        phase = self.turn.phase if self.turn else "over"
        return WiderView(**{name: getattr(plain, name) for name in plain.__struct_fields__}, phase=phase)


class CountsTurnAfterBoast(MagpieState):
    """A turn counts as done only after the decision not to boast: onlookers see that there was one."""

    games = 24

    def after_drop(self, seat: int) -> None:
        """Count later."""
        super().after_drop(seat)
        if self.turn is not None and self.turn.phase == "boast":
            self.turns_done -= 1

    def apply_action(self, seat: int, action: Action) -> None:
        """Count later."""
        if isinstance(action, Wait):
            self.turns_done += 1
        super().apply_action(seat, action)


class OffersWhatIsGood(MagpieState):
    """The top discard is offered only if it is better than the card that would be drawn."""

    def draw_actions(self) -> list[Action]:
        """Peek at the stock."""
        top, hidden = self.table.faces(self.board.discard)[-1:], self.table.faces(self.board.stock)[-1]
        legal = super().draw_actions()
        return (
            legal
            if top and card_number(top[0]) >= card_number(hidden)
            else [one for one in legal if not isinstance(one, Take)]
        )


class OrdersByStock(MagpieState):
    """The legal list begins with the better of stock and discard."""

    def draw_actions(self) -> list[Action]:
        """Peek at the stock."""
        legal = super().draw_actions()
        return legal if card_number(self.table.faces(self.board.stock)[-1]) > 3 else legal[::-1]


class NeutralPeeks(MagpieState):
    """For a player who does not answer the better card is taken, and the stock is looked at for it."""

    def neutral(self) -> Action:
        """Peek at the stock."""
        legal = self.legal()
        if isinstance(legal[0], Draw) and len(legal) > 1 and card_number(self.table.faces(self.board.stock)[-1]) < 3:
            return legal[1]
        return super().neutral()


class TellsTheCardDrawn(MagpieState):
    """An event for the log file names the card that was drawn."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Say too much."""
        super().apply_action(seat, action)
        if isinstance(action, Draw):
            self.table.tell("drew", seat=seat, card=str(self.table.faces(self.board.hands[seat])[-1]))


class TellsTheHandsWorth(MagpieState):
    """After each drop everybody is told how much the player still holds."""

    def after_drop(self, seat: int) -> None:
        """Say too much."""
        self.table.tell("holds", seat=seat, worth=sum(map(card_number, self.table.faces(self.board.hands[seat]))))
        super().after_drop(seat)


class TellsOfWaiting(MagpieState):
    """That a player could have boasted and waited is told to everybody."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Say too much."""
        if isinstance(action, Wait):
            self.table.tell("wait", seat=seat)
            self.end_turn(seat)
        else:
            super().apply_action(seat, action)


class ShowsDrawInEvent(MagpieState):
    """The event of a draw is written by hand, with the face for everybody."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Show too much."""
        super().apply_action(seat, action)
        if isinstance(action, Draw) and self.table.log is not None:
            self.table.log[-1] = self.table.log[-1]._replace(seen_by=(self.table.layout.everybody,))


class KnowsDrawnCards(MagpieState):
    """A drawn card is marked as known to everybody."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Tell everybody."""
        super().apply_action(seat, action)
        if isinstance(action, Draw):
            self.table.known_by[self.table.zones[self.board.hands[seat]][-1]] = self.table.layout.everybody


class LogsTheDeal(MagpieState):
    """A second event of the deal, meant for the record, shows all hands."""

    def start(self) -> None:
        """Show too much."""
        super().start()
        if self.table.log is not None:
            cards = tuple(self.table.zones[self.board.hands[1]])
            everybody = (self.table.layout.everybody,) * len(cards)
            self.table.log.append(LogEntry("reveal", "dealt", cards, everybody, target=self.board.hands[1]))


class HelpsByLookingAround(MagpieState):
    """What would help the next player may not be dropped, and its hand is looked at for it."""

    def legal(self) -> Sequence[Action]:
        """Leave out what is foolish, by the cards of the next player."""
        legal = super().legal()
        if self.turn is not None and self.turn.phase == "drop" and len(legal) > 1:
            wanted = {
                card_number(face) for face in self.table.faces(self.board.hands[(self.turn.seat + 1) % self.seats])
            }
            wise = [one for one in legal if isinstance(one, Drop) and card_number(one.card) not in wanted]
            return wise or legal
        return legal


class WideMagpie(Magpie):
    """Magpie with a wider view."""

    View = WiderView


MUTANTS: Final = (
    ShowsHands,
    ShowsNests,
    (WideMagpie, ShowsStock),
    ShowsJokersLeft,
    SortsBeforeHiding,
    SpectatorSitsWithSeatZero,
    (WideMagpie, ShowsPhase),
    CountsTurnAfterBoast,
    OffersWhatIsGood,
    OrdersByStock,
    NeutralPeeks,
    TellsTheCardDrawn,
    TellsTheHandsWorth,
    TellsOfWaiting,
    ShowsDrawInEvent,
    KnowsDrawnCards,
    LogsTheDeal,
    HelpsByLookingAround,
)
