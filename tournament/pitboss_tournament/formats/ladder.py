"""Ladder: rounds without end, in which bots join and leave. A round is as long as there are bots.

Each round has three kinds of tables, as many seats in all as there are bots:

- *placing*: a bot with fewer blocks than `placing` gets two tables, one with opponents at a quantile of the order (the
  middle, then the quarters, the eighths, …) and one with its neighbours, so that it is soon near its place;
- *reunions*: one table in eight is for the bot that has waited longest for one, with those whom it has not met for
  longest, however strong they are: so everybody meets everybody again, old leaders too, and ratings are not spread as
  widely as where neighbours by their results meet alone (`bench.ladder`: by 3 % too widely and not by 6 %);
- *neighbours*: the others go to neighbours in the order that have no verdict yet, those with the fewest blocks first;
  when all have one, to whoever has the fewest.

No more than `owner_seats` bots of one owner sit at a table, and no owner has more than its part of a round, twice the
mean of all owners, as long as there are others. The order is one for pairing only: each block moves the ratings of its
bots by less the more blocks they have. A disqualified bot, or one that has left, is at no table; one that comes back is
where it was.

Rounds may overlap: then a bot that is at `MAX_OPEN_TABLES` tables of earlier rounds sits one out, so that a slow bot
holds up nobody but those who play with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from math import exp
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.msgpack import decode

from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, PlayedBlock, PlayedRound, RoundGenerator
from pitboss_tournament.formats.round_tables import RoundTables

if TYPE_CHECKING:
    from pitboss_tournament.statistics.head_to_head import HeadToHead

T = TypeVar("T")  # of results: statistics are imported when a ladder is played

REUNION_SHARE: Final = 8  # one table in so many is a reunion
FIRST_GAIN: Final = 3.0  # of a bot's first block, in units of log strength; the n-th moves it by the n-th part of this
MAX_OPEN_TABLES: Final = 4  # of a bot, where rounds overlap

LadderRounds: TypeAlias = Generator[PlannedRound, PlayedRound, None]
RoundCount = Annotated[int, Meta(ge=1, description="Rounds; by default it goes on until it is stopped.")]
PlacingBlocks = Annotated[int, Meta(ge=1, le=10_000, description="Blocks after which a bot has found its place.")]
OwnerMark = Annotated[
    str, Meta(max_length=3, description="What stands in a bot's name behind its owner: with ., ann.alpha is ann's.")
]

Overlapping = Annotated[
    bool,
    Meta(
        description="A round begins while tables of earlier ones are still played. Who meets whom then depends on how "
        "long games take."
    ),
]
OwnerSeats = Annotated[
    int, Meta(ge=1, le=1_000, description="Bots of one owner at a table, as long as there are others.")
]


class LadderOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `ladder`."""

    rounds: RoundCount | None = None
    placing: PlacingBlocks = 20
    owner_mark: OwnerMark = ""
    owner_seats: OwnerSeats = 1
    overlapping: Overlapping = False


class Ladder:
    """Newcomers find their place, and neighbours meet until their order is proven."""

    name = "ladder"
    summary = "Rounds without end: newcomers find their place, neighbours meet until their order is proven."
    is_static = False
    why_closed = ""
    Options = LadderOptions

    def check(self, field: EntrantField, options: LadderOptions) -> None:
        """Require a game in which each seat plays for itself."""
        field.require_single_seats(self.name)

    def count_blocks(self, field: EntrantField, options: LadderOptions) -> int:
        """Return the blocks of all rounds with these bots; without an end, those of the first."""
        return (options.rounds or 1) * max(1, len(field.names) // field.seats) * field.deals

    def rounds(self, field: EntrantField, options: LadderOptions) -> RoundGenerator:
        """Yield rounds until all are played, or too few bots are left for a table.

        Where rounds overlap others may come, and rounds without a table are yielded until they do.
        """
        from pitboss_tournament.statistics.head_to_head import HeadToHead  # noqa: PLC0415 - a list needs none

        ladder = RunningLadder(field, options, HeadToHead(0))
        if not ladder.is_over:
            yield from self._play(ladder, ladder.choose_tables(), field.deals)
        return None

    def resume_rounds(self, field: EntrantField, options: LadderOptions, state: bytes) -> RoundGenerator:
        """Go on from a `LadderState`: yield the round after which it was kept, without its tables, and those after it.

        Raises:
            ValueError: it is none.
        """
        from pitboss_tournament.statistics.head_to_head import HeadToHead, MeetingTotals  # noqa: PLC0415 - a list needs none

        kept = decode(state, type=LadderState[MeetingTotals])
        results = HeadToHead(0)
        if not kept.results.fits(len(kept.results.scores)):
            raise ValueError("the results of the ladder's pairs do not belong together")
        results.restore(kept.results)
        ladder = RunningLadder(field, options, results)
        ladder.restore(kept)
        yield from self._play(ladder, [], field.deals)
        return None

    def _play(self, ladder: RunningLadder, tables: list[list[int]], deals: int) -> LadderRounds:
        while True:
            played = yield PlannedRound(tables, deals, ladder.is_overlapping, ladder.encode_state)
            ladder.take(played)
            if ladder.is_over:
                return
            tables = ladder.choose_tables()


class LadderState(Struct, Generic[T], frozen=True):
    """All that a ladder knows of its bots, right after it has chosen the tables of a round."""

    rounds: int  # chosen so far
    active: list[int]
    busy: list[tuple[int, int]]
    owners: list[tuple[int, str]]
    ratings: list[float]
    placings: list[int]
    reunions: list[int]
    met: list[list[int]]
    results: T


class RunningLadder:
    """What a ladder knows of its bots."""

    def __init__(self, field: EntrantField, options: LadderOptions, results: HeadToHead) -> None:
        """Begin without a result; `results` is empty."""
        self.active = list(range(len(field.names)))  # who plays
        self.is_overlapping = options.overlapping
        self._rounds = 0  # chosen so far
        self._busy = Counter[int]()  # tables of earlier rounds, by bot
        self._seats = field.seats
        self._options = options
        self._owners: dict[int, str] = {}
        self._results = results
        self._ratings: list[float] = []
        self._placings: list[int] = []  # by bot: rounds in which it was placed
        self._reunions: list[int] = []  # by bot: the round in which it last had one, or came
        self._met: list[dict[int, None]] = []  # by bot: whom it has met, those first whom it has not met for longest
        self._take_in(self.active, field.names, field.owners)

    @property
    def is_over(self) -> bool:
        """Whether no more rounds come."""
        if self._options.rounds is not None and self._rounds >= self._options.rounds:
            return True
        return len(self.active) < self._seats and not self.is_overlapping

    def encode_state(self) -> bytes:
        """Return a `LadderState`."""
        return msgspec.msgpack.encode(
            LadderState(
                self._rounds,
                self.active,
                list(self._busy.items()),
                list(self._owners.items()),
                self._ratings,
                self._placings,
                self._reunions,
                [list(others) for others in self._met],
                self._results.totals(),
            )
        )

    def restore(self, kept: LadderState[Any]) -> None:
        """Replace all that is known, but for the results."""
        self._rounds, self.active = kept.rounds, kept.active
        self._busy, self._owners = Counter(dict(kept.busy)), dict(kept.owners)
        self._ratings, self._placings, self._reunions = kept.ratings, kept.placings, kept.reunions
        self._met = [dict.fromkeys(others) for others in kept.met]

    def take(self, played: PlayedRound) -> None:
        """Take the results of a round, and who joins and leaves."""
        for table in played.tables:
            for block in table.blocks:
                self._add_block(block)
        self._take_in(played.joined, played.joined_names, played.joined_owners)
        self.active = sorted({*self.active, *played.joined} - played.disqualified)
        self._busy = Counter(bot for table in played.open_tables for bot in table)

    def choose_tables(self) -> list[list[int]]:
        """Return the tables of the next round: none if too few bots are free."""
        self._rounds += 1
        free = [bot for bot in self.active if self._busy[bot] < MAX_OPEN_TABLES]
        if len(free) < self._seats:
            return []
        order = sorted(free, key=lambda bot: (-self._ratings[bot], bot))
        by_blocks = sorted(order, key=lambda bot: (self._results.count_blocks_of(bot), bot))
        placing = [bot for bot in by_blocks if self._results.count_blocks_of(bot) < self._options.placing]
        owners = [self._owners[bot] for bot in order]
        chosen = RoundTables(order, owners, self._seats, self._options.owner_seats, set(placing))
        self._add_placing(chosen, placing)
        self._add_reunions(chosen, free)
        for one, other in self._list_undecided(order, set(placing)):
            if chosen.is_full:
                break
            if not (chosen.count(one) and chosen.count(other)):
                chosen.add(one, chosen.prefer_near(one, other))
        for bot in by_blocks:
            if chosen.is_full:
                break
            if not chosen.count(bot):
                chosen.add(bot, chosen.prefer_near(bot))
        self._note_meetings(chosen.tables)
        return chosen.tables

    def _add_placing(self, chosen: RoundTables, placing: Sequence[int]) -> None:
        """Give each of these bots two tables: one at a quantile of the order, and one with its neighbours."""
        for bot in placing:
            preferences = (chosen.prefer_quantile(_quantile(self._placings[bot])), chosen.prefer_near(bot))
            for preference in preferences[chosen.count(bot) :]:
                chosen.add(bot, preference)
            self._placings[bot] += 1

    def _add_reunions(self, chosen: RoundTables, free: Sequence[int]) -> None:
        """Give those of these bots a table that have waited longest for a reunion."""
        left = max(1, chosen.wanted // REUNION_SHARE)
        for bot in sorted(free, key=lambda bot: (self._reunions[bot], bot)):
            if not left:
                break
            if chosen.add(bot, partial(self._prefer_unmet, bot, chosen)):
                self._reunions[bot] = self._rounds
                left -= 1

    def _prefer_unmet(self, bot: int, chosen: RoundTables, places: Sequence[int]) -> Iterator[int]:
        """Yield those whom a bot has never met, by number and in each round from another one on, then the others.

        Results play no part: it is such meetings that show how wide the whole field is spread.
        """
        if not places:
            return
        met, size = self._met[bot], len(self._met)
        first = (bot + int(_quantile(self._rounds) * size)) % size
        numbers = chain(range(first, size), range(first))
        yield from (other for other in numbers if other in chosen.places and other not in met)
        yield from (other for other in met if other in chosen.places)

    def _note_meetings(self, tables: Sequence[Sequence[int]]) -> None:
        for table in tables:
            for bot in table:
                met = self._met[bot]
                for other in table:
                    if other != bot:
                        met.pop(other, None)
                        met[other] = None  # now the last one

    def _take_in(self, bots: Sequence[int], names: Sequence[str], owners: Sequence[str]) -> None:
        """Give bots that join a place in the middle; those that come back have theirs."""
        room = max([len(self._ratings), *(bot + 1 for bot in bots)])
        more = room - len(self._ratings)
        self._results.make_room(room)
        self._ratings += [0.0] * more
        self._placings += [0] * more
        self._reunions += [self._rounds] * more
        self._met += [{} for _ in range(more)]
        mark = self._options.owner_mark
        for bot, name, known in zip(bots, names, owners or [""] * len(bots), strict=True):
            owner, found, _ = name.partition(mark) if mark else (name, "", "")
            self._owners[bot] = known or owner + found

    def _add_block(self, block: PlayedBlock) -> None:
        self._results.add(block)
        ratings = {bot: self._ratings[bot] for bot in block.place_scores}
        for bot, score in block.place_scores.items():
            others = [_expect(rating - ratings[bot]) for other, rating in ratings.items() if other != bot]
            gain = FIRST_GAIN / self._results.count_blocks_of(bot)
            self._ratings[bot] += gain * (score - sum(others) / len(others))

    def _list_undecided(self, order: Sequence[int], placing: Collection[int]) -> Iterator[tuple[int, int]]:
        """Yield neighbours without a verdict, those with the fewest blocks together first."""
        settled = [bot for bot in order if bot not in placing]
        pairs = sorted(pairwise(settled), key=lambda pair: (self._results.count_blocks(*pair), pair))
        yield from (pair for pair in pairs if self._results.judge_pair(*pair) not in ("better", "worse"))


def _quantile(turn: int) -> float:
    """Return the numbers 1/2, 1/4, 3/4, 1/8, 5/8, 3/8, … by turn (van der Corput)."""
    number, step, found = turn + 1, 0.5, 0.0
    while number:
        number, bit = divmod(number, 2)
        found += bit * step
        step /= 2
    return found


def _expect(lead: float) -> float:
    """Return the probability to win against somebody who is ahead by this, in units of log strength."""
    return 1 / (1 + exp(min(lead, 500.0)))
