"""The options of Basic Rummy: section 4 of the rule book."""

from __future__ import annotations

from typing import Annotated, Final, Literal, Self

from msgspec import Meta
from msgspec.structs import replace

from pitboss import OptionError, Options
from pitboss.parts.melds import CARDS
from pitboss.plugins.registry import find_pack

HAND_SIZES: Final = {2: 10, 3: 7, 4: 7, 5: 4, 6: 4}  # S4, D2
DEALS_A_PLAYER: Final = 2  # D17
DEALS_FOR_POINTS: Final = 100  # D14: the safety net of a game that is played for points


class RummyOptions(Options, frozen=True):
    """What Basic Rummy can be played with. What is null is decided by the number of players or by another option."""

    hand_size: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(
            description="Cards dealt to each player; two must be left over. null: 10, 7, 7, 4, 4 for 2 to 6 players; "
            '7 is "Seven-Card Rummy".'
        ),
    ] = None
    decks: Annotated[Literal[1, 2], Meta(description="Packs of 52 cards; two for many players.")] = 1
    pack: Annotated[
        str,
        Meta(
            description='The cards to play with: "standard" (S9, H10, CA), or an installed pack that can stand in for '
            "them, by its name."
        ),
    ] = "standard"
    set_name: Annotated[
        Literal["group", "set", "set_for_both"],
        Meta(
            description='What people call a group ("group" or "set"), or both kinds of meld. It changes the words in '
            "pictures, not play."
        ),
    ] = "group"
    melds_per_turn: Annotated[
        Literal[1] | None,
        Meta(description="1: one meld a turn at most (layoffs are free) and no Going Rummy; null: any number."),
    ] = None
    layoff_needs_meld: Annotated[
        bool, Meta(description="Only a player who has made a meld, perhaps in the same turn, may lay off.")
    ] = False
    stock_out: Annotated[
        Literal["turn_over", "reshuffle"],
        Meta(
            description='The stock is empty: who draws turns the discards over unshuffled ("turn_over"), or they are '
            'shuffled at the end of the turn that emptied it, and one is turned up ("reshuffle").'
        ),
    ] = "turn_over"
    must_discard_out: Annotated[bool, Meta(description="Only a discard can empty a hand, no meld or layoff.")] = False
    going_rummy: Annotated[
        Literal["double", "plus10", "off"] | None,
        Meta(
            description='Going out without a meld or layoff in an earlier turn: points double, 10 more ("winner" '
            'scoring only), or nothing. null: "double", or "off" if melds_per_turn is 1.'
        ),
    ] = None
    scoring: Annotated[
        Literal["winner", "chips", "penalty"],
        Meta(
            description="Who goes out scores all hands that are left (A 1, 2 to 10 their number, J Q K 10); or each "
            "of the others pays its own in chips; or each is charged its own, and the lowest total wins."
        ),
    ] = "winner"
    deals: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Deals of one game, not of a match. null: two for each player, or at most 100 with `points`."),
    ] = None
    points: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="The game also ends after a deal in which a total has come to so much."),
    ] = None
    first_dealer: Annotated[Literal["random"] | int, Meta(description='Who deals first: "random", or a seat.')] = (
        "random"
    )
    discard_taken: Annotated[
        bool, Meta(description="The card just taken from the discard pile may be discarded in the same turn.")
    ] = False
    group_copies: Annotated[bool, Meta(description="Two packs: a group may hold both copies of a card.")] = True
    group_max: Annotated[int, Meta(ge=4, le=8, description="Most cards in a group: 4, with two packs up to 8.")] = 4
    max_turns: Annotated[int, Meta(ge=1, description="Turns per player after which a deal is stalled.")] = 100
    stalled_deal: Annotated[
        Literal["void", "block"],
        Meta(
            description='A stalled deal scores nothing ("void"), or the hands count and the lowest alone wins '
            '("block").'
        ),
    ] = "void"

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 4 says what does not go together."""
        find_pack(self.pack)
        hand_size = HAND_SIZES[seats] if self.hand_size is None else self.hand_size
        most = (CARDS * self.decks - 2) // seats
        if hand_size > most:
            raise OptionError(
                f"rummy: hand_size is {hand_size}; with {seats} players and {self.decks * CARDS} cards it is 1 to "
                f"{most}",
                "hand_size",
            )
        if self.decks == 1 and self.group_max != 4:
            raise OptionError(
                f"rummy: group_max is {self.group_max}; with one pack it is 4 (decks is 1)",
                "group_max",
                "decks",
            )
        if self.first_dealer != "random" and not 0 <= self.first_dealer < seats:
            raise OptionError(
                f"rummy: first_dealer is {self.first_dealer}; with {seats} players it is 'random' or 0 to {seats - 1}",
                "first_dealer",
            )
        deals = self.deals or (DEALS_A_PLAYER * seats if self.points is None else DEALS_FOR_POINTS)
        return replace(self, hand_size=hand_size, going_rummy=self._going_rummy(), deals=deals)

    def _going_rummy(self) -> Literal["double", "plus10", "off"]:
        """Return what Going Rummy is worth.

        Note 3: a player who melds once a turn cannot go Rummy; note 7: ten points more are written on paper.
        """
        if self.going_rummy is None:
            return "double" if self.melds_per_turn is None else "off"
        if self.going_rummy != "off" and self.melds_per_turn is not None:
            raise OptionError(
                f"rummy: going_rummy is {self.going_rummy!r}; with melds_per_turn 1 it is 'off'",
                "going_rummy",
                "melds_per_turn",
            )
        if self.going_rummy == "plus10" and self.scoring != "winner":
            raise OptionError(
                f"rummy: going_rummy is 'plus10'; that is for scoring 'winner' only, and it is {self.scoring!r}",
                "going_rummy",
                "scoring",
            )
        return self.going_rummy


PRESETS: Final = {
    "basic": RummyOptions(),
    "seven": RummyOptions(hand_size=7),
    "six": RummyOptions(hand_size=6),
    "children": RummyOptions(melds_per_turn=1, layoff_needs_meld=True),
    "strict": RummyOptions(layoff_needs_meld=True, must_discard_out=True, stock_out="reshuffle", discard_taken=False),
    "chips": RummyOptions(scoring="chips"),
    "penalty": RummyOptions(scoring="penalty", points=100),
    "party": RummyOptions(decks=2, hand_size=7),
    "short": RummyOptions(deals=1),
}
