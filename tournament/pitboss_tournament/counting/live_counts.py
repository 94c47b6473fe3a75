"""The counts of a league, in memory while its games are played: the run, the ladder and the checkpoint share them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

import trio

from pitboss_tournament.counting.counts import Counts, CountsState
from pitboss_tournament.counting.scored_results import find_block_conversion
from pitboss_tournament.counting.tally import Tally
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.header import Entry, Header

T = TypeVar("T")
N = TypeVar("N")


class LiveCounts:
    """Counts to which games are added as they end. While a thread computes with them, games and bots wait.

    Questions about games and forfeits are answered with the games that wait: they decide who plays on.
    """

    def __init__(self, header: Header) -> None:
        """Begin without a game."""
        self.header = header
        self.beginnings = 0  # how often all games were forgotten
        self._counts = self._make_counts()
        self._in_use: Counts | None = None  # by a thread
        self._computing = trio.Lock()
        self._forget_waiting()

    @property
    def games(self) -> int:
        """How many games have been added."""
        return self.tally.games + self._waiting_total

    @property
    def tally(self) -> Tally:
        """What is counted of each bot, without what waits."""
        return self._counts.tally

    @property
    def counted_entries(self) -> Sequence[Entry]:
        """The entries of the bots that are counted. Bots that join while a thread computes are in the header first."""
        return self.header.entries[: len(self._counts.names)]

    def begin(self) -> None:
        """Forget all games: they are told again."""
        self.beginnings += 1
        self._counts = self._make_counts()
        self._forget_waiting()

    def load(self, state: CountsState, parts: Iterable[bytes]) -> None:
        """Begin with what a checkpoint has counted.

        Raises:
            ValueError: it contradicts itself.
        """
        loaded = self._make_counts()
        loaded.load(state, parts)
        self._counts = loaded

    def add(self, result: GameResult) -> None:
        """Count a game."""
        if self._do_or_wait(lambda counts: counts.add(result)):
            return
        self._waiting_total += 1
        for seat in result.seats:
            self._waiting_games[seat.entrant] += 1
            if seat.fault:
                self._waiting_faults.setdefault(seat.entrant, Counter())[seat.fault] += 1

    def change_header(self, header: Header) -> None:
        """Take in those who have joined."""
        self.header = header
        self._do_or_wait(lambda counts: counts.change_header(header))

    def count_games(self, entrant: int) -> int:
        """Return how many games an entrant has."""
        tally = self.tally
        counted = tally.count_games(entrant) if entrant < len(tally.names) else 0
        return counted + self._waiting_games[entrant]

    def count_faults(self, entrant: int) -> Counter[str]:
        """Return how many games an entrant has forfeited, by kind of fault."""
        tally = self.tally
        counted = tally.faults[entrant] if entrant < len(tally.names) else Counter[str]()
        return counted + self._waiting_faults.get(entrant, Counter())

    def is_disqualified(self, entrant: int) -> bool:
        """Whether an entrant has forfeited as many games as disqualify it, or more."""
        return self.header.faults.is_out(self.count_faults(entrant).total(), self.count_games(entrant))

    def list_disqualified(self) -> frozenset[int]:
        """Return all disqualified entrants."""
        return self.tally.list_disqualified() | {bot for bot in self._waiting_faults if self.is_disqualified(bot)}

    async def compute(self, begin: Callable[[], N], work: Callable[[Counts, N], T]) -> T:
        """Return what a function makes of the counts, in a thread.

        It also gets what `begin` has returned in the moment at which they were as they are.
        """
        async with self._computing:
            counts, begun = self._counts, begin()
            counts.tally.settle()
            self._in_use = counts
            try:  # a cancelled task, too, waits for a thread that is not abandoned
                return await trio.to_thread.run_sync(work, counts, begun)
            finally:
                self._in_use = None
                waiting = self._waiting
                self._forget_waiting()
                for do in waiting:
                    do(self._counts)

    def _make_counts(self) -> Counts:
        return Counts(self.header, convert_block=find_block_conversion(self.header))

    def _do_or_wait(self, do: Callable[[Counts], object]) -> bool:
        """Change the counts, at once or after the thread that computes with them; tell whether it was at once."""
        if self._counts is self._in_use:
            self._waiting.append(do)
            return False
        do(self._counts)
        return True

    def _forget_waiting(self) -> None:
        self._waiting: list[Callable[[Counts], object]] = []
        self._waiting_total = 0  # of games
        self._waiting_games = Counter[int]()  # by entrant
        self._waiting_faults: dict[int, Counter[str]] = {}


GameCount: TypeAlias = Tally | LiveCounts  # what a run asks of its games: how many, and which bots are disqualified
