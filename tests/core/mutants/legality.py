"""Games whose legal list and whose play do not agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pitboss import IllegalAction
from pitboss_magpie.magpie import MagpieState
from pitboss_magpie.messages import JOKER, Action, Draw, Drop, Lay, Take


class MissesAPlace(MagpieState):
    """The second place of the nest is not in the list, but it can be played."""

    def draw_actions(self) -> list[Action]:
        """Leave one out."""
        return [action for action in super().draw_actions() if action != Lay(2)]

    def play(self, action: Action) -> None:
        """Accept it all the same."""
        if (
            action == Lay(2)
            and self.turn is not None
            and self.turn.phase == "draw"
            and self.table.zones[self.board.discard]
        ):
            self.apply_action(self.turn.seat, action)
        else:
            super().play(action)


class OffersAJoker(MagpieState):
    """A joker on the discards is offered, but cannot be taken."""

    def legal(self) -> Sequence[Action]:
        """Offer too much."""
        legal = list(super().legal())
        top = self.table.faces(self.board.discard)[-1:]
        return [*legal, Take()] if self.turn is not None and self.turn.phase == "draw" and top == [JOKER] else legal

    def play(self, action: Action) -> None:
        """Refuse it all the same."""
        if action not in super().legal():
            raise IllegalAction(f"{action!r} is not legal")
        self.apply_action(self.turn.seat if self.turn else 0, action)


class NamesAJokerTwice(MagpieState):
    """Who holds two jokers finds the same action twice in the list."""

    players = 2

    def drop_actions(self, seat: int) -> list[Action]:
        """Name each card."""
        legal = super().drop_actions(seat)
        jokers = self.table.faces(self.board.hands[seat]).count(JOKER)
        return legal + [Drop(JOKER)] * (jokers - 1)


class OrdersByHash(MagpieState):
    """The list is made from a set of strings: its order depends on the process."""

    def drop_actions(self, seat: int) -> list[Action]:
        """Go through a set."""
        legal = super().drop_actions(seat)
        return [Drop(face) for face in {one.card for one in legal if isinstance(one, Drop)}]


class OrdersById(MagpieState):
    """The list is in the order of the actions' addresses in memory."""

    def drop_actions(self, seat: int) -> list[Action]:
        """Sort by address."""
        kept = [(action, object()) for action in super().drop_actions(seat)]
        return [action for action, _ in sorted(kept, key=lambda pair: id(pair[1]) ^ self.table.rng.draws << 4)][::-1]


class DropsWhatWasTaken(MagpieState):
    """The card just taken may be dropped, though the list does not say so."""

    def play(self, action: Action) -> None:
        """Do not look at the list."""
        taken = None if self.taken is None else self.table.layout.deck.faces[self.taken]
        if isinstance(action, Drop) and self.turn is not None and action.card == taken:
            self.apply_action(self.turn.seat, action)
            return
        super().play(action)


class AcceptsSmallLetters(MagpieState):
    """A card may be named in small letters, though the list does not say so."""

    def play(self, action: Action) -> None:
        """Correct the name."""
        super().play(Drop(action.card.upper()) if isinstance(action, Drop) else action)


class ChangesBeforeItLooks(MagpieState):
    """The card is taken off the discards before it is seen that it may not be taken."""

    def play(self, action: Action) -> None:
        """Change, then look."""
        if isinstance(action, Take) and self.table.zones[self.board.discard]:
            self.turns_done += 1
            super().play(action)
            self.turns_done -= 1
        else:
            super().play(action)


class CrashesOnUnknownCards(MagpieState):
    """A card that is not in the hand gives an error of Python's, not of the rules."""

    def play(self, action: Action) -> None:
        """Look for the card first."""
        if isinstance(action, Drop) and self.turn is not None and self.turn.phase == "drop":
            self.table.faces(self.board.hands[self.turn.seat]).index(action.card)
        super().play(action)


class ComparesByIdentity(MagpieState):
    """An action counts only if it is the very object of the list, not an equal one."""

    offered: Sequence[Action] = ()

    def legal(self) -> Sequence[Action]:
        """Keep the list for `play`."""
        self.offered = list(super().legal())
        return self.offered[:]

    def play(self, action: Action) -> None:
        """Compare by identity."""
        if not any(action is one for one in self.offered):
            raise IllegalAction(f"{action!r} is not legal")
        super().play(action) if self.turn is None else self.apply_action(self.turn.seat, action)


class NeutralDropsTheFirst(MagpieState):
    """The neutral action drops the first card of the hand, which may be the one just taken, or not a joker."""

    def neutral(self) -> Action:
        """Drop the first card."""
        if self.turn is not None and self.turn.phase == "drop":
            return Drop(str(self.table.faces(self.board.hands[self.turn.seat])[-1]))
        return super().neutral()


class HandsOutItsOwnList(MagpieState):
    """The legal list is kept and handed out: who changes it changes the game."""

    offered: list[Action] | None = None

    def legal(self) -> Sequence[Action]:
        """Make the list once."""
        if self.offered is None:
            self.offered = list(super().legal())
        return self.offered

    def apply_action(self, seat: int, action: Action) -> None:
        """Make the next list when it is wanted."""
        self.offered = None
        super().apply_action(seat, action)


class LegalBeforeTheEnd(MagpieState):
    """When the game is over, drawing is still in the list."""

    def legal(self) -> Sequence[Action]:
        """Forget the end."""
        return [Draw()] if self.turn is None else super().legal()


class PlaysAfterTheEnd(MagpieState):
    """When the game is over a play is neither refused nor done."""

    def play(self, action: Action) -> None:
        """Ignore it."""
        if self.turn is not None:
            super().play(action)


class LeavesNothingToDrop(MagpieState):
    """Whoever holds nothing but threes and lower finds nothing to drop."""

    def drop_actions(self, seat: int) -> list[Action]:
        """Forget the poor."""
        return [
            one
            for one in super().drop_actions(seat)
            if not isinstance(one, Drop) or one.card == JOKER or one.card[1] > "3"
        ]


class MissesTheThird(MagpieState):
    """Of three cards that may be dropped only two are in the list."""

    def legal(self) -> Sequence[Action]:
        """Leave the last out."""
        legal = super().legal()
        return legal[:2] if self.turn is not None and self.turn.phase == "drop" else legal

    def play(self, action: Action) -> None:
        """Accept it all the same."""
        if self.turn is None or action not in super().legal():
            raise IllegalAction(f"{action!r} is not legal")
        self.apply_action(self.turn.seat, action)


MUTANTS: Final = (
    MissesAPlace,
    OffersAJoker,
    NamesAJokerTwice,
    OrdersByHash,
    OrdersById,
    DropsWhatWasTaken,
    AcceptsSmallLetters,
    ChangesBeforeItLooks,
    CrashesOnUnknownCards,
    ComparesByIdentity,
    NeutralDropsTheFirst,
    HandsOutItsOwnList,
    LegalBeforeTheEnd,
    PlaysAfterTheEnd,
    LeavesNothingToDrop,
    MissesTheThird,
)
