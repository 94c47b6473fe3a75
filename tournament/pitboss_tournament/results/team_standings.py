"""The teams of a stored tournament of a cooperative game."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss_tournament.statistics.teams import TeamStanding, rank_teams
from pitboss_tournament.store.store import Store


def list_teams(store: Store, names: Sequence[str], *, anytime: bool) -> list[TeamStanding]:
    """Return the teams of a cooperative game, most points first; none of any other game."""
    header = store.header
    if not header.is_cooperative:
        return []
    results = store.results(with_times=False)
    return rank_teams(results, names, header.block_games, has_same_deals=header.same_deals, anytime=anytime)
