"""Games whose copies are not independent, or not copies."""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import field
from typing import Final, Self

from msgspec.structs import replace

from pitboss import Random, Table
from pitboss_magpie import messages
from pitboss_magpie.magpie import MagpieState
from pitboss_magpie.messages import Action, Lay


class SharesTheTable(MagpieState):
    """A copy plays on the same table."""

    def copy(self) -> Self:
        """Share the table."""
        return self.with_table(self.table)


class SharesAHand(MagpieState):
    """A copy has its own list of zones, but the hands in it are the same lists."""

    def copy(self) -> Self:
        """Share the hands."""
        twin = super().copy()
        for hand in self.board.hands:
            twin.table.zones[hand] = self.table.zones[hand]
        return twin


class SharesKnowledge(MagpieState):
    """A copy shares the list of who knows what."""

    def copy(self) -> Self:
        """Share the masks."""
        twin = super().copy()
        twin.table.known_by = self.table.known_by
        return twin


class SharesTheStream(MagpieState):
    """A copy draws from the original's random stream."""

    def copy(self) -> Self:
        """Share the stream."""
        twin = super().copy()
        twin.table.rng = self.table.rng
        return twin


class CopiesTheSeedAlone(MagpieState):
    """A copy begins the random stream anew: its next shuffle is the first one again."""

    def copy(self) -> Self:
        """Begin the stream anew."""
        twin = super().copy()
        twin.table.rng = Random(self.table.rng.seed)
        return twin


class CopiesTheLog(MagpieState):
    """A copy writes on in the original's log."""

    def copy(self) -> Self:
        """Share the log."""
        twin = super().copy()
        twin.table.log = self.table.log
        return twin


class CopyForgetsTakenCard(MagpieState):
    """A copy forgets which card was just taken, and that it may not be dropped."""

    def copy(self) -> Self:
        """Forget a field."""
        twin = super().copy()
        twin.taken = None
        return twin


class CopyForgetsTurns(MagpieState):
    """A copy begins to count the turns again."""

    def copy(self) -> Self:
        """Forget a field."""
        twin = super().copy()
        twin.turns_done = 0
        return twin


class PlaysAnotherGame(MagpieState):
    """A copy is made with options put together anew, and two of them are not as they were."""

    def copy(self) -> Self:
        """Change an option."""
        twin = super().copy()
        twin.options = type(self.options)(
            hand=self.options.hand, turns=self.options.turns - 1, partners=self.options.partners
        )
        return twin


class TallyMagpieState(MagpieState):
    """Magpie with a point for every card laid: a healthy rule, if the tally is copied, as one declared a list is."""

    tally: MutableSequence[int] = field(default_factory=list)

    def start(self) -> None:
        """Begin the tally."""
        self.tally = [0] * self.seats
        super().start()

    def set_up(self, position: messages.Position) -> None:
        """Begin the tally."""
        self.tally = [0] * self.seats
        super().set_up(position)

    def apply_action(self, seat: int, action: Action) -> None:
        """Count the cards laid."""
        if isinstance(action, Lay):
            self.tally[seat] += 1
        super().apply_action(seat, action)

    def points(self) -> list[int]:
        """Add the tally."""
        return [own + laid for own, laid in zip(super().points(), self.tally, strict=True)]


class KeepsOldViews(MagpieState):
    """The discards that a view shows are those of the last view, if as many cards lie there."""

    shown_discards: tuple[str, ...] = ()

    def view(self, seat: int) -> messages.View:
        """Make the list anew only if it has another length."""
        view = super().view(seat)
        if len(self.shown_discards) != len(view.discard):
            self.shown_discards = tuple(view.discard)
        return replace(view, discard=[*self.shown_discards])


class SharesTheTally(TallyMagpieState):
    """A copy shares the list of points, which nobody is shown before the end."""


class ForgetsWhoBegan(MagpieState):
    """A copy forgets who began."""

    def copy(self) -> Self:
        """Forget a field."""
        twin = super().copy()
        twin.first = 0
        return twin


class ImaginesWithTheRealDiscards(MagpieState):
    """Every table that is made from another shares its discards."""

    def with_table(self, table: Table) -> Self:
        """Share a list."""
        table.zones[self.board.discard] = self.table.zones[self.board.discard]
        return super().with_table(table)


MUTANTS: Final = (
    SharesTheTable,
    SharesAHand,
    SharesKnowledge,
    SharesTheStream,
    CopiesTheSeedAlone,
    CopiesTheLog,
    CopyForgetsTakenCard,
    CopyForgetsTurns,
    PlaysAnotherGame,
    KeepsOldViews,
    SharesTheTally,
    ForgetsWhoBegan,
    ImaginesWithTheRealDiscards,
)
