"""Games of a league that are judged again; the audit trail of the league tells how many were kept."""

from __future__ import annotations

from pitboss_tournament.audit.rejudging import REJUDGED, Follow, Rejudgement, rejudge_store
from pitboss_tournament.league.book import HOST, Book
from pitboss_tournament.league.league_folder import League, hold_league
from pitboss_tournament.store.store import Store


def rejudge_league(league: League, is_dry: bool, follow: Follow) -> Rejudgement | None:
    """Judge all games of a league, as `rejudge_store` does; it must be stopped, unless `is_dry`."""
    path = league.folder.store
    if is_dry:
        return rejudge_store(path, league.game, is_dry, follow)
    with hold_league(league.folder, "this league is running; stop it first"):
        Store(path).close()  # or a sentence that no game has been played
        Book(path).close()  # has the tables of today from then on
        return rejudge_store(path, league.game, is_dry, follow, lambda found: (HOST, REJUDGED, str(found)))
