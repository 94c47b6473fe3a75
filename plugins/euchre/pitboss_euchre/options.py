"""The options of Euchre: section 5 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta

from pitboss import OptionError, Options


class EuchreOptions(Options, frozen=True):
    """What Euchre can be played with."""

    target: Annotated[int, Meta(ge=1, le=50, description="Points of a side that end the match: 5, 7, 10, 11.")] = 10
    deals: Annotated[int, Meta(ge=1, le=200, description="After so many deals the match is over at the latest.")] = 100
    cards: Annotated[
        Literal[24, 28, 32], Meta(description="Cards of the pack: from the nines, eights or sevens on.")
    ] = 24
    benny: Annotated[bool, Meta(description="A joker, the Benny or best bower, is the highest trump.")] = False
    bury: Annotated[bool, Meta(description="The dealer may lay away the very card that it picks up.")] = False
    no_trumps: Annotated[
        bool, Meta(description="In the second round no trumps may be named; then the jacks are no bowers.")
    ] = False
    stick: Annotated[bool, Meta(description="If all others have passed twice, the dealer has to name trumps.")] = False
    farmer: Annotated[
        Literal["none", "redeal", "exchange"],
        Meta(
            description="Who holds nines and tens alone may show them, and the cards are thrown in, or three of them "
            "are exchanged for unseen ones."
        ),
    ] = "none"
    partner_alone: Annotated[bool, Meta(description="Who orders its partner to pick up has to go alone.")] = False
    defend_alone: Annotated[
        Literal["never", "loner", "any"],
        Meta(description="A defender may play without its partner: against a maker who goes alone, or any."),
    ] = "never"
    lead: Annotated[
        Literal["dealer", "maker"],
        Meta(description="Who leads first if the maker goes alone: the player after the dealer, or after the maker."),
    ] = "dealer"
    super_euchre: Annotated[bool, Meta(description="Makers without a trick are set by 4 points.")] = False
    loner_euchre: Annotated[bool, Meta(description="A maker who goes alone and fails is set by 4 points.")] = False

    def resolve(self, seats: int) -> Self:
        """D7: refuse a joker where there may be no trumps.

        Raises:
            OptionError: both are chosen.
        """
        if self.benny and self.no_trumps:
            raise OptionError("euchre: no_trumps is yes; with benny, which is always a trump, it is no", "no_trumps")
        return self


PRESETS: Final = {
    "standard": EuchreOptions(),
    "short": EuchreOptions(target=5),
    "single": EuchreOptions(deals=1),
    "stick": EuchreOptions(stick=True),
    "british": EuchreOptions(target=11, benny=True),
    "canadian": EuchreOptions(stick=True, partner_alone=True),
    "farmer": EuchreOptions(farmer="exchange", super_euchre=True),
    "defence": EuchreOptions(stick=True, defend_alone="any", lead="maker", loner_euchre=True),
    "piquet": EuchreOptions(target=5, cards=32),
    "no-trumps": EuchreOptions(no_trumps=True, stick=True),
}
