"""Somebody who writes a bot in the browser, without scripts: joins, opens a starter, saves, tries, submits."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from time import monotonic, sleep
from typing import Final
from urllib.parse import urlencode

from tests.league.league_process import LOOK_S, TIMEOUT_S, LeagueProcess
from tests.league.page_visitor import PageAnswer, PageVisitor

FIELD: Final = re.compile(r'<textarea id="text-(\d+)"[^>]*>\n(.*?)</textarea>', re.DOTALL)
PATH: Final = re.compile(r'name="path-(\d+)" value="([^"]*)"')


class EditorVisitor(PageVisitor):
    """A browser on the pages of the editor."""

    def __init__(self, league: LeagueProcess, token: str = "") -> None:
        super().__init__(league)
        self.form_token = ""
        if token:
            assert self.log_in(token).status == 303
            self.form_token = self.find_form_token()

    def join(self, words: str, name: str) -> PageAnswer:
        """Join by the words of an invitation."""
        answer = self.post("/join", urlencode({"invitation": words, "owner": name}).encode())
        if answer.status == 200:
            self.form_token = self.find_form_token()
        return answer

    def begin(self, bot: str, language: str = "python") -> PageAnswer:
        """Open a starter bot in the editor."""
        return self.send("/editor/new", bot=bot, language=language)

    def send(self, path: str, **fields: str) -> PageAnswer:
        """Send a form of this session."""
        return self.post(path, urlencode({"form_token": self.form_token, **fields}).encode())

    def change(self, draft: str, do: str, files: Mapping[str, str] | None = None, **fields: str) -> PageAnswer:
        """Send the form of a draft, as its page has it, with these files in place of its own."""
        page = self.get(draft).text
        revision = re.search(r'name="revision" value="(\d+)"', page)
        bot = re.search(r'name="bot"[^>]* value="([^"]*)"', page)
        assert revision
        assert bot
        whole = read_fields(page) if files is None else files
        said = {"revision": revision[1], "bot": html.unescape(bot[1]), "do": do, **fields}
        for number, (path, text) in enumerate(whole.items()):
            said |= {f"path-{number}": path, f"text-{number}": text}
        return self.send(draft, **said)

    def wait_trial(self, draft: str) -> str:
        """Wait until the last trial of a draft is over; return what is shown of it."""
        until = monotonic() + TIMEOUT_S
        while "data-open" in (shown := self.get(f"{draft}/trial").text):
            assert monotonic() < until, shown
            sleep(LOOK_S)
        return shown


def read_fields(page: str) -> dict[str, str]:
    """Return the files on the page of a draft, by path."""
    paths = {number: html.unescape(path) for number, path in PATH.findall(page)}
    return {paths[number]: html.unescape(text) for number, text in FIELD.findall(page)}
