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

The tables of a round are chosen one by one: who sits with whom, and how many seats an owner has. Each choice takes
about as long as it has to look for somebody who fits: bots that fit nowhere any more are not looked at, so that a round
takes time in proportion to its bots.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from math import exp
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.msgpack import decode

from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, PlayedBlock, PlayedRound, RoundGenerator

if TYPE_CHECKING:
    from pitboss_tournament.statistics.head_to_head import HeadToHead

T = TypeVar("T")  # of results: statistics are imported when a ladder is played

REUNION_SHARE: Final = 8  # one table in this number is a reunion
FIRST_GAIN: Final = 3.0  # of a bot's first block, in units of log strength; the n-th moves it by the n-th part of this
MAX_OPEN_TABLES: Final = 4  # of a bot, where rounds overlap

LadderRounds: TypeAlias = Generator[PlannedRound, PlayedRound, None]
RoundCount = Annotated[int, Meta(ge=1, description="Rounds. Default: no end; the ladder runs until it is stopped.")]
PlacingBlocks = Annotated[int, Meta(ge=1, le=10_000, description="Blocks after which a bot has found its place.")]
OwnerMark = Annotated[
    str, Meta(max_length=3, description="The sign in a bot's name after its owner: with ., ann.alpha belongs to ann.")
]

Overlapping = Annotated[
    bool,
    Meta(
        description="Begin a round while tables of earlier rounds are still in play. The pairings then depend on how "
        "long games take."
    ),
]
OwnerSeats = Annotated[
    int, Meta(ge=1, le=1_000, description="Bots of one owner at a table, as long as there are others.")
]

Preference: TypeAlias = Callable[[Sequence[int]], Iterator[int]]  # puts the bots at some places in order, best first

OWNER_SHARE: Final = 2  # an owner plays at most this many times the mean of all owners


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
        from pitboss_tournament.statistics.head_to_head import HeadToHead  # noqa: PLC0415 - if kept

        ladder = RunningLadder(field, options, HeadToHead(0))
        if not ladder.is_over:
            yield from self._play(ladder, ladder.choose_tables(), field.deals)
        return None

    def resume_rounds(self, field: EntrantField, options: LadderOptions, state: bytes) -> RoundGenerator:
        """Go on from a `LadderState`: yield the round after which it was kept, without its tables, and those after it.

        Raises:
            ValueError: it is none.
        """
        from pitboss_tournament.statistics.head_to_head import HeadToHead, MeetingTotals  # noqa: PLC0415 - if kept

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
        """Replace all that is known, except the results."""
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
    """Return the probability to win against an opponent ahead by this, in units of log strength."""
    return 1 / (1 + exp(min(lead, 500.0)))


class RoundTables:
    """The tables of a round as they are chosen. Places are those of the bots in their order, from 0."""

    def __init__(
        self, order: Sequence[int], owners: Sequence[str], seats: int, owner_seats: int, placing: Collection[int]
    ) -> None:
        """Begin without a table. `owners`: of the bots, in their order. Those of `placing` want two tables each."""
        self.tables: list[list[int]] = []
        self.places = {bot: place for place, bot in enumerate(order)}
        self.wanted: Final = len(order) // seats
        self._order = order
        self._owners = owners
        self._seats = seats
        self._owner_seats = owner_seats
        self._seats_of = Counter[int]()  # by bot
        self._left = [2 if bot in placing else 1 for bot in order]  # tables that bots still want, by place
        self._free = list(range(len(order)))  # places of those who want one, and whose owner has not had its part
        self._open = self._free.copy()  # of all whose owner has not
        self._of_owner = Counter[str]()  # seats
        self._places_of: dict[str, list[int]] = {}  # by owner
        for place, owner in enumerate(owners):
            self._places_of.setdefault(owner, []).append(place)
        self._most: Final = OWNER_SHARE * len(order) // len(self._places_of)

    @property
    def is_full(self) -> bool:
        """Whether there are as many tables as a round has, or more."""
        return len(self.tables) >= self.wanted

    def count(self, bot: int) -> int:
        """Return how many tables a bot has."""
        return self._seats_of[bot]

    def add(self, bot: int, preference: Preference) -> bool:
        """Add a table for a bot with those who fit, the best first; tell whether its owner has not yet had its part.

        Others come only if there is nobody else: first those who want no more tables, then those whose owner has had
        its part, and at last those whose owner has no seat left there.
        """
        if self._of_owner[self._owners[self.places[bot]]] >= self._most:
            return False
        table, everybody = [bot], range(len(self._order))
        self._fill(table, preference, self._free, self._may_join)
        self._fill(table, preference, self._open, self._may_join)
        self._fill(table, preference, everybody, self._has_seat)
        self._fill(table, preference, everybody, lambda bot, table: True)
        self._seat(table)
        return True

    def prefer_near(self, bot: int, first: int | None = None) -> Preference:
        """Return the preference for those nearest to a bot, after a bot that comes first."""
        near = partial(self._by_distance, self.places[bot])
        return near if first is None else lambda places: chain((first,), near(places))

    def prefer_quantile(self, share: float) -> Preference:
        """Return the preference for those nearest to a quantile of the order."""
        return partial(self._by_distance, int(share * len(self._order)))

    def _by_distance(self, middle: int, places: Sequence[int]) -> Iterator[int]:
        """Yield the bots at some places, which ascend, those nearest to the middle first."""
        after = bisect_right(places, middle)
        before = after - 1
        while before >= 0 or after < len(places):
            is_before = after == len(places) or (before >= 0 and middle - places[before] <= places[after] - middle)
            yield self._order[places[before if is_before else after]]
            before, after = (before - 1, after) if is_before else (before, after + 1)

    def _fill(
        self,
        table: list[int],
        preference: Preference,
        places: Sequence[int],
        may_join: Callable[[int, Sequence[int]], bool],
    ) -> None:
        """Let bots at some places join a table, as long as it has seats left."""
        if len(table) == self._seats:
            return
        for other in preference(places):
            is_at_place = places is not self._free or self._left[self.places[other]] > 0
            if is_at_place and other not in table and may_join(other, table):
                table.append(other)
                if len(table) == self._seats:
                    return

    def _may_join(self, bot: int, table: Sequence[int]) -> bool:
        """Tell whether the owner of a bot has seats left, at a table and in the round."""
        owner = self._owners[self.places[bot]]
        beside = sum(self._owners[self.places[one]] == owner for one in table)
        return beside < self._owner_seats and self._of_owner[owner] + beside < self._most

    def _has_seat(self, bot: int, table: Sequence[int]) -> bool:
        """Tell whether the owner of a bot has seats left at a table."""
        owner = self._owners[self.places[bot]]
        return sum(self._owners[self.places[one]] == owner for one in table) < self._owner_seats

    def _seat(self, table: list[int]) -> None:
        self.tables.append(table)
        self._seats_of.update(table)
        for place in [self.places[bot] for bot in table]:
            self._left[place] -= 1
            if not self._left[place]:
                _remove_place(self._free, place)
            owner = self._owners[place]
            self._of_owner[owner] += 1
            if self._of_owner[owner] == self._most:
                for own in self._places_of[owner]:
                    _remove_place(self._free, own)
                    _remove_place(self._open, own)


def _remove_place(places: list[int], place: int) -> None:
    """Remove a place from places that ascend, if it is among them."""
    at = bisect_left(places, place)
    if at < len(places) and places[at] == place:
        del places[at]
