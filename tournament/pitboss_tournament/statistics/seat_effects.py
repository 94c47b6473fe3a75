"""Which seats have a strength of their own in the rating model.

Where a seat is worth much, games from a good seat are won whoever sits there: a model without seats takes that for
bots that differ little, and puts them closer together than they are. Seats that differ little are left out: they would
change no rating by a noticeable part of its interval, and their estimates from few blocks are mostly luck of the cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from pitboss_tournament.statistics.block_chunks import BlockChunk, find_places, iter_chunks
from pitboss_tournament.statistics.linear_algebra import Algebra, Numbers
from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.running_moments import RunningMoments


def find_unequal_seats(rankings: RankingCounts, algebra: Algebra) -> list[int]:
    """Return the seats, or the numbers of the sets of seats that play together, if they are unequal; else none.

    They are unequal if one has places that differ from the mean of the table at 95 %, each whole block being an
    observation. Each entrant must have had several seats, else nothing would tell a bot from its seat.
    """
    return _list_seats(rankings) if _are_places_unequal(rankings, algebra) and _have_entrants_moved(rankings) else []


def _list_seats(rankings: RankingCounts) -> list[int]:
    return sorted({seat for _, seat in rankings.contenders})


def _have_entrants_moved(rankings: RankingCounts) -> bool:
    """Whether each entrant has had more than one seat."""
    seats: dict[int, set[int]] = {}
    for side, seat in rankings.contenders:
        for entrant in side:
            seats.setdefault(entrant, set()).add(seat)
    return all(len(own) > 1 for own in seats.values())


def _are_places_unequal(rankings: RankingCounts, algebra: Algebra) -> bool:
    """Whether the mean places of the seats differ. In a whole block each bot has each seat equally often."""
    seats, whole = len({seat for _, seat in rankings.contenders}), rankings.most_games
    above = [Counter[int]() for _ in range(seats)]  # by seat: its places less the mean of the table, times the seats
    for chunk in iter_chunks(rankings, algebra):
        is_whole = algebra.apply(lambda size: size == whole, chunk.block_games)
        by_seat = _add_places(rankings, chunk, seats, algebra)
        together = algebra.apply(_add_values, *by_seat)
        for counts, own in zip(above, by_seat, strict=True):
            less = algebra.apply(lambda places, all_: places * seats - all_, own, together)
            _count_values(algebra.keep(less, is_whole), counts, algebra)
    return any(_is_clear_of_zero(_collect_moments(counts, seats)) for counts in above)


def _add_places(rankings: RankingCounts, chunk: BlockChunk, seats: int, algebra: Algebra) -> list[Numbers]:
    """Return by seat the sum of the places that it had in each block."""
    seat_of = algebra.whole([seat for _, seat in rankings.contenders])
    sums = algebra.fill(0.0, chunk.size * seats)
    for games in chunk.games:
        for contenders, places in zip(games.contenders, find_places(games, algebra), strict=True):
            own = algebra.apply(
                lambda block, seat: block * seats + seat, games.blocks, algebra.take(seat_of, contenders)
            )
            sums = algebra.apply(_add_values, sums, algebra.add_up(own, places, chunk.size * seats))
    return [sums[seat::seats] for seat in range(seats)]


def _count_values(values: Numbers, counts: Counter[int], algebra: Algebra) -> None:
    """Add how often each value is there, which is a whole number."""
    distinct, places = algebra.number_keys(values)
    often = algebra.add_up(places, algebra.fill(1.0, len(places)), len(distinct))
    for value, count in zip(algebra.to_list(distinct), algebra.to_list(often), strict=True):
        counts[round(value)] += round(count)


def _add_values(*values: float) -> float:
    return sum(values)


def _collect_moments(counts: Mapping[int, int], unit: int) -> RunningMoments:
    moments = RunningMoments()
    for value, count in sorted(counts.items()):
        moments.add_equal(value / unit, count)
    return moments


def _is_clear_of_zero(moments: RunningMoments) -> bool:
    if moments.count < 2 or moments.is_constant:
        return moments.count > 1 and abs(moments.mean) > 0
    return abs(moments.mean) > moments.half_width(moments.count)
