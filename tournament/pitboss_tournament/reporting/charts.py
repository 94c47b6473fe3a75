"""Pictures: SVG within the page, its places across in percent and its letters in the page's size, so that it is as readable on a phone as on a wall.

Every picture is an image with a title and a description; nothing is in it that a table beside it does not say in numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pitboss_tournament.reporting.elements import Content, Markup, el
from pitboss_tournament.reporting.scales import Scale
from pitboss_tournament.results.standings import Estimate

ROW: Final = 48  # pixels, as all heights
BARS_ROW: Final = 66
TOP: Final = 4
AXIS: Final = 22
BARS: Final = 40
SOLE_BARS: Final = 170
LONGEST_LABEL: Final = 20


class Whisker(Struct, frozen=True):
    """A line of a dot-and-whisker picture."""

    label: str
    said: str  # the numbers, in words
    estimate: Estimate


class Bar(Struct, frozen=True):
    """A bar of a histogram: from where to where on the axis, and how high."""

    low: float
    high: float
    count: int


class Bars(Struct, frozen=True):
    """A line of a picture of histograms."""

    label: str
    said: str
    bars: Sequence[Bar]
    marks: Mapping[str, float] = {}  # places on the axis, by name


def whiskers(name: str, title: str, description: str, rows: Sequence[Whisker], scale: Scale, zero: bool = False) -> Markup:
    """Draw a dot with its interval for each row, what it says above it. An interval that leaves the axis is cut off there."""
    height = TOP + ROW * len(rows)
    drawn = [_whisker(row, TOP + ROW * number, scale) for number, row in enumerate(rows)]
    middle = _upright(scale.at(0), TOP, height, "zero") if zero else None
    return _picture(name, title, description, height + AXIS, _axis(scale, height), middle, drawn)


def histograms(name: str, title: str, description: str, rows: Sequence[Bars], scale: Scale) -> Markup:
    """Draw bars for each row over one axis, each row as high as its highest bar."""
    height = TOP + BARS_ROW * len(rows)
    drawn = [_bars(row, TOP + BARS_ROW * number, scale) for number, row in enumerate(rows)]
    return _picture(name, title, description, height + AXIS, _axis(scale, height), drawn)


def histogram(name: str, title: str, description: str, bars: Sequence[Bar], scale: Scale) -> Markup:
    """Draw one histogram."""
    height = TOP + SOLE_BARS
    return _picture(name, title, description, height + AXIS, _axis(scale, height), list(_columns(bars, TOP, SOLE_BARS, scale)))


def _picture(name: str, title: str, description: str, height: int, *drawn: Content) -> Markup:
    return el(
        "svg",
        el("title", title, id=f"{name}-title"),
        el("desc", description, id=f"{name}-desc"),
        *drawn,
        role="img",
        width="100%",
        height=height,
        aria_labelledby=f"{name}-title {name}-desc",
    )


def _axis(scale: Scale, height: int) -> Iterator[Content]:
    for value, label in scale.ticks:
        yield _upright(scale.at(value), TOP, height, "grid")
        yield el("text", label, x=_percent(scale.at(value)), y=height + 16, class_="tick")


def _whisker(row: Whisker, top: int, scale: Scale) -> Iterator[Content]:
    yield from _words(row.label, row.said, top)
    middle = top + 27
    if row.estimate.mean is None:
        return
    if row.estimate.half_width is not None:
        ends = [scale.at(row.estimate.mean + sign * row.estimate.half_width) for sign in (-1, 1)]
        yield el("line", x1=_percent(ends[0]), x2=_percent(ends[1]), y1=middle, y2=middle, class_="whisker")
        yield from (_upright(end, middle - 5, middle + 5, "whisker") for end in ends)
    yield el("circle", cx=_percent(scale.at(row.estimate.mean)), cy=middle, r=5, class_="dot")


def _bars(row: Bars, top: int, scale: Scale) -> Iterator[Content]:
    yield from _words(row.label, row.said, top)
    yield from _columns(row.bars, top + 20, BARS, scale)
    for name, value in row.marks.items():
        yield el(
            "line",
            el("title", name),
            x1=_percent(scale.at(value)),
            x2=_percent(scale.at(value)),
            y1=top + 20,
            y2=top + 20 + BARS,
            class_="mark",
        )


def _columns(bars: Iterable[Bar], top: int, height: int, scale: Scale) -> Iterator[Content]:
    bars = list(bars)
    most = max((bar.count for bar in bars), default=1)
    yield el("line", x1="0%", x2="100%", y1=top + height, y2=top + height, class_="base")
    for bar in bars:
        left, right = scale.at(bar.low), scale.at(bar.high)
        high = max(1.0, height * bar.count / most)
        width = max(0.3, (right - left) * 0.9)
        yield el("rect", x=_percent(left), y=top + height - high, width=_percent(width), height=high, class_="bar")


def _words(label: str, said: str, top: int) -> Iterator[Content]:
    short = label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
    yield el("text", short, x="0%", y=top + 14, class_="label")
    yield el("text", said, x="100%", y=top + 14, class_="said")


def _upright(x: float, top: int, bottom: int, kind: str) -> Markup:
    return el("line", x1=_percent(x), x2=_percent(x), y1=top, y2=bottom, class_=kind)


def _percent(value: float) -> str:
    return f"{value:.2f}%"
