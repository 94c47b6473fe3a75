"""Cells of the columns of a league's versions: links, ratings, intervals, trends, faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlencode

from pitboss_tournament.html.charts import Axis
from pitboss_tournament.html.elements import Content, Markup, el, markup
from pitboss_tournament.html.number_format import DASH, typeset, typeset_signed
from pitboss_tournament.html.page_parts import column_heading
from pitboss_tournament.league.ladder_columns import LadderColumn
from pitboss_tournament.league.ladder_view import LadderLine
from pitboss_tournament.league.site.ladder_drawings import draw_interval, draw_spark
from pitboss_tournament.league.site.page_frame import Viewer, link_bot, link_version, show_state, show_time
from pitboss_tournament.results.columns import FAULTS, write_rating
from pitboss_tournament.results.notes import format_kinds
from pitboss_tournament.results.verdict import rank_text

FLAT_POINTS: Final = 5.0  # a trend of fewer is none
ANCHOR_MEANING: Final = "a bot of the house, which plays along and takes no place"


class CellContext(NamedTuple):
    """What cells depend on beside their line."""

    axis: Axis | None = None  # on which intervals are drawn
    viewer: Viewer = Viewer()
    has_ranks: bool = False  # whether the places that a bot may have are below its place


NO_CONTEXT: Final = CellContext()


def draw_cell(column: LadderColumn, line: LadderLine, context: CellContext = NO_CONTEXT) -> Content:
    """Return the cell of a column in a line: a drawing or links if there are some for the column, else its text."""
    draw = DRAWINGS.get(column.shown.key)
    return typeset(column.shown.text(line)) if draw is None else draw(line, context)


def draw_heading(column: LadderColumn) -> Content:
    """Return the heading of a column, with its meaning where one points; "" if it has none."""
    return column_heading(column.shown) if column.shown.heading else ""


def link_line(line: LadderLine) -> Markup:
    """Return a link to a bot, with the number of the version; an anchor has none."""
    return link_bot(line.submission.bot, None if line.is_anchor else line.submission.version)


def is_of_words(column: LadderColumn) -> bool:
    """Whether the cells of a column are text, which may be wrapped."""
    return column.shown.kind in ("name", "text")


def games_address(bot: str, version: int | None = None) -> str:
    """Return the address of the list of games of a bot, or of one of its versions."""
    asked = {"bot": bot, **({} if version is None else {"version": version})}
    return f"/games?{urlencode(asked)}"


def _link_own_page(line: LadderLine, text: str) -> Content:
    """Return a text that leads to the page of a version; an anchor has none, as nobody has submitted it."""
    return text if line.is_anchor else link_version(line.number, text)


def _draw_place(line: LadderLine, context: CellContext) -> Content:
    place = DASH if line.place is None else f"{line.place}"
    if not context.has_ranks or line.row.rank is None or not line.row.rank.is_open:
        return place
    return markup(place, el("small", rank_text(line.row.rank), title="the places that it may have"))


def _draw_name(line: LadderLine, context: CellContext) -> Content:
    one = line.submission
    if line.is_anchor:
        return markup(link_line(line), el("span", "anchor", class_="badge", title=ANCHOR_MEANING))
    return markup(
        link_line(line),
        el("span", "new", class_="badge", title="it finds its place") if line.is_newcomer else None,
        el("span", "you", class_="badge own") if context.viewer.owner == one.owner else None,
        el("small", by) if (by := context.viewer.name_owner(one.owner, line.by)) else None,
    )


def _draw_rating(line: LadderLine, _: CellContext) -> Content:
    number, width = (typeset(part) for part in write_rating(line.row))
    return markup(el("strong", number), " ", el("small", width)) if width else el("strong", number)


def _draw_interval(line: LadderLine, context: CellContext) -> Content:
    return None if context.axis is None else draw_interval(line, context.axis)


def _draw_trend(line: LadderLine, _: CellContext) -> Content:
    if line.trend is None:
        return DASH
    kind = "flat" if abs(line.trend) < FLAT_POINTS else "up" if line.trend > 0 else "down"
    return markup(draw_spark(line.history), el("span", typeset_signed(line.trend, 0), class_=kind))


def _link_games(line: LadderLine, _: CellContext) -> Content:
    return el("a", f"{line.row.games:,}", href=games_address(line.submission.bot, line.submission.version))


def _draw_faults(line: LadderLine, _: CellContext) -> Content:
    """Return the faults of a version, their kinds where one points."""
    row = line.row
    if not (row.faults or row.substituted or row.is_out):
        return DASH
    kinds = format_kinds({**row.faults, **{f"{kind} (substituted)": n for kind, n in row.substituted.items()}})
    return el("span", FAULTS.text(row), class_="bad", title=kinds)


DRAWINGS: Final[Mapping[str, Callable[[LadderLine, CellContext], Content]]] = {  # by key of the column
    "submission": lambda line, _: _link_own_page(line, line.label),
    "version": lambda line, _: _link_own_page(line, f"@{line.submission.version}"),
    "state": lambda line, _: show_state(line.submission.state),
    "place": _draw_place,
    "name": _draw_name,
    "rating": _draw_rating,
    "drawn": _draw_interval,
    "trend": _draw_trend,
    "games": _link_games,
    "tried": lambda line, _: _link_own_page(line, f"{line.versions_tried}"),
    "faults": _draw_faults,
    "received": lambda line, _: show_time(line.submission.received),
}
