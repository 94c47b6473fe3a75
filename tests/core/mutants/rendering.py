"""Games whose picture for people is not as it should be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pitboss_magpie.magpie import MagpieState, card_number


class DrawsHandsForPartners(MagpieState):
    """The picture tells a seat how much the next one's hand is worth."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Show too much."""
        if seat is not None and seat < self.seats:
            yield f"next: {sum(map(card_number, self.table.faces(self.board.hands[(seat + 1) % self.seats])))}"
        yield from super().render(seat, names)


class DrawsTheSpectatorEverything(MagpieState):
    """Who looks on is shown every card, as on television."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Show too much."""
        return super().render(None if seat == self.seats else seat, names)


class DrawsWhoIsAsked(MagpieState):
    """The picture marks who is on turn, and the game may be over."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Expect somebody on turn."""
        yield f"to play: {names[self.turn.seat]}"  # type: ignore[union-attr]
        yield from super().render(seat, names)


class DrawsPlayersOnly(MagpieState):
    """The picture begins with the onlooker's name, and a spectator has none."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Expect a player."""
        yield "" if seat is None else names[seat]
        yield from super().render(seat, names)


class DrawsOneText(MagpieState):
    """The picture is one text of many lines."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Join the lines."""
        return ["\n".join(super().render(seat, names))]


class SortsHandsToDrawThem(MagpieState):
    """For the picture the hands are sorted, in place."""

    def render(self, seat: int | None, names: Sequence[str]) -> Iterable[str]:
        """Sort what should be looked at."""
        for hand in self.board.hands:
            self.table.zones[hand].sort()
        return super().render(seat, names)


MUTANTS: Final = (
    DrawsHandsForPartners,
    DrawsTheSpectatorEverything,
    DrawsWhoIsAsked,
    DrawsPlayersOnly,
    DrawsOneText,
    SortsHandsToDrawThem,
)
