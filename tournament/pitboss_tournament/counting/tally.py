"""Standings with 95 % intervals. The unit of observation is the block, one deal in all orders of its seat design.

Within a block every entrant has had every seat with the same cards, so the mean over the block has most of the deal's
luck taken out; blocks are independent of each other, single games are not.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from pitboss.text import join_words
from pitboss_tournament.plan.plan import FaultRules
from pitboss_tournament.statistics.blocks import Block, check_block
from pitboss_tournament.statistics.running_moments import Estimate, RunningMoments
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import TimeHistogram, quantile_ms
from pitboss_tournament.statistics.times_of_games import TotalTimes
from pitboss_tournament.store.header import Header

GAMES_AT_ONCE: Final = 10  # for each bot: their times are added up together
MIN_AT_ONCE: Final = 500  # games: a few bots have many of them, and a histogram takes as long to update for ten
MAX_AT_ONCE: Final = 2_000  # games: they are held in memory until then


class Standing(Struct, frozen=True, kw_only=True):
    """A line of the standings."""

    name: str
    games: int
    blocks: int  # complete ones: only they count for the estimates
    points: Estimate
    largest_block: float | None = None  # the share of the variance of points that is in one block, if that is too much
    wins: Estimate  # share of the wins, 0 to 1
    faults: dict[str, int]  # forfeited games by kind
    substituted: dict[str, int]  # decisions that the neutral action was played for, the game going on, by kind of fault
    think_ms: float | None  # mean thinking time a decision
    think_p50_ms: float | None  # half of the decisions took no longer
    think_p99_ms: float | None  # 99 of 100 decisions took no longer
    is_out: bool  # too many faults

    @property
    def never_played(self) -> bool:
        """Whether the bot made no decision: it has games, and forfeited each before its first answer."""
        return sum(self.faults.values()) == self.games > 0 and self.think_ms is None


class TallyState(Struct, frozen=True, kw_only=True):
    """All that a `Tally` has counted, without its open blocks, as plain data. Lists are by entrant."""

    games: int
    faults: list[dict[str, int]]
    substituted: list[dict[str, int]]
    first_faults: dict[int, dict[str, tuple[int, int]]]
    forfeited_games: int
    gainers: dict[int, dict[int, int]]
    games_of: list[int]
    points: list[RunningMoments]
    wins: list[RunningMoments]
    decisions: list[int]
    think_us: list[int]
    think: list[TimeHistogram]
    lag: TimeHistogram
    more_is_better: int = 0  # games in which the winner had more points than the last, less those in which fewer


def sort_standings(lines: Iterable[Standing]) -> list[Standing]:
    """Return lines in order: the greatest share of wins first, then points, then name."""
    return sorted(lines, key=lambda line: (-(line.wins.mean or 0), -(line.points.mean or 0), line.name))


class Tally:
    """Standings of a tournament, updated game by game. Memory grows with entrants and open blocks, not with games."""

    def __init__(
        self,
        names: list[str],
        block_games: int,
        disqualify_after: int,
        convert_block: Callable[[Block], Block] | None = None,
        *,
        disqualify_percent: float = 0,
    ) -> None:
        """Begin with no games. `convert_block`: points and wins are those of converted blocks, more points better."""
        self.names = names
        self.games = 0
        self.faults: list[Counter[str]] = [Counter() for _ in names]  # forfeited games
        self.substituted: list[Counter[str]] = [Counter() for _ in names]  # decisions
        self.first_faults: dict[int, dict[str, tuple[int, int]]] = {}  # by entrant and kind: game and seat
        self.forfeited_games = 0  # by anybody
        self.gainers: dict[int, Counter[int]] = {}  # by entrant that forfeited: games, by the entrant placed ahead
        self._convert_block = convert_block
        self._block_games = block_games  # one deal in all orders of the seat design
        self._fault_rules = FaultRules(disqualify_after=disqualify_after, disqualify_percent=disqualify_percent)
        self._open_blocks: dict[tuple[int, int], Block] = {}
        self._games = [0] * len(names)
        self._points = [RunningMoments() for _ in names]
        self._wins = [RunningMoments() for _ in names]
        self._decisions = [0] * len(names)
        self._think_us = [0] * len(names)
        self._more_is_better = 0
        self._think = [TotalTimes() for _ in names]
        self._lag = TotalTimes()
        self._uncounted: list[GameResult] = []  # games whose times are not added up yet
        self._uncounted_seats: list[list[SeatResult]] = [[] for _ in names]  # of these games, by entrant
        self._uncounted_points = defaultdict[int, list[float]](list)  # of the blocks that these completed, by entrant
        self._uncounted_wins = defaultdict[int, list[float]](list)
        self._most_uncounted = _choose_most_uncounted(len(names))
        self._lines: tuple[int, bool, list[Standing]] | None = (
            None  # the number of games, whether intervals hold at any time, and the lines
        )

    def dump(self) -> TallyState:
        """Return what has been counted: shared, not copied."""
        self.settle()
        return TallyState(
            games=self.games,
            faults=[dict(counted) for counted in self.faults],
            substituted=[dict(counted) for counted in self.substituted],
            first_faults=self.first_faults,
            forfeited_games=self.forfeited_games,
            gainers={entrant: dict(counted) for entrant, counted in self.gainers.items()},
            games_of=self._games,
            points=self._points,
            wins=self._wins,
            decisions=self._decisions,
            think_us=self._think_us,
            think=[times.histogram() for times in self._think],
            lag=self._lag.histogram(),
            more_is_better=self._more_is_better,
        )

    @property
    def open_blocks(self) -> list[Block]:
        """The blocks that lack games."""
        return list(self._open_blocks.values())

    def make_room(self, names: list[str]) -> None:
        """Take in bots that join: these are all names from now on."""
        more = len(names) - len(self._games)
        self.names, self._lines = names, None
        for counters in (self.faults, self.substituted):
            counters += [Counter[str]() for _ in range(more)]
        for sums in (self._games, self._decisions, self._think_us):
            sums += [0] * more
        for moments in (self._points, self._wins):
            moments += [RunningMoments() for _ in range(more)]
        self._think += [TotalTimes() for _ in range(more)]
        self._uncounted_seats += [[] for _ in range(more)]
        self._most_uncounted = _choose_most_uncounted(len(names))

    def change_header(self, header: Header) -> None:
        """Take in the bots that have joined."""
        self.make_room(header.labels)

    def load(self, totals: TallyState, open_blocks: Iterable[Block] = ()) -> None:
        """Replace what has been counted: bots that it lacks have joined since.

        Without the blocks that are open no game can be added.
        """
        self._open_blocks = {(block[0].pairing, block[0].deal): block for block in open_blocks}
        self.games, self._lines = totals.games, None
        self.faults = [Counter(counted) for counted in totals.faults]
        self.substituted = [Counter(counted) for counted in totals.substituted]
        self.first_faults = totals.first_faults
        self.forfeited_games = totals.forfeited_games
        self.gainers = {entrant: Counter(counted) for entrant, counted in totals.gainers.items()}
        self._games = totals.games_of
        self._points, self._wins = totals.points, totals.wins
        self._decisions, self._think_us = totals.decisions, totals.think_us
        self._think = [TotalTimes(times) for times in totals.think]
        self._lag = TotalTimes(totals.lag)
        self._more_is_better = totals.more_is_better
        self._uncounted.clear()
        self._uncounted_points.clear()
        self._uncounted_wins.clear()
        self._uncounted_seats = [[] for _ in self._games]
        self.make_room(self.names)

    @property
    def lowest_wins(self) -> bool:
        """Whether fewer points are better, judged from games without forfeits."""
        return self._convert_block is None and self._more_is_better < 0

    def point_moments(self, entrant: int) -> RunningMoments:
        """Return the points a game of a bot, a value for each complete block."""
        self.settle()
        return self._points[entrant]

    @property
    def lag(self) -> TimeHistogram:
        """How late the runner read answers."""
        self.settle()
        return self._lag.histogram()

    def think(self, entrant: int) -> TimeHistogram:
        """Return the thinking times of a bot."""
        self.settle()
        return self._think[entrant].histogram()

    def add(self, result: GameResult) -> Block | None:
        """Count a game; return its block, as it is scored, if it is complete now.

        Raises:
            RecordError: see `check_block`.
        """
        self.games += 1
        self._uncounted.append(result)
        forfeited = []
        for number, seat in enumerate(result.seats):
            self._uncounted_seats[seat.entrant].append(seat)
            if seat.fault or seat.substituted:
                self._count_faults(seat, (result.game_id, number))
            if seat.fault:
                forfeited.append(seat)
        if forfeited:
            self._count_gainers(result, forfeited)
        else:
            places = [seat.place for seat in result.seats]
            first, last = result.seats[places.index(min(places))], result.seats[places.index(max(places))]
            self._more_is_better += (first.points > last.points) - (first.points < last.points)
        block = self._open_blocks.get((result.pairing, result.deal))
        if block is None:
            block = self._open_blocks[result.pairing, result.deal] = []
        elif block:
            check_block([block[0], result])
        block.append(result)
        scored = None
        if len(block) == self._block_games:
            del self._open_blocks[result.pairing, result.deal]
            scored = block if self._convert_block is None else self._convert_block(block)
            self._close_block(scored)
        if len(self._uncounted) >= self._most_uncounted:
            self.settle()
        return scored

    def settle(self) -> None:
        """Add up what is simply summed over the games; for many games at once it takes less time.

        Until the next game, questions change no count.
        """
        if not self._uncounted:
            return
        for moments, uncounted in ((self._points, self._uncounted_points), (self._wins, self._uncounted_wins)):
            for entrant, values in uncounted.items():
                moments[entrant].add_all(values)
            uncounted.clear()
        self._lag.add_all([game.lag for game in self._uncounted])
        self._uncounted.clear()
        for entrant, seats in enumerate(self._uncounted_seats):
            self._games[entrant] += len(seats)
            self._decisions[entrant] += sum([seat.decisions for seat in seats])
            self._think_us[entrant] += sum([seat.think_us for seat in seats])
            self._think[entrant].add_all([seat.think for seat in seats])
            seats.clear()

    def _count_faults(self, seat: SeatResult, here: tuple[int, int]) -> None:
        if seat.fault:
            self.faults[seat.entrant][seat.fault] += 1
        self.substituted[seat.entrant].update(seat.substituted)
        first = self.first_faults.setdefault(seat.entrant, {})
        for kind in (*seat.substituted, *([seat.fault] if seat.fault else [])):
            first[kind] = min(here, first.get(kind, here))

    def _count_gainers(self, result: GameResult, forfeited: Iterable[SeatResult]) -> None:
        self.forfeited_games += 1
        for loser in forfeited:
            ahead = [seat.entrant for seat in result.seats if seat.place < loser.place]
            self.gainers.setdefault(loser.entrant, Counter()).update(ahead)

    def add_all(self, results: Iterable[GameResult]) -> None:
        """Count many games."""
        for result in results:
            self.add(result)

    def count_games(self, entrant: int) -> int:
        """Return how many games an entrant has."""
        return self._games[entrant] + len(self._uncounted_seats[entrant])

    def is_disqualified(self, entrant: int) -> bool:
        """Whether an entrant has forfeited as many games as disqualify it, or more."""
        return self._fault_rules.is_out(self.faults[entrant].total(), self.count_games(entrant))

    def list_disqualified(self) -> frozenset[int]:
        """Return all disqualified entrants."""
        return frozenset(entrant for entrant in range(len(self.names)) if self.is_disqualified(entrant))

    def standings(self, *, anytime: bool = False) -> list[Standing]:
        """Return the lines, the greatest share of wins first (then points, then name).

        Their intervals are those for a number of blocks that was fixed beforehand, or such that hold at any time.
        """
        if self._lines is None or self._lines[:2] != (self.games, anytime):
            lines = sort_standings(self._standing(entrant, anytime) for entrant in range(len(self.names)))
            self._lines = self.games, anytime, lines
        return list(self._lines[2])

    def _close_block(self, block: Block) -> None:
        scored: dict[int, float] = {}
        won: dict[int, float] = {}
        for result in block:
            for seat in result.seats:
                entrant = seat.entrant
                scored[entrant] = scored.get(entrant, 0.0) + seat.points
                won[entrant] = won.get(entrant, 0.0) + seat.win
        games = len(block)
        for entrant, value in scored.items():
            self._uncounted_points[entrant].append(value / games)
            self._uncounted_wins[entrant].append(won[entrant] / games)

    def _standing(self, entrant: int, anytime: bool) -> Standing:
        think = self.think(entrant)
        decisions = self._decisions[entrant]
        return Standing(
            name=self.names[entrant],
            games=self._games[entrant],
            blocks=self._points[entrant].count,
            points=self._points[entrant].estimate(anytime=anytime),
            largest_block=self._points[entrant].dominant_share,
            wins=self._wins[entrant].estimate(scale=1.0, anytime=anytime),
            faults=dict(self.faults[entrant]),
            substituted=dict(self.substituted[entrant]),
            think_ms=self._think_us[entrant] / decisions / 1000 if decisions else None,
            think_p50_ms=quantile_ms(think, 0.5),
            think_p99_ms=quantile_ms(think, 0.99),
            is_out=self.is_disqualified(entrant),
        )


def make_tally(header: Header, convert_block: Callable[[Block], Block] | None = None) -> Tally:
    """Return the tally of a tournament before its first game; by converted blocks where they are given."""
    rules = header.faults
    return Tally(
        *(header.labels, header.block_size, rules.disqualify_after, convert_block),
        disqualify_percent=rules.disqualify_percent,
    )


def _choose_most_uncounted(bots: int) -> int:
    """Return how many games may wait to have their times added up."""
    return min(max(GAMES_AT_ONCE * bots, MIN_AT_ONCE), MAX_AT_ONCE)


def heavy_tail_text(standings: Iterable[Standing]) -> str | None:
    """Return a warning if intervals of points may hold too seldom, as one block has much of their variance."""
    found = [line for line in standings if line.largest_block]
    if not found:
        return None
    worst = max(found, key=lambda line: line.largest_block or 0.0)
    names = join_words([line.name for line in found], last="and")
    return (
        f"One block accounts for up to {worst.largest_block or 0:.0%} of the variance of the points of {names}. Their "
        "intervals may miss the mean: go by ratings and wins, which count places."
    )
