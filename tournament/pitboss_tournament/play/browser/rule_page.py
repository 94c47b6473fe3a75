"""The page with the rule book of a game, which its author has written in Markdown."""

from __future__ import annotations

from markdown_it import MarkdownIt
from starlette.responses import Response

from pitboss.game import AnyGame
from pitboss.rendering.presentation import find_presentation
from pitboss_tournament.html.elements import Markup, el
from pitboss_tournament.web.responses import render_page


def draw_markdown(text: str) -> Markup:
    """Return a text in Markdown as elements; HTML in it is shown as text."""
    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def render_rule_book(game: AnyGame, book: str) -> Response:
    """Return the page with a rule book; HTML in the book is shown as text. `book` is "" if there is none."""
    goal = [el("p", line) for line in find_presentation(game).goal]
    text = draw_markdown(book) if book else el("p", "The author of the game has named no rule book.", class_="soft")
    return render_page(f"{game.title}: the rules", "rules", el("div", *goal, class_="goal"), text, script=None)
