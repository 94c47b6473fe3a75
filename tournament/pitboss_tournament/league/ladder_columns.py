"""The columns of a league's versions, declared once: its ladder, other pages and `league status` show these."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from pitboss_tournament.league.ladder_view import LadderLine
from pitboss_tournament.results import columns
from pitboss_tournament.results.columns import Column, Kind
from pitboss_tournament.results.numbers import UNKNOWN, format_number
from pitboss_tournament.results.standings_rows import BotRow
from pitboss_tournament.results.verdict import rank_text
from pitboss_tournament.store.header import SHOWN_DIGITS

LadderTable: TypeAlias = Literal[
    "ladder",
    "facts",  # of one version, each with its name above it
    "versions",  # of a bot
    "opponents",  # of a version
    "owner",  # submissions of somebody
    "status",  # all submissions, in the terminal
]


class LadderColumn(NamedTuple):
    """A column, and the tables in which it is."""

    shown: Column[LadderLine]
    tables: tuple[LadderTable, ...]
    value: Callable[[LadderLine], float | None] | None = None  # by which the ladder is sorted, if not by its text


def _declare(
    key: str,
    heading: str,
    meaning: str,
    kind: Kind,
    write: Callable[[LadderLine], str],
    *tables: LadderTable,
    value: Callable[[LadderLine], float | None] | None = None,
    is_shown: Callable[[Sequence[LadderLine]], bool] = lambda _: True,
) -> LadderColumn:
    return LadderColumn(Column(key, heading, meaning, kind, lambda line, _: write(line), is_shown), tables, value)


def _declare_as(
    column: Column[BotRow], *tables: LadderTable, value: Callable[[LadderLine], float | None]
) -> LadderColumn:
    """Return a column of standings as one of the ladder."""
    return _declare(
        column.key,
        column.heading,
        column.meaning,
        column.kind,
        lambda line: column.text(line.row),
        *tables,
        value=value,
    )


LADDER_COLUMNS: Final = (
    _declare(
        "number",
        "number",
        "of the submission, in the order of arrival.",
        "number",
        lambda line: f"{line.number}",
        "status",
    ),
    _declare(
        "submission", "submission", "the name and the version.", "name", lambda line: line.label, "owner", "status"
    ),
    _declare(
        "version",
        "version",
        "of this bot, in the order of arrival.",
        "name",
        lambda line: f"@{line.submission.version}",
        "facts",
        "versions",
    ),
    _declare(
        "owner",
        "owner",
        "the owner who submitted it.",
        "text",
        lambda line: line.submission.owner,
        "owner",
        "status",
    ),
    _declare(
        "state",
        "state",
        "how far it has come: it waits for the validator, plays, or plays no more.",
        "text",
        lambda line: line.submission.state,
        "facts",
        "versions",
        "owner",
        "status",
    ),
    _declare(
        "place",
        "place",
        "by rating, among those that have found their place.",
        "number",
        lambda line: UNKNOWN if line.place is None else f"{line.place}",
        "ladder",
        "facts",
        "opponents",
        "owner",
    ),
    _declare(
        "ranks",
        "may be",
        "the places that it may have.",
        "text",
        lambda line: UNKNOWN if line.row.rank is None else rank_text(line.row.rank),
        "facts",
        is_shown=lambda lines: any(line.row.rank is not None and line.row.rank.is_open for line in lines),
    ),
    _declare("name", "bot", "its name and version, and its owner.", "name", lambda line: line.label, "ladder"),
    _declare(
        "tier",
        "tier",
        "1 is the best; a tier ends where a bot is proven worse than its first one.",
        "number",
        lambda line: UNKNOWN if line.tier is None else f"{line.tier}",
        "facts",
    ),
    _declare_as(
        columns.RATING, "ladder", "facts", "versions", "opponents", "owner", value=lambda line: line.rating.mean
    ),
    _declare(
        "drawn",
        "",
        "the rating with its comparison interval, all on one scale.",
        "rating",
        lambda line: columns.write_rating(line.row)[1],
        "ladder",
        "versions",
    ),
    _declare(
        "trend",
        "trend",
        "by how many points its rating has changed lately.",
        "number",
        lambda line: UNKNOWN if line.trend is None else format_number(line.trend, 0, has_sign=True),
        "ladder",
        "facts",
        value=lambda line: line.trend,
        is_shown=lambda lines: any(line.trend is not None for line in lines),
    ),
    _declare(
        "wins",
        "wins",
        "the share of wins.",
        "number",
        lambda line: UNKNOWN if line.row.wins.mean is None else f"{line.row.wins.mean:.0%}".replace("%", " %"),
        "ladder",
        "facts",
        "versions",
        value=lambda line: line.row.wins.mean,
    ),
    _declare_as(columns.GAMES, "ladder", "facts", "versions", value=lambda line: line.row.games),
    _declare(
        "tried",
        "versions",
        "of this bot that were valid; the newest plays.",
        "number",
        lambda line: f"{line.versions_tried}",
        "ladder",
        "facts",
        value=lambda line: line.versions_tried,
    ),
    _declare_as(
        columns.FAULTS,
        "ladder",
        "facts",
        "versions",
        "owner",
        value=lambda line: sum(line.row.faults.values()) + sum(line.row.substituted.values()) / 1e6,
    ),
    _declare(
        "digest",
        columns.DIGEST.heading,
        columns.DIGEST.meaning,
        "text",
        lambda line: line.submission.digest[:SHOWN_DIGITS],
        "status",
    ),
    _declare(
        "received",
        "received",
        "when, in UTC; the last time, if it was sent again.",
        "text",
        lambda line: line.submission.received,
        "versions",
        "owner",
        "status",
    ),
)


def choose_ladder_columns(table: LadderTable, lines: Sequence[LadderLine]) -> list[LadderColumn]:
    """Return the columns of a table of these lines."""
    return [one for one in LADDER_COLUMNS if table in one.tables and one.shown.is_shown(lines)]
