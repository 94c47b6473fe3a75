"""Charts as inline SVG: intervals, histograms, courses and lines over axes.

Horizontal positions are in percent of the width and text is in the page's size, so that a chart is readable at any
width. Every chart is an image with a title and a description; a table beside it has the same numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, floor, log10
from textwrap import wrap
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from pitboss.text import truncate_text
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import typeset_number
from pitboss_tournament.statistics.running_moments import Estimate

ROW_HEIGHT: Final = 48  # pixels, as all heights
HISTOGRAM_ROW_HEIGHT: Final = 66
COURSE_ROW_HEIGHT: Final = 116
COURSE_HEIGHT: Final = 64
TOP: Final = 4
AXIS: Final = 22
HISTOGRAM_HEIGHT: Final = 40
SOLE_HISTOGRAM_HEIGHT: Final = 170
INTERVAL_HEIGHT: Final = 22
LONGEST_LABEL: Final = 20
LONGEST_LABEL_LINE: Final = 40  # of a label that has lines of its own
LONGEST_LOW_LINE: Final = 21  # of one in a low row, beside the axis
LABEL_LINE: Final = 17
MAX_TALL_ROWS: Final = 12  # of more, each has one line: its label, and the chart to its right
LOW_ROW_HEIGHT: Final = 20
LANE_PERCENT: Final = 2.0  # of the width, for brackets that stand side by side
MAX_LANES_PERCENT: Final = 10.0  # for all of them
LABEL_PERCENT: Final = 46.0  # of the width, for the labels of low rows

MAX_TICKS = 5
MARGIN_PERCENT = 5.0  # percent left free on either side, where half of a label fits

MAX_BARS: Final = 40
LOGARITHMIC_RATIO: Final = 20  # longest game over shortest, from which lengths are shown by magnitude
BARS_PER_MAGNITUDE: Final = 10  # bars from one power of ten to the next

HEIGHT: Final = 300
SCALE_PERCENT: Final = 16.0  # of the width, for the labels of the upright scale
MAX_COLOURED_LINES: Final = 5


class Axis(Struct, frozen=True):
    """An axis from `low` to `high`, with its ticks."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    left: float = MARGIN_PERCENT  # percent left free before it
    right: float = MARGIN_PERCENT  # and after it

    def locate(self, value: float) -> float:
        """Return the position of a value in percent of the width, clamped to the axis."""
        inside = min(max(value, self.low), self.high)
        return self.left + (100 - self.right - self.left) * (inside - self.low) / (self.high - self.low)


def linear_axis(values: Iterable[float], least_step: float = 0.0) -> Axis:
    """Return a linear axis that contains all values, with round numbers as ticks."""
    known = list(values) or [0.0]
    low, high = min(known), max(known)
    if high - low < 1e-9 * max(1.0, abs(low), abs(high)):
        low, high = low - 1, high + 1
    step = round_step(max(least_step, (high - low) / (MAX_TICKS - 1)))
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    digits = max(0, -floor(log10(step)))
    ticks = tuple((number * step, typeset_number(number * step + 0.0, digits)) for number in range(first, last + 1))
    return Axis(first * step, last * step, ticks)


def equal_axes(rows: Sequence[Sequence[float]]) -> list[Axis]:
    """Return an axis for each row of values, one or more, that contains them; all are equally long.

    They have ticks at their ends and in between, at round numbers.
    """
    longest = max((max(row) - min(row) for row in rows), default=0.0)
    step = round_step(max(longest, 1.0) / MAX_TICKS)
    digits = max(0, -floor(log10(step)))
    steps = ceil(longest / step - 1e-9) + 1
    axes = []
    for row in rows:
        first = floor((min(row) + max(row)) / 2 / step - steps / 2 + 0.5)
        numbers = range(first, first + steps + 1)
        ticks = tuple((number * step, typeset_number(number * step + 0.0, digits)) for number in numbers)
        axes.append(Axis(first * step, (first + steps) * step, ticks))
    return axes


def logarithmic_axis(values: Iterable[float], label: Callable[[float], str]) -> Axis:
    """Return a logarithmic axis that contains all values, with a tick at each power of ten."""
    logs = [log10(max(value, 1.0)) for value in values] or [0.0]
    first, last = floor(min(logs)), max(ceil(max(logs)), floor(min(logs)) + 1)
    return Axis(first, last, tuple((float(power), label(10**power)) for power in range(first, last + 1)))


def round_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20 … (and their fractions) that is at least `least`."""
    power = 10.0 ** floor(log10(least))
    return next(float(power * factor) for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


class WhiskerRow(Struct, frozen=True):
    """A row of a chart of dots and whiskers."""

    label: str
    text: str  # the numbers, in words
    estimate: Estimate
    open_end: int = 0  # 1: no upper end, the mean is the lower one; -1: no lower end; 0: the interval has both


class HistogramBar(Struct, frozen=True):
    """A bar of a histogram: its ends on the axis, and its count."""

    low: float
    high: float
    count: int


class HistogramRow(Struct, frozen=True):
    """A row of a chart of histograms."""

    label: str
    text: str
    bars: Sequence[HistogramBar]
    marks: Mapping[str, float] = {}  # places on the axis, by name


class CourseRow(Struct, frozen=True):
    """A row of a chart of courses: estimates, each with its place on the axis."""

    label: str
    text: str
    estimates: Sequence[tuple[float, Estimate]]
    heights: Axis


def draw_whiskers(
    name: str, title: str, rows: Sequence[WhiskerRow], axis: Axis, brackets: Sequence[tuple[int, int]] = ()
) -> Markup:
    """Draw a dot with its interval for each row, with its text above, and a line at zero.

    An interval that leaves the axis is cut off there. `brackets`: the first and the last row of each, from the top.
    Long labels have several lines, and all rows the height of the one with the most.
    """
    axis, row_height = _fit_rows(len(rows), ROW_HEIGHT, axis)
    labels = [_fold_label(row.label, is_low=row_height == LOW_ROW_HEIGHT) for row in rows]
    more_height = LABEL_LINE * (max(map(len, labels), default=1) - 1)  # of the lines below the first
    row_height += more_height
    lanes = _fill_lanes(brackets)
    lane_width = min(LANE_PERCENT, MAX_LANES_PERCENT / max(1, len(lanes)))
    axis = replace(axis, right=axis.right + lane_width * len(lanes))
    height = TOP + row_height * len(rows)
    drawn: list[Content] = [
        _draw_whisker(row, label, TOP + row_height * number, row_height, more_height, axis)
        for number, (row, label) in enumerate(zip(rows, labels, strict=True))
    ]
    for lane, own in enumerate(lanes):
        x = 100 - lane_width * (len(lanes) - 1 - lane)
        drawn += [_draw_bracket(x, lane_width, first, last, row_height) for first, last in own]
    middle = _draw_vertical(axis.locate(0), TOP, height, "zero")
    return make_svg(name, title, _describe_rows(rows), axis, height, middle, drawn)


def draw_courses(name: str, title: str, rows: Sequence[CourseRow], axis: Axis) -> Markup:
    """Draw a line for each row with an interval at each estimate, and a line at zero where it is in sight.

    An interval that leaves the heights of its row is cut off there.
    """
    height = TOP + COURSE_ROW_HEIGHT * len(rows)
    drawn = [_draw_course(row, TOP + COURSE_ROW_HEIGHT * number, axis) for number, row in enumerate(rows)]
    return make_svg(name, title, _describe_rows(rows), axis, height, drawn)


def draw_histograms(name: str, title: str, rows: Sequence[HistogramRow], axis: Axis) -> Markup:
    """Draw bars for each row over one axis; the highest bar of each row fills it."""
    axis, row_height = _fit_rows(len(rows), HISTOGRAM_ROW_HEIGHT, axis)
    height = TOP + row_height * len(rows)
    drawn = [_draw_histogram_row(row, TOP + row_height * number, row_height, axis) for number, row in enumerate(rows)]
    return make_svg(name, title, _describe_rows(rows), axis, height, drawn)


def draw_histogram(name: str, title: str, description: str, bars: Sequence[HistogramBar], axis: Axis) -> Markup:
    """Draw one histogram."""
    height = TOP + SOLE_HISTOGRAM_HEIGHT
    return make_svg(name, title, description, axis, height, _draw_bars(bars, TOP, SOLE_HISTOGRAM_HEIGHT, axis))


def draw_interval_bar(low: float, mean: float | None, high: float, axis: Axis) -> Markup:
    """Draw an interval with its mean, for a cell of a table that has the numbers beside it."""
    drawn: list[Content] = [
        _draw_vertical(axis.locate(value), 0, INTERVAL_HEIGHT, "grid" if value else "zero") for value, _ in axis.ticks
    ]
    if mean is not None:
        left, right = axis.locate(low), axis.locate(high)
        width = format_position(max(0.4, right - left))
        drawn.append(el("rect", x=format_position(left), width=width, y=8, height=6, rx=3, class_="interval"))
        drawn.append(el("circle", cx=format_position(axis.locate(mean)), cy=11, r=5, class_="dot"))
    return el("svg", *drawn, class_="bar", width="100%", height=INTERVAL_HEIGHT, aria_hidden="true")


def _fit_rows(rows: int, tall: int, axis: Axis) -> tuple[Axis, int]:
    """Return the axis and the height of each row: many rows are low, and have their labels beside the axis."""
    return (axis, tall) if rows <= MAX_TALL_ROWS else (replace(axis, left=LABEL_PERCENT), LOW_ROW_HEIGHT)


def _describe_rows(rows: Iterable[WhiskerRow | HistogramRow | CourseRow]) -> str:
    return "; ".join(f"{row.label}: {row.text}" for row in rows)


def make_svg(name: str, title: str, description: str, axis: Axis, height: int, *drawn: Content) -> Markup:
    """Return a picture of `height` with its axis below it."""
    return el(
        "svg",
        el("title", title, id=f"{name}-title"),
        el("desc", description, id=f"{name}-desc"),
        _draw_axis(axis, height),
        *drawn,
        role="img",
        width="100%",
        height=height + AXIS,
        aria_labelledby=f"{name}-title {name}-desc",
    )


def _draw_axis(axis: Axis, height: int) -> Iterator[Content]:
    for value, label in axis.ticks:
        yield _draw_vertical(axis.locate(value), TOP, height, "grid")
        yield el("text", label, x=format_position(axis.locate(value)), y=height + 16, class_="tick")


def _draw_whisker(
    row: WhiskerRow, label: Sequence[str], top: int, row_height: int, more_height: int, axis: Axis
) -> Iterator[Content]:
    unused = more_height - LABEL_LINE * (len(label) - 1)
    if row_height - more_height == LOW_ROW_HEIGHT:
        middle = top + row_height // 2
        yield from _draw_low_row_text(row.label, row.text, label, top + unused // 2)
    else:
        middle = top + more_height + 27
        yield from _draw_row_text(label, row.text, top + unused, 100 - axis.right + MARGIN_PERCENT)
    if row.estimate.mean is None:
        return
    if row.open_end:
        yield from _draw_open_whisker(axis.locate(row.estimate.mean), row.open_end, middle, axis)
        return
    if row.estimate.half_width is not None:
        ends = [axis.locate(row.estimate.mean + sign * row.estimate.half_width) for sign in (-1, 1)]
        left, right = map(format_position, ends)
        yield el("line", x1=left, x2=right, y1=middle, y2=middle, class_="whisker")
        yield from (_draw_vertical(end, middle - 5, middle + 5, "whisker") for end in ends)
    yield el("circle", cx=format_position(axis.locate(row.estimate.mean)), cy=middle, r=5, class_="dot")


def _fill_lanes(brackets: Iterable[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Return brackets side by side: none touches another in its lane."""
    lanes: list[list[tuple[int, int]]] = []
    for first, last in brackets:
        free = [lane for lane in lanes if lane[-1][1] < first]
        if free:
            free[0].append((first, last))
        else:
            lanes.append([(first, last)])
    return lanes


def _draw_bracket(x: float, width: float, first: int, last: int, row_height: int) -> Iterator[Content]:
    """Draw a bracket that ends at `x` percent, from the top of the first row to the bottom of the last."""
    top, bottom = TOP + row_height * first + 3, TOP + row_height * (last + 1) - 3
    yield _draw_vertical(x, top, bottom, "bracket")
    for y in (top, bottom):
        yield el("line", x1=format_position(x - width / 2), x2=format_position(x), y1=y, y2=y, class_="bracket")


def _draw_open_whisker(bound: float, open_end: int, middle: int, axis: Axis) -> Iterator[Content]:
    """Draw a line from the only bound to the edge of the picture, with an arrow there."""
    low_edge, high_edge = axis.left - MARGIN_PERCENT, 100 - axis.right + MARGIN_PERCENT
    edge, back = (high_edge, high_edge - 1.5) if open_end > 0 else (low_edge, low_edge + 1.5)
    yield _draw_vertical(bound, middle - 5, middle + 5, "whisker")
    for x, y in ((bound, middle), (back, middle - 5), (back, middle + 5)):
        yield el("line", x1=format_position(x), x2=format_position(edge), y1=y, y2=middle, class_="whisker")


def _draw_course(row: CourseRow, top: int, axis: Axis) -> Iterator[Content]:
    yield from _draw_row_text([truncate_text(row.label, LONGEST_LABEL)], row.text, top)
    upper, heights = top + 34, row.heights

    def find_height(value: float) -> float:
        inside = min(max(value, heights.low), heights.high)
        return upper + COURSE_HEIGHT * (heights.high - inside) / (heights.high - heights.low)

    for value, kind in ((heights.low, "grid"), (heights.high, "grid"), (0.0, "zero")):
        if heights.low <= value <= heights.high:
            yield el("line", x1="0%", x2="100%", y1=find_height(value), y2=find_height(value), class_=kind)
    for value, label in (heights.ticks[0], heights.ticks[-1]):
        yield el("text", label, x="0%", y=find_height(value) + 4, class_="scale")
    places = [(axis.locate(where), estimate) for where, estimate in row.estimates if estimate.mean is not None]
    for (left, one), (right, two) in pairwise(places):
        ends = find_height(one.mean or 0.0), find_height(two.mean or 0.0)
        yield el("line", x1=format_position(left), x2=format_position(right), y1=ends[0], y2=ends[1], class_="course")
    for x, estimate in places:
        mean, half_width = estimate.mean or 0.0, estimate.half_width
        if half_width is not None:
            bottom, end = find_height(mean - half_width), find_height(mean + half_width)
            yield el("line", x1=format_position(x), x2=format_position(x), y1=bottom, y2=end, class_="whisker")
        yield el("circle", cx=format_position(x), cy=find_height(mean), r=3.5, class_="dot")


def _draw_histogram_row(row: HistogramRow, top: int, row_height: int, axis: Axis) -> Iterator[Content]:
    is_tall = row_height == HISTOGRAM_ROW_HEIGHT
    if is_tall:
        yield from _draw_row_text([truncate_text(row.label, LONGEST_LABEL)], row.text, top)
    else:
        yield from _draw_low_row_text(row.label, row.text, [truncate_text(row.label, LONGEST_LABEL)], top)
    upper, height = (top + 20, HISTOGRAM_HEIGHT) if is_tall else (top + 2, row_height - 4)
    yield from _draw_bars(row.bars, upper, height, axis)
    for name, value in row.marks.items():
        yield _draw_vertical(axis.locate(value), upper, upper + height, "mark", el("title", name))


def _draw_bars(bars: Sequence[HistogramBar], top: int, height: int, axis: Axis) -> Iterator[Content]:
    first = format_position(axis.left - MARGIN_PERCENT)
    most = max((bar.count for bar in bars), default=1)
    yield el("line", x1=first, x2="100%", y1=top + height, y2=top + height, class_="base")
    for bar in bars:
        left, right = axis.locate(bar.low), axis.locate(bar.high)
        high = max(1.0, height * bar.count / most)
        width = max(0.3, (right - left) * 0.9)
        yield el(
            "rect",
            x=format_position(left),
            y=top + height - high,
            width=format_position(width),
            height=high,
            class_="bar",
        )


def _fold_label(label: str, *, is_low: bool) -> list[str]:
    """Return the lines of a label: one that fits beside the text, or several, of which the last leaves room for it."""
    if len(label) <= LONGEST_LABEL:
        return [label]
    if is_low:
        return wrap(label, LONGEST_LOW_LINE)
    lines = wrap(label, LONGEST_LABEL_LINE, break_on_hyphens=False)
    return lines if len(lines[-1]) <= LONGEST_LABEL else [*lines, ""]


def _draw_row_text(label: Sequence[str], text: str, top: int, edge: float = 100) -> Iterator[Content]:
    """Draw the lines of a label, and the text to the right of the last."""
    for number, line in enumerate(label):
        yield el("text", line, x="0%", y=top + 14 + LABEL_LINE * number, class_="label")
    last = top + 14 + LABEL_LINE * (len(label) - 1)
    yield el("text", text, x=format_position(edge), y=last, class_="said")


def _draw_low_row_text(label: str, text: str, lines: Sequence[str], top: int) -> Iterator[Content]:
    """Draw the lines of a label beside the axis; a pointer on them is told the text."""
    for number, line in enumerate(lines):
        yield el("text", el("title", f"{label}: {text}"), line, x="0%", y=top + 15 + LABEL_LINE * number, class_="name")


def _draw_vertical(x: float, top: int, bottom: int, kind: str, *content: Content) -> Markup:
    return el("line", *content, x1=format_position(x), x2=format_position(x), y1=top, y2=bottom, class_=kind)


def format_position(value: float) -> str:
    """Return a position in a picture."""
    return f"{value:.2f}%"


def draw_length_bars(games: Sequence[Mapping[int, int]]) -> tuple[Axis, list[list[HistogramBar]]]:
    """Return an axis for lengths of games, and the bars of each row: games by their number of decisions."""
    shortest, longest = min(map(min, games)), max(map(max, games))
    if longest > LOGARITHMIC_RATIO * shortest:
        axis = logarithmic_axis([shortest, longest], lambda length: f"{length:,.0f}")
        return axis, [_bars_by_magnitude(row) for row in games]
    width = max(1, int(round_step(max(1.0, (longest - shortest + 1) / MAX_BARS))))
    return linear_axis([shortest - 0.5, longest + 0.5], least_step=1), [_bars_by_length(row, width) for row in games]


def gather_bars(
    counts: Mapping[int, int], bin_of: Callable[[int], int], low_end: Callable[[int], float]
) -> list[HistogramBar]:
    """Return a bar for each bin that has counts, from its own low end to that of the next bin."""
    bins: Counter[int] = Counter()
    for value, count in counts.items():
        bins[bin_of(value)] += count
    return [HistogramBar(low_end(number), low_end(number + 1), count) for number, count in sorted(bins.items())]


def _bars_by_magnitude(lengths: Mapping[int, int]) -> list[HistogramBar]:
    return gather_bars(
        lengths,
        bin_of=lambda length: floor(BARS_PER_MAGNITUDE * log10(max(length, 1))),
        low_end=lambda number: number / BARS_PER_MAGNITUDE,
    )


def _bars_by_length(lengths: Mapping[int, int], width: int) -> list[HistogramBar]:
    return gather_bars(lengths, bin_of=lambda length: length // width, low_end=lambda number: number * width - 0.5)


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


def draw_legend(lines: Sequence[Line]) -> Markup:
    """Return the labels of coloured lines, each with its colour."""
    return el(
        "ul",
        *(el("li", el("i", class_=f"swatch{line.kind}"), line.label) for line in lines if line.kind),
        class_="legend",
    )


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
