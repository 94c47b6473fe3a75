"""Which seats have a strength of their own in the rating model.

Where a seat is worth much, games from a good seat are won whoever sits there: a model without seats takes that for
bots that differ little, and puts them closer together than they are. Seats that differ little are left out: they would
change no rating by a noticeable part of its interval, and their estimates from few blocks are mostly luck of the cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pitboss_tournament.statistics.arrays import Floats, add_up, np
from pitboss_tournament.statistics.block_chunks import BlockChunk, find_places, iter_chunks
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.running_moments import RunningMoments


def find_unequal_seats(rankings: RankingCounts) -> list[int]:
    """Return the seats, or the numbers of the sets of seats that play together, if they are unequal; else none.

    They are unequal if one has places that differ from the mean of the table at 95 %, each whole block being an
    observation. Each entrant must have had several seats, else nothing would tell a bot from its seat.
    """
    return _list_seats(rankings) if _are_places_unequal(rankings) and _have_entrants_moved(rankings) else []


def _list_seats(rankings: RankingCounts) -> list[int]:
    return sorted({seat for _, seat in rankings.contenders})


def _have_entrants_moved(rankings: RankingCounts) -> bool:
    """Whether each entrant has had more than one seat."""
    seats: dict[int, set[int]] = {}
    for side, seat in rankings.contenders:
        for entrant in side:
            seats.setdefault(entrant, set()).add(seat)
    return all(len(own) > 1 for own in seats.values())


def _are_places_unequal(rankings: RankingCounts) -> bool:
    """Whether the mean places of the seats differ. In a whole block each bot has each seat equally often."""
    seats, whole = len({seat for _, seat in rankings.contenders}), rankings.most_games
    above = [Counter[int]() for _ in range(seats)]  # by seat: its places less the mean of the table, times the seats
    for chunk in iter_chunks(rankings):
        by_seat = _add_places(rankings, chunk, seats)[chunk.block_games == whole]
        less = by_seat * seats - by_seat.sum(axis=1, keepdims=True)
        for counts, own in zip(above, less.T, strict=True):
            _count_values(own, counts)
    return any(_is_clear_of_zero(_collect_moments(counts, seats)) for counts in above)


def _add_places(rankings: RankingCounts, chunk: BlockChunk, seats: int) -> Floats:
    """Return by block a row of sums: by seat, of the places that it had."""
    seat_of = np.array([seat for _, seat in rankings.contenders])
    sums = np.zeros(chunk.size * seats)
    for games in chunk.games:
        for contenders, places in zip(games.contenders, find_places(games), strict=True):
            sums += add_up(games.blocks * seats + seat_of[contenders], places, len(sums))
    return sums.reshape(-1, seats)


def _count_values(values: Floats, counts: Counter[int]) -> None:
    """Add how often each value is there, which is a whole number."""
    distinct, often = np.unique(values, return_counts=True)
    for value, count in zip(distinct.tolist(), often.tolist(), strict=True):
        counts[round(value)] += count


def _collect_moments(counts: Mapping[int, int], unit: int) -> RunningMoments:
    moments = RunningMoments()
    for value, count in sorted(counts.items()):
        moments.add_equal(value / unit, count)
    return moments


def _is_clear_of_zero(moments: RunningMoments) -> bool:
    if moments.count < 2 or moments.is_constant:
        return moments.count > 1 and abs(moments.mean) > 0
    return abs(moments.mean) > moments.half_width(moments.count)
