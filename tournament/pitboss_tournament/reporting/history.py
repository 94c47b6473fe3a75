"""Section on ratings over the time of the tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import quantiles
from typing import Final

from pitboss_tournament.counting.rating_history import RatedMoment
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.html.charts import MAX_COLOURED_LINES, Axis, Line, draw_legend, draw_lines, linear_axis
from pitboss_tournament.html.elements import Markup, el
from pitboss_tournament.html.number_format import DASH, typeset_interval
from pitboss_tournament.html.page_parts import Section, explain, figure, fold, note, section, table
from pitboss_tournament.reporting import explanations
from pitboss_tournament.statistics.drift import drift_text

FARTHEST: Final = 2.0  # interquartile ranges beyond the quartiles, up to which ratings set the scale
MIN_SPREAD_BOTS: Final = 8  # of fewer all set the scale
MAX_LINES: Final = 100
MAX_DRIFTS: Final = 5  # that are told

Courses = Mapping[int, Sequence[RatedMoment]]  # by entrant, the best first


def history_section(statistics: ReportFindings) -> Section:
    """Return the section on ratings over the time of the tournament: the first bots in colour, all others in grey."""
    title = "Ratings over time"
    courses = _list_courses(statistics)
    drifts = [el("p", drift_text(drift, statistics.names)) for drift in statistics.drifts[:MAX_DRIFTS]]
    if not courses:
        too_few = el("p", "There are too few games yet, or not all bots can be compared.")
        return section("history", title, too_few, *drifts)
    lines = [
        _make_line(statistics.names[entrant], course, place if place <= MAX_COLOURED_LINES else 0)
        for place, (entrant, course) in enumerate(courses.items(), 1)
    ]
    drawn = lines[:MAX_LINES]
    picture = _draw_courses(statistics, drawn)
    others = f"; the other {len(drawn) - MAX_COLOURED_LINES} in grey" if len(drawn) > MAX_COLOURED_LINES else ""
    if len(lines) > len(drawn):
        others += f". The first {MAX_LINES} of {len(lines):,} bots; the table has all"
    return section(
        "history",
        title,
        figure(
            f"Rating points by the first games, as many as stand below{others}.", el("div", draw_legend(lines), picture)
        ),
        *drifts,
        fold("The ratings in numbers", _history_table(statistics, courses)),
        explain(note(explanations.HISTORY), note(explanations.DRIFT)),
    )


def bot_history(statistics: ReportFindings, entrant: int) -> Markup | None:
    """Return the course of a bot's rating among those of the first other bots, in grey; None if it has none yet."""
    courses = _list_courses(statistics)
    if entrant not in courses:
        return None
    others = [other for other in courses if other != entrant][: MAX_LINES - 1]
    lines = [_make_line(statistics.names[bot], courses[bot], 1 if bot == entrant else 0) for bot in (entrant, *others)]
    return figure(
        "Rating points by the first games of the tournament, as many as stand below; the other bots in grey.",
        _draw_courses(statistics, lines),
    )


def _list_courses(statistics: ReportFindings) -> Courses:
    """Return the courses of all bots that have been rated twice or more."""
    zero = next(iter(statistics.ratings.zeros), ())
    return {
        entrant: course
        for entrant, _ in statistics.numbered_standings
        if len(course := statistics.rating_history.list_moments(entrant, zero)) > 1
    }


def _make_line(name: str, course: Sequence[RatedMoment], kind: int) -> Line:
    return Line(name, [(moment.games, moment.rating.mean or 0.0) for moment in course], kind)


def _draw_courses(statistics: ReportFindings, lines: Sequence[Line]) -> Markup:
    axis = linear_axis([0.0, statistics.tally.games], least_step=1)
    return draw_lines("rating-history", "Ratings over time", lines, axis, _choose_heights(lines))


def _choose_heights(lines: Sequence[Line]) -> Axis:
    """Return a scale for what the bots came to, and the leaders' courses after their first moment.

    Of many bots those far from the middle half are left out, and lie at the edge.
    """
    last = [line.values[-1][1] for line in lines]
    if len(last) >= MIN_SPREAD_BOTS:
        low, _, high = quantiles(last, n=4)
        reach = FARTHEST * (high - low)
        last = [value for value in last if low - reach <= value <= high + reach]
    leading = [value for line in lines if line.kind for _, value in line.values[1:]]
    return linear_axis([0.0, *last, *leading])


def _history_table(statistics: ReportFindings, courses: Courses) -> Markup:
    games = sorted({moment.games for course in courses.values() for moment in course})
    cells = []
    for entrant, course in courses.items():
        ratings = {moment.games: moment.rating for moment in course}
        shown = (typeset_interval(ratings[one], digits=0, has_sign=True) if one in ratings else DASH for one in games)
        cells.append((statistics.names[entrant], *shown))
    caption = "Ratings after each number of games, with intervals that hold at all times together."
    return table("history-table", caption, ("Bot", *(f"{one:,}" for one in games)), cells)
