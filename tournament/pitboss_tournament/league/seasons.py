"""Seasons of a league in one folder: the store of each earlier one is kept, and shown, and not added up."""

from __future__ import annotations

import re
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.league.backup import SEASON_STORES
from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.league_folder import League, LeagueFolder, hold_league
from pitboss_tournament.league.renewal import carry_people, list_newest
from pitboss_tournament.league.rule_changes import RuleChange, read_wall_clock, sort_changes
from pitboss_tournament.league.stored_ladder import has_tournament
from pitboss_tournament.processes.bot_contents import sync_folder
from pitboss_tournament.store.database import open_database, translate_errors
from pitboss_tournament.store.store import Store

PART_STORE: Final = ".part-season.pitboss"  # the store of a season that begins
_NAME: Final = re.compile(r"season-(\d{1,6})\.pitboss")


def list_seasons(folder: LeagueFolder) -> dict[int, Path]:
    """Return the stores of the earlier seasons, by number from 1."""
    found = ((_NAME.fullmatch(path.name), path) for path in folder.root.glob(SEASON_STORES))
    return dict(sorted((int(match[1]), path) for match, path in found if match))


def begin_due_season(league: League) -> str:
    """Begin a season if rules came into force since this one began, by which games are not added up; else do nothing.

    The versions that play are taken along, and validated again; what waits for its validation goes on waiting. Return
    what happened, for the host; "": nothing.

    Raises:
        ConfigError: the league is running.
        StoreError: a store cannot be read or written.
    """
    folder = league.folder
    with hold_league(folder, "this league is running already"):
        part = folder.root / PART_STORE
        if not folder.store.exists() and part.exists():  # a kill came between two renames
            part.replace(folder.store)
        change = _find_due(league)
        if change is None:
            return ""
        _remove_store(part)
        with closing(open_book(folder.store)) as book:
            taken = [*list_newest(book.submissions()), *book.list_waiting()]
        number = max(list_seasons(folder), default=0) + 1
        carry_people(folder.store, part, taken, f"by rules of {change.at.isoformat()}, after season {number}")
        for path in (folder.store, part):
            with translate_errors(path, "closed"), closing(open_database(path, for_writing=True)) as db:
                db.execute("pragma journal_mode = delete")
        folder.store.replace(folder.root / f"season-{number}.pitboss")
        part.replace(folder.store)
        sync_folder(folder.root)
    versions = format_count(len(taken), "version")
    return f"season {number + 1} begins, by the rules of {change.at.isoformat()}: {versions} to validate"


def _find_due(league: League) -> RuleChange | None:
    """Return the latest change by which the games of this season are not played any more."""
    if not league.folder.store.exists() or not has_tournament(league.folder.store):
        return None
    with closing(Store(league.folder.store)) as store:
        runs = store.runs()
    if not runs:
        return None
    began, now = datetime.fromisoformat(runs[0].began), read_wall_clock()
    due = [one for one in sort_changes(league.file.changes) if one.begins_season and began < one.at <= now]
    return due[-1] if due else None


def _remove_store(path: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
