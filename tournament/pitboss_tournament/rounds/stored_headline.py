"""The headline of a stored tournament: what its games have proven, and how its format has ranked the bots."""

from __future__ import annotations

from pitboss.errors import PitbossError
from pitboss_tournament.counting.findings import Findings
from pitboss_tournament.formats.selection import find_format
from pitboss_tournament.results.headline import FormatOrder, Headline, make_headline
from pitboss_tournament.rounds.round_replay import replay_rounds
from pitboss_tournament.statistics.teams import TeamScores
from pitboss_tournament.store.store import Store


def read_headline(rated: Findings, store: Store, teams: TeamScores | None) -> Headline:
    """Return the headline of the games of a store, which have these findings; `teams` as in a verdict."""
    return make_headline(rated, teams, read_format_order(store))


def read_format_order(store: Store) -> FormatOrder | None:
    """Return how the format of a tournament has ranked the bots, or that it goes on.

    None where the games alone decide: if the rounds depend on no result or overlap, if a test has ended them or the
    format ranks by proofs itself, or if it is not installed.
    """
    header, end = store.header, store.find_end()
    if header.format.may_grow or not header.has_schedule or next(store.rounds.read(), None) is not None:
        return None
    if end is not None and not end.is_complete:
        return None
    try:
        if getattr(find_format(header.format.name), "ranks_by_proof", False):
            return None
        progress, disqualified = replay_rounds(store)
    except PitbossError:
        return None
    try:
        progress.advance_round(disqualified)
    except PitbossError:  # games of the open round are missing
        return FormatOrder(header.format.name, is_over=False, groups=None)
    return FormatOrder(header.format.name, progress.is_over, progress.place_groups)
