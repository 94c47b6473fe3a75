"""Students of a class who have nothing but a browser: they join by a link, and write, try and submit in the editor.

They send the forms of the pages, as a browser without scripts does.
"""

from __future__ import annotations

import io
import re
import tarfile
import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from tests.league.editor_visitor import EditorVisitor
from tests.league.league_process import HttpAnswer, LeagueProcess
from tests.soak.class_bots import ClassBot
from tests.tournament.command_line import run_pitboss

MOST: Final = 10  # students by browser
SHARE: Final = 3  # of a small class one student of three uses the browser
TRIAL_S: Final = 5.0  # that a student waits for a trial, before submitting without it
LAST_TRIAL_S: Final = 120.0  # for a trial when no submission is in the way
LOOK_S: Final = 0.2
TRYING: Final = 3  # of the students, at the end
WHERE: Final = re.compile(r"/versions/(\d+)")
TOKEN: Final = re.compile(r'id="kept-token" value="(pitboss-[^"]+)"')
DRAFT: Final = re.compile(r"/editor/\d+")


def choose_by_browser(bots: Sequence[ClassBot]) -> list[str]:
    """Return the owners who have only a browser: of good bots, one each."""
    owners = [bot.owner for bot in bots]
    alone = [bot.owner for bot in bots if bot.kind == "good" and owners.count(bot.owner) == 1]
    return alone[: min(MOST, max(1, len(bots) // SHARE))]


class BrowserStudents:
    """Sends what students by browser send. `tokens` gets the token of each who has joined."""

    def __init__(self, folder: Path, owners: Sequence[str], tokens: dict[str, str]) -> None:
        self.owners = frozenset(owners)
        self.joined = 0
        self.tried = 0  # trials whose end was seen
        self._folder = folder
        self._tokens = tokens
        self._words = ""
        self._locks = {owner: threading.Lock() for owner in owners}

    def invite(self) -> None:
        """Make the link of the class, as its host does."""
        made = run_pitboss("token", "invite", str(self._folder), "http://127.0.0.1", "--uses", str(len(self.owners)))
        assert made.status == 0, made.err
        self._words = made.out.strip().partition("#")[2]

    def deliver(self, league: LeagueProcess, bot: ClassBot) -> HttpAnswer:
        """Write a bot in the editor, try it, and submit it; return what the league says of the submission."""
        with self._locks[bot.owner]:
            visitor = self._come(league, bot.owner)
            draft = self._find_draft(visitor, bot)
            saved = visitor.change(draft, "save", read_texts(bot.archive), bot=bot.name)
            if saved.status == 303:
                self._try(visitor, draft)
                saved = visitor.change(draft, "submit")
            found = WHERE.fullmatch(saved.headers.get("location", ""))
            if found is None:
                return HttpAnswer(saved.status, saved.headers, saved.text)
            return league.ask("GET", f"/api/submissions/{found[1]}", self._tokens[bot.owner])

    def _come(self, league: LeagueProcess, owner: str) -> EditorVisitor:
        if owner in self._tokens:
            return EditorVisitor(league, self._tokens[owner])
        visitor = EditorVisitor(league)
        welcome = visitor.join(self._words, owner)
        token = TOKEN.search(welcome.text)
        if token is None:  # the league was killed before the page came: the host gives another link
            assert welcome.status == 409, welcome.text
            made = run_pitboss("token", "new", str(self._folder), "--owner", owner, "--link", league.url)
            self._tokens[owner] = made.out.strip().partition("#")[2]
            return self._come(league, owner)
        self._tokens[owner] = token[1]
        self.joined += 1
        return visitor

    def _find_draft(self, visitor: EditorVisitor, bot: ClassBot) -> str:
        known = DRAFT.findall(visitor.get("/editor").text)
        begun = known[0] if known else visitor.begin(bot.name).headers.get("location", "")
        assert DRAFT.fullmatch(begun), begun
        return begun

    def try_again(self, league: LeagueProcess, bots: Sequence[ClassBot]) -> None:
        """Let some students, one after the other, try the last draft, when no submission is in the way."""
        alone = {bot.owner: bot for bot in bots if bot.owner in self.owners}
        for bot in [*alone.values()][:TRYING]:
            visitor = self._come(league, bot.owner)
            self._try(visitor, self._find_draft(visitor, bot), LAST_TRIAL_S)

    def _try(self, visitor: EditorVisitor, draft: str, seconds: float = TRIAL_S) -> None:
        """Begin a trial, and wait a while for its end."""
        visitor.change(draft, "try", against="house:random")  # refused if the last one is not over: wait for that
        until = monotonic() + seconds
        while monotonic() < until:
            if "data-open" not in visitor.get(f"{draft}/trial").text:
                self.tried += 1
                return
            sleep(LOOK_S)


def read_texts(archive: bytes) -> dict[str, str]:
    """Return the files of a tar archive as texts, by path."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        for member in opened:
            content = opened.extractfile(member)
            assert content is not None
            found[member.name] = content.read().decode()
    return found
