"""Parts of a section: headings, tables in a box that scrolls by itself, figures, notes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pitboss_tournament.reporting.elements import Content, Markup, el


class Section(NamedTuple):
    """A section of the page, with the name that links lead to."""

    name: str
    title: str
    markup: Markup


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

    `words`: the columns of text, which may be wrapped; the others are numbers. A cell may already be a `td` element.
    """
    head = el(
        "tr",
        *(el("th", column, scope="col", class_=_cell_class(number, words)) for number, column in enumerate(columns)),
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


def figure(caption: Content, picture: Markup) -> Markup:
    """Return a picture with its caption."""
    return el("figure", picture, el("figcaption", caption))


def note(*content: Content) -> Markup:
    """Return a paragraph that explains."""
    return el("p", *content, class_="note")


def _cells(cells: Iterable[Content], words: Sequence[int]) -> list[Content]:
    return [
        cell
        if isinstance(cell, Markup) and cell.startswith("<td")
        else el("td", cell, class_=_cell_class(number, words))
        for number, cell in enumerate(cells, 1)
    ]


def _cell_class(number: int, words: Sequence[int]) -> str | None:
    return "words wide" if number in words else "words" if number == 0 else None
