"""Notable games: the longest, closest, widest, the first with a fault, and the best and the worst of each bot."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field

from pitboss_tournament.statistics.blocks import margins
from pitboss_tournament.statistics.scoring import GameResult

NOTABLE_KINDS: Final = 4
EXTREMES_KEPT: Final = 3  # games of each bot, at either end

RankedGame: TypeAlias = tuple[float, int]  # a game and before it a value, the least of which comes first


class ExtremeGame:
    """The game with the highest value seen; of equal ones the lowest number."""

    def __init__(self) -> None:
        self.game: GameResult | None = None
        self.value = 0.0

    def consider(self, game: GameResult, value: float) -> None:
        """Consider a game."""
        if self.game is None or (value, -game.game_id) > (self.value, -self.game.game_id):
            self.game, self.value = game, value


class ExtremeGames(Struct):
    """The games of a bot with the most and the fewest points above the mean of their tables, each the utmost first."""

    highest: list[RankedGame] = field(default_factory=list)
    lowest: list[RankedGame] = field(default_factory=list)

    def consider(self, margin: float, game_id: int) -> None:
        """Consider a game; of equal ones those with the lowest numbers stay."""
        _keep_least(self.highest, (-margin, game_id))
        _keep_least(self.lowest, (margin, game_id))


class NotableTotals(Struct, frozen=True):
    """Notable games as plain data."""

    games: list[tuple[GameResult | None, float]]  # the longest, the widest, the closest, the first with a fault
    of_bots: dict[int, int]
    won: list[int]
    extremes: dict[int, ExtremeGames]


class NotableGames:
    """Notable games of a tournament. Games with a forfeit have no margin."""

    def __init__(self) -> None:
        self.longest = ExtremeGame()
        self.widest = ExtremeGame()
        self.closest = ExtremeGame()
        self.first_fault = ExtremeGame()
        self.of_bots: dict[int, int] = {}  # by bot: the lowest number of a game that it won, or else that it played
        self.extremes: dict[int, ExtremeGames] = {}  # by bot; of games without a forfeit
        self._won: set[int] = set()  # bots of which it is a game that they won

    def totals(self) -> NotableTotals:
        """Return what has been found."""
        games = [(kept.game, kept.value) for kept in self._extremes]
        return NotableTotals(games, self.of_bots, sorted(self._won), self.extremes)

    def restore(self, totals: NotableTotals) -> None:
        """Replace what has been found."""
        for kept, (game, value) in zip(self._extremes, totals.games, strict=True):
            kept.game, kept.value = game, value
        self.of_bots, self._won, self.extremes = totals.of_bots, set(totals.won), totals.extremes

    @property
    def _extremes(self) -> tuple[ExtremeGame, ...]:
        return self.longest, self.widest, self.closest, self.first_fault

    def consider(self, game: GameResult, luck: Sequence[float] | None = None) -> None:
        """Consider a game; `luck` is what chance added to the points of each seat, and does not count for extremes."""
        self.longest.consider(game, count_bot_decisions(game))
        for seat in game.seats:
            if seat.entrant not in self._won and (seat.win or seat.entrant not in self.of_bots):
                self.of_bots[seat.entrant] = game.game_id
                if seat.win:
                    self._won.add(seat.entrant)
        if any(seat.fault or seat.substituted for seat in game.seats):
            self.first_fault.consider(game, -game.game_id)
        if len(game.seats) < 2 or any(seat.fault for seat in game.seats):
            return
        in_order = sorted([(seat.place, seat.points) for seat in game.seats])
        first, best = in_order[0]
        apart = next((abs(best - points) for place, points in in_order if place > first), 0.0)
        self.widest.consider(game, apart)
        self.closest.consider(game, -apart)
        self._consider_margins(game, luck or [0.0] * len(game.seats))

    def _consider_margins(self, game: GameResult, luck: Sequence[float]) -> None:
        mean_luck = sum(luck) / len(luck)
        for seat, margin, lucky in zip(game.seats, margins(game), luck, strict=True):
            own = self.extremes.setdefault(seat.entrant, ExtremeGames())
            own.consider(margin - (lucky - mean_luck), game.game_id)

    def games(self) -> Iterator[tuple[str, GameResult]]:
        """Yield the notable games with their titles."""
        named = (
            ("The longest", self.longest),
            ("The greatest margin", self.widest),
            ("The closest", self.closest),
            ("The first with a fault", self.first_fault),
        )
        yield from ((name, kept.game) for name, kept in named if kept.game is not None)


def count_bot_decisions(game: GameResult) -> int:
    """Return the number of decisions that the bots made in a game."""
    return sum([seat.decisions for seat in game.seats])


def _keep_least(kept: list[RankedGame], one: RankedGame) -> None:
    """Add a game if it is among the EXTREMES_KEPT least, in order."""
    if len(kept) < EXTREMES_KEPT or one < kept[-1]:
        insort(kept, one)
        del kept[EXTREMES_KEPT:]
