"""Synthetic tournaments of known truth, on which the statistics are tested.

In each game a bot's score is its strength, its seat's advantage and luck. The luck has three sources: the cards of the
seat in that deal, the same for whoever takes the seat; how a deal suits a bot, the same in all its rotations; and the
moment. Each has its share of a normal variable, which is then made into a Gumbel variable: so single games without seat
advantage and rounding follow the Plackett–Luce model exactly (Luce and Suppes 1965), while the games of a block depend
on each other, with more or less variance than if they did not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import erfc, expm1, log, sqrt
from random import Random
from typing import Literal

import msgspec
from msgspec import Struct

from pitboss.outcome import competition_places
from pitboss.plugins.formats import EntrantField, PlayedRound, PlayedTable
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.plan.seating import Seating, count_block_games, find_design
from pitboss_tournament.statistics.blocks import score_block
from pitboss_tournament.statistics.scoring import GameResult, SeatResult

SCALE = 10.0  # points to a unit of log strength
CYCLE = 3  # bots that beat each other in a cycle, if any do: the first ones


class SyntheticTournament(Struct, frozen=True, kw_only=True):
    """A game, and the bots that play it."""

    strengths: tuple[float, ...]
    seats: int
    card_share: float = 0.0  # share of the luck that lies in the cards of a seat
    affinity: float = 0.0  # share of it that lies in how a deal suits a bot
    advantage: tuple[float, ...] = ()  # by seat; none are all equal
    step: float = 0.0  # points are rounded to multiples of it: then there are ties
    draw_share: float = 0.0  # share of the games in which everybody ties
    tail: float = 0.0  # above 0 the points of a game are skewed, with a Fréchet tail of index 1 / tail
    told: Literal["all", "winner", "loser", "either"] = "all"  # the others tie; either: "all" or "winner"
    seating: Seating = "rotations"
    neighbour: float = 0.0  # a bot gets this share of what the bot before it is weaker than the mean
    cycle: float = 0.0  # how much stronger each of the first three bots is beside the next one of them, in a circle
    pot: bool = False  # the winner takes what the others are behind, who get nothing

    @property
    def names(self) -> list[str]:
        """Names for the bots."""
        return [f"bot{number}" for number in range(len(self.strengths))]

    def blocks(self, count: int, rng: Random) -> Iterator[list[GameResult]]:
        """Yield blocks: each pairing in turn has a deal, in all its orders."""
        pairings = list(combinations(range(len(self.strengths)), self.seats))
        for number in range(count):
            pairing = number % len(pairings)
            yield self._make_block(pairing, number // len(pairings), pairings[pairing], rng)

    def games(self, count: int, rng: Random) -> Iterator[GameResult]:
        """Yield the games of some blocks."""
        for block in self.blocks(count, rng):
            yield from block

    def play_format(self, name: str, options: Mapping[str, object], deals: int, rng: Random) -> Iterator[GameResult]:
        """Yield the games of a tournament in a format, whose rounds get the results."""
        chosen = find_format(name)
        games = count_block_games(self.seating, self.seats)
        field = EntrantField(names=tuple(self.names), seats=self.seats, deals=deals, games=games)
        rounds = chosen.rounds(field, msgspec.convert(options, chosen.Options))
        pairings: dict[tuple[int, ...], int] = {}
        played = Counter[int]()
        planned = next(rounds)
        while True:
            tables = []
            for table in planned.tables:
                entrants = tuple(sorted(table))
                pairing = pairings.setdefault(entrants, len(pairings))
                blocks = [self._make_block(pairing, played[pairing] + n, entrants, rng) for n in range(planned.deals)]
                played[pairing] += planned.deals
                tables.append(PlayedTable(entrants, tuple(map(score_block, blocks))))
                for block in blocks:
                    yield from block
            try:
                planned = rounds.send(PlayedRound(tuple(tables), frozenset()))
            except StopIteration:
                return

    def _make_block(self, pairing: int, deal: int, entrants: tuple[int, ...], rng: Random) -> list[GameResult]:
        cards = [rng.gauss(0, sqrt(self.card_share)) for _ in entrants]
        suits = {entrant: rng.gauss(0, sqrt(self.affinity)) for entrant in entrants}
        moment = sqrt(1 - self.card_share - self.affinity)
        block = []
        for rotation, order in enumerate(find_design(self.seating, self.seats).list_orders(pairing, deal)):
            seated = tuple([entrants[at] for at in order])
            points = [
                self._draw_points(seated, seat, cards[seat] + suits[entrant] + rng.gauss(0, moment))
                for seat, entrant in enumerate(seated)
            ]
            if self.pot:
                best = max(points)
                points = [sum(best - other for other in points) if own == best else 0.0 for own in points]
            points = self._hide_places(points, rng)
            if self.draw_share and rng.random() < self.draw_share:
                points = [0.0] * self.seats
            block.append(game_result(pairing, deal, rotation, seated, points))
        return block

    def _hide_places(self, points: list[float], rng: Random) -> list[float]:
        """Return the points with ties, where only the winner or the loser of a game is told."""
        told = rng.choice(("all", "winner")) if self.told == "either" else self.told
        if told == "winner":
            return [float(own == max(points)) for own in points]
        return [float(own > min(points)) for own in points] if told == "loser" else points

    def _draw_points(self, seated: tuple[int, ...], seat: int, luck: float) -> float:
        score = self.strengths[seated[seat]] - log(-log(erfc(-luck / sqrt(2)) / 2))
        score -= self.neighbour * self.strengths[seated[seat - 1]]
        entrant = seated[seat]
        if self.cycle and entrant < CYCLE:
            score += self.cycle / 2 * (((entrant + 1) % CYCLE in seated) - ((entrant - 1) % CYCLE in seated))
        if self.advantage:
            score += self.advantage[seat]
        if self.tail:
            score = expm1(self.tail * score) / self.tail
        return round(SCALE * score / self.step) * self.step if self.step else SCALE * score


def game_result(pairing: int, deal: int, rotation: int, entrants: tuple[int, ...], points: list[float]) -> GameResult:
    """Return a game without faults that ended with these points, the highest first."""
    placed = competition_places(points)
    winners = placed.count(1)
    seats = tuple(
        SeatResult(entrant, own, place, 1 / winners if place == 1 else 0.0, None, {}, 0, 0, {})
        for entrant, own, place in zip(entrants, points, placed, strict=True)
    )
    return GameResult(0, pairing, deal, rotation, seats)
