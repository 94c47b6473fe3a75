"""A match of several deals of tricks: what its views, positions and pictures have in common, and its counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Final, TypeVar

import msgspec
from msgspec import Meta, Struct

from pitboss.errors import PositionError
from pitboss.outcome import Outcome, Sides, outcome_by_side, solo_sides, spread_over_sides
from pitboss.parts.deals import DealsState
from pitboss.parts.trick_position import SeatPlay, list_plays
from pitboss.parts.trick_rendering import render_tricks
from pitboss.parts.tricks import TrickState, TrickView
from pitboss.rendering.appearance import ZoneHint
from pitboss.rendering.model_words import tell_by_seat, tell_cards, tell_fields
from pitboss.rendering.presentation import Presentation, Speech
from pitboss.table.position_setup import check_row_lengths
from pitboss.table.zones import Zone
from pitboss.table_game import A, O, TableGame

M = TypeVar("M", bound="TrickMatchState[Any, Any]")

TRICK_ZONES: Final[Mapping[str, ZoneHint]] = {"stock": ZoneHint("hidden"), "taken": ZoneHint("beside")}
TRICKS_RETOLD: Final = ("trick", "tricks")  # fields of a view that the events of a deal tell as well
TRICK_EVENTS: Final[Mapping[str, str]] = {"trick": "takes the trick", "deal_end": "the deal ends"}


class TrickMatchView(TrickView, frozen=True, kw_only=True):
    """What a seat may know."""

    totals: Annotated[list[int], Meta(description="By seat, the points of the earlier deals.")]
    deal_no: Annotated[int, Meta(description="From 1.")]


class TrickPosition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null, or hands left out, are dealt at random."""

    hands: Annotated[list[list[str | None]] | None, Meta(description="By seat, the cards that it still holds.")] = None
    plays: Annotated[
        list[SeatPlay], Meta(description="The cards played in this deal, each with its player, in order.")
    ] = []
    totals: Annotated[
        list[int] | None, Meta(description="By seat, or by side of partners, the points before this deal; null: none.")
    ] = None
    deal_no: Annotated[int, Meta(ge=1, description="The number of the deal, from 1.")] = 1


class TrickMatchState(TrickState[O, A], DealsState[O, A]):
    """A state of a match of tricks. The game adds its own fields to view and position, beside tricks and totals.

    `view` returns a `TrickMatchView(**self.view_tricks(seat), …)`. A game with positions (`Position`) has a method
    `position`, which returns a `TrickPosition(**self.write_tricks(), …)`, and `set_up_deal`, which restores it; a game
    without positions leaves all three out. The picture has a column for each count of `public_counts`.
    """

    has_outcome_so_far = True
    sides: ClassVar[Sides | None] = None  # of partners; None: each seat plays for itself

    totals_before: tuple[int, ...] = ()  # this deal, by seat

    @abstractmethod
    def count_deals(self) -> int:
        """Return how many deals a match has at the most."""

    def set_up_deal(self, position: Any) -> None:  # noqa: ANN401 - the game's own
        """Bring a deal that has begun to a position, by `set_up_tricks`; totals and number of the deal are set.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        raise NotImplementedError(f"{type(self).__name__} has positions, but no `set_up_deal`")

    def hand_zones(self) -> Sequence[Zone]:
        """Return by seat the zone in which its cards lie: its hand, if it does not lie elsewhere for a while."""
        return self.hands

    def begin_deal(self) -> None:
        """Forget the tricks of the deal before; a game adds what a deal begins with."""
        self.clear_tricks()
        self.totals_before = tuple(self.totals)

    def is_match_over(self) -> bool:
        """Return whether all deals are played."""
        return self.deal_no >= self.count_deals()

    def outcome(self) -> Outcome:
        """Return the outcome in which the most points win."""
        sides = self.list_sides()
        return outcome_by_side([self.totals[side[0]] for side in sides], sides)

    def list_sides(self) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each side, each alone if there are no partners."""
        return self.sides or solo_sides(self.seats)

    def view_tricks(self, seat: int) -> dict[str, Any]:
        """Return the fields of a `TrickMatchView`."""
        fields = super().view_tricks(seat)
        fields["totals"], fields["deal_no"] = self.totals, self.deal_no
        return fields

    def write_tricks(self) -> dict[str, Any]:
        """Return the fields of a `TrickPosition`: every card of this deal, and the points before it."""
        return {
            "hands": [self.faces(zone) for zone in self.hand_zones()],
            "plays": list_plays(self),
            "totals": [self.totals_before[side[0]] for side in self.list_sides()],
            "deal_no": self.deal_no,
        }

    def set_up(self, position: Any) -> None:  # noqa: ANN401 - the game's own
        """Bring a fresh state to a position.

        Raises:
            PositionError: it does not describe a table of this game.
        """
        sides = self.list_sides()
        check_row_lengths(len(sides), totals=position.totals)
        if position.deal_no > self.count_deals():
            raise PositionError(f"deal_no is {position.deal_no}; the match has {self.count_deals()} deals")
        self.deal_no = position.deal_no
        self.totals = [*spread_over_sides(position.totals or [0] * len(sides), sides)]
        self.begin_deal()
        self.set_up_deal(position)

    def render(self, seat: int | None, names: Sequence[str]) -> Iterator[str]:
        """Yield what `seat` may know of the table; None sees every card."""
        return render_tricks(self, self.public_counts(), self.hand_zones(), seat, names)


class TrickGame(TableGame[O, M]):
    """A base for games of tricks: the tricks that were taken lie small beside their owner, and no stock is drawn."""

    presentation: Presentation = Presentation(zones=TRICK_ZONES, retold=TRICKS_RETOLD)

    def tell_model(self, view: Any, seat: int, speech: Speech) -> Iterator[str]:  # noqa: ANN401 - the game's own
        """Yield what a seat sees, in words for a language model: a game may tell its own fields otherwise."""
        yield from tell_trick_counts(view, speech)
        counted = {*TrickMatchView.__struct_fields__, *self.presentation.retold}
        yield from tell_fields(
            {name: value for name, value in msgspec.to_builtins(view).items() if name not in counted}
        )

    def sides(self, seats: int, options: O) -> Sides:
        """Return the sides of partners that the states have, else each seat alone."""
        return self.state.sides or solo_sides(seats)


def tell_trick_counts(view: TrickMatchView, speech: Speech) -> Iterator[str]:
    """Yield a hand, and the tricks and points that seats have, in words for a language model."""
    yield f"your hand: {tell_cards(view.hand)}"
    yield f"tricks taken in this deal: {tell_by_seat(view.won, speech)}"
    yield f"points before this deal, number {view.deal_no}: {tell_by_seat(view.totals, speech)}"
