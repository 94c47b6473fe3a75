"""Notable games: the longest, closest, widest, the first with a fault, and the best and the worst of each bot."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, field

from pitboss_tournament.statistics.blocks import margins
from pitboss_tournament.statistics.scoring import GameResult

EXTREMES_KEPT: Final = 3  # games of each bot, at either end

RankedGame: TypeAlias = tuple[float, int]  # a game and before it a value, the least of which comes first


class ExtremeGame(Struct):
    """The game with the highest value seen; of equal ones the lowest number."""

    game: GameResult | None = None
    value: float = 0.0

    def consider(self, game: GameResult, value: float) -> None:
        """Consider a game."""
        if self.game is None or value > self.value or (value == self.value and game.game_id < self.game.game_id):
            self.game, self.value = game, value


class ExtremeGames(Struct):
    """The games of a bot with the most and the fewest points above the mean of their tables, each the utmost first."""

    highest: list[RankedGame] = field(default_factory=list)
    lowest: list[RankedGame] = field(default_factory=list)

    def consider(self, margin: float, game_id: int) -> None:
        """Consider a game; of equal ones those with the lowest numbers stay."""
        if len(self.lowest) == EXTREMES_KEPT and self.lowest[-1][0] < margin < -self.highest[-1][0]:
            return  # as most games
        _keep_least(self.highest, (-margin, game_id))
        _keep_least(self.lowest, (margin, game_id))


class NotableGames(Struct):
    """Notable games of a tournament. Games with a forfeit have no margin."""

    longest: ExtremeGame = field(default_factory=ExtremeGame)
    widest: ExtremeGame = field(default_factory=ExtremeGame)
    closest: ExtremeGame = field(default_factory=ExtremeGame)
    first_fault: ExtremeGame = field(default_factory=ExtremeGame)
    of_bots: dict[int, int] = {}  # by bot: the lowest number of a game that it won, or else that it played
    won: set[int] = set()  # bots of which it is a game that they won
    extremes: dict[int, ExtremeGames] = {}  # by bot; of games without a forfeit

    def consider(self, game: GameResult, luck: Sequence[float] | None = None) -> None:
        """Consider a game; `luck` is what chance added to the points of each seat, and does not count for extremes."""
        decisions, has_forfeit, has_fault, won = 0, False, False, self.won
        for seat in game.seats:
            decisions += seat.decisions
            if seat.fault:
                has_forfeit = has_fault = True
            elif seat.substituted:
                has_fault = True
            if seat.entrant not in won and (seat.win or seat.entrant not in self.of_bots):
                self.of_bots[seat.entrant] = game.game_id
                if seat.win:
                    won.add(seat.entrant)
        self.longest.consider(game, decisions)
        if has_fault:
            self.first_fault.consider(game, -game.game_id)
        if has_forfeit or len(game.seats) < 2:
            return
        in_order = sorted([(seat.place, seat.points) for seat in game.seats])
        first, best = in_order[0]
        apart = 0.0
        for place, points in in_order:
            if place > first:
                apart = abs(best - points)
                break
        self.widest.consider(game, apart)
        self.closest.consider(game, -apart)
        self._consider_margins(game, luck)

    def _consider_margins(self, game: GameResult, luck: Sequence[float] | None) -> None:
        above, extremes = margins(game), self.extremes
        if luck:
            mean_luck = sum(luck) / len(luck)
            above = [margin - (lucky - mean_luck) for margin, lucky in zip(above, luck, strict=True)]
        for seat, margin in zip(game.seats, above, strict=True):
            own = extremes.get(seat.entrant)
            if own is None:
                own = extremes[seat.entrant] = ExtremeGames()
            own.consider(margin, game.game_id)

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
