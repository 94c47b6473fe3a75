"""Formats: who meets whom. A format is a small class without state; plugins add theirs by the hook `pitboss_formats`.

A tournament is played in *rounds*. A format writes them as a generator: it yields a round, is sent what came of it, and yields the next one:

    def rounds(self, field: Field, options: MyOptions) -> Rounds:
        for _ in range(options.rounds):
            played = yield Round(tables, field.deals)

It must be a function of the field, its options and what it is sent: no clock, no randomness but from the field's names, no set whose order matters. So a resumed
tournament, whose format is sent the stored rounds again, goes on exactly as the uninterrupted one, and how many games are played at a time changes nothing.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pitboss.errors import OptionError

O_contra = TypeVar("O_contra", contravariant=True)  # options


class FormatOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of every format's options: a field an option, its meaning in `Meta(description=…)`. Each has a default, unless the format cannot do without it."""


class EntrantField(Struct, frozen=True, kw_only=True):
    """What a format makes its rounds for. Bots are numbered as they are listed, which is their seed order: 0 is the first seed."""

    names: tuple[str, ...]
    seats: int  # at a table
    deals: int  # the tournament's `deals`: for each table of a round, unless the format says otherwise
    games: int  # of a block: one deal in all orders of the seat design
    sides: tuple[tuple[int, ...], ...] | None = None  # seats that win and lose together; None: each for itself

    def find_bot(self, name: str, option: str) -> int:
        """Return the number of a bot that an option names.

        Raises:
            OptionError: no bot is called so.
        """
        if name not in self.names:
            raise OptionError(f"{option}: there is no bot {name!r}; the bots are {', '.join(self.names)}")
        return self.names.index(name)

    def require_single_seats(self, format_name: str) -> None:
        """Check that each seat plays for itself, for formats that rank bots one by one: partners would always tie.

        Raises:
            OptionError: seats win and lose together.
        """
        if self.sides is not None:
            sides = " and ".join("+".join(str(seat) for seat in side) for side in self.sides)
            raise OptionError(
                f"format is {format_name!r}, in which each seat plays for itself; here seats {sides} play together: "
                "use round-robin or gauntlet"
            )


class PlannedRound(Struct, frozen=True):
    """What is to be played next: each table (as many different bots as there are seats, in any order) plays so many deals, each a block."""

    tables: Sequence[Sequence[int]]
    deals: int


class PlayedBlock(Struct, frozen=True):
    """A complete block of a table: means over its games, by entrant as in the table. Forfeited games count as they are scored: last, with no more points than the others."""

    place_scores: Mapping[int, float]  # the share of the others that were beaten, ties half: 0 to 1
    points: Mapping[int, float]


class PlayedTable(Struct, frozen=True):
    """What a table of a round has played."""

    entrants: tuple[int, ...]  # ascending
    blocks: tuple[PlayedBlock, ...]  # by deal; fewer than the round's deals if a bot was put out meanwhile


class PlayedRound(Struct, frozen=True):
    """What came of a round: its tables as they were asked for, and all bots that are out of the tournament by its end. Games of theirs are played no more."""

    tables: tuple[PlayedTable, ...]
    disqualified: frozenset[int]


RoundGenerator: TypeAlias = Generator[
    PlannedRound, PlayedRound, Sequence[int] | None
]  # at last the bots in the order in which they end; None: the standings tell


class Format(Protocol[O_contra]):
    """A way to play a tournament."""

    @property
    def name(self) -> str:
        """What people write: `round-robin`."""

    @property
    def summary(self) -> str:
        """One sentence for `pitboss formats`."""

    @property
    def is_static(self) -> bool:
        """Whether there is one round, known from the start: such a tournament can be made longer, and the format is never sent what came of it."""

    @property
    def Options(self) -> type[Any]:  # noqa: N802 - it is a type, a struct of `FormatOptions`
        """The options of the format."""

    def check(self, field: EntrantField, options: O_contra) -> None:
        """See whether a field can be played so.

        Raises:
            OptionError: it cannot; the text names the option, its value and what was allowed.
        """

    def count_blocks(self, field: EntrantField, options: O_contra) -> int:
        """Return how many blocks are expected: for a static format exactly, else as well as can be told before."""

    def rounds(self, field: EntrantField, options: O_contra) -> RoundGenerator:
        """Yield the rounds, and be sent what came of each. A field that did not pass `check` is never given."""


AnyFormat: TypeAlias = Format[Any]
