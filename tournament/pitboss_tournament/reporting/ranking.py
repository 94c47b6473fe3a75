"""The order in which a format has ranked the bots, where it does: a knockout has a winner, whatever the ratings say."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.errors import PitbossError
from pitboss_tournament.playing.course import Course
from pitboss_tournament.results.standings import Tally
from pitboss_tournament.results.store import Store


def ranking(store: Store) -> Sequence[int] | None:
    """Return the bots by number, the first first; None if the format ranks nobody, is not over, or is not installed here."""
    header = store.header
    try:
        course = Course(header)
        if course.is_static:
            return None
        tally = Tally(header.bots, header.block_games or header.seats, header.faults.disqualify_after)
        for result in store.results(with_times=False):
            course.reach(result.game_id, tally.out)
            course.add(result)
            tally.add(result)
        course.go_on(tally.out())
    except PitbossError:
        return None
    return course.ranking if course.is_over else None
