"""A league on paper: a ladder without end, of bots of known strength that take no time, played as a league plays it.

Games end in a simulated order: each takes as long as its bots are slow, and a few bots are ten times as slow as the
others. Versions and bots join and leave between rounds.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import accumulate
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from tests.synthetic_tournaments import SyntheticTournament

from pitboss.game import resolve_options
from pitboss.plugins.registry import Registry
from pitboss.protocol.messages import Clock
from pitboss_tournament.counting.counts import Counts
from pitboss_tournament.formats.selection import choose_format
from pitboss_tournament.plan.plan import BotAbout, Entrant, FaultRules, Plan, Roster, name_version
from pitboss_tournament.rounds.round_progress import begin_rounds
from pitboss_tournament.rounds.schedule import GameBatch, ScheduledGame
from pitboss_tournament.statistics.ratings import POINTS_PER_LOG_UNIT
from pitboss_tournament.statistics.scoring import GameResult, SeatResult
from pitboss_tournament.statistics.time_histogram import write_times
from pitboss_tournament.store.header import make_entry, make_header
from pitboss_tournament.store.rows import RecordedRound

GAME: Final = "ragamaru"  # of up to six, in whose name it is played
CARD_SHARE: Final = 0.5  # of the luck, in the cards of a seat: the same for whoever has them
AFFINITY: Final = 0.1  # in how a deal suits a bot
SLOW_SHARE: Final = 0.03  # of the bots
SLOWNESS: Final = 10.0  # of a slow one, the others being 1
VERSION_SPREAD: Final = 60.0  # of a version from the one before, in points
DECISIONS: Final = 25  # of a seat in a game


class LeagueSetup(Struct, frozen=True, kw_only=True):
    """What kind of league it is."""

    bots: int = 1_000
    owners: int = 250
    seats: int = 2
    deals: int = 5
    spread: float = 250.0  # of the true ratings, in points
    tables_at_once: int = 16
    newcomers: int = 0  # that join in the middle: half of them new versions, in place of the one before
    rounds: int = 100
    placing: int = 20
    seed: str = "league"


class SimulatedLeague:
    """The games of a league up to now, and the true ratings of its bots."""

    def __init__(
        self, setup: LeagueSetup, store: Path, add: Callable[[GameResult], None], open_round: Callable[..., None]
    ) -> None:
        """Open the first round. `add` is told each result, `open_round` each `RecordedRound` as soon as it is open."""
        self.setup = setup
        self._rng = Random(setup.seed)
        self.owners = draw_owners(setup.bots, setup.owners, self._rng)
        self.truth = [self._rng.gauss(0, setup.spread) for _ in range(setup.bots)]  # by entrant, in points
        self.games_of = Counter[int]()
        self.games = 0
        self.joined: dict[int, str] = {}  # "version" or "bot", by who has joined in the middle
        self.round_seconds: list[float] = []  # of processor time, to open each
        self.plan = make_league_plan(setup, self.owners, store)
        self.header = make_header(self.plan, Registry().find_game(GAME).version, "0")
        self.counts = Counts(self.header)
        self.tables = Counter[tuple[int, ...]]()
        self.last_seat: dict[int, int] = {}  # the round in which a bot last was at a new table
        self._add, self._open_round = add, open_round
        self._coming = draw_arrivals(setup, self._rng)
        self._speeds = [self._draw_speed() for _ in range(setup.bots)]
        self._times = [_draw_times(self._rng) for _ in range(500)]
        self._blocks: dict[tuple[int, int], list[GameResult]] = {}
        self._taken = Counter[tuple[int, int]]()
        self._in_play: list[tuple[float, int, deque[ScheduledGame]]] = []  # a heap by when the next game ends
        self._begun = 0  # batches
        self._now = 0.0
        self._may_open = True
        self._world = self._make_world()
        began = process_time()
        self.progress = begin_rounds(self.plan, on_open=self._note_round)
        self.round_seconds.append(process_time() - began)
        self._pending = self.progress.batches()

    @property
    def active(self) -> tuple[int, ...]:
        """Who plays now."""
        return self.header.rosters[-1].entries

    @property
    def is_over(self) -> bool:
        """Whether all rounds have begun."""
        return self.progress.rounds_begun >= self.setup.rounds

    def play_round(self) -> None:
        """Play until the next round is opened."""
        begun = self.progress.rounds_begun
        while self.progress.rounds_begun == begun:
            self._fill_tables()
            self._end_game()

    def change_field(self, leaving: Sequence[int], joining: Sequence[tuple[str, int, str, float]]) -> None:
        """Let bots leave, and others join: name, version, owner and true rating."""
        entries, entrants = list(self.header.entries), list(self.plan.entrants)
        playing = [bot for bot in self.active if bot not in set(leaving)]
        for bot in leaving:
            entries[bot] = replace(entries[bot], left="now", why="retired")
        for name, version, owner, rating in joining:
            made = Entrant(name=name_version(name, version), command=("true",), about=BotAbout(owner=owner))
            playing.append(len(entries))
            self.joined[len(entries)] = "bot" if version == 1 else "version"
            entries.append(replace(make_entry(made, version), joined="now"))
            entrants.append(made)
            self.owners.append(owner)
            self.truth.append(rating)
            self._speeds.append(self._draw_speed())
        first = self.progress.rounds_begun + 1
        kept = [one for one in self.header.rosters if one.first_round < first]
        rosters = (*kept, Roster(first_round=first, entries=tuple(playing), deals=self.setup.deals))
        self.plan = replace(self.plan, entrants=tuple(entrants), rosters=rosters)
        self.header = replace(self.header, entries=entries, rosters=rosters)
        self._world = self._make_world()
        self.progress.change_field(self.plan)
        self.counts.change_header(self.header)

    # ---- tables

    def _fill_tables(self) -> None:
        """Begin batches as long as there is room; open rounds whenever there is nothing left to begin."""
        while len(self._in_play) < self.setup.tables_at_once:
            batch = next(self._pending, None)
            if batch is not None:
                if self.progress.is_awaited(batch[0].game_id):
                    self._begin(batch)
            elif self._may_open:
                self._next_round()
            else:
                return

    def _next_round(self) -> None:
        self._come_and_go()
        in_play = [games[0].game_id for _, _, games in self._in_play]
        before, began = self.progress.games_end, process_time()
        self.progress.advance_round(frozenset(), in_play)
        self.round_seconds.append(process_time() - began)
        self._pending = self.progress.batches(self.progress.rounds_begun - 1)
        self._may_open = self.progress.games_end > before

    def _note_round(self, opened: RecordedRound) -> None:
        for table in opened.tables:
            self.tables[table] += 1
            self.last_seat.update(dict.fromkeys(table, opened.number))
        self._open_round(opened)

    def _begin(self, batch: GameBatch) -> None:
        self._begun += 1
        games = deque(batch)
        heappush(self._in_play, (self._now + self._draw_duration(games[0]), self._begun, games))

    def _end_game(self) -> None:
        self._now, number, games = heappop(self._in_play)
        game = games.popleft()
        result = self._draw_result(game)
        self.games += 1
        for seat in result.seats:
            self.games_of[seat.entrant] += 1
        self._add(result)
        self.counts.add(result)
        self.progress.add_result(result)
        if games and self.progress.absent.isdisjoint(game.entrants):
            heappush(self._in_play, (self._now + self._draw_duration(games[0]), number, games))
        else:
            self._may_open = True

    def _draw_duration(self, game: ScheduledGame) -> float:
        return sum(self._speeds[bot] for bot in game.entrants) * self._rng.uniform(0.5, 1.5)

    # ---- bots

    def _come_and_go(self) -> None:
        """Let those come whose round it is; a version goes as the next one of its bot comes."""
        number = self.progress.rounds_begun + 1
        coming = self._coming.pop(number, [])
        if not coming:
            return
        leaving, joining = [], []
        for kind in coming:
            chosen = self._rng.choice([bot for bot in self.active if bot not in leaving])
            entry = self.header.entries[chosen]
            if kind == "version":
                rating = self.truth[chosen] + self._rng.gauss(0, VERSION_SPREAD)
                leaving.append(chosen)
                joining.append((entry.name, entry.version + 1, entry.about.owner, rating))
            elif kind == "bot":
                name = f"new{len(self.header.entries) + len(joining)}"
                joining.append((name, 1, entry.about.owner, self._rng.gauss(0, self.setup.spread)))
            else:
                leaving.append(chosen)
        self.change_field(leaving, joining)

    def _draw_speed(self) -> float:
        return SLOWNESS if self._rng.random() < SLOW_SHARE else self._rng.uniform(0.5, 1.5)

    def _make_world(self) -> SyntheticTournament:
        strengths = tuple(rating / POINTS_PER_LOG_UNIT for rating in self.truth)
        seats = self.setup.seats
        return SyntheticTournament(strengths=strengths, seats=seats, card_share=CARD_SHARE, affinity=AFFINITY)

    def _draw_result(self, game: ScheduledGame) -> GameResult:
        """Return the result of a game, which depends on its deal and its bots alone."""
        key = game.pairing, game.deal
        block = self._blocks.get(key)
        if block is None:
            rng = Random(f"{self.setup.seed}/{game.pairing}/{game.deal}")
            block = self._blocks[key] = self._world._make_block(*key, tuple(sorted(game.entrants)), rng)
        self._taken[key] += 1
        if self._taken[key] == len(block):
            del self._blocks[key], self._taken[key]
        first = game.game_id % len(self._times)
        seats = []
        for place, seat in enumerate(block[game.rotation].seats):
            us, times = self._times[first - place]
            seats.append(
                SeatResult(seat.entrant, round(seat.points, 2), seat.place, seat.win, None, {}, DECISIONS, us, times)
            )
        return GameResult(game.game_id, *key, game.rotation, tuple(seats), self._times[first][1])


def make_league_plan(setup: LeagueSetup, owners: Sequence[str], store: Path) -> Plan:
    """Return the plan of a league, with options as `league_field` chooses them."""
    options = {"overlapping": True, "owner_seats": 1, "placing": setup.placing}
    return Plan(
        game=GAME,
        options=resolve_options(Registry().find_game(GAME), setup.seats),
        seats=setup.seats,
        seed=setup.seed,
        deals=setup.deals,
        format=choose_format("ladder", options),
        entrants=tuple(
            Entrant(name=f"bot{number}", command=("true",), about=BotAbout(owner=owner))
            for number, owner in enumerate(owners)
        ),
        rosters=(Roster(first_round=1, entries=tuple(range(setup.bots)), deals=setup.deals),),
        clock=Clock(start_ms=1_000, decision_ms=1_000),
        faults=FaultRules(disqualify_after=10**9),
        store=store,
    )


def draw_owners(bots: int, owners: int, rng: Random) -> list[str]:
    """Return whose each bot is: all owners have one, the first ones have many."""
    names = [f"owner{number}" for number in range(min(bots, owners))]
    weights = list(accumulate((number + 1) ** -0.5 for number in range(len(names))))
    found = [*names, *rng.choices(names, cum_weights=weights, k=bots - len(names))]
    rng.shuffle(found)
    return found


def draw_arrivals(setup: LeagueSetup, rng: Random) -> dict[int, list[str]]:
    """Return who comes before which round: versions and bots in turn, and half as many bots leave."""
    arrivals: dict[int, list[str]] = {}
    low, high = max(2, setup.rounds // 3), max(3, 3 * setup.rounds // 4)
    kinds = ["version", "bot"] * -(-setup.newcomers // 2)
    for kind in [*kinds[: setup.newcomers], *["leaves"] * (setup.newcomers // 2)]:
        arrivals.setdefault(rng.randint(low, high), []).append(kind)
    return arrivals


def _draw_times(rng: Random) -> tuple[int, str]:
    us = [int(rng.lognormvariate(5, 1)) for _ in range(DECISIONS)]
    return sum(us), write_times(us)


def iter_rounds(league: SimulatedLeague) -> Iterator[int]:
    """Play all rounds; yield the number of each that has been opened."""
    while not league.is_over:
        league.play_round()
        yield league.progress.rounds_begun
