"""The page: all sections of a report in one file that needs no other, no network and no JavaScript."""

from __future__ import annotations

from importlib.resources import files

import msgspec

from pitboss import __version__
from pitboss.text import format_count
from pitboss_tournament.reporting import conduct, configuration, outcomes
from pitboss_tournament.reporting.elements import Content, Markup, el, markup
from pitboss_tournament.reporting.format_ranking import rank_by_format
from pitboss_tournament.reporting.number_format import format_chance
from pitboss_tournament.reporting.report_statistics import ReportStatistics, gather_statistics
from pitboss_tournament.store.store import Store

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def render_report(store: Store, date: str | None = None) -> str:
    """Return the report of a tournament, finished or not. The same store gives the same page, but for `date`, which is what it says of its own age."""
    found = gather_statistics(store)
    title = f"{found.header.game}: tournament report"
    sections = [
        outcomes.standings_section(found),
        outcomes.pairs_section(found),
        conduct.thinking_section(found),
        conduct.lengths_section(found),
        outcomes.seats_section(found),
        conduct.faults_section(found, store),
        outcomes.reduction_section(found),
        conduct.notable_section(found, store),
        configuration.configuration_section(store),
    ]
    head = (
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("link", rel="icon", href="data:,"),
        el("style", Markup(files(__package__).joinpath("report.css").read_text(encoding="utf-8"))),
    )
    body = (
        el("header", el("h1", title), _introduction(found, store), _contents()),
        el("main", *sections),
        el(
            "footer",
            f"Made by Pitboss {__version__} from {store.path}{f', {date}' if date else ''}. ",
            el("a", "To the top", href="#top"),
        ),
    )
    return f"<!DOCTYPE html>\n{el('html', el('head', *head), el('body', *body, id='top'), lang='en')}\n"


def _introduction(found: ReportStatistics, store: Store) -> Markup:
    header, runs, decided = found.header, store.runs(), store.end_reason()
    total = runs[-1].total if runs else None
    out = ", ".join(header.bots[bot] for bot in sorted(found.tally.disqualified()))
    played = (
        f"{found.tally.games:,} of {total:,} games{'' if decided or out else ' so far'}"
        if total and found.tally.games < total
        else format_count(found.tally.games, "game")
    )
    bots, blocks = format_count(len(header.bots), "bot"), format_count(found.blocks, "complete block")
    said = f"{bots}, {played} of {header.game}, {header.seats} at a table: {blocks}."
    options = ", ".join(f"{name} {msgspec.json.encode(value).decode()}" for name, value in header.options.items())
    return markup(
        el("p", said, class_="lead"),
        _leader_paragraph(found),
        _ranking_paragraph(store),
        el("p", f"It was over before all games were played: {decided}") if decided else None,
        el("p", f"Out, and in no more games, as they forfeited too often: {out}.") if out else None,
        el("p", f"Begun {runs[0].began}.", class_="note") if runs else None,
        el("p", f"Options: {options}.", class_="note") if options else None,
    )


def _ranking_paragraph(store: Store) -> Content:
    """Say how the format has ranked the bots, where it has."""
    order = rank_by_format(store)
    if order is None:
        return None
    named = ", ".join(f"{place}. {store.header.bots[entrant]}" for place, entrant in enumerate(order, 1))
    return el("p", f"By the format, {store.header.format.name}, they end in this order: {named}.")


def _leader_paragraph(found: ReportStatistics) -> Content:
    """Say who leads, and how sure that is."""
    rated = found.ratings()
    known = [line for line in rated.lines if line.points.mean is not None]
    if len(known) < 2:
        return el("p", "There are too few games yet to tell who is better.")
    first, second = known[:2]
    better = rated.chance_better(first.entrant, second.entrant)
    sure = (
        "how sure that is cannot be told yet"
        if better is None
        else f"by the ratings, the chance that it is better than {second.name}, which comes next, is {format_chance(better)}"
    )
    return el("p", el("strong", first.name), f" leads; {sure}.")


def _contents() -> Markup:
    links = {
        "standings": "Standings",
        "pairs": "Who beats whom",
        "thinking": "Thinking time",
        "lengths": "Length of the games",
        "seats-section": "Does the seat matter?",
        "faults": "Faults",
        "saved": "What duplicate deals saved",
        "notable": "Notable games",
        "setup": "What was played",
    }
    return el(
        "nav",
        el("ul", *(el("li", el("a", title, href=f"#{name}")) for name, title in links.items())),
        aria_label="Contents",
    )
