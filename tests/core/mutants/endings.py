"""Games that do not end, or not as they should."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from pitboss import Outcome, Turn
from pitboss_magpie.magpie import MagpieState
from pitboss_magpie.messages import Action, Boast, Take


class NeverEnds(MagpieState):
    """Nobody counts the turns, and a boast ends only the turn."""

    def end_turn(self, seat: int) -> None:
        """Play on for ever."""
        self.turns_done = 1
        super().end_turn(seat)

    def end_game(self) -> None:
        """Play on for ever."""
        self.turn = Turn(self.turn.seat if self.turn else 0, "draw")
        super().end_turn(self.turn.seat)


class EndsOnlyByABoast(MagpieState):
    """Nobody counts the turns: a game in which nobody dares to boast never ends."""

    def after_drop(self, seat: int) -> None:
        """Forget the limit."""
        self.turns_done = min(self.turns_done, self.seats)
        super().after_drop(seat)


class TakesForEver(MagpieState):
    """A turn counts only when a card is drawn: bots that always take, always play on."""

    def after_drop(self, seat: int) -> None:
        """Do not count a turn with a card laid."""
        drawn = self.taken is None and self.turn is not None and self.turn.phase == "drop"
        if not drawn:
            self.turns_done -= 1
        super().after_drop(seat)


class TakesTheDiscardForEver(MagpieState):
    """A turn with the discard taken does not count: who takes, neither draws nor lays, and never boasts, plays on."""

    def after_drop(self, seat: int) -> None:
        """Do not count a turn with the discard taken."""
        if self.taken is not None:
            self.turns_done -= 1
        super().after_drop(seat)


class RanksWithoutGaps(MagpieState):
    """After a shared place the next one follows without a gap ("1223")."""

    def outcome(self) -> Outcome:
        """Rank densely."""
        plain = super().outcome()
        steps = sorted(set(plain.places))
        return replace(plain, places=tuple(steps.index(place) + 1 for place in plain.places))


class CountsPlacesFromZero(MagpieState):
    """The first place is number 0."""

    def outcome(self) -> Outcome:
        """Count from 0."""
        plain = super().outcome()
        return replace(plain, places=tuple(place - 1 for place in plain.places))


class RanksPartnersApart(MagpieState):
    """With partners, each seat has a place of its own."""

    preset = "pairs"
    players = 4

    def outcome(self) -> Outcome:
        """Rank by seat."""
        plain = super().outcome()
        own = self.points()
        return replace(plain, places=tuple(1 + sum(other > points for other in own) for points in own))


class PaysPartnersApart(MagpieState):
    """With partners, each seat has points of its own."""

    preset = "pairs"
    players = 4

    def outcome(self) -> Outcome:
        """Keep the place of the side."""
        return replace(super().outcome(), points=tuple(map(float, self.points())))


class MakesPartnersOfTheFirst(MagpieState):
    """Who ends the game plays with seat 0: the sides depend on the play."""

    players = 3

    def outcome(self) -> Outcome:
        """Let two seats win together."""
        other = 1 + len(self.table.zones[self.board.stock]) % 2
        sides = tuple(sorted([(0, other), (3 - other,)]))
        return replace(super().outcome(), points=(0.0,) * 3, places=(1,) * 3, sides=sides)

    def evaluate(self) -> list[float]:
        """Expect what the outcome says."""
        return [0.0] * 3


class ForgetsASide(MagpieState):
    """The sides are those of a game for two."""

    def outcome(self) -> Outcome:
        """Leave seats out."""
        return replace(super().outcome(), sides=((0,), (1,)))


class SharesOutByNothing(MagpieState):
    """Points are a share of all points: without any, they are no number."""

    def outcome(self) -> Outcome:
        """Divide."""
        plain = super().outcome()
        best = max(plain.points)
        return replace(
            plain, points=tuple(float("nan") if points == best else points / best for points in plain.points)
        )


class PaysTwice(MagpieState):
    """Every time the outcome is asked for, the boaster is paid again."""

    paid = 0

    def outcome(self) -> Outcome:
        """Pay."""
        plain = super().outcome()
        if self.boaster is None:
            return plain
        self.paid += 1
        return replace(plain, points=tuple(points + self.paid for points in plain.points))


class CrashesOnATie(MagpieState):
    """The one winner is looked for, and there may be two."""

    def end_game(self) -> None:
        """Expect one winner."""
        [_] = [points for points in self.points() if points == max(self.points())]
        super().end_game()


class CrashesOnAnEmptyPile(MagpieState):
    """After a take the card beneath is looked at, and there may be none."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Look beneath."""
        super().apply_action(seat, action)
        if isinstance(action, Take):
            self.table.tell("beneath", card=str(self.table.faces(self.board.discard)[-1]))


class PaysOneSeatTooFew(MagpieState):
    """Points are counted for all but the seat that ended the game."""

    def outcome(self) -> Outcome:
        """Forget a seat."""
        plain = super().outcome()
        return replace(plain, points=plain.points[:-1])


class AsksAfterTheEnd(MagpieState):
    """After a boast the boaster is asked once more, with nothing to choose."""

    def apply_action(self, seat: int, action: Action) -> None:
        """Forget that it is over."""
        super().apply_action(seat, action)
        if isinstance(action, Boast):
            self.turn = Turn(self.seats, "boast")


MUTANTS: Final = (
    NeverEnds,
    EndsOnlyByABoast,
    TakesForEver,
    TakesTheDiscardForEver,
    RanksWithoutGaps,
    CountsPlacesFromZero,
    RanksPartnersApart,
    PaysPartnersApart,
    MakesPartnersOfTheFirst,
    ForgetsASide,
    SharesOutByNothing,
    PaysTwice,
    CrashesOnATie,
    CrashesOnAnEmptyPile,
    PaysOneSeatTooFew,
    AsksAfterTheEnd,
)
