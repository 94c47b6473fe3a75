"""What can be fetched from a league, by everybody and by owners, and whether another's words are in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple
from urllib.parse import quote

from tests.league.league_process import LeagueProcess
from tests.league.page_visitor import PageVisitor
from tests.soak.class_bots import ClassBot

PUBLIC_PATHS: Final = ("/", "/retired", "/games", "/queue", "/rules", "/submit", "/login", "/api/ladder", "/api/league")


class Leak(NamedTuple):
    """A word of an owner where another can read it."""

    viewer: str
    path: str
    word: str


class LeakSearch:
    """Fetches pages as one viewer after another, and looks for the words of others."""

    def __init__(self, league: LeagueProcess, tokens: Mapping[str, str], bots: Sequence[ClassBot]) -> None:
        self.fetched = 0
        self.leaks: list[Leak] = []
        self.own_words = 0  # that their owners have found
        self.failures: list[str] = []  # of the server
        self._league = league
        self._tokens = tokens
        self._readers: dict[str, set[str]] = {token.split("-", 2)[2]: set() for token in tokens.values()}
        for bot in bots:  # the same files may be of two owners
            for word in bot.words:
                self._readers.setdefault(word, set()).add(bot.owner)

    def look_around(self, viewer: str, paths: Iterable[str]) -> None:
        """Fetch paths, and the public ones, as an owner; "" is nobody."""
        visitor = PageVisitor(self._league)
        if viewer:
            assert visitor.log_in(self._tokens[viewer]).status == 303
        for path in (*PUBLIC_PATHS, *paths):
            answer = visitor.get(path)
            self.fetched += 1
            if answer.status >= 500:
                self.failures.append(f"{path}: {answer.status}")
            self._search(viewer, path, answer.text)

    def _search(self, viewer: str, path: str, text: str) -> None:
        for word, readers in self._readers.items():
            if word in text:
                if viewer in readers:
                    self.own_words += 1
                else:
                    self.leaks.append(Leak(viewer or "everybody", path, word))


def sample_paths(games: Sequence[int], versions: int, names: Sequence[str], count: int, chance: Random) -> list[str]:
    """Return the paths of so many games, versions and bots."""
    some = chance.sample(games, min(count, len(games)))
    paths = [f"/games/{game}{more}" for game in some for more in ("", "/replay", "/replay.json")]
    paths += [
        f"{place}/{number}"
        for number in chance.sample(range(1, versions + 1), min(count, versions))
        for place in ("/versions", "/api/submissions")
    ]
    return paths + [f"/bots/{quote(name, safe='')}" for name in chance.sample(names, min(count, len(names)))]
