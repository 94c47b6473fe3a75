"""Formats: who meets whom. A format is a small class without state; plugins add theirs by the hook `pitboss_formats`.

A tournament is played in *rounds*. A format is a generator of rounds: each `yield` hands over a round and returns its
results.

    def rounds(self, field: EntrantField, options: MyOptions) -> RoundGenerator:
        for _ in range(options.rounds):
            played = yield PlannedRound(tables, field.deals)

The rounds must be a function of the field, the options and the results: no clock, no randomness but from the names in
the field, no iteration over sets. A resumed tournament sends the stored rounds to its format again and so goes on
exactly as the uninterrupted one; how many games are played at a time changes nothing, unless rounds overlap.

Rounds follow one another, unless a format says that a round *overlaps* with the next: then that may be asked for while
tables of earlier ones are still played, whenever somebody has nothing to play. What is told is then what has ended
since the last time, and who sits at a table still. The store keeps which tables such rounds had, as that depends on
how long games take. A format that offers `resume_rounds` goes on from a state that it has kept, without all that was
before.

Bots may join and leave between two runs. A static format is asked again, with those who are there then; what its tables
have played already is not played again. To any other format `PlayedRound` tells who joined and left. Nobody can join
unless the format has an attribute `why_closed` that is "": any other text is the reason, which people are told.

The first of the final order is the winner, unless the format has an attribute `ranks_by_proof` that is true: its order
is one of results then, and who has won is a question of proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from pitboss.errors import OptionError

O_contra = TypeVar("O_contra", contravariant=True)  # options


class FormatOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of the options of every format: one field for each option, its meaning in `Meta(description=…)`."""


class EntrantField(Struct, frozen=True, kw_only=True):
    """Entrants and table size of a format's rounds. Bots are numbered in the order of `names`: 0 is the first seed."""

    names: tuple[str, ...]
    seats: int  # at a table
    deals: int  # the tournament's `deals`: for each table of a round, unless the format says otherwise
    games: int  # of a block: one deal in all orders of the seat design
    sides: tuple[tuple[int, ...], ...] | None = None  # seats that win and lose together; None: each for itself
    owners: tuple[str, ...] = ()  # whose they are, by bot; "" if that is not known
    yardsticks: frozenset[int] = frozenset()  # bots that measure the others, and are to win nothing

    def find_bot(self, name: str, option: str) -> int:
        """Return the number of a bot that an option names.

        Raises:
            OptionError: no bot is called so.
        """
        if name not in self.names:
            raise OptionError(f"{option}: there is no bot {name!r}; the bots are {', '.join(self.names)}", option)
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
    """The next round: each table, with a distinct bot on each seat, plays `deals` deals; every deal is a block."""

    tables: Sequence[Sequence[int]]  # at least one; none in a round that overlaps: there is nothing to play now
    deals: int
    is_overlapping: bool = False  # the next round may be asked for before this one has ended
    keep_state: Callable[[], bytes] | None = None  # returns what `resume_rounds` takes; called before the next round
    is_extension: bool = False  # tables of the round before play longer: people are told of one round
    stage: str = ""  # what people call this part of the tournament, if it has several
    why_closed: str = ""  # why nobody can join after this round, though the format takes newcomers


class PlayedBlock(Struct, frozen=True):
    """A complete block of a table: means over its games, by entrant; a forfeit is last, with no more points."""

    place_scores: Mapping[int, float]  # the share of the others that were beaten, ties half: 0 to 1
    points: Mapping[int, float]
    places: tuple[tuple[tuple[int, int], ...], ...] = ()  # by game, then by seat: the entrant there, and its place


class PlayedTable(Struct, frozen=True):
    """Results of a table in a round."""

    entrants: tuple[int, ...]  # ascending
    blocks: tuple[PlayedBlock, ...]  # by deal; fewer than the round's deals if a bot plays no more


class PlayedRound(Struct, frozen=True):
    """Results of a round, by table as requested, and the entrants of the next round.

    Where rounds overlap, it is the tables of all rounds that have ended since the last time.

    Bots that join have numbers after those in the field, or come back. A bot that was in the field and left is
    among the disqualified, too, as long as it is away.
    """

    tables: tuple[PlayedTable, ...]
    disqualified: frozenset[int]  # all so far: they play no more games
    joined: tuple[int, ...] = ()  # from the next round on
    joined_names: tuple[str, ...] = ()  # of those
    left: frozenset[int] = frozenset()  # all that are away
    joined_owners: tuple[str, ...] = ()  # of those that join
    open_tables: tuple[tuple[int, ...], ...] = ()  # where rounds overlap: the tables still in play
    void: frozenset[int] = frozenset()  # of those that left: their games do not count


# returns the bots in their final order, those that share a place as a sequence; None: the order of the standings
RoundGenerator: TypeAlias = Generator[PlannedRound, PlayedRound, Sequence[int | Sequence[int]] | None]


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
        """Whether all games form one round, known beforehand: it can be extended, and gets no results sent."""

    @property
    def Options(self) -> type[Any]:  # noqa: N802 - it is a type, a struct of `FormatOptions`
        """The options of the format."""

    def check(self, field: EntrantField, options: O_contra) -> None:
        """Check that this format can be played with these entrants, seats and options.

        Raises:
            OptionError: it cannot; the text names the option, its value and what was allowed.
        """

    def count_blocks(self, field: EntrantField, options: O_contra) -> int:
        """Return the number of blocks: exact for a static format, otherwise as expected before the first round."""

    def rounds(self, field: EntrantField, options: O_contra) -> RoundGenerator:
        """Yield each round; `send` hands back its results. Called only after `check` has passed."""


class ResumableFormat(Format[O_contra], Protocol[O_contra]):
    """A format whose rounds go on from what it has kept of those before."""

    def resume_rounds(self, field: EntrantField, options: O_contra, state: bytes) -> RoundGenerator:
        """Go on from the state that a round has kept: the first `next` returns the round after it.

        Raises:
            ValueError: it is no such state.
        """


AnyFormat: TypeAlias = Format[Any]
