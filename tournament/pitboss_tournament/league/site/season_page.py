"""What pages tell of seasons: rules that will change, and the ladders of seasons that are over."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.text import join_words
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import DASH, typeset
from pitboss_tournament.league.ladder_view import LadderView
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.rule_changes import read_wall_clock, sort_changes, write_value
from pitboss_tournament.league.seasons import list_seasons
from pitboss_tournament.league.site.page_frame import Viewer, data_table, show_deadline
from pitboss_tournament.results.columns import write_rating


def season_content(number: int, view: LadderView, viewer: Viewer) -> Iterator[Content]:
    """Yield the content of the page of a season that is over."""
    yield el("h1", f"Season {number}")
    yield el("p", f"It is over: {view.games:,} games by rules of its own, which are not added to the ladder of today.")
    rows = [
        (
            line.label,
            viewer.name_owner(line.submission.owner, line.by) or DASH,
            DASH if line.place is None else f"{line.place}",
            typeset(" ".join(write_rating(line.row))),
            f"{line.row.games:,}",
        )
        for line in view.lines
        if line.row.games
    ]
    yield data_table("The ladder at its end.", ("Bot", "Owner", "Place", "Rating", "Games"), rows, words=(0, 1))
    yield el("p", el("a", "The ladder of today", href="/"))


def change_notes(league: League) -> Iterator[Markup]:
    """Yield what visitors are told of rules that will change."""
    now = read_wall_clock()
    for change in (one for one in sort_changes(league.file.changes) if one.at > now):
        values = join_words((f"{key} is {write_value(value)}" for key, value in change.list_values().items()), "and")
        then = " A new season begins: games before and after are not added up." if change.begins_season else ""
        at = show_deadline(change.at.isoformat())
        yield el("p", el("strong", "The rules change"), " at ", at, f": from then on {values}.{then}")


def season_links(league: League) -> Iterator[Markup]:
    """Yield links to the seasons that are over."""
    if earlier := list_seasons(league.folder):
        links = [el("a", f"season {number}", href=f"/seasons/{number}") for number in earlier]
        parts: list[Content] = [part for link in links for part in (", ", link)]
        yield el("p", "Seasons that are over: ", *parts[1:], ".")
