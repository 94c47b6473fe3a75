"""What the store of a league holds at a moment: games and submissions that must still be there after a kill."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from pitboss_tournament.league.book import Book
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.statistics.scoring import GameResult


class StoreMemory:
    """The games of a league, by number, each with its result, those that are void, and the submissions by number."""

    def __init__(self, folder: Path) -> None:
        path = folder / "league.pitboss"
        with closing(sqlite3.connect(path, timeout=60)) as db:
            has_games = db.execute("select 1 from sqlite_master where name = 'games'").fetchone() is not None
            self.games: dict[int, str] = dict(_select(db, "select id, result from games")) if has_games else {}
            self.voids = {game for (game,) in _select(db, "select game from voids")} if has_games else set()
            rows = _select(db, "select number, name, version from entries order by number") if has_games else []
            self.labels = {number: f"{name}@{version}" for number, name, version in rows}
        with closing(Book(path)) as book:
            self.submissions: dict[int, Submission] = {one.number: one for one in book.submissions()}

    @cached_property
    def results(self) -> list[GameResult]:
        """The results."""
        decoder = msgspec.json.Decoder(GameResult)
        return [decoder.decode(text) for text in self.games.values()]

    def find_lost(self, now: StoreMemory) -> list[str]:
        """Return what is not there any more, or is another; void games are played again."""
        games = [game for game, text in self.games.items() if now.games.get(game) != text and game not in now.voids]
        kept = {number: (one.owner, one.label, one.digest) for number, one in now.submissions.items()}
        return [
            *(f"game {game}" for game in games),
            *(
                f"{one.label} of {one.owner}"
                for number, one in self.submissions.items()
                if kept.get(number) != (one.owner, one.label, one.digest)
            ),
        ]

    def find_doubles(self) -> list[tuple[int, int]]:
        """Return the games that are there twice: the same bots on the same deal in the same order."""
        seen: dict[tuple[int, ...], int] = {}
        doubles = []
        for result in self.results:
            place = (result.pairing, result.deal, result.rotation, *(seat.entrant for seat in result.seats))
            if place in seen:
                doubles.append((seen[place], result.game_id))
            seen[place] = result.game_id
        return doubles

    def list_faults(self) -> Iterator[tuple[str, str, int]]:
        """Yield each forfeit: the label of the version, the kind, the game."""
        for result in self.results:
            for seat in result.seats:
                if seat.fault is not None:
                    yield self.labels[seat.entrant], seat.fault, result.game_id

    def list_faulty_games(self, label: str | None = None) -> list[int]:
        """Return the games that were forfeited, by a version if it is given."""
        return [game for whose, _, game in self.list_faults() if label in (None, whose)]

    def list_games_of(self, bot: str) -> set[int]:
        """Return the games of all versions of a bot."""
        own = {number for number, label in self.labels.items() if label.rpartition("@")[0] == bot}
        return {one.game_id for one in self.results if own.intersection(seat.entrant for seat in one.seats)}


def _select(db: sqlite3.Connection, query: str) -> list[Any]:
    return db.execute(query).fetchall()
