"""Links of a served report to the pages of games."""

from __future__ import annotations

from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.reporting.replay_links import ReplayLinks


class ServedReplays(ReplayLinks):
    """Links to the pages that a server has of all games; nothing is to be written for them."""

    def __init__(self) -> None:
        super().__init__("games")

    def link(self, game_id: int, text: Content) -> Markup:
        """Return a link to the page of a game, which lies below that of the tournament."""
        return el("a", text, href=f"games/{game_id}")
