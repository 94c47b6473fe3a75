"""Games that say something about themselves that is not so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Self

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss import Deck, Layout, OptionError, Visibility, ZoneHint
from pitboss.rendering.presentation import Presentation
from pitboss_magpie import messages
from pitboss_magpie.magpie import Magpie, MagpieBoard, MagpieState
from pitboss_magpie.messages import NEST, PRESETS, MagpieOptions


class HasASpacedName(Magpie):
    """The name is what people read, not what they type."""

    name = "Magpie Game"


class HasNoVersion(Magpie):
    """The version is empty."""

    version = ""


class SeatsDescend(Magpie):
    """The numbers of seats begin with the best one."""

    seats: Sequence[int] = (4, 2, 3)


class SeatsTooMany(Magpie):
    """Ten players are offered, for whom the deck has too few cards."""

    seats: Sequence[int] = (2, 3, 4, 10)


class BareOptions(MagpieOptions, frozen=True):
    """Options with one that does not say what it means."""

    speed: int = 0


class HasABareOption(Magpie):
    """An option does not say what it means."""

    Options = BareOptions
    presets: Mapping[str, MagpieOptions] = {}


class UnresolvedOptions(MagpieOptions, frozen=True):
    """Options whose open values are left open."""

    def resolve(self, seats: int) -> Self:
        """Decide nothing."""
        return self


class LeavesOptionsOpen(Magpie):
    """The options are not resolved: nobody is dealt a hand."""

    Options = UnresolvedOptions
    presets: Mapping[str, MagpieOptions] = {}


class GrowingOptions(MagpieOptions, frozen=True):
    """Options that grow whenever they are resolved."""

    def resolve(self, seats: int) -> Self:
        """Allow for a last turn."""
        return replace(super().resolve(seats), turns=min(self.turns + 1, 20))


class ResolvesTwice(Magpie):
    """Resolving options that are resolved changes them: a record replays another game."""

    Options = GrowingOptions
    presets: Mapping[str, MagpieOptions] = {}


class HugeHands(MagpieOptions, frozen=True):
    """Options that allow any hand."""

    def resolve(self, seats: int) -> Self:
        """Allow everything."""
        return replace(self, hand=self.hand or (2 if seats == 4 else 3))


class AllowsHugeHands(Magpie):
    """Hands are allowed for which the deck has too few cards."""

    Options = HugeHands
    presets: Mapping[str, MagpieOptions] = {}


class CrashingOptions(MagpieOptions, frozen=True):
    """Options that look things up."""

    def resolve(self, seats: int) -> Self:
        """Look up what is not there."""
        limit = {2: 4, 3: 4, 4: 3}[seats]
        if self.hand is not None and self.hand > limit:
            raise ValueError(f"hand is {self.hand}; at most {limit}")
        return super().resolve(seats)


class RefusesWithAnotherError(Magpie):
    """An option that does not fit is refused with an error of Python's."""

    Options = CrashingOptions
    presets: Mapping[str, MagpieOptions] = {}


class HasAnImpossiblePreset(Magpie):
    """A preset is refused for every number of seats."""

    presets: Mapping[str, MagpieOptions] = {**PRESETS, "crowd": MagpieOptions(hand=4, partners=True)}


class TolerantOptions(Struct, frozen=True, kw_only=True):
    """Options of the plugin's own make: what they do not know, they ignore."""

    hand: Annotated[int, Meta(description="Cards in a hand.")] = 2
    turns: Annotated[int, Meta(description="Turns of each player.")] = 8
    graves: Annotated[bool, Meta(description="A card may be buried.")] = False
    partners: Annotated[bool, Meta(description="Two against two.")] = False

    def resolve(self, seats: int) -> Self:
        """Decide nothing."""
        if self.partners and seats != 4:
            raise OptionError("partners is for 4 players")
        return self


class IgnoresUnknownOptions(Magpie):
    """The options are no `pitboss.Options`, and ignore what they do not know."""

    Options = TolerantOptions  # type: ignore[assignment]
    presets: Mapping[str, MagpieOptions] = {}


class NamesZonesAlike(MagpieState):
    """All hands are named alike, so that events cannot tell them apart."""

    @classmethod
    def make_board(cls, seats: int) -> MagpieBoard:
        """Take the other board."""
        return UnnamedBoard(seats)


class UnnamedBoard(MagpieBoard):
    """A board whose hands have one name."""

    def __init__(self, seats: int) -> None:
        self.layout = Layout(Deck(messages.FACES), seats)
        self.stock = self.layout.add_pile("stock", Visibility.NOBODY)
        self.discard = self.layout.add_pile("discard", Visibility.EVERYBODY)
        self.grave = self.layout.add_pile("grave", Visibility.NOBODY)
        self.hands = self.layout.add_hands("hand")
        self.nests = self.layout.add_racks("nest", NEST)
        for hand in self.hands:
            hand.name = "hand"


class RawView(messages.View, frozen=True, kw_only=True):
    """A view with a field that JSON does not know."""

    layout: Layout | None = None


class ShowsItsLayout(Magpie):
    """The view has a field for an object of Python's, which has no JSON Schema."""

    View = RawView


class ActionsWithoutTags(Magpie):
    """The type of the actions leaves one out: what is legal cannot be read from JSON."""

    Action = messages.Draw | messages.Lay | messages.Drop | messages.Bury | messages.Boast | messages.Wait


class HintsAtNoZone(Magpie):
    """A zone that is not there is to be hidden: the zone that was meant stays where it is."""

    presentation = Presentation(zones={"graves": ZoneHint("hidden")})


MUTANTS: Final = (
    HintsAtNoZone,
    HasASpacedName,
    HasNoVersion,
    SeatsDescend,
    SeatsTooMany,
    HasABareOption,
    LeavesOptionsOpen,
    ResolvesTwice,
    AllowsHugeHands,
    RefusesWithAnotherError,
    HasAnImpossiblePreset,
    IgnoresUnknownOptions,
    NamesZonesAlike,
    ShowsItsLayout,
    ActionsWithoutTags,
)
