"""How people have fared against the bots of a league, as tables for pages."""

from __future__ import annotations

from collections.abc import Sequence

from pitboss.text import format_count
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.league.people_results import PeopleResults, PeopleRow
from pitboss_tournament.league.site.page_frame import data_table
from pitboss_tournament.results.numbers import format_interval, format_share


def people_tables(results: PeopleResults) -> Markup | None:
    """Return the results of people; None if no game has been played."""
    if not results.games:
        return None
    told = (
        f"{format_count(results.games, 'game')}, apart from the ladder: they change no rating. Intervals hold at any "
        "time."
    )
    return el(
        "section",
        el("h2", "People and bots"),
        el("p", told, class_="soft"),
        _table("Bots against people", "bot", "people", results.bots, results),
        _table("People against bots", "person", "bots", results.people, results),
    )


def _table(caption: str, who: str, whom: str, rows: Sequence[PeopleRow], results: PeopleResults) -> Markup:
    points = "points of the team a game" if results.is_cooperative else "points a game that people are ahead"
    heads = [who, whom, "games", *([] if results.is_cooperative else ["people win, in %"]), points]
    return data_table(caption, heads, [_cells(row, results.is_cooperative) for row in rows])


def _cells(row: PeopleRow, is_cooperative: bool) -> list[Content]:
    share = [] if is_cooperative else [format_share(row.score)]
    points = format_interval(row.points, has_sign=not is_cooperative)
    return [el("bdi", row.name, dir="auto"), f"{row.others}", f"{row.games:,}", *share, points]
