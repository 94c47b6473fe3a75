"""Links of a report to pages of single games, which lie in a folder beside it."""

from __future__ import annotations

from urllib.parse import quote

from pitboss_tournament.html.elements import Content, Markup, el


class ReplayLinks:
    """Makes links, and notes the games that they lead to, whose pages are to be written then."""

    def __init__(self, folder: str) -> None:
        """Link to pages in a folder, given by its name relative to the report."""
        self.games: set[int] = set()
        self._folder = folder

    def link(self, game_id: int, text: Content) -> Markup:
        """Return a link to the page of a game."""
        self.games.add(game_id)
        return el("a", text, href=f"{quote(self._folder)}/{page_name(game_id)}")


def page_name(game_id: int) -> str:
    """Return the name of the file of a game's page."""
    return f"{game_id}.html"
