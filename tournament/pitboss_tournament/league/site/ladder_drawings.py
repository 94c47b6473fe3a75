"""Drawings of the ladder as inline SVG: intervals on one scale, courses of ratings, shares."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from pitboss_tournament.html.charts import Axis, draw_interval_bar, format_position, linear_axis
from pitboss_tournament.html.elements import Content, Markup, el, markup
from pitboss_tournament.league.book import HistoryPoint
from pitboss_tournament.league.ladder_view import TREND_POINTS, LadderLine
from pitboss_tournament.reporting.interval_rows import cut_ends
from pitboss_tournament.statistics.running_moments import Estimate

SPARK_WIDTH: Final = 100.0
SPARK_HEIGHT: Final = 24.0
CHART_WIDTH: Final = 1000.0
CHART_HEIGHT: Final = 240.0
MAX_COURSES: Final = 5  # versions in one chart
DAY_SECONDS: Final = 86_400.0


class _Point(NamedTuple):
    x: float
    y: float


def scale_ratings(lines: Sequence[LadderLine]) -> Axis:
    """Return the scale on which the intervals of these versions are drawn; very wide ones are cut off."""
    ends = cut_ends([Estimate(line.rating.mean, line.row.rating_comparison) for line in lines])
    axis = linear_axis([0.0, *ends])
    return Axis(axis.low, axis.high, axis.ticks, left=2.0, right=2.0)


def draw_interval(line: LadderLine, axis: Axis) -> Markup:
    """Draw a rating with its comparison interval; an end that is open, or beyond the scale, has no cap."""
    mean, half, bound = line.rating.mean, line.row.rating_comparison, line.row.rating_bound
    low = axis.low if bound == "at most" else (mean or 0.0) - (half or 0.0)
    high = axis.high if bound == "at least" else (mean or 0.0) + (half or 0.0)
    return draw_interval_bar(low, mean, high, axis)


def draw_scale(axis: Axis) -> Markup:
    """Draw the numbers of a scale."""
    texts = [
        el("text", label, x=format_position(axis.locate(value)), y=14, class_="tick") for value, label in axis.ticks
    ]
    return el("svg", *texts, class_="bar", width="100%", height=18, aria_hidden="true")


def draw_spark(history: Sequence[HistoryPoint]) -> Markup | None:
    """Draw how a rating has changed lately; None if there is too little to see."""
    recent = history[-TREND_POINTS:]
    if len(recent) < 2:
        return None
    values = [point.rating for point in recent]
    low, high = min(values), max(values)
    middle, reach = (low + high) / 2, max(high - low, 1.0)
    points = [
        _Point(
            SPARK_WIDTH * number / (len(values) - 1),
            SPARK_HEIGHT / 2 - (value - middle) / reach * (SPARK_HEIGHT - 6),
        )
        for number, value in enumerate(values)
    ]
    return el(
        "svg",
        el("polyline", points=_join(points), class_="course"),
        viewBox=f"0 0 {SPARK_WIDTH:g} {SPARK_HEIGHT:g}",
        preserveAspectRatio="none",
        class_="spark",
        aria_hidden="true",
    )


def draw_history(lines: Sequence[LadderLine]) -> Markup | None:
    """Draw the ratings of versions over time, the first ones of them; None if there is too little to see."""
    drawn = [line for line in lines if len(line.history) > 1][:MAX_COURSES]
    if not drawn:
        return None
    points = [point for line in drawn for point in line.history]
    days = [_find_day(point.at) for point in points]
    first, last = min(days), max(max(days), min(days) + 1e-3)
    heights = linear_axis([0.0, *(end for point in points for end in (point.low, point.high))])

    def locate(point: HistoryPoint, value: float) -> _Point:
        inside = (heights.high - value) / (heights.high - heights.low)
        return _Point(CHART_WIDTH * (_find_day(point.at) - first) / (last - first), CHART_HEIGHT * inside)

    parts: list[Content] = []
    for value, _ in heights.ticks:
        y = CHART_HEIGHT * (heights.high - value) / (heights.high - heights.low)
        parts.append(el("line", x1=0, x2=CHART_WIDTH, y1=y, y2=y, class_="grid" if value else "zero"))
    for number, line in reversed(list(enumerate(drawn))):
        band = [locate(point, point.high) for point in line.history]
        band += [locate(point, point.low) for point in reversed(line.history)]
        parts.append(el("polygon", points=_join(band), class_=f"band line{number}"))
        course = [locate(point, point.rating) for point in line.history]
        parts.append(el("polyline", el("title", line.label), points=_join(course), class_=f"course line{number}"))
    picture = el(
        "svg",
        *parts,
        viewBox=f"0 0 {CHART_WIDTH:g} {CHART_HEIGHT:g}",
        preserveAspectRatio="none",
        class_="history",
        role="img",
        aria_label=f"Ratings of {', '.join(line.label for line in drawn)} over time",
    )
    labels = el("div", *(el("span", label) for _, label in reversed(heights.ticks)), class_="heights")
    ends = [min(points, key=lambda point: point.at).at[:10], max(points, key=lambda point: point.at).at[:10]]
    legend = el("ul", *(el("li", line.label, class_=f"line{number}") for number, line in enumerate(drawn)))
    return el(
        "figure",
        el("div", labels, picture, class_="plot"),
        el("div", *(el("span", end) for end in ends), class_="days"),
        el("figcaption", "Rating with its comparison interval.", legend),
        class_="chart",
    )


def draw_lead(score: float) -> Markup:
    """Draw by how much one is ahead of another, -1 to 1: to the right if it is, to the left if it is behind."""
    left, width = (50.0, 50 * score) if score > 0 else (50 + 50 * score, -50 * score)
    return el(
        "svg",
        el("rect", x="0%", width="100%", y=5, height=8, rx=4, class_="rail"),
        el(
            "rect",
            x=format_position(left),
            width=format_position(width),
            y=5,
            height=8,
            class_="ahead" if score > 0 else "behind",
        ),
        _upright(50.0, "zero"),
        class_="bar lead",
        width="100%",
        height=18,
        aria_hidden="true",
    )


def _upright(x: float, kind: str) -> Markup:
    return el("line", x1=format_position(x), x2=format_position(x), y1="0%", y2="100%", class_=kind)


def _join(points: Sequence[_Point]) -> str:
    return " ".join(f"{point.x:.1f},{point.y:.1f}" for point in points)


def _find_day(at: str) -> float:
    return datetime.fromisoformat(at).timestamp() / DAY_SECONDS


def join_content(parts: Sequence[Content], between: str = ", ") -> Markup:
    """Return parts of a page, one after the other with a text between them."""
    joined: list[Content] = []
    for number, part in enumerate(parts):
        joined += [between, part] if number else [part]
    return markup(*joined)
