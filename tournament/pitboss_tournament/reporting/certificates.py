"""Certificates to print: a page of paper for each bot that has a place, in one file of HTML.

A page takes the size of the paper, A4 or Letter, on its side. A name is the smaller the longer it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pitboss.errors import ConfigError
from pitboss.text import format_count, join_words
from pitboss_tournament.counting.stored_findings import StoredFindings
from pitboss_tournament.html.elements import Markup, el
from pitboss_tournament.html.page_parts import REPORT_POLICY, read_style
from pitboss_tournament.results.headline import Headline, Place
from pitboss_tournament.results.numbers import format_interval
from pitboss_tournament.results.standings_rows import BotRow, list_bot_rows
from pitboss_tournament.results.verdict import format_sureness
from pitboss_tournament.rounds.stored_headline import read_headline
from pitboss_tournament.store.store import Store

SIZES: Final = {14: "short", 26: "medium"}  # by the number of letters of a name, at most
MAX_TIED_NAMES: Final = 3  # of those who share the place; of more, their number


def render_certificates(store: Store, date: str | None = None) -> str:
    """Return the certificates of all bots that have a place, the first one first.

    Raises:
        ConfigError: no bot has a place yet.
    """
    findings = StoredFindings(store)
    headline = read_headline(findings, store, findings.team_scores)
    if not headline.places:
        raise ConfigError(f"{store.path}: no bot has a place to print: {headline.text}")
    event = store.header.title or store.header.game
    rows = {row.name: row for row in list_bot_rows(findings)}
    pages = [_draw_certificate(place, event, store, headline, rows, date) for place in headline.places]
    head = (
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=REPORT_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"{event}: certificates"),
        el("link", rel="icon", href="data:,"),
        el("style", Markup(read_style("tokens.css") + read_style("certificates.css"))),
    )
    return f"<!DOCTYPE html>\n{el('html', el('head', *head), el('body', el('main', *pages)), lang='en')}\n"


def _draw_certificate(
    place: Place, event: str, store: Store, headline: Headline, rows: Mapping[str, BotRow], date: str | None
) -> Markup:
    size = next((kind for most, kind in SIZES.items() if len(place.bot) <= most), "long")
    return el(
        "section",
        el("p", event, class_="event"),
        el("p", "Certificate", class_="what"),
        el("h1", el("bdi", place.bot, dir="auto"), class_=size),
        el("p", _tell_place(place, len(headline.places)), class_="place"),
        el("p", _tell_ties(place), class_="tied") if place.tied_with else None,
        el("p", _tell_result(place, store, headline, rows.get(place.bot)), class_="result"),
        el("footer", el("p", date or "", el("span", "date")), el("p", "", el("span", "signature"))),
        class_=f"certificate step{min(place.place, 4)}",
    )


def _tell_place(place: Place, count: int) -> str:
    return f"{'Places' if place.tied_with else 'Place'} {place} of {count}"


def _tell_ties(place: Place) -> str:
    others = place.tied_with
    return f"shared with {join_words(others, 'and') if len(others) <= MAX_TIED_NAMES else f'{len(others)} others'}"


def _tell_result(place: Place, store: Store, headline: Headline, row: BotRow | None) -> str:
    """Return the games and points of a bot, and how sure it is that the winner is the best."""
    told = [store.header.game]
    if row is not None:
        told = [f"{format_count(row.games, 'game')} of {store.header.game}"]
        if row.points.mean is not None:
            told.append(f"{format_interval(row.points, digits=1)} {row.counted} a game")
    if headline.sureness is not None and headline.leaders == [place.bot]:
        told.append(f"{format_sureness(headline.sureness)} sure to be the best")
    return ", ".join(told)
