"""The standings: their picture, which opens the report, and the section with the numbers behind it."""

from __future__ import annotations

from pitboss.text import join_words
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.tally import heavy_tail_text
from pitboss_tournament.html.charts import MAX_TALL_ROWS, WhiskerRow, draw_whiskers
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import DASH, typeset
from pitboss_tournament.html.page_parts import (
    Section,
    column_heading,
    explain,
    figure,
    fold,
    list_meanings,
    note,
    section,
    table,
)
from pitboss_tournament.reporting import explanations
from pitboss_tournament.reporting.cautions import standings_cautions
from pitboss_tournament.reporting.interval_rows import decimal_places, interval_axis, rating_row
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.results.columns import NAME, RANK, choose_columns
from pitboss_tournament.results.fit_text import fit_text, misfits_text
from pitboss_tournament.results.notes import ANYTIME
from pitboss_tournament.results.standings_rows import BotRow, list_bot_rows
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.statistics.cycles import MAX_CYCLES, cycle_text


def standings_figure(statistics: ReportFindings) -> Markup:
    """Return the picture of the ratings with its caption."""
    rows = _rating_rows(statistics)
    picture = draw_whiskers(
        "ratings",
        "Ratings with their comparison intervals",
        rows,
        interval_axis([row.estimate for row in rows]),
        _list_brackets(statistics),
    )
    brackets = " No difference between bots of one bracket is proven." if statistics.rank_confidence.groups() else ""
    return figure(f"Rating points above {_name_zero(statistics)}.{brackets}", picture)


def standings_section(statistics: ReportFindings, replays: ReplayLinks | None = None) -> Section:
    """Return the section on standings and ratings; with `replays` each bot's name leads to one of its games."""
    rated = statistics.ratings
    rows = list_bot_rows(statistics)
    digits = decimal_places(row.points.mean for row in rows)
    warning = heavy_tail_text(statistics.standings)
    columns = [column for column in choose_columns(rows) if column not in (RANK, NAME)]
    cells = [
        (
            _link_bot(statistics, entrant, _ranked_name(row), replays),
            *(typeset(column.text(row, digits)) for column in columns),
        )
        for row, (entrant, _) in zip(rows, statistics.numbered_standings, strict=True)
    ]
    several = (
        f" These bots fall into {rated.group_count} groups of which no bot was ever placed ahead of one "
        "of another, not even by way of others; ratings can be compared within a group only."
    )
    head = ("Bot", *map(column_heading, columns))
    numbers = table("standings-table", "The picture in numbers.", head, cells)
    return section(
        "standings",
        "Standings",
        el("p", warning) if warning else None,
        *(el("p", cycle_text(cycle, statistics.names)) for cycle in statistics.cycles[:MAX_CYCLES]),
        numbers if len(rows) <= MAX_TALL_ROWS else fold("The table of the bots", numbers),
        note("A bot's name leads to the first game that it won, or else to its first game.") if replays else None,
        _group_list(statistics),
        explain(
            note(
                explanations.STANDINGS.format(zero=_name_zero(statistics)), several if rated.group_count > 1 else None
            ),
            *map(note, filter(None, [fit_text(rated.fit), misfits_text(rated.fit, statistics.ranked_names)])),
            list_meanings([RANK, *columns]),
            note(explanations.UNKNOWN_INTERVAL),
            note(explanations.CYCLES) if statistics.cycles else None,
            note(ANYTIME.format(open_length=statistics.open_length)) if statistics.open_length else None,
            *map(note, standings_cautions(statistics)),
            note("Fewer points are better in this game.") if statistics.tally.lowest_wins else None,
        ),
    )


def _list_brackets(statistics: ReportFindings) -> list[tuple[int, int]]:
    """Return the first and the last row of each group of bots without a proven difference."""
    row_of = {entrant: row for row, (entrant, _) in enumerate(statistics.numbered_standings)}
    return [(row_of[group[0]], row_of[group[-1]]) for group in statistics.rank_confidence.groups()]


def _name_zero(statistics: ReportFindings) -> str:
    return statistics.anchor or "the bot in the middle"


def _rating_rows(statistics: ReportFindings) -> list[WhiskerRow]:
    return [rating_row(_ranked_name(row), row) for row in list_bot_rows(statistics)]


def _link_bot(statistics: ReportFindings, entrant: int, name: str, replays: ReplayLinks | None) -> Content:
    game = statistics.notable.of_bots.get(entrant)
    return name if replays is None or game is None else replays.link(game, name)


def _ranked_name(row: BotRow) -> str:
    """Return a bot with its possible ranks: "3–5. bob"."""
    return f"{DASH} {row.name}" if row.rank is None else f"{rank_text(row.rank)}. {row.name}"


def _group_list(statistics: ReportFindings) -> Content:
    """Return the groups of bots of which no two have a proven difference."""
    ranks = statistics.rank_confidence
    items = [el("li", join_words([statistics.ranked_names[bot] for bot in group], "and")) for group in ranks.groups()]
    if not items:
        return None
    return fold(
        "Bots without a proven difference",
        el("ul", *items, class_="groups"),
        note(explanations.BOT_GROUPS.format(test=explanations.ANYTIME_TEST if ranks.anytime else explanations.HOLM)),
    )
