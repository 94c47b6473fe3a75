"""The page: all sections of a report in one file that needs no other, no network and no JavaScript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pitboss import __version__
from pitboss.errors import PitbossError
from pitboss.text import describe_exception, format_count
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.stored_findings import collect_report
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.html.elements import Content, Markup, el, markup
from pitboss_tournament.html.page_parts import Section, fold, render_document, section
from pitboss_tournament.reporting.cautions import opening_caution
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.reporting.sections import SECTIONS, ReportInput, ReportSection
from pitboss_tournament.reporting.standings import standings_figure
from pitboss_tournament.reporting.teams import teams_figure
from pitboss_tournament.results.notes import format_fault_counts
from pitboss_tournament.results.verdict import detail_verdict, favour_lines, gift_lines, tell_verdict
from pitboss_tournament.rounds.round_replay import replay_rounds
from pitboss_tournament.statistics.control_variate import SeatLuck
from pitboss_tournament.store.store import Store


def render_report(
    store: Store,
    date: str | None = None,
    anchor: str | None = None,
    luck: SeatLuck | None = None,
    replays: ReplayLinks | None = None,
    sections: Iterable[ReportSection] = SECTIONS,
) -> str:
    """Return the report of a tournament, finished or not.

    The rating of the bot `anchor` is 0; `luck` is taken out of points and wins. Else only `date` differs between
    reports of one store. With `replays` it has links to pages of games, which `replays` has noted then. `sections`
    are in any order.

    Raises:
        ConfigError: no bot is called `anchor`.
    """
    return render_statistics(collect_report(store, anchor, luck), store, date, replays, sections)


def render_statistics(
    statistics: ReportFindings,
    store: Store,
    date: str | None = None,
    replays: ReplayLinks | None = None,
    sections: Iterable[ReportSection] = SECTIONS,
    back: Markup | None = None,
) -> str:
    """Return the report of statistics of a store (`render_report`).

    One that is served has a link `back`, and does not tell where its store lies.
    """
    title = store.header.title or f"{store.header.game}: tournament report"
    given = ReportInput(store, statistics, replays)
    ordered = sorted(sections, key=lambda one: one.place)
    where = f" from {store.path}" if back is None else ""
    made = f"Made by Pitboss {__version__}{where}{f', {date}' if date else ''}. "
    return render_document(title, _introduction(statistics, store), list(_make_sections(ordered, given)), made, back)


def _make_sections(sections: Iterable[ReportSection], given: ReportInput) -> Iterator[Section]:
    """Yield the sections. In place of one of a plugin that fails there is a sentence that says so."""
    for one in sections:
        if one in SECTIONS:
            yield from one.make(given)
            continue
        try:
            made = list(one.make(given))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - the border to a plugin's code
            words = f"This section of a plugin could not be made: {describe_exception(error)}"
            made = [section(f"section-{one.name}", one.summary, el("p", words))]
        yield from made


def _introduction(statistics: ReportFindings, store: Store) -> Markup:
    header, runs, end = statistics.header, store.runs(), store.find_end()
    teams = read_team_scores(store)
    total = runs[-1].total if runs and not (end and end.is_complete) else None
    out = ", ".join(header.labels[bot] for bot in sorted(statistics.tally.list_disqualified()))
    played = (
        f"{statistics.tally.games:,} of {total:,} games{'' if end or out else ' so far'}"
        if total and statistics.tally.games < total
        else format_count(statistics.tally.games, "game")
    )
    bots, blocks = format_count(len(header.labels), "bot"), format_count(statistics.blocks, "complete block")
    said = f"{bots}, {played} of {header.game}, {header.seats} at a table: {blocks}."
    verdict, *rest = tell_verdict(statistics, teams)
    more = [
        *(el("p", line) for line in (*rest, *detail_verdict(statistics, teams))),
        _ranking_paragraph(store),
        el("p", f"It was over before all games were played: {end.why}") if end and not end.is_complete else None,
        el("p", f"Out, and in no more games, as they forfeited too often: {out}.") if out else None,
        *(el("p", line) for line in (*favour_lines(statistics), *gift_lines(statistics))),
        _fault_paragraph(statistics),
    ]
    return markup(
        el("p", el("strong", verdict), class_="lead"),
        el("p", said, class_="lead"),
        el("p", opening_caution(statistics), class_="lead"),
        standings_figure(statistics) if teams is None else teams_figure(statistics, teams),
        fold("More about the verdict", *more) if any(more) else None,
    )


def _ranking_paragraph(store: Store) -> Content:
    """Say how the format has ranked the bots, where it has."""
    order = _rank_by_format(store)
    if order is None:
        return None
    named = ", ".join(f"{place}. {store.header.labels[entrant]}" for place, entrant in enumerate(order, 1))
    return el("p", f"By the format, {store.header.format.name}, they end in this order: {named}.")


def _rank_by_format(store: Store) -> Sequence[int] | None:
    """Return the bots in the order of the format; None if it ranks nobody, is not over, or is not installed here."""
    try:
        progress, disqualified = replay_rounds(store)
        progress.advance_round(disqualified)
    except PitbossError:
        return None
    return progress.ranking if progress.is_over else None


def _fault_paragraph(statistics: ReportFindings) -> Content:
    wrong = [line for line in statistics.standings if line.faults or line.substituted]
    if not wrong:
        return None
    counts = "; ".join(f"{line.name}: {format_fault_counts(line)}" for line in wrong)
    return el("p", f"{counts}. ", el("a", "See why.", href="#faults"))
