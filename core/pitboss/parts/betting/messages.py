"""The messages of games of betting: options, actions, views and positions; a game may extend each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated, ClassVar, Final, Literal, Self, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from pitboss.errors import OptionError
from pitboss.options import CARD, IN_ZONES, LARGE, Options, SeatIndex, phrases_of
from pitboss.parts.betting.variant import BettingVariant
from pitboss.text import join_words

MAX_BETS: Final = 4  # 3.9: the bet and three raises
NO_LIMIT: Final = 1 << 30  # of bets in a round
MIN_HANDS: Final = 20  # of a game: after a few hands the better cards decide

Chips = Annotated[int, Meta(ge=0, le=1_000_000_000)]
SomeChips = Annotated[int, Meta(ge=1, le=1_000_000_000)]


class BettingOptions(Options, frozen=True):
    """What a game of betting can be played with. What is null is decided by the seats or by another option.

    A game names its kinds in `variants`; the option `cards` chooses one of them, the first if it is empty.
    """

    title: ClassVar[str] = "betting"  # how errors name the game
    variants: ClassVar[Mapping[str, BettingVariant]] = {}

    cards: Annotated[str, Meta(description='Which kind of the game is played; "": the first.')] = ""
    betting: Annotated[
        Literal["no-limit", "pot-limit", "limit"],
        Meta(description='How much may be bet: all chips, the size of the pot, or fixed sizes ("limit").'),
    ] = "no-limit"
    small_blind: Annotated[Chips, Meta(description="The small blind; 0: there is none.")] = 50
    big_blind: Annotated[Chips, Meta(description="The big blind; 0: there is none, and no small blind.")] = 100
    ante: Annotated[Chips, Meta(description="What everybody pays before each hand.")] = 0
    ante_from: Annotated[
        Literal["everybody", "big-blind"],
        Meta(description='Who pays the ante: everybody, or the big blind alone, once for all ("big-blind").'),
    ] = "everybody"
    straddles: Annotated[
        tuple[SomeChips, ...],
        Meta(
            description="Blind raises of the players left of the big blind, each higher than the blind before it; "
            "not with limit."
        ),
    ] = ()
    bets: Annotated[
        tuple[SomeChips, ...] | None,
        Meta(
            description="The fixed size of bets and raises by round (only with limit); null: the big blind, twice as "
            "much in late rounds."
        ),
    ] = None
    max_bets: Annotated[
        Annotated[int, Meta(ge=1)] | tuple[Annotated[int, Meta(ge=1)], ...] | None,
        Meta(
            description="Bets and raises of a round, the big blind included, for all rounds or by round; null: 4 with "
            "limit, otherwise as many as the chips allow."
        ),
    ] = None
    may_fold: Annotated[
        bool, Meta(description="Whether a player with nothing to call may fold, as in some other programs.")
    ] = False
    first_players: Annotated[
        tuple[Annotated[int, Meta(ge=1)], ...] | Literal["after-last"] | None,
        Meta(
            description="Who begins each round: by round, the place left of the button (1 is the next seat), as in the "
            'game files of the ACPC; "after-last": from the second round on whoever sits left of the last to act, as '
            "in RLCard; null: left of the big blind, then left of the button."
        ),
    ] = None
    stack: Annotated[SomeChips, Meta(description="The chips with which everybody begins.")] = 10_000
    seat_stacks: Annotated[
        tuple[SomeChips, ...] | None,
        Meta(description="The chips with which each seat begins, where they differ; null: `stack`."),
    ] = None
    stacks: Annotated[
        Literal["reset", "carry"],
        Meta(
            description='"reset": everybody begins each hand with `stack` chips; "carry": chips that are won and lost '
            "stay so, and a player without chips is out."
        ),
    ] = "reset"
    hands: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(
            description="Hands of a game; null: the first number from 20 on that gives everybody the button equally "
            "often; with carried stacks, until one player has all chips."
        ),
    ] = None
    level_hands: Annotated[
        Annotated[int, Meta(ge=1)] | None,
        Meta(description="Hands after which blinds, ante and fixed bets double (only with carried stacks)."),
    ] = None
    first_button: Annotated[
        Annotated[int, Meta(ge=0)] | None,
        Meta(description="The seat with the button in the first hand; null: the last seat, so that seat 0 is left."),
    ] = None

    def resolve(self, seats: int) -> Self:
        """Return the options for a table, nothing open; section 4 says what does not go together."""
        if self.cards and self.variants and self.cards not in self.variants:
            raise OptionError(
                f"{self.title}: cards is {self.cards!r}; it is {join_words(self.variants, 'or')}", "cards"
            )
        variant = self.find_variant(seats)
        if (cards := variant.count_cards(seats)) > len(variant.deck):
            raise OptionError(
                f"{self.title}: {seats} players may need {cards} cards; the deck has {len(variant.deck)}",
                "cards",
            )
        if self.small_blind > self.big_blind:
            raise OptionError(
                f"{self.title}: small_blind is {self.small_blind}, more than the big_blind, {self.big_blind}",
                "small_blind",
                "big_blind",
            )
        if not self.big_blind and not self.ante:
            raise OptionError(
                f"{self.title}: big_blind and ante are 0; there would be nothing to play for", "big_blind", "ante"
            )
        if self.seat_stacks is None and self.stack < self.big_blind + self.ante:
            raise OptionError(
                f"{self.title}: stack is {self.stack}, less than big_blind and ante, {self.big_blind + self.ante}",
                "stack",
                "big_blind",
                "ante",
            )
        if self.first_button is not None and self.first_button >= seats:
            raise OptionError(
                f"{self.title}: first_button is {self.first_button}; with {seats} players it is 0 to {seats - 1}",
                "first_button",
            )
        self._check_table(seats)
        self._check_rounds(seats)
        if self.level_hands is not None and self.stacks == "reset":
            raise OptionError(
                f"{self.title}: level_hands is given, and stacks are reset; levels need stacks that carry",
                "level_hands",
                "stacks",
            )
        if self.stacks == "carry" and self.hands is None and self.level_hands is None:
            raise OptionError(
                f"{self.title}: stacks carry without levels, so the game might hardly ever end; it needs hands or "
                "level_hands",
                "stacks",
                "hands",
                "level_hands",
            )
        return replace(
            self,
            cards=self.kind,
            bets=self._resolve_bets(),
            max_bets=MAX_BETS if self.max_bets is None and self.betting == "limit" else self.max_bets,
            hands=-(-MIN_HANDS // seats) * seats if self.hands is None and self.stacks == "reset" else self.hands,
            first_button=seats - 1 if self.first_button is None else self.first_button,
        )

    def _check_table(self, seats: int) -> None:
        """Check what is given by seat, and what the big blind and the seats to its left pay."""
        given, straddles = self.seat_stacks, self.straddles
        if given is not None and len(given) != seats:
            raise OptionError(f"{self.title}: seat_stacks is {list(given)}; there are {seats} seats", "seat_stacks")
        if self.ante_from == "big-blind" and not self.big_blind:
            raise OptionError(
                f"{self.title}: ante_from is 'big-blind', and there is no big blind", "ante_from", "big_blind"
            )
        if not straddles:
            return
        if self.betting == "limit":
            raise OptionError(f"{self.title}: straddles are given, and betting is 'limit'", "straddles", "betting")
        if len(straddles) > seats - 2:
            raise OptionError(
                f"{self.title}: straddles is {list(straddles)}; with {seats} players {seats - 2} can straddle",
                "straddles",
            )
        if any(raised <= blind for blind, raised in pairwise((self.big_blind, *straddles))) or not self.big_blind:
            raise OptionError(
                f"{self.title}: straddles is {list(straddles)}; each is more than the blind before it, the first more "
                f"than the big_blind, {self.big_blind}",
                "straddles",
                "big_blind",
            )

    @property
    def kind(self) -> str:
        """The kind of the game that is played."""
        return self.cards or next(iter(self.variants), "")

    def find_variant(self, seats: int) -> BettingVariant:
        """Return what is declared of the kind of the game that is played."""
        return self.variants[self.kind]

    def list_bet_steps(self) -> Sequence[int]:
        """Return the fixed bets by street, in big blinds."""
        return [street.bet_step for street in self.find_variant(2).streets]

    def list_stacks(self, seats: int) -> list[int]:
        """Return the chips with which each seat begins."""
        return [*self.seat_stacks] if self.seat_stacks is not None else [self.stack] * seats

    def _check_rounds(self, seats: int) -> None:
        """Check what is given by round."""
        rounds, bets, first = len(self.list_bet_steps()), self.max_bets, self.first_players
        if isinstance(bets, tuple) and len(bets) != rounds:
            raise OptionError(f"{self.title}: max_bets is {list(bets)}; {self.kind} has {rounds} rounds", "max_bets")
        if isinstance(first, tuple) and len(first) != rounds:
            raise OptionError(
                f"{self.title}: first_players is {list(first)}; {self.kind} has {rounds} rounds", "first_players"
            )
        if isinstance(first, tuple) and max(first) > seats:
            raise OptionError(
                f"{self.title}: first_players is {list(first)}; with {seats} players a place is 1 to {seats}",
                "first_players",
            )

    def list_most_bets(self) -> tuple[int, ...]:
        """Return the most bets and raises by round."""
        if isinstance(self.max_bets, tuple):
            return self.max_bets
        return (NO_LIMIT if self.max_bets is None else self.max_bets,) * len(self.list_bet_steps())

    def bound_loss(self, seats: int) -> int:
        """Return what a player pays in one hand at most: with fixed bets these, else all chips."""
        stacks, most = self.list_stacks(seats), self._sum_fixed_bets(seats)
        if most is None or len(set(stacks)) > 1:  # a stack that is short of a whole bet may be raised more often
            return max(stacks)
        return min(max(stacks), most + self.bound_other_payments(seats))

    def find_bring_in(self) -> int:
        """Return what the lowest open card has to pay in the first round; 0: there is no bring-in."""
        return 0

    def bound_other_payments(self, seats: int) -> int:
        """Return what a player pays in one hand at most beside bets, antes and blinds: for acts; 0 by default.

        It counts with limit and stacks that are reset; there each hand is checked.
        """
        return 0

    def bound_decisions(self, seats: int) -> int:
        """Return how many decisions one hand has at most.

        Each player decides once in a round, and after each bet all others decide again. A bet of the last chips that is
        too small to count leaves fewer players who decide.
        """
        stacks, most = self.list_stacks(seats), self._sum_fixed_bets(seats)
        chips = sum(stacks) if self.stacks == "carry" else max(stacks)
        decisions = sum(seats + min(count, chips) * (seats - 1) for count in self.list_most_bets())
        has_whole_bets = most is not None and self.stacks == "reset" and min(stacks) >= most
        decisions += seats * self.find_variant(seats).count_acts()
        return decisions if has_whole_bets else decisions + seats * (seats - 1) // 2

    def _sum_fixed_bets(self, seats: int) -> int | None:
        """Return what a player pays who takes part in each bet of a hand; None if bets are not fixed."""
        if self.bets is None:
            return None
        forced = self.ante * (seats if self.ante_from == "big-blind" else 1) + max(0, self.big_blind - self.bets[0])
        return forced + sum(count * size for count, size in zip(self.list_most_bets(), self.bets, strict=True))

    def _resolve_bets(self) -> tuple[int, ...] | None:
        """Return the fixed bets by round; None without limit."""
        steps = self.list_bet_steps()
        if self.betting != "limit":
            if self.bets is not None:
                raise OptionError(
                    f"{self.title}: bets is {list(self.bets)}; fixed bets need betting 'limit'", "bets", "betting"
                )
            return None
        if self.bets is None:
            if not self.big_blind:
                raise OptionError(
                    f"{self.title}: betting is 'limit' without a big blind; bets must be given, a size by round",
                    "betting",
                    "bets",
                )
            return tuple(step * self.big_blind for step in steps)
        if len(self.bets) != len(steps):
            raise OptionError(f"{self.title}: bets is {list(self.bets)}; {self.kind} has {len(steps)} rounds", "bets")
        return self.bets


class BringInOptions(BettingOptions, frozen=True):
    """Options of a game that the lowest open card opens, as in stud."""

    bring_in: Annotated[SomeChips, Meta(description="What the lowest open card has to pay in the first round.")] = 20

    def find_bring_in(self) -> int:
        """Return the bring-in of a hand; it does not rise with levels."""
        return self.bring_in


Card = Annotated[str, CARD, Meta(description='Suit S H D C and rank A 2 … 10 J Q K: "S9", "H10", "CA".')]
ChipCount = Annotated[int, Meta(ge=0)]
SeatNumber = Annotated[int, Meta(ge=0)]
AnyChips = Annotated[int, LARGE]


class Fold(Struct, frozen=True, tag_field="do", tag="fold", forbid_unknown_fields=True):
    """Give up the hand, and all claims to the pots."""


class Check(Struct, frozen=True, tag_field="do", tag="check", forbid_unknown_fields=True):
    """Stay in without paying, as there is nothing to call."""


class Call(Struct, frozen=True, tag_field="do", tag="call", forbid_unknown_fields=True):
    """Pay what the highest bet of this round asks for, or all your chips if you have less."""


class Bet(Struct, frozen=True, tag_field="do", tag="bet", forbid_unknown_fields=True):
    """Make the first bet of this round."""

    to: Annotated[int, Meta(ge=1, description="Your chips in this round, all together.")]


class Raise(Struct, frozen=True, tag_field="do", tag="raise", forbid_unknown_fields=True):
    """Raise the highest bet of this round."""

    to: Annotated[int, Meta(ge=1, description="Your chips in this round then, all together: not what you add.")]


Action: TypeAlias = Fold | Check | Call | Bet | Raise


BettingAction: TypeAlias = Fold | Check | Call | Bet | Raise


class BringIn(Struct, frozen=True, tag_field="do", tag="bring-in", forbid_unknown_fields=True):
    """Pay the bring-in, which the lowest card that lies open has to pay, in place of a whole bet."""


CardFaces: TypeAlias = tuple[Card, ...]


class Discard(Struct, frozen=True, tag_field="do", tag="discard", forbid_unknown_fields=True):
    """Lay cards of your hand away, unseen; with none you keep all."""

    cards: CardFaces


class GiveCards(Struct, frozen=True, tag_field="do", tag="give", forbid_unknown_fields=True):
    """Give cards of your hand to another player, who gets them once all have chosen."""

    cards: CardFaces


class ShowCards(Struct, frozen=True, tag_field="do", tag="show", forbid_unknown_fields=True):
    """Show cards of your hand to everybody; with none you show nothing."""

    cards: CardFaces


class Declare(Struct, frozen=True, tag_field="do", tag="declare", forbid_unknown_fields=True):
    """Say one of the words of this game."""

    word: str


class Deed(Struct, frozen=True):
    """An action in the history of a hand: "2r300"."""

    seat: SeatIndex
    kind: Literal["f", "k", "c", "b", "r"]
    to: AnyChips | None


class AnyDeed(Struct, frozen=True):
    """An action in the history of a hand that has acts: "2r300", "1d2"."""

    seat: SeatIndex
    kind: Literal[
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m",
        "n", "o", "p", "q", "r", "s", "t", "u", "v", "w", "x", "y", "z",
    ]  # fmt: skip
    to: AnyChips | None


class Pot(Struct, frozen=True):
    """A pot, and who can win it."""

    chips: AnyChips
    seats: Annotated[tuple[SeatIndex, ...], Meta(description="The seats that can win it.")]


class HandView(Struct, frozen=True):
    """What a seat may know of hidden hands and a board. Lists of numbers are by seat, if nothing else is said."""

    hand: Annotated[int, Meta(description="The number of the hand, from 1.")]
    street: Annotated[str, Meta(description="The betting round.")]
    cards: Annotated[list[Card], IN_ZONES, Meta(description="Your own cards, as dealt; empty for a spectator.")]
    board: Annotated[list[Card], Meta(description="The board.")]
    pot: Annotated[AnyChips, Meta(description="All chips of this hand, the bets of this round included.")]
    pots: Annotated[
        list[Pot],
        Meta(description="The main pot and the side pots as they are now; empty while nobody is all in."),
    ]
    stacks: Annotated[list[AnyChips], Meta(description="The chips that each seat has left.")]
    bets: Annotated[list[AnyChips], Meta(description="What each seat has bet in this round, blinds included.")]
    paid: Annotated[list[AnyChips], Meta(description="What each seat has paid in this hand.")]
    button: SeatIndex
    small_blind: Annotated[SeatIndex | None, Meta(description="The seat with the small blind; null: there is none.")]
    big_blind: Annotated[SeatIndex | None, Meta(description="The seat with the big blind; null: there is none.")]
    blinds: Annotated[
        tuple[AnyChips, AnyChips], Meta(description="The small and the big blind of this hand, in chips.")
    ]
    folded: Annotated[tuple[SeatIndex, ...], Meta(description="The seats that have no hand any more.")]
    all_in: Annotated[tuple[SeatIndex, ...], Meta(description="The seats that have a hand, and no chips left.")]
    out: Annotated[
        tuple[SeatIndex, ...], Meta(description="The seats that have lost all their chips in earlier hands.")
    ]
    to_call: Annotated[AnyChips, Meta(description="What the player on turn has to pay to call; 0: it can check.")]
    min_raise: Annotated[
        AnyChips | None, Meta(description="The lowest bet or raise of the player on turn; null: none.")
    ]
    max_raise: Annotated[AnyChips | None, Meta(description="The highest; where it is the same there is one size only.")]
    net: Annotated[list[AnyChips], Meta(description="Chips won and lost in the earlier hands of the game.")]
    history: Annotated[
        list[Annotated[str, phrases_of(Deed, r"(?P<seat>\d+)(?P<kind>[fkcbr])(?P<to>\d*)")]],
        Meta(
            description="The actions of this hand, a string for each betting round: seat, letter (f fold, k check, c "
            'call, b bet, r raise) and the chips of a bet or raise: "2r300 0f 1c".'
        ),
    ]


class BettingView(HandView, frozen=True):
    """What a seat may know of any hand. Lists of numbers are by seat, if nothing else is said."""

    history: Annotated[
        list[Annotated[str, phrases_of(AnyDeed, r"(?P<seat>\d+)(?P<kind>[a-z])(?P<to>\d*)")]],
        Meta(
            description="The actions of this hand, a string for each street: seat, letter (f fold, k check, c call, b "
            "bet, r raise, i bring-in, those of the acts) and a number: the chips of a bet or raise, or what an act "
            'tells: "2r300 0f 1d2".'
        ),
    ]
    up: Annotated[list[list[Card]], Meta(description="By seat, the cards that lie open before it.")]
    known: Annotated[
        list[list[Card]],
        IN_ZONES,
        Meta(description="By seat, the hidden cards of its hand that you know: of others, what you have seen of it."),
    ]
    discarded: Annotated[list[int], Meta(description="By seat, how many cards it has laid away in this hand.")]


class HandPosition(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position written down. Cards that are null or left out are dealt at random from those not mentioned.

    Without `paid` a hand begins: antes and blinds are posted, and `stacks` are the chips before. With `paid` the hand
    is in the middle, or (with `over`) the game has ended. With `deck` the hand is dealt from that deck, and no cards
    may be given.
    """

    hand: Annotated[int, Meta(ge=1)] = 1
    button: SeatNumber | None = None  # null: the option first_button
    small_blind: SeatNumber | None = None  # the seat; without `paid`: null is the first with chips left of the button
    big_blind: SeatNumber | None = None  # the seat; without `paid`: null is the second with chips
    stacks: list[ChipCount] | None = None  # null: the option stack for everybody
    net: list[int] | None = None  # of the earlier hands; null: all zero
    out_hands: list[ChipCount] | None = None  # the hand in which each seat lost its last chips, 0: it has chips
    out_stacks: list[ChipCount] | None = None  # what it had before that hand
    hands: list[list[Card | None]] | None = None  # folded ones too
    board: list[Card] = []
    stock: list[Card] | None = None  # the next cards, top first: the rest of the board
    deck: list[Card] | None = None  # top first
    paid: list[ChipCount] | None = None
    dead_ante: ChipCount = 0  # of `paid`: what the big blind has paid for all
    missing_blinds: ChipCount = 0  # by how much the blinds that were posted fall short of whole ones
    bets: list[ChipCount] | None = None  # null: all zero
    street: str = ""  # "": the first
    turn: SeatNumber | None = None
    folded: list[SeatNumber] = []
    acted: list[SeatNumber] = []  # in this round
    current_bet: ChipCount = 0  # what a call asks for
    last_raise: ChipCount = 0  # the size of the last full bet or raise
    full_bet: ChipCount = 0  # the bet from which the next fixed raise counts
    bet_count: ChipCount = 0  # full bets and raises of this round, the big blind included
    aggressor: SeatNumber | None = None  # who bet or raised last in this round
    history: list[str] = []  # as in the view; the last string is of this round
    shown: list[SeatNumber] = []  # the seats whose cards everybody knows
    over: bool = False


class BettingPosition(HandPosition, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A position of a game with open cards, discards or acts; otherwise as `HandPosition`."""

    up: list[list[Card]] | None = None  # by seat, the cards that lie open; null: dealt at random
    discards: list[list[Card]] | None = None  # by seat, the cards laid away
    seen: dict[Card, list[SeatNumber]] = {}  # who knows a card, where that does not follow from where it lies
    stage: int = 0  # the number of the act, or of the betting, in this street, from 0
    deciding: list[SeatNumber] = []  # the seats that are to decide this act
    dead_paid: list[ChipCount] | None = None  # of `paid`: what acts have cost each seat, no part of its bets
