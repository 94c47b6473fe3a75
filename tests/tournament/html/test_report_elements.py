"""Elements, numbers, scales and charts: what a report is made of."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from math import log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss_tournament.html.charts import (
    HistogramBar,
    WhiskerRow,
    draw_histogram,
    draw_whiskers,
    equal_axes,
    linear_axis,
    logarithmic_axis,
    round_step,
)
from pitboss_tournament.html.elements import Markup, el, markup
from pitboss_tournament.html.number_format import (
    format_chance,
    format_duration,
    typeset_interval,
    typeset_number,
    typeset_signed,
)
from pitboss_tournament.html.page_parts import quote_text
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.text.terminal_text import escape_line

ESTIMATES = {
    "–": Estimate(None, None),
    "+3.2 ± ?": Estimate(3.2, None),
    "−1,234.6 ± 0.1": Estimate(-1234.56, 0.1),
    "0.0 ± 0.0": Estimate(-0.01, 0.001),
}
DURATIONS = [
    (None, "–"),
    (1.0, "1 µs"),
    (999.0, "999 µs"),
    (999.9, "1 ms"),
    (1234.0, "1.2 ms"),
    (76_000.0, "76 ms"),
    (4e6, "4 s"),
    (123e6, "123 s"),
]


class ElementParser(HTMLParser):
    """Reads one element."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.seen: list[object] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note it."""
        self.seen.append((tag, attrs))

    def handle_data(self, data: str) -> None:
        """Note it."""
        self.seen.append(data)


def test_an_element() -> None:
    """An element has a name, attributes that stand alone or are left out, content in content; some have no end."""
    assert (
        el("p", "a", [el("b", "c"), None], class_="d", aria_label="e", hidden=True, id=None)
        == '<p class="d" aria-label="e" hidden>a<b>c</b></p>'
    )
    assert el("meta", charset="utf-8") == '<meta charset="utf-8">'
    assert markup("&", Markup("&amp;")) == "&amp;&amp;"


@given(st.text())
def test_any_text_at_all(text: str) -> None:
    """Any text, in content and in an attribute, comes out as it went in, made harmless."""
    seen = ElementParser(el("i", text, title=text)).seen

    assert seen[0] == ("i", [("title", escape_line(text))])
    assert "".join(map(str, seen[1:])) == escape_line(text)


@pytest.mark.parametrize(("text", "estimate"), ESTIMATES.items())
def test_estimates(text: str, estimate: Estimate) -> None:
    """An estimate has a sign that can be seen, none for nothing, and ? where no interval is known."""
    assert text == typeset_interval(estimate, has_sign=True)
    assert typeset_number(-0.5) == "−0.5"
    assert typeset_signed(0.04) == "0.0"


@pytest.mark.parametrize(("us", "text"), DURATIONS)
def test_durations(us: float | None, text: str) -> None:
    """A duration has two digits that tell something, in the unit that fits."""
    assert text == format_duration(us)


def test_chances() -> None:
    """A chance is never written as certain."""
    assert [format_chance(share) for share in (None, 0.0, 0.004, 0.5, 0.996, 1.0)] == [
        "–",
        "< 1 %",
        "< 1 %",
        "50 %",
        "> 99 %",
        "> 99 %",
    ]


@given(st.lists(st.floats(-1e9, 1e9), max_size=9))
def test_a_linear_scale(values: list[float]) -> None:
    """A linear scale holds all values in their order, between the first tick and the last, and ticks are few."""
    scale = linear_axis(values)

    nothing = 1e-6 * (scale.high - scale.low)
    assert all(scale.low - nothing <= value <= scale.high + nothing for value in values)
    assert [scale.locate(value) for value in sorted(values)] == sorted(scale.locate(value) for value in values)
    assert 2 <= len(scale.ticks) <= 7
    assert all(0 < scale.locate(value) < 100 for value in [*values, -1e12, 1e12])


@given(st.lists(st.integers(0, 10**9), max_size=9))
def test_a_logarithmic_scale(values: list[int]) -> None:
    """A logarithmic scale holds all values in their order, with a tick at each power of ten."""
    scale = logarithmic_axis(values, format_duration)

    assert all(scale.low <= log10(max(value, 1)) <= scale.high for value in values)
    assert [value for value, _ in scale.ticks] == list(range(int(scale.low), int(scale.high) + 1))


def test_axes_of_one_scale() -> None:
    """Axes of one scale contain their values, are equally long, and have the same steps, at round numbers."""
    rows = [[174.0, 230.0], [-20.0, 150.0], [3.0, 3.0]]
    scales = equal_axes(rows)

    assert len({scale.high - scale.low for scale in scales}) == 1
    for scale, row in zip(scales, rows, strict=True):
        assert scale.low <= min(row) <= max(row) <= scale.high
        assert [value % 50 for value, _ in scale.ticks] == [0.0] * len(scale.ticks)
        assert (scale.ticks[0][0], scale.ticks[-1][0]) == (scale.low, scale.high)


def test_round_steps() -> None:
    """A round step is 1, 2 or 5 or one of their tens."""
    assert [round_step(least) for least in (0.03, 0.5, 1.0, 1.1, 2.0, 4.9, 6.0, 11.0)] == pytest.approx(
        [0.05, 0.5, 1, 2, 2, 5, 10, 20]
    )


def test_whiskers() -> None:
    """The dot is where the mean is; an interval that leaves the axis ends there.

    Where nothing is known nothing is drawn.
    """
    scale = linear_axis([-10.0, 10.0])
    rows = [
        WhiskerRow("a", "one", Estimate(0.0, 99.0)),
        WhiskerRow("b" * 99, "", Estimate(None, None)),
        WhiskerRow("c", "", Estimate(10.0, None)),
    ]
    picture = draw_whiskers("x", "title", rows, scale)

    assert re.findall(r'cx="([\d.]+)%"', picture) == ["50.00", "95.00"]
    assert re.findall(r'x1="([\d.]+)%" x2="([\d.]+)%"[^>]*class="whisker"', picture)[0] == ("5.00", "95.00")
    assert 'role="img"' in picture
    assert '<desc id="x-desc">a: one; bbb' in picture


def test_a_label_that_is_long() -> None:
    """A long label is folded, not cut: the text stands beside its last line, and all rows are as high as
    the highest.
    """
    team = "1. house:fireworks + conventions-2 + conventions-3"
    rows = [WhiskerRow(team, "22.8", Estimate(2.0, None)), WhiskerRow("2. short", "1.0", Estimate(1.0, None))]
    picture = draw_whiskers("x", "title", rows, linear_axis([0.0, 2.0]))
    literal = WhiskerRow("3. house:fireworks-literal + search", "0.5", Estimate(0.5, None))
    many = draw_whiskers("x", "title", [rows[0], literal, *rows[1:] * 12], linear_axis([0.0, 2.0]))

    lines = re.findall(r'y="(\d+)" class="(?:label|said)">([^<]+)', picture)
    assert [(int(y), text) for y, text in lines] == [
        *((18, "1. house:fireworks + conventions-2 +"), (35, "conventions-3"), (35, "22.8")),
        *((100, "2. short"), (100, "1.0")),
    ]
    assert re.findall(r'cy="(\d+)"', picture) == ["48", "113"]
    assert re.findall(r'class="name">.*?</title>([^<]+)', many)[:6] == [
        *("1. house:fireworks +", "conventions-2 +", "conventions-3"),
        *("3. house:fireworks-", "literal + search"),
        "2. short",
    ]


def test_a_histogram() -> None:
    """Bars are as high as their counts, the highest as high as the picture."""
    picture = draw_histogram(
        "x", "title", "what it shows", [HistogramBar(0, 1, 10), HistogramBar(1, 2, 5)], linear_axis([0.0, 2.0])
    )
    heights = [float(height) for height in re.findall(r'height="([\d.]+)" class="bar"', picture)]

    assert heights[0] == 2 * heights[1] == 170


def test_a_quoted_line_takes_one_line() -> None:
    """The end of a line is in the line's own block: between two blocks a browser shows it as an empty line."""
    assert quote_text("one\n\ntwo") == "<pre><span>one\n</span><span>\n</span><span>two\n</span></pre>"
