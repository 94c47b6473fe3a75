"""The rounds of a tournament as they were played: who met whom, and how it went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import chain

from msgspec import Struct

from pitboss_tournament.playing.round_progress import number_rounds
from pitboss_tournament.statistics.scoring import GameResult
from pitboss_tournament.store.store import Store


class RoundBot(Struct, frozen=True):
    """A bot at a table of a round."""

    bot: str
    wins: float  # in the round; a first place of several counts in parts
    points: float  # in the round, the mean of its games
    score: (
        float  # after the round: the share of others that it was placed before, a tie half, the mean of all its games
    )


class RoundTable(Struct, frozen=True):
    """Those who met in a round, the best first, and their games."""

    round: int
    games: int
    bots: list[RoundBot]


def list_rounds(store: Store) -> list[RoundTable]:
    """Return the tables of all rounds, by round; empty for a format that has one round, or is not installed here."""
    if store.header.format.may_grow:
        return []
    tables: list[RoundTable] = []
    scores, games = defaultdict[int, float](float), defaultdict[int, float](float)
    rounds = number_rounds(store.header, store.results(with_times=False))
    played: dict[frozenset[int], list[GameResult]] = {}
    now = 1
    for number, result in zip(rounds, store.results(with_times=False), strict=False):
        if number is None:
            return []
        if number > now:
            tables += _close_round(store, now, played, scores, games)
            played, now = {}, number
        played.setdefault(frozenset(seat.entrant for seat in result.seats), []).append(result)
    return [*tables, *_close_round(store, now, played, scores, games)]


def _close_round(
    store: Store,
    number: int,
    played: dict[frozenset[int], list[GameResult]],
    scores: dict[int, float],
    games: dict[int, float],
) -> Iterator[RoundTable]:
    """Yield the tables of a round; add its games to the scores of all rounds."""
    for result in chain.from_iterable(played.values()):
        for seat in result.seats:
            others = [other.place for other in result.seats if other is not seat]
            beaten = sum((place > seat.place) + (place == seat.place) / 2 for place in others)
            scores[seat.entrant] += beaten / max(1, len(others))
            games[seat.entrant] += 1
    for results in played.values():
        wins, points = defaultdict[int, float](float), defaultdict[int, float](float)
        for result in results:
            firsts = sum(seat.place == 1 for seat in result.seats)
            for seat in result.seats:
                wins[seat.entrant] += (seat.place == 1) / firsts
                points[seat.entrant] += seat.points
        bots = [
            RoundBot(
                bot=store.header.bots[entrant],
                wins=wins[entrant],
                points=points[entrant] / len(results),
                score=scores[entrant] / games[entrant],
            )
            for entrant in sorted(points, key=lambda one: (-wins[one], -points[one], one))
        ]
        yield RoundTable(round=number, games=len(results), bots=bots)
