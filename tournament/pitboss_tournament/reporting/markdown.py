"""The summary of a tournament as Markdown: for the page of a run in CI, a pull request, a chat, a README."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence

from pitboss import __version__
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.stored_findings import collect_report
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.reporting.cautions import opening_caution
from pitboss_tournament.reporting.interval_rows import decimal_places
from pitboss_tournament.reporting.opening import count_what_was_played, describe_faults, make_title, tell_more
from pitboss_tournament.results.columns import DIGEST, choose_columns
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.results.verdict import detail_verdict, tell_verdict
from pitboss_tournament.rounds.stored_headline import read_headline
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.store.store import Store
from pitboss_tournament.text.terminal_text import escape_line


def render_markdown(
    store: Store, date: str | None = None, anchor: str | None = None, luck: SeatLuck | None = None
) -> str:
    """Return the opening of the report of a tournament as Markdown: the verdict, the standings, what qualifies them.

    The arguments are those of `render_report`. Names of bots and sentences of plugins are shown as plain text.

    Raises:
        ConfigError: no bot is called `anchor`.
    """
    return "\n\n".join(_make_paragraphs(collect_report(store, anchor, luck), store, date)) + "\n"


def _make_paragraphs(statistics: ReportFindings, store: Store, date: str | None) -> Iterator[str]:
    teams = read_team_scores(store)
    verdict, *rest = tell_verdict(statistics, teams)
    yield f"## {escape_markdown(make_title(store))}"
    headline = read_headline(statistics, store, teams)
    yield f"**{escape_markdown(headline.text)}**"
    yield escape_markdown(verdict)
    yield f"{escape_markdown(count_what_was_played(statistics, store))} {escape_markdown(opening_caution(statistics))}"
    yield _make_table(statistics)
    faults = describe_faults(statistics)
    more = [*rest, *detail_verdict(statistics, teams), *tell_more(statistics, store), *([faults] if faults else [])]
    if more:
        yield "<details><summary>More about the verdict</summary>"  # GitHub, GitLab and Gitea show it as a fold
        yield from map(escape_markdown, more)
        yield "</details>"
    made = f"Pitboss {__version__}{f', {escape_markdown(date)}' if date else ''}"
    yield f"<sub>{made}. `pitboss report` without `--markdown` writes the whole report, with all sections.</sub>"


def _make_table(statistics: ReportFindings) -> str:
    """Return the standings as a table: the columns that `pitboss standings` shows, but for the digests of files."""
    rows = list_bot_rows(statistics)
    digits = decimal_places(row.points.mean for row in rows)
    columns = [column for column in choose_columns(rows) if column != DIGEST]
    lines: list[Sequence[str]] = [
        [column.heading for column in columns],
        *([column.text(row, digits) for column in columns] for row in rows),
    ]
    head, *cells = lines
    return join_table(head, cells, [at for at, column in enumerate(columns) if column.kind in ("number", "rating")])


def join_table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Container[int]) -> str:
    """Return a table in Markdown, its cells as plain text; the columns of `numbers` stand to the right."""
    first, *cells = [f"| {' | '.join(map(escape_markdown, line))} |" for line in (head, *rows)]
    ends = ["---:" if at in numbers else "---" for at in range(len(head))]
    return "\n".join([first, f"| {' | '.join(ends)} |", *cells])


def escape_markdown(text: str) -> str:
    """Return a text that Markdown shows as it stands, in one line."""
    return re.sub(r"([\\`*_{}\[\]<>#&|~@$]|^[-+=]|:(?=//)|(?<=www)\.)", r"\\\1", escape_line(text))
