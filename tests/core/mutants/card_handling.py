"""Games that handle cards past the table's verbs, or look while they should not touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Final

from msgspec.structs import replace

from pitboss import EMPTY, Turn
from pitboss_magpie import messages
from pitboss_magpie.magpie import MagpieState
from pitboss_magpie.messages import Action, Draw, Drop, Lay, Take


class LosesACardAtRestock(MagpieState):
    """When the stock is made anew the lowest discard is left out of it."""

    def restock(self) -> None:
        """Lose a card."""
        discards = self.table.zones[self.board.discard]
        if len(discards) > 3:
            del discards[0]
        super().restock()


class TakesACopy(MagpieState):
    """The card that is taken stays on the discards too."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Take the card, and leave it."""
        top = self.table.zones[self.board.discard][-1:]
        super().apply_action(seat, action)
        if isinstance(action, Take):
            self.table.zones[self.board.discard] += top


class DropsByHand(MagpieState):
    """A card is dropped by moving it from list to list: the log does not tell of it, and nobody knows it."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Go past the table."""
        if isinstance(action, Drop):
            card = self.find_in_hand(seat, action.card)
            self.table.zones[self.board.hands[seat]].remove(card)
            self.table.zones[self.board.discard].append(card)
            self.after_drop(seat)
        else:
            super().apply_action(seat, action)


class DrawsByHand(MagpieState):
    """A card is drawn by moving it from list to list: its owner does not know it."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Go past the table."""
        if isinstance(action, Draw):
            self.table.zones[self.board.hands[seat]].append(self.table.zones[self.board.stock].pop())
            self.table.tell("draw", seat=seat)
            self.turn = Turn(seat, "drop")
        else:
            super().apply_action(seat, action)


class KnowsWithoutEnd(MagpieState):
    """A card that was laid is marked as known with all bits, not with those of this table."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Set all bits."""
        super().apply_action(seat, action)
        if isinstance(action, Lay):
            self.table.known_by[self.table.zones[self.board.nests[seat]][action.place - 1]] = -1


class LeavesAnEmptyPlace(MagpieState):
    """A card that was laid leaves an empty place on the discards."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Leave a hole."""
        super().apply_action(seat, action)
        if isinstance(action, Lay) and len(self.table.zones[self.board.discard]) > 1:
            self.table.zones[self.board.discard].insert(0, EMPTY)


class SharesTheLastCard(MagpieState):
    """Two equal faces are one card: both jokers in one hand are dropped together."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Drop all cards of that face."""
        super().apply_action(seat, action)
        if isinstance(action, Drop):
            faces = self.table.layout.deck.faces
            hand = self.table.zones[self.board.hands[seat]]
            hand[:] = [card for card in hand if faces[card] != action.card]


class SortsTheHandForLegal(MagpieState):
    """Asking what is legal sorts the hand."""

    def drop_actions(self, seat: int) -> list[Action]:
        """Sort the real hand."""
        self.table.zones[self.board.hands[seat]].sort()
        return super().drop_actions(seat)


class SortsTheHandForShow(MagpieState):
    """Showing a player its hand sorts it."""

    def view(self, seat: int) -> messages.View:
        """Sort the real hand."""
        if seat < self.seats:
            self.table.zones[self.board.hands[seat]].sort()
        return super().view(seat)


class ShowsInRandomOrder(MagpieState):
    """The hand is shown in a random order, from the stream of the deal."""

    def view(self, seat: int) -> messages.View:
        """Use the real stream."""
        plain = super().view(seat)
        return replace(plain, hand=sorted(plain.hand, key=lambda _: self.table.rng.randbelow(100)))


class ShowsALivingList(MagpieState):
    """The view holds the game's own list of hand sizes, which goes on changing."""

    sizes: list[int] = field(default_factory=list)

    def view(self, seat: int) -> messages.View:
        """Show the list itself."""
        self.sizes[:] = [len(self.table.zones[hand]) for hand in self.board.hands]
        return replace(super().view(seat), hand_sizes=self.sizes)


class ShowsASet(MagpieState):
    """The view holds a set where its type says a list: it cannot be read back as it was."""

    def view(self, seat: int) -> messages.View:
        """Show a set."""
        plain = super().view(seat)
        return replace(plain, hand=frozenset(plain.hand))


class ShowsATextForANumber(MagpieState):
    """The number of cards in the stock is shown as text when it is small."""

    def view(self, seat: int) -> messages.View:
        """Show another type."""
        plain = super().view(seat)
        return replace(plain, stock="few") if plain.stock < 3 else plain


class RemembersWhoAsked(MagpieState):
    """Asking what is legal counts as thinking: it uses up turns."""

    asked: int = 0

    def legal(self) -> Sequence[Action]:
        """Count."""
        self.asked += 1
        if self.asked % 7 == 0 and self.turns_done > 0:
            self.turns_done -= 1
        return super().legal()


MUTANTS: Final = (
    LosesACardAtRestock,
    TakesACopy,
    DropsByHand,
    DrawsByHand,
    KnowsWithoutEnd,
    LeavesAnEmptyPlace,
    SharesTheLastCard,
    SortsTheHandForLegal,
    SortsTheHandForShow,
    ShowsInRandomOrder,
    ShowsALivingList,
    ShowsASet,
    ShowsATextForANumber,
    RemembersWhoAsked,
)
