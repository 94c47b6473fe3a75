"""A study as one page with charts."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from pitboss import __version__
from pitboss.text import format_count
from pitboss_tournament.html.charts import (
    Axis,
    CourseRow,
    HistogramRow,
    WhiskerRow,
    draw_courses,
    draw_histograms,
    draw_length_bars,
    draw_whiskers,
    equal_axes,
    linear_axis,
)
from pitboss_tournament.html.elements import Markup, el
from pitboss_tournament.html.number_format import typeset_interval, typeset_number
from pitboss_tournament.html.page_parts import figure, note, render_document, section, table
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.study.skill import SkillFigures
from pitboss_tournament.study.study import GameStudy, VariantStudy
from pitboss_tournament.study.tables import format_rung, study_tables, to_estimate


def render_study(found: GameStudy) -> str:
    """Return the page."""
    pictures = {
        "length": _draw_lengths(found.variants),
        "seats": _draw_seats(found.variants),
        "ladder": _draw_ladder([(one.label, one.skill) for one in found.variants if one.skill is not None]),
    }
    sections = [
        section(
            one.name,
            one.title,
            pictures.get(one.name),
            table(f"{one.name}-table", "Variants side by side.", one.columns, one.rows),
            note(one.note),
        )
        for one in study_tables(found)
    ]
    games = sum(one.random.games + (one.skill.games if one.skill else 0) for one in found.variants)
    lead = f"{format_count(len(found.variants), 'variant')}, {format_count(games, 'game')}, seed {found.seed}."
    return render_document(
        f"{found.title}: what kind of game it is",
        el("p", lead, class_="lead"),
        sections,
        f"Made by Pitboss {__version__} with {found.game} {found.game_version}. ",
    )


def _draw_lengths(variants: Sequence[VariantStudy]) -> Markup:
    axis, bars = draw_length_bars([one.random.lengths for one in variants])
    rows = [
        HistogramRow(one.label, f"{typeset_number(one.random.decisions.mean)} on average", own)
        for one, own in zip(variants, bars, strict=True)
    ]
    return figure(
        "Random games by their number of decisions; each row's bars are as high as its highest.",
        draw_histograms("lengths", "Random games by their number of decisions", rows, axis),
    )


def _draw_seats(variants: Sequence[VariantStudy]) -> Markup:
    rows = []
    for one in variants:
        wins = (
            [seat.wins for seat in one.skill.seats]
            if one.skill
            else [to_estimate(seat.wins) for seat in one.random.balance]
        )
        for seat, share in enumerate(wins):
            above = Estimate(
                None if share.mean is None else 100 * (share.mean - 1 / one.seats),
                None if share.half_width is None else 100 * share.half_width,
            )
            rows.append(WhiskerRow(f"Seat {seat}", f"{one.label}: {typeset_interval(above, has_sign=True)}", above))
    return figure(
        "Percent of the wins above an even share; the line is the 95 % interval.",
        draw_whiskers("seat-wins", "Wins above an even share, by seat", rows, _axis_around(rows)),
    )


def _draw_ladder(known: Sequence[tuple[str, SkillFigures]]) -> Markup | None:
    if not known:
        return None
    heights = equal_axes([[rung.rating.mean or 0.0 for rung in skill.ladder] for _, skill in known])
    rows = [
        CourseRow(
            label,
            f"{format_rung(skill.doubling)} for twice the time",
            [(log10(rung.ms), rung.rating) for rung in skill.ladder],
            height,
        )
        for (label, skill), height in zip(known, heights, strict=True)
    ]
    times = [rung.ms for rung in known[0][1].ladder]
    ticks = tuple((log10(ms), f"{ms} ms") for ms in times)
    return figure(
        "Rating points by the time for a decision, each twice the one before; the upright lines are 95 % intervals.",
        draw_courses("skill-ladder", "Rating by time", rows, Axis(ticks[0][0], ticks[-1][0], ticks)),
    )


def _axis_around(rows: Sequence[WhiskerRow]) -> Axis:
    ends = [(row.estimate.mean or 0.0) + sign * (row.estimate.half_width or 0.0) for row in rows for sign in (-1, 1)]
    return linear_axis([0.0, *ends])
