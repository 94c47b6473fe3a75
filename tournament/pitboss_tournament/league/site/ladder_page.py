"""The page of the ladder: tiers, ratings with their intervals, games, versions tried, faults, trends; newcomers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.html.charts import Axis
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.league.ladder_view import LadderView, VersionLine
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.site.bot_cells import fault_cell, rating_cell, share_cell, trend_cell
from pitboss_tournament.league.site.ladder_drawings import draw_interval, draw_scale, join_content, scale_ratings
from pitboss_tournament.league.site.page_frame import facts, link_bot, link_version
from pitboss_tournament.results.numbers import format_interval
from pitboss_tournament.results.verdict import format_sureness, rank_text

TREND_MEANING: Final = "by how many points its rating has changed lately"


def ladder_content(league: League, view: LadderView, owner: str) -> Iterator[Content]:
    """Yield the content of the page; the lines of `owner` stand out."""
    yield el("h1", league.name)
    yield _summary(league, view)
    if not view.is_rated:
        yield _before_the_games(view)
        return
    axis = scale_ratings(view.ranked or view.newcomers)  # intervals of newcomers may be very wide
    has_trend = any(line.trend is not None for line in view.lines)
    bodies = [
        *(
            _tier_body(tier, list(lines), axis, owner, has_trend)
            for tier, lines in groupby(view.ranked, attrgetter("tier"))
        ),
        _group_body(
            "Finding their place",
            f"after {format_count(league.file.league.placing_games, 'game')} a version is ranked",
            view.newcomers,
            axis,
            owner,
            has_trend,
        ),
        _group_body("Out", "forfeited too many games", view.out, axis, owner, has_trend),
    ]
    yield el(
        "div",
        el("table", el("thead", _head(axis, has_trend)), *bodies, class_="ladder"),
        class_="scroll",
        tabindex=0,
        role="region",
        aria_label="The ladder",
    )
    yield _cycles(view)
    yield _gifts(view)
    yield _how_to_read()
    if view.retired:
        yield el("p", el("a", "Retired versions", href="/retired"), f" ({len(view.retired):,}) keep their ratings.")


def retired_content(view: LadderView) -> Iterator[Content]:
    """Yield the content of the page of retired versions, which keep their ratings."""
    yield el("h1", "Retired versions")
    yield el("p", "They play no more. Their ratings stay, and move as those who played with them do.", class_="soft")
    axis = scale_ratings(view.retired)
    rows = [_row(line, axis, "", has_trend=False) for line in view.retired]
    table = el("table", el("thead", _head(axis, has_trend=False)), el("tbody", *rows), class_="ladder")
    yield el("div", table, class_="scroll", tabindex=0, role="region", aria_label="Retired versions")


def _summary(league: League, view: LadderView) -> Markup:
    owners = len({line.owner for line in (*view.ranked, *view.newcomers)})
    return facts(
        ("game", f"{league.game.title}, {league.seats} at a table"),
        ("on the ladder", f"{len(view.ranked)}"),
        ("finding their place", f"{len(view.newcomers)}"),
        ("owners", f"{owners}"),
        ("games played", f"{view.games:,}"),
    )


def _before_the_games(view: LadderView) -> Markup:
    """Return what is there to say before the first game."""
    if view.newcomers:
        bots = [link_bot(line.bot, line.version) for line in view.newcomers]
        said: tuple[Content, ...] = ("Waiting at the table: ", join_content(bots), ".")
    else:
        said = (el("a", "Submit a bot", href="/submit"), ", and be the first at the table.")
    return el("div", el("p", el("strong", "No game has been played yet.")), el("p", *said), class_="empty")


def _head(axis: Axis, has_trend: bool) -> Markup:
    heads: list[tuple[str, Content, str]] = [
        ("place", "#", "by rating"),
        ("name", "Bot", ""),
        ("rating", "Rating", "with 100 points more a bot is ahead of another in 64 % of games"),
        ("drawn", draw_scale(axis), ""),
        *([("trend", "Trend", TREND_MEANING)] if has_trend else []),
        ("wins", "Wins", "its share of the wins, in percent"),
        ("games", "Games", ""),
        ("tried", "Versions", "versions of this bot that were tried on the ladder"),
        ("faults", "Faults", "games forfeited, +decisions in whose place the neutral action was played"),
    ]
    return el("tr", *(el("th", text, scope="col", class_=kind, title=title or None) for kind, text, title in heads))


def _tier_body(tier: int, lines: Sequence[VersionLine], axis: Axis, owner: str, has_trend: bool) -> Markup:
    one = "the others are proven worse than it" if tier == 1 else ""
    said = f"{len(lines)} bots that are not told apart from the first of them" if len(lines) > 1 else one
    return el(
        "tbody",
        _band(f"Tier {tier}", said),
        *(_row(line, axis, owner, has_trend) for line in lines),
        class_=f"tier tier{(tier - 1) % 6 + 1}",
    )


def _group_body(
    name: str, said: str, lines: Sequence[VersionLine], axis: Axis, owner: str, has_trend: bool
) -> Markup | None:
    if not lines:
        return None
    return el("tbody", _band(name, said), *(_row(line, axis, owner, has_trend) for line in lines), class_="unranked")


def _band(name: str, said: str) -> Markup:
    return el("tr", el("th", name, " ", el("small", said), colspan=9, scope="rowgroup"), class_="band")


def _row(line: VersionLine, axis: Axis, owner: str, has_trend: bool) -> Markup:
    is_new = line.is_newcomer
    name = (
        link_bot(line.bot, line.version),
        el("span", "new", class_="badge", title="it finds its place") if is_new else None,
        el("span", "you", class_="badge own") if owner and line.owner == owner else None,
        el("small", line.owner),
    )
    ranks = None
    if line.ranks is not None and line.ranks.is_open:
        ranks = el("small", rank_text(line.ranks), title="the places that it may have")
    cells: list[tuple[str, Content, float | None]] = [
        ("rating", rating_cell(line), line.rating.mean),
        ("drawn", draw_interval(line, axis), None),
        *([("trend", trend_cell(line), line.trend)] if has_trend else []),
        ("wins", share_cell(line.wins), line.wins.mean),
        ("games", f"{line.games:,}", line.games),
        ("tried", link_version(line.number, f"{line.versions_tried}"), line.versions_tried),
        ("faults", fault_cell(line), sum(line.faults.values()) + sum(line.substituted.values()) / 1e6),
    ]
    return el(
        "tr",
        el("td", "–" if line.place is None else f"{line.place}", ranks, class_="place"),
        el("th", *name, scope="row", class_="name"),
        *(el("td", content, class_=kind, data_value=value) for kind, content, value in cells),
        el("td", *_say_rest(line), class_="more"),
        class_=" ".join(filter(None, ("own" if owner and line.owner == owner else "", "new" if is_new else "")))
        or None,
    )


def _say_rest(line: VersionLine) -> Iterator[Content]:
    """Yield what a narrow screen shows in one cell."""
    yield el("span", f"{share_cell(line.wins)} wins")
    yield el("span", format_count(line.games, "game"))
    yield link_version(line.number, format_count(line.versions_tried, "version"))
    if line.trend is not None:
        yield el("span", trend_cell(line))
    if line.faults or line.substituted:
        yield el("span", "faults ", fault_cell(line))


def _cycles(view: LadderView) -> Markup | None:
    if not view.cycles:
        return None
    lines = {line.number: line for line in view.lines}
    said = [
        el(
            "li",
            join_content([link_bot(lines[number].bot, lines[number].version) for number in (*cycle, cycle[0])], " → "),
        )
        for cycle in view.cycles
    ]
    return el("section", el("h2", "Cycles"), el("p", "Each is proven better than the next."), el("ul", *said))


def _gifts(view: LadderView) -> Markup | None:
    if not view.gifts:
        return None
    lines = {line.number: line for line in view.lines}
    said = [
        el(
            "li",
            link_bot(lines[one.gainer].bot, lines[one.gainer].version),
            " gains by ",
            link_bot(lines[one.giver].bot, lines[one.giver].version),
            f": in their {format_count(one.blocks, 'block')} it beats {format_interval(one.gain, 100, 0)} % more of "
            f"its opponents ({format_sureness(one.sureness)} sure).",
        )
        for one in view.gifts
    ]
    gainers = dict.fromkeys(one.gainer for one in view.gifts)
    without = [
        el(
            "li",
            link_bot(lines[number].bot, lines[number].version),
            f": {format_interval(rating, digits=0, has_sign=True)}",
        )
        for number in gainers
        if (rating := lines[number].rating_without_gifts) is not None
    ]
    return el(
        "section",
        el("h2", "Who gains by whom"),
        el("p", "More than ratings explain, by a test of all pairs together: a gift, or a style that suits one bot."),
        el("ul", *said),
        el("p", "Ratings without the games of these pairs:"),
        el("ul", *without),
    )


def _how_to_read() -> Markup:
    return el(
        "details",
        el("summary", "How to read this"),
        el(
            "p",
            "With 100 points more a bot is ahead of another in 64 % of games, with 200 in 76 %. The bar is a "
            "comparison interval: two bots whose bars do not overlap differ at 95 %, each two judged by themselves, "
            "however often one looks.",
        ),
        el(
            "p",
            "A tier ends where a bot is proven worse than its first one; all pairs are tested together, by tests that "
            "hold however often one looks. Below the number of a place stand the places that the bot may have.",
        ),
        el(
            "p",
            "Versions are those of the bot that were tried. The best of many tries looks better than it is; but only "
            "the newest plays, and its games are its own.",
        ),
    )
