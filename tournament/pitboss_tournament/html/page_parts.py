"""A page and the parts of its sections: headings, tables in a box that scrolls by itself, figures, notes.

The page is one file that needs no other, no network and no JavaScript.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Final, NamedTuple, TypeVar

from pitboss_tournament.html.elements import Cell, Content, Markup, el
from pitboss_tournament.results.columns import Column

REPORT_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)

R = TypeVar("R")


class Section(NamedTuple):
    """A section of the page, with the name that links lead to."""

    name: str
    title: str
    markup: Markup


def render_document(
    title: str, introduction: Content, sections: Sequence[Section], made: str, back: Markup | None = None
) -> str:
    """Return a whole page: title, introduction, list of contents and sections; `made` says by what it was made.

    `back` is a link to the page above it.
    """
    head = (
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=REPORT_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("link", rel="icon", href="data:,"),
        el("style", Markup(report_style())),
    )
    links = [el("li", el("a", section.title, href=f"#{section.name}")) for section in sections]
    body = (
        None if back is None else el("nav", "‹ ", back, aria_label="Back"),
        el("header", el("h1", title), introduction, el("nav", el("ul", *links), aria_label="Contents")),
        el("main", *(section.markup for section in sections)),
        el("footer", made, el("a", "To the top", href="#top")),
    )
    return f"<!DOCTYPE html>\n{el('html', el('head', *head), el('body', *body, id='top'), lang='en')}\n"


def read_style(name: str) -> str:
    """Return a style sheet of this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def report_style() -> str:
    """Return the whole style of a report."""
    return "".join(map(read_style, ("tokens.css", "charts.css", "report.css", "scroll.css")))


def section(name: str, title: str, *content: Content) -> Section:
    """Return a section with its heading."""
    heading = f"{name}-heading"
    return Section(name, title, el("section", el("h2", title, id=heading), *content, id=name, aria_labelledby=heading))


def table(
    name: str,
    caption: Content,
    columns: Sequence[Content],
    rows: Iterable[Sequence[Content]],
    words: Sequence[int] = (),
    kind: str = "",
) -> Markup:
    """Return a table whose first column names its rows, in a box that scrolls sideways, by the keyboard too.

    `words`: the columns of text, which may be wrapped; the others are numbers. A `Cell` is taken as it is.
    """
    head = el(
        "tr",
        *(
            el("th", column, scope="col", class_=_cell_class(number, words)) if column else el("td")
            for number, column in enumerate(columns)
        ),
    )
    body = (el("tr", el("th", first, scope="row"), *_cells(rest, words)) for first, *rest in rows)
    label = f"{name}-caption"
    whole = el(
        "table",
        el("caption", el("span", caption), id=label),
        el("thead", head),
        el("tbody", list(body)),
        class_=kind or None,
    )
    return el("div", whole, class_="scroll", role="region", tabindex=0, aria_labelledby=label)


def capitalize_first(text: str) -> str:
    """Return a text that begins with a capital; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def column_heading(column: Column[R]) -> Markup:
    """Return the heading of a declared column, with what it means where one points."""
    return el("span", capitalize_first(column.heading), title=column.meaning)


def list_meanings(columns: Iterable[Column[R]]) -> Markup:
    """Return what columns mean, as a list."""
    parts = [(el("dt", capitalize_first(column.heading)), el("dd", column.meaning)) for column in columns]
    return el("dl", *(part for pair in parts for part in pair), class_="meanings")


def figure(caption: Content, picture: Markup) -> Markup:
    """Return a picture with its caption."""
    return el("figure", picture, el("figcaption", caption))


def note(*content: Content) -> Markup:
    """Return a paragraph that explains."""
    return el("p", *content, class_="note")


def fold(title: Content, *content: Content) -> Markup:
    """Return content that is hidden until its title is opened."""
    return el("details", el("summary", title), *content)


def explain(*notes: Content) -> Markup:
    """Return notes on what figures mean, behind a fold."""
    return fold("How to read this", *notes)


def quote_text(text: str) -> Markup:
    """Return a text of several lines as it is."""
    return el("pre", *(el("span", line, Markup("\n")) for line in text.splitlines()))


def _cells(cells: Iterable[Content], words: Sequence[int]) -> list[Content]:
    return [
        cell if isinstance(cell, Cell) else el("td", cell, class_=_cell_class(number, words))
        for number, cell in enumerate(cells, 1)
    ]


def _cell_class(number: int, words: Sequence[int]) -> str | None:
    return "words wide" if number in words else "words" if number == 0 else None
