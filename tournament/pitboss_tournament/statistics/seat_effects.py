"""Which seats have a strength of their own in the rating model.

Where a seat is worth much, games from a good seat are won whoever sits there: a model without seats takes that for
bots that differ little, and puts them closer together than they are. Seats that differ little are left out: they would
change no rating by a noticeable part of its interval, and their estimates from few blocks are mostly luck of the cards.
"""

from __future__ import annotations

from pitboss_tournament.statistics.rankings import RankingCounts
from pitboss_tournament.statistics.running_moments import RunningMoments


def find_unequal_seats(rankings: RankingCounts) -> list[int]:
    """Return the seats, or the numbers of the sets of seats that play together, if they are unequal; else none.

    They are unequal if one has places that differ from the mean of the table at 95 %, each whole block being an
    observation. Each entrant must have had several seats, else nothing would tell a bot from its seat.
    """
    return _list_seats(rankings) if _are_places_unequal(rankings) and _have_entrants_moved(rankings) else []


def _list_seats(rankings: RankingCounts) -> list[int]:
    return sorted({seat for ranking in rankings.rankings for _, _, seat in ranking})


def _have_entrants_moved(rankings: RankingCounts) -> bool:
    """Whether each entrant has had more than one seat."""
    first: dict[int, int] = {}
    moved = set[int]()
    for ranking in rankings.rankings:
        for _, side, seat in ranking:
            moved.update([entrant for entrant in side if first.setdefault(entrant, seat) != seat])
    return len(moved) == len(first)


def _are_places_unequal(rankings: RankingCounts) -> bool:
    """Whether the mean places of the seats differ. In a whole block each bot has each seat equally often."""
    places = [[place for _, place in sorted((seat, place) for place, _, seat in own)] for own in rankings.rankings]
    whole = max(map(len, rankings.blocks.values()), default=0)
    above = [RunningMoments() for _ in max(places, key=len, default=[])]
    for block in rankings.blocks.values():
        if len(block) == whole:
            by_seat = list(map(sum, zip(*[places[ranking] for ranking in block], strict=True)))
            mean = sum(by_seat) / len(by_seat)
            for moments, place in zip(above, by_seat, strict=True):
                moments.add(place - mean)
    return any(_is_clear_of_zero(moments) for moments in above)


def _is_clear_of_zero(moments: RunningMoments) -> bool:
    if moments.count < 2 or moments.is_constant:
        return moments.count > 1 and abs(moments.mean) > 0
    return abs(moments.mean) > moments.half_width(moments.count)
