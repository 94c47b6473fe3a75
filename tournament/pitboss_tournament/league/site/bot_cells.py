"""Cells of tables of bots: ratings, shares, trends, faults."""

from __future__ import annotations

from pitboss_tournament.html.elements import Content, el, markup
from pitboss_tournament.html.number_format import DASH, typeset, typeset_signed
from pitboss_tournament.league.ladder_view import VersionLine, make_bot_row
from pitboss_tournament.league.site.ladder_drawings import draw_spark
from pitboss_tournament.results.columns import FAULTS, RATING
from pitboss_tournament.showing.standings_table import format_kinds
from pitboss_tournament.statistics.running_moments import Estimate

FLAT_POINTS = 5.0  # a trend of fewer is none


def rating_cell(line: VersionLine) -> Content:
    """Return a rating with its comparison interval."""
    text = typeset(RATING.text(make_bot_row(line)))
    number, _, width = text.partition(" ± ")
    return markup(el("strong", number), " ", el("small", f"± {width}")) if width else el("strong", text)


def share_cell(share: Estimate) -> str:
    """Return a share in percent."""
    return DASH if share.mean is None else f"{share.mean:.0%}".replace("%", " %")


def trend_cell(line: VersionLine) -> Content:
    """Return how a rating has changed lately."""
    if line.trend is None:
        return DASH
    kind = "flat" if abs(line.trend) < FLAT_POINTS else "up" if line.trend > 0 else "down"
    return markup(draw_spark(line.history), el("span", typeset_signed(line.trend, 0), class_=kind))


def fault_cell(line: VersionLine) -> Content:
    """Return the faults of a version, their kinds where one points."""
    text = FAULTS.text(make_bot_row(line))
    if text == "-":
        return DASH
    kinds = format_kinds({**line.faults, **{f"{kind} (substituted)": n for kind, n in line.substituted.items()}})
    return el("span", text, class_="bad", title=kinds)
