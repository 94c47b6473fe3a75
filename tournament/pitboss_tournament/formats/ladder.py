"""Ladder: rounds without end, in which bots join and leave. A round is as long as there are bots.

Each round has three kinds of tables, as many seats in all as there are bots:

- *placing*: a bot with fewer blocks than `placing` gets two tables, one with opponents at a quantile of the order (the
  middle, then the quarters, the eighths, …) and one with its neighbours, so that it is soon near its place;
- *reunions*: one table in eight is for a bot whose turn it is, with those whom it has not met for longest: so everybody
  meets everybody again, old leaders too;
- *neighbours*: the others go to neighbours in the order that have no verdict yet, those with the fewest blocks first;
  when all have one, to whoever has the fewest.

No more than `owner_seats` bots of one owner sit at a table as long as there are others, and no owner has more than its
part of a round: twice the mean of all owners. The order is one for pairing only: each block moves the ratings of its
bots by less the more blocks they have. A disqualified bot, or one that has left, is at no table; one that comes back is
where it was.

Rounds may overlap: then a bot that is at `MAX_OPEN_TABLES` tables of earlier rounds sits one out, so that a slow bot
holds up nobody but those who play with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import exp
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, PlayedBlock, PlayedRound, RoundGenerator

if TYPE_CHECKING:
    from pitboss_tournament.statistics.head_to_head import HeadToHead

T = TypeVar("T")  # of results: statistics are imported when a ladder is played

REUNION_SHARE: Final = 8  # one table in so many is a reunion
FIRST_GAIN: Final = 3.0  # of a bot's first block, in units of log strength; the n-th moves it by the n-th part of this
OWNER_SHARE: Final = 2  # an owner has at most so many times the mean of all
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
        from pitboss_tournament.statistics.head_to_head import HeadToHead

        ladder = RunningLadder(field, options, HeadToHead(0))
        if not ladder.is_over:
            yield from self._play(ladder, ladder.choose_tables(), field.deals)
        return None

    def resume_rounds(self, field: EntrantField, options: LadderOptions, state: bytes) -> RoundGenerator:
        """Go on from a `LadderState`: yield the round after which it was kept, without its tables, and those after it.

        Raises:
            ValueError: it is none.
        """
        from msgspec.msgpack import decode

        from pitboss_tournament.statistics.head_to_head import HeadToHead, MeetingTotals

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
    last_met: list[tuple[int, int, int]]
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
        self._last_met: dict[tuple[int, int], int] = {}  # round, by pair
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
                [(*pair, number) for pair, number in self._last_met.items()],
                self._results.totals(),
            )
        )

    def restore(self, kept: LadderState[Any]) -> None:
        """Replace all that is known, but for the results."""
        self._rounds, self.active = kept.rounds, kept.active
        self._busy, self._owners = Counter(dict(kept.busy)), dict(kept.owners)
        self._ratings, self._placings = kept.ratings, kept.placings
        self._last_met = {(one, other): number for one, other, number in kept.last_met}

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
        number = self._rounds
        free = [bot for bot in self.active if self._busy[bot] < MAX_OPEN_TABLES]
        order = sorted(free, key=lambda bot: (-self._ratings[bot], bot))
        if len(order) < self._seats:
            return []
        chosen = _RoundTables(order, self._seats, self._owners, self._options.owner_seats)
        placing = [bot for bot in order if self._results.count_blocks_of(bot) < self._options.placing]
        for bot in sorted(placing, key=lambda bot: (self._results.count_blocks_of(bot), bot)):
            places = (int(_quantile(self._placings[bot]) * len(order)), order.index(bot))
            for place in places[chosen.count(bot) :]:
                chosen.add(bot, _by_distance(order, place))
            self._placings[bot] += 1
        wanted = max(1, len(order) // self._seats)
        reunions = max(1, wanted // REUNION_SHARE)
        for turn in range(number * reunions, (number + 1) * reunions):
            bot = free[turn % len(free)]
            chosen.add(bot, sorted(order, key=lambda other: self._reunion_key(bot, other)))
        for one, other in self._list_undecided(order, set(placing)):
            if len(chosen.tables) >= wanted:
                break
            if not (chosen.count(one) and chosen.count(other)):
                chosen.add(one, [other, *_by_distance(order, order.index(one))])
        for bot in sorted(order, key=lambda bot: (self._results.count_blocks_of(bot), bot)):
            if len(chosen.tables) >= wanted:
                break
            if not chosen.count(bot):
                chosen.add(bot, _by_distance(order, order.index(bot)))
        self._last_met.update((pair, number) for table in chosen.tables for pair in combinations(sorted(table), 2))
        return chosen.tables

    def _take_in(self, bots: Sequence[int], names: Sequence[str], owners: Sequence[str]) -> None:
        """Give bots that join a place in the middle; those that come back have theirs."""
        room = max([len(self._ratings), *(bot + 1 for bot in bots)])
        more = room - len(self._ratings)
        self._results.make_room(room)
        self._ratings += [0.0] * more
        self._placings += [0] * more
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

    def _reunion_key(self, bot: int, other: int) -> tuple[int, float, int]:
        pair = (bot, other) if bot < other else (other, bot)
        return self._last_met.get(pair, 0), abs(self._ratings[bot] - self._ratings[other]), other

    def _list_undecided(self, order: Sequence[int], placing: Collection[int]) -> Iterator[tuple[int, int]]:
        """Yield neighbours without a verdict, those with the fewest blocks together first."""
        settled = [bot for bot in order if bot not in placing]
        pairs = sorted(pairwise(settled), key=lambda pair: (self._results.count_blocks(*pair), pair))
        yield from (pair for pair in pairs if self._results.judge_pair(*pair) not in ("better", "worse"))


class _RoundTables:
    """The tables of a round as they are chosen."""

    def __init__(self, order: Sequence[int], seats: int, owners: dict[int, str], owner_seats: int) -> None:
        self.tables: list[list[int]] = []
        self._seats = seats
        self._owner_seats = owner_seats
        self._owners = owners
        self._seats_of = Counter[int]()  # by bot
        self._of_owner = Counter[str]()  # seats
        self._most = OWNER_SHARE * -(-len(order) // max(1, len({owners[bot] for bot in order})))

    def count(self, bot: int) -> int:
        """Return how many tables a bot has."""
        return self._seats_of[bot]

    def add(self, bot: int, others: Iterable[int]) -> None:
        """Add a table for a bot with the first of others who fit, unless its owner has had its part.

        Others who have a table already, or whose owner has no seat left there, come only if there is nobody else.
        """
        if self._of_owner[self._owners[bot]] >= self._most:
            return
        table, kept = [bot], list[int]()
        for other in others:
            if len(table) == self._seats:
                break
            if not self._seats_of[other] and self._may_join(other, table):
                table.append(other)
            else:
                kept.append(other)
        for heeds_owners in (True, False):
            for other in kept:
                is_wanted = other not in table and (not heeds_owners or self._may_join(other, table))
                if is_wanted and len(table) < self._seats:
                    table.append(other)
        self.tables.append(table)
        self._seats_of.update(table)
        self._of_owner.update(self._owners[one] for one in table)

    def _may_join(self, bot: int, table: Sequence[int]) -> bool:
        """Tell whether a bot, which is not at a table, has an owner who has a seat left there."""
        owner = self._owners[bot]
        return bot not in table and sum(self._owners[one] == owner for one in table) < self._owner_seats


def _by_distance(order: Sequence[int], place: int) -> Iterator[int]:
    """Yield the bots of an order, those nearest to a place first."""
    for away in range(len(order)):
        if away <= place:
            yield order[place - away]
        if 0 < away < len(order) - place:
            yield order[place + away]


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
