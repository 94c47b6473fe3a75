"""Sections on results: standings, pairs, seats, and variance reduction by duplicate deals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from pitboss.text import format_count, join_words
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.axes import Axis, equal_axes, linear_axis
from pitboss_tournament.reporting.cautions import pairs_caution, standings_cautions
from pitboss_tournament.reporting.charts import CourseRow, WhiskerRow, draw_courses, draw_whiskers
from pitboss_tournament.reporting.elements import Content, Markup, el
from pitboss_tournament.reporting.number_format import (
    UNKNOWN,
    format_chance,
    format_interval,
    format_number,
    format_share,
    format_signed,
)
from pitboss_tournament.reporting.page_parts import Section, figure, note, section, table
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.reporting.report_statistics import ReportStatistics
from pitboss_tournament.showing.fit_text import fit_lines
from pitboss_tournament.showing.verdict import rank_text
from pitboss_tournament.statistics.blocks import margins, points
from pitboss_tournament.statistics.control_variate import LuckRemoval, RemovableMeasure
from pitboss_tournament.statistics.cycles import MOST_CYCLES, cycle_text
from pitboss_tournament.statistics.pairwise import EstimatedDifference
from pitboss_tournament.statistics.ratings import Rating
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.statistics.running_standings import Standing, heavy_tail_text
from pitboss_tournament.statistics.variance_reduction import VarianceReduction, estimate_reduction
from pitboss_tournament.store.store import Store

TINTS: Final = 3  # of either colour of the heat map
WIDEST_INTERVAL: Final = 3.0  # an interval is cut off that is so many times as wide as the ratings lie apart
FEW_POINTS: Final = 20.0  # points; where all are fewer, they are shown to a hundredth
WINS: Final = Markup("Share of wins,&nbsp;%")
MOST_REDUCTION_GAMES: Final = 100_000  # for the variance reduction: they are held in memory
MOST_COURSES: Final = 12  # bots whose ratings over time are shown
NAMED_COLUMNS: Final = 12  # bots; of more, the columns have numbers only


def standings_section(statistics: ReportStatistics, replays: ReplayLinks | None = None) -> Section:
    """Return the section on standings and ratings; with `replays` each bot's name leads to one of its games."""
    lines = statistics.numbered_standings
    rated = statistics.ratings
    rows = [_rating_row(_ranked_name(statistics, line), rated.rating_of(entrant)) for entrant, line in lines]
    axis = _interval_axis([row.estimate for row in rows])
    picture = draw_whiskers("ratings", "Ratings with their comparison intervals", rows, axis)
    zero = statistics.anchor or "the bot in the middle"
    digits = _decimal_places(line.points.mean for _, line in lines)
    warning = heavy_tail_text(line for _, line in lines)
    results = ("Points a game", WINS) if warning is None else (WINS, "Points a game")
    alpha = ("Alpha-rank, %",) if statistics.alpha_ranks else ()
    head = ("Bot", "Rating", *alpha, *results, "Games", "Blocks", "Forfeited", "Substituted")
    is_heavy = warning is not None
    cells = [
        (
            _link_bot(statistics, entrant, row.label, replays),
            *(row.text, *_alpha_cells(statistics, line), *_result_cells(line, digits, is_heavy)),
        )
        for row, (entrant, line) in zip(rows, lines, strict=True)
    ]
    several = (
        f" These bots fall into {rated.group_count} groups of which no bot was ever placed ahead of one "
        "of another, not even by way of others; ratings can be compared within a group only."
    )
    return section(
        "standings",
        "Standings",
        el("p", warning) if warning else None,
        *(el("p", cycle_text(cycle, statistics.names)) for cycle in statistics.cycles[:MOST_CYCLES]),
        figure(f"Rating points above {zero}; two bots differ at 95 % if their lines do not overlap.", picture),
        table("standings-table", "The same in numbers.", head, cells),
        note("A bot's name leads to the first game that it won, or else to its first game.") if replays else None,
        _group_list(statistics),
        note(explanations.STANDINGS.format(zero=zero), several if rated.group_count > 1 else None),
        note(explanations.INTERVALS),
        note(explanations.CYCLES) if statistics.cycles else None,
        note(explanations.ANYTIME) if statistics.anytime else None,
        *map(note, fit_lines(rated.fit, statistics.names)),
        *map(note, standings_cautions(statistics)),
        note(explanations.BLOCK, " Fewer points are better in this game." if statistics.notable.lowest_wins else None),
    )


def _link_bot(statistics: ReportStatistics, entrant: int, name: str, replays: ReplayLinks | None) -> Content:
    game = statistics.notable.of_bots.get(entrant)
    return name if replays is None or game is None else replays.link(game, name)


def _ranked_name(statistics: ReportStatistics, line: Standing) -> str:
    """Return a bot with the ranks that it may have: "3–5. bob"."""
    ranks = statistics.rank_ranges.get(line.name)
    return f"{UNKNOWN} {line.name}" if ranks is None else f"{rank_text(ranks)}. {line.name}"


def _group_list(statistics: ReportStatistics) -> Content:
    """Return the groups of bots of whom no two can be told apart."""
    ranks = statistics.rank_confidence
    items = [
        el("li", el("b", rank_text(span)), f" {join_words([statistics.names[bot] for bot in group], 'and')}")
        for span, group in ranks.ranked_groups()
    ]
    if not items:
        return None
    return [el("h3", "Who cannot be told apart"), el("ul", *items, class_="groups"), note(explanations.GROUPS)]


def history_section(statistics: ReportStatistics) -> Section:
    """Return the section on ratings over the time of the tournament."""
    title = "Ratings over time"
    zero = next(iter(statistics.ratings.zeros), ())
    courses = {
        entrant: course
        for entrant, _ in statistics.numbered_standings
        if len(course := statistics.rating_history.list_moments(entrant, zero)) > 1
    }
    if not courses:
        return section("history", title, el("p", "There are too few games yet, or not all bots can be compared."))
    shown = dict(islice(courses.items(), MOST_COURSES))
    heights = equal_axes([_cut_ends([rating for _, rating in course]) for course in shown.values()])
    rows = [
        CourseRow(statistics.names[entrant], _rating_row("", statistics.ratings.rating_of(entrant)).text, course, axis)
        for (entrant, course), axis in zip(shown.items(), heights, strict=True)
    ]
    axis = linear_axis([0.0, statistics.tally.games], least_step=1)
    picture = draw_courses("rating-history", "Ratings over time", rows, axis)
    return section(
        "history",
        title,
        figure("Rating points by the first games, as many as stand below; the upright line is the interval.", picture),
        note(f"These are the first {len(shown)} of {len(courses)} bots.") if len(shown) < len(courses) else None,
        note(explanations.HISTORY),
    )


def _rating_row(label: str, rating: Rating) -> WhiskerRow:
    """Return a rating with its comparison interval, open where the bot was never behind another, or never ahead."""
    if rating.one_sided is None:
        return _signed_row(label, Estimate(rating.points.mean, rating.comparison), digits=0)
    open_end = 1 if rating.bound == "at least" else -1
    return WhiskerRow(
        label, f"{rating.bound} {format_signed(rating.one_sided, 0)}", Estimate(rating.one_sided, 0.0), open_end
    )


def _signed_row(label: str, estimate: Estimate, digits: int) -> WhiskerRow:
    return WhiskerRow(label, format_interval(estimate, digits=digits, has_sign=True), estimate)


def _alpha_cells(statistics: ReportStatistics, line: Standing) -> Iterator[Content]:
    if statistics.alpha_ranks:
        yield format_number(100 * statistics.alpha_ranks[line.name], 0)


def _result_cells(line: Standing, digits: int, is_heavy: bool) -> Iterator[Content]:
    """Yield the results of a bot: points before wins, but for points whose intervals tell little."""
    results = format_interval(line.points, digits=digits), format_share(line.wins)
    yield from reversed(results) if is_heavy else results
    yield f"{line.games:,}"
    yield f"{line.blocks:,}"
    yield f"{sum(line.faults.values()):,}{' (out)' if line.is_out else ''}"
    yield f"{sum(line.substituted.values()):,}"


def pairs_section(statistics: ReportStatistics) -> Section:
    """Return the section on pairs: by points, but by places where intervals of points tell little."""
    lines = statistics.numbered_standings
    is_heavy = heavy_tail_text(line for _, line in lines) is not None
    met = {(one, other): statistics.compare_pair(one, other) for one, _ in lines for other, _ in lines if one != other}
    digits = _decimal_places([of_two.estimate.mean for _, of_two in met.values()])
    texts = {pair: format_signed(of_two.estimate.mean or 0.0, digits) for pair, (_, of_two) in met.items()}
    sign = -1 if statistics.notable.lowest_wins else 1
    by_points = texts
    if is_heavy:
        sign, met = 1, _compare_by_places(statistics)
        texts = {
            pair: f"{format_signed(100 * (of_two.estimate.mean or 0.0), 1)} %" for pair, (_, of_two) in met.items()
        }
    most = max((abs(of_two.estimate.mean or 0.0) for _, of_two in met.values()), default=0.0)
    head: list[Content] = ["Bot"]
    rows: list[list[Content]] = []
    for place, (entrant, line) in enumerate(lines, 1):
        head.append(f"{place}. {line.name}" if len(lines) <= NAMED_COLUMNS else el("abbr", str(place), title=line.name))
        own = [
            _pair_cell(
                *met[entrant, other],
                sign / most if most else 0.0,
                texts[entrant, other],
                f"{by_points[entrant, other]} points" if is_heavy else None,
            )
            if other != entrant
            else el("td", UNKNOWN)
            for other, _ in lines
        ]
        rows.append([f"{place}. {line.name}", *own])
    caution = pairs_caution(sum(blocks > 0 for blocks, _ in met.values()) // 2)
    measure = "the share of opponents beaten less that of the other" if is_heavy else "points a game ahead"
    return section(
        "pairs",
        "Who beats whom",
        table(
            "pairs-table",
            f"The row's bot against the column's: {measure}, chance that it is the better one, blocks still needed"
            f"{', points a game' if is_heavy else ''}. In bold: sure at 95 %.",
            head,
            rows,
            kind="heat",
        ),
        el("div", _colour_key(), class_="key"),
        note(
            explanations.PAIRS.format(measure=measure),
            explanations.PAIRS_BY_PLACES if is_heavy else explanations.PAIRS_BY_POINTS,
        ),
        note(caution) if caution else None,
    )


def _compare_by_places(statistics: ReportStatistics) -> dict[tuple[int, int], tuple[int, EstimatedDifference]]:
    """Return the number of blocks in which two bots met, and the difference of their place scores, both ways round."""
    bots = sorted(entrant for entrant, _ in statistics.numbered_standings)
    found = {}
    for one, other in combinations(bots, 2):
        blocks, difference = statistics.compare_pair_by_places(one, other)
        found[one, other], found[other, one] = (blocks, difference), (blocks, difference.reverse())
    return found


def _pair_cell(blocks: int, of_two: EstimatedDifference, scale: float, text: str, more_text: str | None) -> Markup:
    """Return a cell, coloured by the mean times `scale`, which is between -1 and 1."""
    mean = of_two.estimate.mean
    if mean is None:
        return el("td", el("span", "no complete block together" if not blocks else UNKNOWN), class_="even")
    is_sure = of_two.is_sure
    more = "not to be told" if of_two.more_blocks is None else "sure" if is_sure else f"{of_two.more_blocks:,} more"
    tint = min(TINTS, int(abs(scale * mean) * TINTS + 0.999))
    kind = "even" if not tint else f"{'up' if scale * mean > 0 else 'down'}{tint}"
    return el(
        "td",
        el("b", text),
        el("span", format_chance(of_two.chance)),
        el("span", more),
        el("span", more_text) if more_text else None,
        class_=f"{kind} sure" if is_sure else kind,
    )


def _colour_key() -> Iterator[Content]:
    yield el("span", "the row's bot is worse")
    kinds = (
        [f"down{TINTS - number}" for number in range(TINTS)] + ["even"] + [f"up{number + 1}" for number in range(TINTS)]
    )
    yield el("span", *(el("i", class_=kind) for kind in kinds), class_="keys", aria_hidden="true")
    yield el("span", "the row's bot is better")


def seats_section(statistics: ReportStatistics) -> Section:
    """Return the section on seats."""
    digits = _decimal_places(seat.points.estimate().mean for seat in statistics.seats)
    rows = [
        _signed_row(f"Seat {number}", seat.margin.estimate(), digits) for number, seat in enumerate(statistics.seats)
    ]
    axis = _interval_axis([row.estimate for row in rows])
    picture = draw_whiskers("seats", "Points above the mean of the table, by seat, with 95 % intervals", rows, axis)
    worth = statistics.seat_ratings
    cells = [
        (
            row.label,
            format_interval(seat.points.estimate(), digits=digits),
            row.text,
            format_share(seat.wins.estimate(scale=1.0)),
            *([format_interval(worth[number], digits=0, has_sign=True)] if worth else []),
        )
        for number, (row, seat) in enumerate(zip(rows, statistics.seats, strict=True))
    ]
    return section(
        "seats-section",
        "Does the seat matter?",
        figure("Points a game above the mean of the table; the line is the 95 % interval.", picture),
        table(
            "seats-table",
            "The same in numbers, each complete block telling once.",
            ("Seat", "Points a game", "Above the mean", WINS, *(["In rating points"] if worth else [])),
            cells,
        ),
        note(explanations.SEATS, explanations.SEAT_RATINGS if worth else None),
    )


def reduction_section(store: Store, statistics: ReportStatistics) -> Section:
    """Return the section on variance reduction: by duplicate deals, and by taking out the luck of the draw."""
    results = store.results(with_times=False)
    games = list(islice(results, MOST_REDUCTION_GAMES))
    measures = {"points a game": points, "points above the mean of the table": margins}
    cells = [
        _reduction_cells(name, estimate_reduction(games, measure, store.header.block_size))
        for name, measure in measures.items()
    ]
    head = ("Measured by", "Games needed for one", "95 % interval", "From")
    return section(
        "saved",
        "What duplicate deals saved",
        table("saved-table", "All bots together.", head, cells, kind="wrap"),
        note(explanations.SAVED),
        note("Reckoned from the first games of the tournament; there are more.")
        if next(results, None) is not None
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
    interval = f"{format_number(of.low or 0, 2)} to {format_number(of.high or 0, 2)}" if known else UNKNOWN
    return (
        measure,
        UNKNOWN if of.ratio is None else format_number(of.ratio, 2),
        interval,
        format_count(of.blocks, "block"),
    )


def _decimal_places(values: Iterable[float | None]) -> int:
    """Return the number of digits after the point that are significant."""
    return 1 if max((abs(value or 0.0) for value in values), default=0.0) >= FEW_POINTS else 2


def _interval_axis(estimates: list[Estimate]) -> Axis:
    """Return an axis for estimates and their intervals, zero included.

    Intervals much wider than the spread of the means are cut off at the axis.
    """
    return linear_axis([0.0, *_cut_ends(estimates)])


def _cut_ends(estimates: Sequence[Estimate]) -> list[float]:
    """Return the ends of intervals; those much wider than the spread of the means are cut off."""
    known = [(one.mean, one.half_width or 0.0) for one in estimates if one.mean is not None]
    means = [mean for mean, _ in known]
    widths = sorted(width for _, width in known)
    middle = widths[len(widths) // 2] if widths else 0.0
    most = max(WIDEST_INTERVAL * middle, max(means, default=0.0) - min(means, default=0.0))
    return [mean + part * min(width, most) for mean, width in known for part in (-1, 1)]
