"""Ladder: rounds without end, in which bots join and leave. A round is as long as there are bots.

Each round has three kinds of tables, as many seats in all as there are bots:

- *placing*: a bot with fewer blocks than `placing` gets two tables, one with opponents at a quantile of the order (the
  middle, then the quarters, the eighths, …) and one with its neighbours, so that it is soon near its place;
- *reunions*: one table in eight is for a bot whose turn it is, with those whom it has not met for longest: so everybody
  meets everybody again, old leaders too;
- *neighbours*: the others go to neighbours in the order that have no verdict yet, those with the fewest blocks first;
  when all have one, to whoever has the fewest.

Two bots of one owner do not meet as long as there are others, and no owner has more than its part of a round: twice the
mean of all owners. The order is one for pairing only: each block moves the ratings of its bots by less the more blocks
they have. A disqualified bot, or one that has left, is at no table; one that comes back is where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import exp
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from pitboss.plugins.formats import EntrantField, FormatOptions, PlannedRound, PlayedBlock, PlayedRound, RoundGenerator

if TYPE_CHECKING:
    from pitboss_tournament.statistics.head_to_head import HeadToHead

REUNION_SHARE: Final = 8  # one table in so many is a reunion
FIRST_GAIN: Final = 3.0  # of a bot's first block, in units of log strength; the n-th moves it by the n-th part of this
OWNER_SHARE: Final = 2  # an owner has at most so many times the mean of all

RoundCount = Annotated[int, Meta(ge=1, description="Rounds; by default it goes on until it is stopped.")]
PlacingBlocks = Annotated[int, Meta(ge=1, le=10_000, description="Blocks after which a bot has found its place.")]
OwnerMark = Annotated[
    str, Meta(max_length=3, description="What stands in a bot's name behind its owner: with ., ann.alpha is ann's.")
]


class LadderOptions(FormatOptions, frozen=True, kw_only=True):
    """The options of `ladder`."""

    rounds: RoundCount | None = None
    placing: PlacingBlocks = 20
    owner_mark: OwnerMark = ""


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
        """Yield rounds until too few bots are left for a table, or all are played."""
        from pitboss_tournament.statistics.head_to_head import HeadToHead

        state = LadderState(field, options, HeadToHead(0))
        number = 0
        while len(state.active) >= field.seats and (options.rounds is None or number < options.rounds):
            number += 1
            played = yield PlannedRound(state.choose_tables(number), field.deals)
            state.take(played)
        return None


class LadderState:
    """What a ladder knows of its bots."""

    def __init__(self, field: EntrantField, options: LadderOptions, results: HeadToHead) -> None:
        """Begin without a result; `results` is empty."""
        self.active = list(range(len(field.names)))  # who plays
        self._seats = field.seats
        self._options = options
        self._owners: dict[int, str] = {}
        self._results = results
        self._ratings: list[float] = []
        self._placings: list[int] = []  # by bot: rounds in which it was placed
        self._last_met: dict[tuple[int, int], int] = {}  # round, by pair
        self._take_in(self.active, field.names)

    def take(self, played: PlayedRound) -> None:
        """Take the results of a round, and who joins and leaves."""
        for table in played.tables:
            for block in table.blocks:
                self._add_block(block)
        self._take_in(played.joined, played.joined_names)
        self.active = sorted({*self.active, *played.joined} - played.disqualified)

    def choose_tables(self, number: int) -> list[list[int]]:
        """Return the tables of a round, by its number from 1."""
        order = sorted(self.active, key=lambda bot: (-self._ratings[bot], bot))
        chosen = _RoundTables(order, self._seats, self._owners)
        placing = [bot for bot in order if self._results.count_blocks_of(bot) < self._options.placing]
        for bot in sorted(placing, key=lambda bot: (self._results.count_blocks_of(bot), bot)):
            places = (int(_quantile(self._placings[bot]) * len(order)), order.index(bot))
            for place in places[chosen.count(bot) :]:
                chosen.add(bot, _by_distance(order, place))
            self._placings[bot] += 1
        wanted = max(1, len(order) // self._seats)
        reunions = max(1, wanted // REUNION_SHARE)
        for turn in range(number * reunions, (number + 1) * reunions):
            bot = self.active[turn % len(self.active)]
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

    def _take_in(self, bots: Sequence[int], names: Sequence[str]) -> None:
        """Give bots that join a place in the middle; those that come back have theirs."""
        room = max([len(self._ratings), *(bot + 1 for bot in bots)])
        more = room - len(self._ratings)
        self._results.make_room(room)
        self._ratings += [0.0] * more
        self._placings += [0] * more
        mark = self._options.owner_mark
        for bot, name in zip(bots, names, strict=True):
            owner, found, _ = name.partition(mark) if mark else (name, "", "")
            self._owners[bot] = owner + found

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

    def __init__(self, order: Sequence[int], seats: int, owners: dict[int, str]) -> None:
        self.tables: list[list[int]] = []
        self._seats = seats
        self._owners = owners
        self._seats_of = Counter[int]()  # by bot
        self._of_owner = Counter[str]()  # seats
        self._most = OWNER_SHARE * -(-len(order) // max(1, len({owners[bot] for bot in order})))

    def count(self, bot: int) -> int:
        """Return how many tables a bot has."""
        return self._seats_of[bot]

    def add(self, bot: int, others: Iterable[int]) -> None:
        """Add a table for a bot with the first of others who fit, unless its owner has had its part.

        Others who have a table already, or the owner of one at the table, come only if there is nobody else.
        """
        if self._of_owner[self._owners[bot]] >= self._most:
            return
        table, kept = [bot], list[int]()
        for other in others:
            if len(table) == self._seats:
                break
            if not self._seats_of[other] and self._is_of_another(other, table):
                table.append(other)
            else:
                kept.append(other)
        for must_be_of_another in (True, False):
            for other in kept:
                is_wanted = other not in table and (not must_be_of_another or self._is_of_another(other, table))
                if is_wanted and len(table) < self._seats:
                    table.append(other)
        self.tables.append(table)
        self._seats_of.update(table)
        self._of_owner.update(self._owners[one] for one in table)

    def _is_of_another(self, bot: int, table: Sequence[int]) -> bool:
        """Tell whether a bot has another owner than all at a table, at which it is not."""
        return bot not in table and self._owners[bot] not in {self._owners[one] for one in table}


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
