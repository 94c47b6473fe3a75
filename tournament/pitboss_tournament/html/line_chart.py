"""Charts of many lines over one axis and one scale, a few of them in colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss_tournament.html.axes import Axis
from pitboss_tournament.html.charts import TOP, format_position, make_svg
from pitboss_tournament.html.elements import Content, Markup, el

HEIGHT: Final = 300
SCALE_PERCENT: Final = 16.0  # of the width, for the labels of the upright scale
MAX_COLOURED_LINES: Final = 5


class Line(Struct, frozen=True):
    """A line of a line chart: values, each with its place on the axis; `kind` is its colour, 0 grey."""

    label: str
    values: Sequence[tuple[float, float]]
    kind: int


def draw_lines(name: str, title: str, lines: Sequence[Line], axis: Axis, heights: Axis) -> Markup:
    """Draw lines over one axis, the first ones on top; values beyond `heights` lie at its edge."""
    axis = replace(axis, left=SCALE_PERCENT)
    drawn = [_draw_line(line, axis, heights) for line in reversed(lines)]
    said = ", ".join(line.label for line in lines)
    return make_svg(name, title, said, axis, TOP + HEIGHT, list(_draw_heights(heights)), drawn)


def _draw_heights(heights: Axis) -> Iterator[Content]:
    for value, label in heights.ticks:
        y = _find_height(value, heights)
        yield el("line", x1="12%", x2="100%", y1=y, y2=y, class_="grid" if value else "zero")
        yield el("text", label, x="11%", y=y + 5, class_="scale upright")


def _find_height(value: float, heights: Axis) -> float:
    inside = min(max(value, heights.low), heights.high)
    return TOP + 8 + (HEIGHT - 16) * (heights.high - inside) / (heights.high - heights.low)


def _draw_line(line: Line, axis: Axis, heights: Axis) -> Iterator[Content]:
    places = [(format_position(axis.locate(where)), _find_height(value, heights)) for where, value in line.values]
    kind = f"course line{line.kind}"
    for (left, one), (right, two) in pairwise(places):
        yield el("line", el("title", line.label), x1=left, x2=right, y1=one, y2=two, class_=kind)
