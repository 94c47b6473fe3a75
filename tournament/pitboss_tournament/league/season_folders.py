"""The other leagues that have the same people, because `league renew` made one from the other: their folders."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from pitboss.errors import PitbossError
from pitboss_tournament.league.book import open_book
from pitboss_tournament.league.book_file import BookFile
from pitboss_tournament.league.league_folder import LeagueFolder
from pitboss_tournament.store.rows import utc_now

FOLDERS_TABLE: Final = (
    "create table if not exists league_season_folders (path text primary key, at text not null) strict"
)


class SeasonFolders(BookFile):
    """The table of these folders, in the open file of a league."""

    def __init__(self, path: Path) -> None:
        """Open it, and make the table where it is missing.

        Raises:
            StoreError: it cannot be opened.
        """
        super().__init__(path)
        with self._writing():
            self._db.execute(FOLDERS_TABLE)

    def add(self, folder: Path) -> None:
        """Keep that a league with the same people is in a folder."""
        with self._writing():
            self._db.execute("insert or replace into league_season_folders values (?, ?)", (str(folder), utc_now()))

    def list_all(self) -> list[str]:
        """Return the folders."""
        return [str(row["path"]) for row in self._select("select path from league_season_folders order by path")]


def note_season(folder: LeagueFolder, season: LeagueFolder) -> None:
    """Write into the store of each of two leagues that the folder of the other one is a season of the same people."""
    for one, other in ((folder, season), (season, folder)):
        with closing(SeasonFolders(one.store)) as folders:
            folders.add(other.root.absolute())


def list_seasons_with(folder: LeagueFolder, owner: str) -> list[str]:
    """Return the folders of other leagues, made by `league renew`, that have an owner; or that are gone from there."""
    seen = {str(folder.root.absolute())}
    found, left = list[str](), [folder]
    while left:
        with suppress(PitbossError), closing(SeasonFolders(left.pop().store)) as folders:
            for path in folders.list_all():
                if path in seen:
                    continue
                seen.add(path)
                other = LeagueFolder(Path(path))
                if not other.store.is_file():
                    found.append(path)
                    continue
                left.append(other)
                with closing(open_book(other.store)) as book:
                    if owner in book.owners():
                        found.append(path)
    return sorted(found)
