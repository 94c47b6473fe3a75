"""What an author declares of a game of betting: its streets, its cards, who begins, what is decided beside betting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pitboss.parts.betting.high_hands import card_key
from pitboss.parts.betting.pots import MAX_PLAYERS
from pitboss.parts.betting.rankings import HIGH, Ranking
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.table.cards import Deck
from pitboss.table.turns import Turn

Opener: TypeAlias = Literal["usual", "low card", "high hand"]

STANDARD_DECK: Final = Deck(STANDARD_PACK.faces)


class HandAct:
    """What players decide beside betting: one decision of each player with a hand, in turn.

    A subclass has a method for what may be done and one for what it does. Its `name` is the phase of the turn; its
    `letter` and the number that `apply` returns are a word of the history of the hand ("2d3"). An act has no state:
    whatever depends on what happened is read from the table or from the history (`state.find_notes`).
    """

    name: str = "act"
    letter: str = "x"  # not one of f, k, c, b, r, i
    drawn: int = 0  # cards that a player gets by it at the most

    def find_seats(self, state: Any) -> int:  # noqa: ANN401 - a state of any game of betting
        """Return the mask of the seats that decide: by default all with a hand."""
        return int(state.live)

    def list_actions(self, state: Any, seat: int) -> Sequence[Any]:  # noqa: ANN401
        """Return the legal actions of a seat, the one for who does not answer first; none: it is passed over."""
        raise NotImplementedError

    def apply(self, state: Any, seat: int, action: Any) -> int | None:  # noqa: ANN401
        """Do a legal action; return a number for the history, which everybody sees, or None."""
        raise NotImplementedError

    def end(self, state: Any) -> None:  # noqa: ANN401
        """Do what follows once all have decided; by default nothing."""


class BettingStreet(NamedTuple):
    """A part of a hand: cards are dealt, acts are decided, and a betting round is played.

    `hole` cards come to each player with a hand face down, `up` cards face up, and `board` cards to everybody. Acts
    come `before` the betting or `after` it; those `during` it are offered, once a street, to the player on turn, who
    bets afterwards.
    """

    name: str
    hole: int = 0
    up: int = 0
    board: int = 0
    bet_step: int = 1  # the fixed bet of this street, in big blinds
    is_betting: bool = True
    spread: tuple[int, int] | None = None  # bets and raises of this street are between these, not with limit
    opener: Opener = "usual"  # who begins: see rule B1; "low card" brings in, "high hand" is the best that lies open
    before: tuple[HandAct, ...] = ()
    during: tuple[HandAct, ...] = ()
    after: tuple[HandAct, ...] = ()


class BettingVariant:
    """A kind of poker, shared by all games that are played with it.

    Attributes:
        streets: the parts of a hand, in order.
        deck: the cards.
        rankings: how hands compare; with two, each pot is split between the best hands by each.
        phh: by `betting`, the name of this kind in hand histories (PHH); () if the format does not know it.
    """

    def __init__(
        self,
        streets: Sequence[BettingStreet],
        *,
        deck: Deck = STANDARD_DECK,
        rankings: Sequence[Ranking] = (HIGH,),
        phh: Sequence[tuple[str, str]] = (),
    ) -> None:
        if not streets or not streets[0].is_betting:
            raise ValueError("the first street has a betting round, for the blinds")
        self.streets: Final = tuple(streets)
        self.deck: Final = deck
        self.rankings: Final = tuple(rankings)
        self.rank: Final = rankings[0].rank
        self.second: Final = rankings[1] if len(rankings) > 1 else None
        self.street_names: Final = [street.name for street in streets]
        self.phh: Final = dict(phh)
        self.card_keys: Final = [card_key(face) for face in deck.faces]
        self.hole_cards: Final = streets[0].hole
        self.board_cards: Final = tuple(street.board for street in streets)
        self.board_size: Final = sum(self.board_cards)
        self.last_street: Final = len(streets) - 1
        self.turns: Final = [[Turn(seat, street.name) for seat in range(MAX_PLAYERS)] for street in streets]
        self.acts: Final = {act.name: act for street in streets for act in (*street.before, *street.after)}
        self.act_turns: Final = {name: [Turn(seat, name) for seat in range(MAX_PLAYERS)] for name in self.acts}
        spreads = [street.spread for street in streets]
        self.spreads: Final = spreads if any(spreads) else None  # by street
        self.card_counts: Final = [self._count_cards(seats) for seats in range(MAX_PLAYERS + 1)]
        self.most_drawn: Final = self.card_counts if self.is_dealt_in_order else [None] * (MAX_PLAYERS + 1)
        self.stages: Final = [  # by street: its acts, and None for the betting
            (*street.before, *([None] if street.is_betting else []), *street.after) for street in streets
        ]

    @cached_property
    def phases(self) -> tuple[str, ...]:
        """What a turn can be: the streets, and the acts."""
        return (*(street.name for street in self.streets), *self.acts)

    @cached_property
    def is_dealt_in_order(self) -> bool:
        """Whether all cards come to hidden hands at first and then to the board, so that a seed can name them (S9)."""
        late = any(street.hole or street.before or street.during or street.after for street in self.streets[1:])
        first = self.streets[0]
        return not (late or first.before or first.during or first.after or any(street.up for street in self.streets))

    def count_cards(self, seats: int) -> int:
        """Return how many cards a hand of some players takes at the most."""
        return self.card_counts[seats]

    def _count_cards(self, seats: int) -> int:
        each = sum(street.hole + street.up for street in self.streets)
        each += sum(act.drawn for street in self.streets for act in (*street.before, *street.during, *street.after))
        return seats * each + self.board_size

    def has_acts_after(self, street: int) -> bool:
        """Tell whether anything beside bets is decided after a street."""
        return any(one.before or one.after for one in self.streets[street + 1 :])

    def count_acts(self) -> int:
        """Return how many acts a player can decide in a hand at the most."""
        return sum(len(street.before) + len(street.during) + len(street.after) for street in self.streets)
