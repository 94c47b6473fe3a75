"""The page: all sections of a report in one file that needs no other, no network and no JavaScript."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pitboss import __version__
from pitboss.text import describe_exception
from pitboss_tournament.counting.report_findings import ReportFindings
from pitboss_tournament.counting.stored_findings import collect_report
from pitboss_tournament.counting.team_standings import read_team_scores
from pitboss_tournament.html.elements import Markup, el, markup
from pitboss_tournament.html.page_parts import Section, fold, render_document, section
from pitboss_tournament.reporting.cautions import opening_caution
from pitboss_tournament.reporting.opening import (
    count_what_was_played,
    describe_faults,
    is_over,
    make_title,
    tell_more,
)
from pitboss_tournament.reporting.podium import draw_podium
from pitboss_tournament.reporting.replay_links import ReplayLinks
from pitboss_tournament.reporting.sections import SECTIONS, ReportInput, ReportSection
from pitboss_tournament.reporting.standings import standings_figure
from pitboss_tournament.reporting.teams import teams_figure
from pitboss_tournament.results.standings_rows import list_bot_rows
from pitboss_tournament.results.verdict import detail_verdict, tell_verdict
from pitboss_tournament.rounds.stored_headline import read_headline
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
    given = ReportInput(store, statistics, replays)
    ordered = sorted(sections, key=lambda one: one.place)
    where = f" from {store.path}" if back is None else ""
    made = f"Made by Pitboss {__version__}{where}{f', {date}' if date else ''}. "
    return render_document(
        make_title(store), _introduction(statistics, store), list(_make_sections(ordered, given)), made, back
    )


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
    teams = read_team_scores(store)
    verdict, *rest = tell_verdict(statistics, teams)
    faults = describe_faults(statistics)
    more = [
        *(el("p", line) for line in (*rest, *detail_verdict(statistics, teams), *tell_more(statistics, store))),
        el("p", f"{faults} ", el("a", "See why.", href="#faults")) if faults else None,
    ]
    headline = read_headline(statistics, store, teams)
    yardsticks = [row.name for row in list_bot_rows(statistics) if row.yardstick]
    has_podium = headline.kind == "winner" or (headline.leaders and is_over(statistics, store))
    return markup(
        el("p", headline.text, class_="headline"),
        draw_podium(headline, yardsticks) if has_podium else None,
        el("p", count_what_was_played(statistics, store), class_="lead"),
        el("h2", "What is proven"),
        el("p", verdict, class_="lead"),
        el("p", opening_caution(statistics), class_="lead"),
        standings_figure(statistics) if teams is None else teams_figure(statistics, teams),
        fold("More about the verdict", *more) if any(more) else None,
    )
