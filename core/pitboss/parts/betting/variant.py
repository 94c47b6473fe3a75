"""What an author declares of a game of betting: its streets, its cards, who begins, what is decided beside betting."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from string import ascii_lowercase
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pitboss.parts.betting.high_hands import card_key
from pitboss.parts.betting.pots import MAX_PLAYERS
from pitboss.parts.betting.rankings import HIGH, Ranking
from pitboss.plugins.packs import STANDARD_PACK
from pitboss.table.cards import Deck
from pitboss.table.turns import Turn
from pitboss.text import join_words

Opener: TypeAlias = Literal["usual", "low card", "high hand"]

STANDARD_DECK: Final = Deck(STANDARD_PACK.faces)
BETTING_LETTERS: Final = "fkcbri"  # of bets and the bring-in in the history of a hand
ACT_LETTERS: Final = frozenset(ascii_lowercase) - {*BETTING_LETTERS}
SAID_LETTERS: Final = f"one of a to z but {join_words([*BETTING_LETTERS], 'and')}"
MAX_RANKINGS: Final = 2


class HandAct:
    """What players decide beside betting: one decision of each player with a hand, in turn.

    A subclass has a method for what may be done and one for what it does. Its `name` is the phase of the turn; its
    `letter` and the number that `apply` returns are a word of the history of the hand ("2d3"). An act has no state:
    whatever depends on what happened is read from the table or from the history (`state.find_notes`).
    """

    name: str = "act"
    letter: str = "x"  # one of `ACT_LETTERS`
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

    Raises:
        TypeError: a field is not a tuple of what it holds.
        ValueError: a name or a letter is not allowed, or two have the same.
    """

    def __init__(
        self,
        streets: Sequence[BettingStreet],
        *,
        deck: Deck = STANDARD_DECK,
        rankings: Sequence[Ranking] = (HIGH,),
        phh: Sequence[tuple[str, str]] = (),
    ) -> None:
        _check_tuple("streets", streets, BettingStreet)
        _check_tuple("rankings", rankings, Ranking)
        if not streets or not streets[0].is_betting:
            raise ValueError("the first street has a betting round, for the blinds")
        if not 1 <= len(rankings) <= MAX_RANKINGS:
            raise ValueError(f"rankings has {len(rankings)} entries; it has one, or two between which pots are split")
        _check_names(streets)
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
        each += sum(act.drawn for act in self.list_acts())
        return seats * each + self.board_size

    def has_acts_after(self, street: int) -> bool:
        """Tell whether anything beside bets is decided after a street."""
        return any(one.before or one.after for one in self.streets[street + 1 :])

    def count_acts(self) -> int:
        """Return how many acts a player can decide in a hand at the most."""
        return len(self.list_acts())

    def list_acts(self) -> list[HandAct]:
        """Return the acts of all streets, in order."""
        return [act for street in self.streets for act in (*street.before, *street.during, *street.after)]


def _check_tuple(field: str, given: Any, kind: type[Any]) -> None:  # noqa: ANN401 - whatever an author has written
    """Check that a field of a declaration is a tuple, or a list, of objects of a class.

    Raises:
        TypeError: it is not.
    """
    name = kind.__name__
    if isinstance(given, kind):
        one = type(given).__name__
        raise TypeError(f"{field} is one {one}; it is a tuple, also of one: ({one}(…),)")
    if not isinstance(given, tuple | list):
        said = f"the class {given.__name__}" if isinstance(given, type) else repr(given)
        raise TypeError(f"{field} is {said}; it is a tuple of objects of the class {name}")
    for one in given:
        if isinstance(one, type):
            raise TypeError(f"{field} has the class {one.__name__}; it has objects of it: ({one.__name__}(…),)")
        if not isinstance(one, kind):
            raise TypeError(f"{field} has {one!r}; it has objects of the class {name}")


def _check_names(streets: Sequence[BettingStreet]) -> None:
    """Check that streets and acts have different names, and acts different letters too.

    Raises:
        TypeError: acts are not in a tuple.
        ValueError: a name or a letter is not allowed, or two have the same.
    """
    names = [street.name for street in streets]
    for name in names:
        if not isinstance(name, str) or not name:
            raise ValueError(f"the name of a street is {name!r}; it is a word")
        if names.count(name) > 1:
            raise ValueError(f"two streets are named {name!r}; each has a name of its own")
    known: dict[str, tuple[HandAct, str]] = {}  # by "letter t" and "name trade"
    for street in streets:
        for field in ("before", "during", "after"):
            acts = getattr(street, field)
            _check_tuple(f"street {street.name!r}: {field}", acts, HandAct)
            for act in acts:
                _check_act(act, street.name, names)
                for what, word in (("letter", act.letter), ("name", act.name)):
                    other, place = known.setdefault(f"{what} {word}", (act, street.name))
                    if not _is_same_act(other, act):
                        raise ValueError(
                            f"{describe_act(other)} of street {place!r} and {describe_act(act)} of street "
                            f"{street.name!r} have the {what} {word!r}; acts that differ have different ones"
                        )


def describe_act(act: HandAct) -> str:
    """Return how an error names an act: "the act 'trade' (TradeAct)"."""
    return f"the act {act.name!r} ({type(act).__name__})"


def _check_act(act: HandAct, street: str, streets: Sequence[str]) -> None:
    """Check the name and the letter of an act by themselves."""
    if not isinstance(act.name, str) or not act.name:
        raise ValueError(f"street {street!r}: the name of {type(act).__name__} is {act.name!r}; it is a word")
    if act.name in streets:
        raise ValueError(f"street {street!r}: {describe_act(act)} has the name of a street; it needs another one")
    if act.letter not in ACT_LETTERS:
        raise ValueError(
            f"street {street!r}: the letter of {describe_act(act)} is {act.letter!r}; it is {SAID_LETTERS}"
        )


def _is_same_act(one: HandAct, other: HandAct) -> bool:
    """Return whether two acts do the same: one object, equal ones, or two of a class that hold the same."""
    return one == other or (type(one) is type(other) and getattr(one, "__dict__", 0) == getattr(other, "__dict__", 1))
