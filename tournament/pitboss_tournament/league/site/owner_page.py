"""The pages of somebody who logs in: the form, and what is theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pitboss_tournament.html.elements import Content, el
from pitboss_tournament.html.number_format import DASH
from pitboss_tournament.league.ladder_columns import choose_ladder_columns
from pitboss_tournament.league.ladder_view import LadderView, make_idle_line
from pitboss_tournament.league.site.bot_cells import draw_cell, draw_heading, is_of_words
from pitboss_tournament.league.site.page_frame import LeagueFrame, Viewer, data_table, show_time
from pitboss_tournament.league.submission import AuditEntry, Evidence, Submission


def login_content(frame: LeagueFrame, complaint: str = "", *, is_clear: bool = False) -> Iterator[Content]:
    """Yield the content of the page with the form that takes a token; `is_clear`: without TLS on a network."""
    yield el("h1", "Log in")
    field = el(
        "input",
        name="token",
        type="password",
        required=True,
        autocomplete="current-password",
        maxlength=200,
        data_link_words="token",
    )
    if is_clear:
        warning = "This page came without TLS: your token and your sources can be read on the way. Ask for https."
        yield el("p", warning, class_="error")
    yield frame.form(
        "/login",
        el("label", "Your token, as the host of the league gave it to you", field),
        el("p", complaint, class_="error", role="alert") if complaint else None,
        el("button", "Log in", class_="main"),
    )
    yield el(
        "p",
        "It begins with ",
        el("code", "pitboss-"),
        ". A cookie keeps you logged in for twelve hours.",
        class_="soft",
    )


def owner_content(
    view: LadderView,
    own: Sequence[Submission],
    last: Mapping[int, Evidence],
    viewer: Viewer,
    audit: Sequence[AuditEntry],
) -> Iterator[Content]:
    """Yield the content of an owner's page: submissions, the latest first, each with what its last step has shown.

    A host sees those of all, and the end of the audit trail.
    """
    yield el("h1", "All submissions" if viewer.is_host else viewer.owner)
    yield el(
        "p",
        el("a", "Submit a bot", href="/submit", class_="button main"),
        el("a", "All games" if viewer.is_host else "Your games", href="/me/games", class_="button"),
        class_="buttons",
    )
    if not own:
        yield el("div", el("p", "Nothing has been submitted yet."), class_="empty")
    else:
        yield _submission_table(view, own, last, viewer)
    if viewer.is_host and audit:
        yield el("h2", "Audit trail")
        trail = [(show_time(entry.at), entry.who, entry.what, entry.about) for entry in reversed(audit)]
        yield data_table("Its end, the latest first.", ("At", "Who", "What", "About"), trail, words=(0, 1, 2, 3))


def _submission_table(
    view: LadderView, own: Sequence[Submission], last: Mapping[int, Evidence], viewer: Viewer
) -> Content:
    known = {line.number: line for line in view.lines}
    ordered = sorted(own, key=lambda one: (one.received, one.number), reverse=True)
    lines = [known.get(one.number) or make_idle_line(one) for one in ordered]
    columns = [
        column for column in choose_ladder_columns("owner", lines) if viewer.is_host or column.shown.key != "owner"
    ]
    seen_at = 1 + next(number for number, column in enumerate(columns) if column.shown.key == "state")
    heads: list[Content] = [draw_heading(column) for column in columns]
    heads.insert(seen_at, "What was seen last")
    words = [is_of_words(column) for column in columns]
    words.insert(seen_at, True)
    rows = []
    for line in lines:
        cells = [draw_cell(column, line) for column in columns]
        cells.insert(seen_at, last[line.number].seen if line.number in last else DASH)
        rows.append(cells)
    return data_table("The latest first.", heads, rows, [number for number, is_one in enumerate(words) if is_one])
