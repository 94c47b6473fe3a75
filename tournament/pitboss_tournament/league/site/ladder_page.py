"""The page of the ladder: tiers, ratings with their intervals, games, versions tried, faults, trends; newcomers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from pitboss.text import format_count
from pitboss_tournament.html.charts import Axis
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.page_parts import capitalize_first
from pitboss_tournament.league.ladder_columns import LadderColumn, choose_ladder_columns
from pitboss_tournament.league.ladder_view import LadderLine, LadderView
from pitboss_tournament.league.league_folder import League
from pitboss_tournament.league.people_results import PeopleResults
from pitboss_tournament.league.site.bot_cells import CellContext, draw_cell, link_line
from pitboss_tournament.league.site.ladder_drawings import draw_scale, join_content, scale_ratings
from pitboss_tournament.league.site.page_frame import Viewer, facts
from pitboss_tournament.league.site.people_tables import people_tables
from pitboss_tournament.results.numbers import UNKNOWN, format_interval
from pitboss_tournament.results.verdict import format_sureness

NARROW: Final = ("place", "name", "rating", "drawn")  # columns that a narrow screen shows as such


def ladder_content(
    league: League, view: LadderView, viewer: Viewer, people: PeopleResults | None = None
) -> Iterator[Content]:
    """Yield the content of the page; the lines of `viewer` stand out, and `people` have played against bots."""
    yield el("h1", league.name)
    yield _summary(league, view)
    if not view.is_rated:
        yield _before_the_games(view)
        return
    axis = scale_ratings([*(view.ranked or view.newcomers), *view.anchors])  # intervals of newcomers may be very wide
    columns = choose_ladder_columns("ladder", list(view.lines))
    context = CellContext(axis, viewer, has_ranks=True)
    placing = f"after {format_count(league.file.league.placing_games, 'game')} a version is ranked"
    tiers = [(tier, list(lines)) for tier, lines in groupby(view.ranked, attrgetter("tier"))]
    anchors = _place_anchors(view.anchors, [lines for _, lines in tiers])
    bodies = [
        *(_tier_body(tier, lines, own, columns, context) for (tier, lines), own in zip(tiers, anchors, strict=False)),
        _group_body("Anchors", "take no place", [] if tiers else view.anchors, columns, context),
        _group_body("Finding their place", placing, view.newcomers, columns, context),
        _group_body("Out", "forfeited too many games", view.out, columns, context),
    ]
    yield _table("The ladder", columns, axis, bodies)
    yield _cycles(view)
    yield _gifts(view)
    yield _how_to_read(has_anchors=bool(view.anchors))
    if people is not None:
        yield people_tables(people)
    if view.retired:
        yield el("p", el("a", "Retired versions", href="/retired"), f" ({len(view.retired):,}) keep their ratings.")


def retired_content(view: LadderView, viewer: Viewer) -> Iterator[Content]:
    """Yield the content of the page of retired versions, which keep their ratings."""
    yield el("h1", "Retired versions")
    yield el("p", "They play no more. Their ratings stay, and move as those who played with them do.", class_="soft")
    axis = scale_ratings(view.retired)
    columns = [column for column in choose_ladder_columns("ladder", view.retired) if column.shown.key != "trend"]
    rows = [_row(line, columns, CellContext(axis, viewer)) for line in view.retired]
    yield _table("Retired versions", columns, axis, [el("tbody", *rows)])


def _summary(league: League, view: LadderView) -> Markup:
    owners = len({line.submission.owner for line in (*view.ranked, *view.newcomers)})
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
        bots = [link_line(line) for line in view.newcomers]
        said: tuple[Content, ...] = ("Waiting at the table: ", join_content(bots), ".")
    else:
        said = (el("a", "Submit a bot", href="/submit"), ", and be the first at the table.")
    return el("div", el("p", el("strong", "No game has been played yet.")), el("p", *said), class_="empty")


def _table(label: str, columns: Sequence[LadderColumn], axis: Axis, bodies: Sequence[Content]) -> Markup:
    heads = [
        el(
            "th",
            draw_scale(axis) if column.shown.key == "drawn" else capitalize_first(column.shown.heading),
            scope="col",
            class_=_cell_class(column),
            title=column.shown.meaning,
        )
        for column in columns
    ]
    table = el("table", el("thead", el("tr", *heads)), *bodies, class_="ladder")
    return el("div", table, class_="scroll", tabindex=0, role="region", aria_label=label)


def _place_anchors(
    anchors: Sequence[LadderLine], tiers: Sequence[Sequence[LadderLine]]
) -> Iterator[Sequence[LadderLine]]:
    """Yield for each tier the anchors whose ratings are above that of the first of the next one, each once."""
    left = list(anchors)
    for later in [*tiers[1:], []]:
        first = later[0].rating.mean if later else None
        own = [line for line in left if first is None or (line.rating.mean or 0.0) > first]
        left = [line for line in left if line not in own]
        yield own


def _tier_body(
    tier: int,
    lines: Sequence[LadderLine],
    anchors: Sequence[LadderLine],
    columns: Sequence[LadderColumn],
    context: CellContext,
) -> Markup:
    """Return the rows of a tier, and of anchors between them by their ratings."""
    one = "the others are proven worse than it" if tier == 1 else ""
    said = f"{len(lines)} bots without a proven difference from the first of them" if len(lines) > 1 else one
    rows = sorted([*lines, *anchors], key=lambda line: -(line.rating.mean or 0.0)) if anchors else lines
    return el(
        "tbody",
        _band(f"Tier {tier}", said, columns),
        *(_row(line, columns, context) for line in rows),
        class_=f"tier tier{(tier - 1) % 6 + 1}",
    )


def _group_body(
    name: str, said: str, lines: Sequence[LadderLine], columns: Sequence[LadderColumn], context: CellContext
) -> Markup | None:
    if not lines:
        return None
    return el("tbody", _band(name, said, columns), *(_row(line, columns, context) for line in lines), class_="unranked")


def _band(name: str, said: str, columns: Sequence[LadderColumn]) -> Markup:
    head = el("th", name, " ", el("small", said), colspan=len(columns) + 1, scope="rowgroup")
    return el("tr", head, class_="band")


def _row(line: LadderLine, columns: Sequence[LadderColumn], context: CellContext) -> Markup:
    kinds = (
        "own" if context.viewer.owner and context.viewer.owner == line.submission.owner else "",
        "new" if line.is_newcomer else "",
        "anchor" if line.is_anchor else "",
    )
    return el(
        "tr",
        *(_cell(column, line, context) for column in columns),
        el("td", *_say_rest(line, columns, context), class_="more"),
        class_=" ".join(filter(None, kinds)) or None,
    )


def _cell(column: LadderColumn, line: LadderLine, context: CellContext) -> Markup:
    content, kind = draw_cell(column, line, context), _cell_class(column)
    if column.shown.key == "name":
        return el("th", content, scope="row", class_=kind)
    return el("td", content, class_=kind, data_value=column.value and column.value(line))


def _cell_class(column: LadderColumn) -> str:
    key = column.shown.key
    return key if key in NARROW else f"{key} rest"


def _say_rest(line: LadderLine, columns: Sequence[LadderColumn], context: CellContext) -> Iterator[Content]:
    """Yield what a narrow screen shows in one cell."""
    for column in columns:
        if column.shown.key not in NARROW and column.shown.text(line) != UNKNOWN:
            yield el("span", f"{column.shown.heading} ", draw_cell(column, line, context))


def _cycles(view: LadderView) -> Markup | None:
    if not view.cycles:
        return None
    lines = {line.number: line for line in view.lines}
    said = [
        el(
            "li",
            join_content([link_line(lines[number]) for number in (*cycle, cycle[0])], " → "),
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
            link_line(lines[one.gainer]),
            " gains by ",
            link_line(lines[one.giver]),
            f": in their {format_count(one.blocks, 'block')} it beats {format_interval(one.gain, 100, 0)} % more of "
            f"its opponents ({format_sureness(one.sureness)} sure).",
        )
        for one in view.gifts
    ]
    gainers = dict.fromkeys(one.gainer for one in view.gifts)
    without = [
        el(
            "li",
            link_line(lines[number]),
            f": {format_interval(rating, digits=0, has_sign=True)}",
        )
        for number in gainers
        if (rating := lines[number].row.rating_without_gifts) is not None
    ]
    return el(
        "section",
        el("h2", "Who gains by whom"),
        el("p", "More than ratings explain, by a test of all pairs together: a gift, or a style that suits one bot."),
        el("ul", *said),
        el("p", "Ratings without the games of these pairs:"),
        el("ul", *without),
    )


def _how_to_read(*, has_anchors: bool) -> Markup:
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
        el(
            "p",
            "Anchors are bots of the house that never change. They play along, and take no place. That a bot beats one "
            "is said on its page, with how sure it is: all anchors together, however often one looks.",
        )
        if has_anchors
        else None,
    )
