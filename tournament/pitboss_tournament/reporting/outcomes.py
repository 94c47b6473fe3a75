"""Sections on seats, and on variance reduction by duplicate deals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pitboss.text import format_count
from pitboss_tournament.counting.report_findings import MAX_REDUCTION_GAMES, ReportFindings
from pitboss_tournament.html.charts import draw_whiskers
from pitboss_tournament.html.elements import Content, Markup
from pitboss_tournament.html.number_format import DASH, typeset_interval, typeset_number, typeset_share
from pitboss_tournament.html.page_parts import (
    Section,
    capitalize_first,
    explain,
    figure,
    fold,
    note,
    section,
    table,
)
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.interval_rows import WINS_HEADING, decimal_places, interval_axis, signed_row
from pitboss_tournament.statistics.control_variate import LuckRemoval, RemovableMeasure
from pitboss_tournament.statistics.variance_reduction import VarianceReduction


def seats_section(statistics: ReportFindings) -> Section:
    """Return the section on seats."""
    counted = capitalize_first(statistics.score_name)
    digits = decimal_places(seat.points.estimate().mean for seat in statistics.seats)
    rows = [
        signed_row(f"Seat {number}", seat.margin.estimate(), digits) for number, seat in enumerate(statistics.seats)
    ]
    axis = interval_axis([row.estimate for row in rows])
    picture = draw_whiskers("seats", f"{counted} above the mean of the table, by seat, with 95 % intervals", rows, axis)
    worth = statistics.seat_ratings
    cells = [
        (
            row.label,
            typeset_interval(seat.points.estimate(), digits=digits),
            row.text,
            typeset_share(seat.wins.estimate(scale=1.0)),
            *([typeset_interval(worth[number], digits=0, has_sign=True)] if worth else []),
        )
        for number, (row, seat) in enumerate(zip(rows, statistics.seats, strict=True))
    ]
    return section(
        "seats-section",
        "Does the seat matter?",
        figure(f"{counted} a game above the mean of the table; the line is the 95 % interval.", picture),
        fold(
            "The seats in numbers",
            table(
                "seats-table",
                "Each complete block tells once.",
                ("Seat", f"{counted} a game", "Above the mean", WINS_HEADING, *(["In rating points"] if worth else [])),
                cells,
            ),
        ),
        explain(note(explanations.SEATS, explanations.SEAT_RATINGS if worth else None)),
    )


def reduction_section(statistics: ReportFindings) -> Section:
    """Return the section on variance reduction: by duplicate deals, and by taking out the luck of the draw."""
    cells = [_reduction_cells(name, of) for name, of in statistics.reductions.items()]
    head = ("Measured by", "Games needed for one", "95 % interval", "From")
    return section(
        "saved",
        "What duplicate deals saved",
        table("saved-table", "All bots together.", head, cells, kind="wrap"),
        explain(note(explanations.SAVED)),
        note("Reckoned from the first games of the tournament; there are more.")
        if statistics.tally.games > MAX_REDUCTION_GAMES
        else None,
        *(() if statistics.luck_removal is None else _luck_parts(statistics.luck_removal, head)),
    )


def _luck_parts(removal: LuckRemoval, head: Sequence[str]) -> Iterator[Markup]:
    names: dict[RemovableMeasure, str] = {"points": "points a game", "wins": "share of wins"}
    cells = [_reduction_cells(name, removal.estimate_reduction(measure)) for measure, name in names.items()]
    yield table("luck-table", "What taking out the luck of the draw saved, beside that.", head, cells, kind="wrap")
    yield note(explanations.LUCK)


def _reduction_cells(measure: str, of: VarianceReduction) -> tuple[Content, ...]:
    known = of.low is not None and of.high is not None
    interval = f"{typeset_number(of.low or 0, 2)} to {typeset_number(of.high or 0, 2)}" if known else DASH
    return (
        measure,
        DASH if of.ratio is None else typeset_number(of.ratio, 2),
        interval,
        format_count(of.blocks, "block"),
    )
