"""The page that says where a version loses points: its decisions beside those of a reference, over many games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pitboss.text import format_count
from pitboss_tournament.html.elements import Content, Markup, el
from pitboss_tournament.html.number_format import DASH, typeset, typeset_interval, typeset_number
from pitboss_tournament.html.page_parts import quote_text
from pitboss_tournament.league.feedback_book import Feedback
from pitboss_tournament.league.site.page_frame import LeagueFrame, data_table, facts, link_version, show_time
from pitboss_tournament.league.submission import Submission
from pitboss_tournament.reask.feedback_bundle import (
    BundleKind,
    BundlePosition,
    BundleReference,
    FeedbackBundle,
)
from pitboss_tournament.statistics.running_moments import Estimate
from pitboss_tournament.web.replay_page import PART_DECISIONS


class FeedbackView(NamedTuple):
    """What the page is about."""

    submission: Submission
    latest: Feedback | None  # None: its owner has not asked yet
    found: Feedback | None  # the latest one that is done
    before: int  # that are made before it, if it waits
    left: int  # how often its owner may ask today
    a_day: int
    is_own: bool  # whether the owner looks, who may ask


def feedback_content(view: FeedbackView, frame: LeagueFrame) -> Iterator[Content]:
    """Yield the content of the page."""
    one, latest = view.submission, view.latest
    yield el("h1", "Where ", link_version(one.number, one.label), " loses points")
    yield el(
        "p",
        "A reference is asked the questions of this bot in a sample of its finished games. Where it chooses otherwise, "
        "both choices are played on in many worlds that the bot could not tell from the true one: luck of the cards "
        "plays no part. Costs are estimates by the game's own evaluation of states.",
    )
    if latest is not None and latest.is_open:
        waits = f"Made before it: {view.before}." if view.before else "It is being made: a minute or two."
        yield el("p", waits, " This page looks again by itself.", class_="lead", role="status")
    elif latest is not None and latest.state == "failed":
        yield el("p", f"Nothing was found: {latest.why}.", class_="error", role="status")
    if view.is_own and (latest is None or not latest.is_open):
        yield _form(view, frame)
    bundle = None if view.found is None else view.found.bundle
    if view.found is not None and bundle is not None:
        yield from _show_bundle(bundle, view.found, feedback_address(one.number))


def feedback_address(number: int) -> str:
    """Return the address of the page of a submission."""
    return f"/versions/{number}/why"


def _form(view: FeedbackView, frame: LeagueFrame) -> Markup:
    if not view.a_day:
        return el("p", "This league looks into no games: download the records, and ask at home.", class_="soft")
    button = el("button", "Look into its games", class_="main", disabled=not view.left)
    left = el("p", f"{view.left} of {view.a_day} times are left within 24 hours.", class_="soft")
    return frame.form(feedback_address(view.submission.number), button, left)


def _show_bundle(bundle: FeedbackBundle, found: Feedback, address: str) -> Iterator[Content]:
    yield facts(
        ("looked into", show_time(found.asked)),
        ("place", DASH if bundle.place is None else f"{bundle.place} of {bundle.bots}"),
        ("games", f"{bundle.games:,}"),
        ("points a game", DASH if bundle.points.mean is None else typeset_interval(bundle.points)),
        ("slowest in a hundred", DASH if bundle.p99_ms is None else f"{typeset(f'{bundle.p99_ms:.4g}')} ms"),
    )
    yield el(
        "p",
        el("a", "Download as a bundle", href=f"{address}/bundle.txt", class_="button"),
        el("a", "The same as JSON", href=f"{address}/bundle.json", class_="button"),
        class_="buttons",
    )
    for note in bundle.notes:
        yield el("p", note, class_="soft")
    if bundle.reference is not None:
        yield from _show_kinds(bundle, bundle.reference)
    yield from _show_positions(bundle)
    if bundle.opponents:
        yield el("h2", "Against whom")
        rows = [(one.name, _interval(one.points), f"{one.blocks:,}") for one in bundle.opponents]
        yield data_table(
            "Its points in a game less those of the other, over the deals that both played; ± ? where they are fewer "
            "than five, or all ended alike.",
            ("Against", "Points", "Blocks"),
            rows,
        )
    if bundle.faults:
        yield el("h2", "Faults")
        cells = [
            (
                one.kind,
                f"{one.count:,}",
                el("a", f"game {one.game_id}", href=f"/games/{one.game_id}"),
                one.message,
                one.cure,
            )
            for one in bundle.faults
        ]
        yield data_table("The first of each kind.", ("Fault", "Times", "First in", "What", "Cure"), cells, (0, 2, 3, 4))


def _show_kinds(bundle: FeedbackBundle, reference: BundleReference) -> Iterator[Content]:
    yield el("h2", "Which kinds of decisions")
    yield el(
        "p",
        f"{reference.name} was asked {reference.asked:,} questions of {format_count(reference.games, 'game')}, and "
        f"chose otherwise {reference.differing:,} times, of which {reference.compared:,} were compared.",
    )
    if bundle.kinds:
        yield data_table(
            "What the bot's choice cost in one decision, with 95 % intervals; below 0 it was better. Those that cost "
            "most together come first.",
            ("When", "The bot", "The reference", "Cost", "Times"),
            [_list_kind(kind) for kind in bundle.kinds],
            (0, 1, 2),
        )


def _list_kind(kind: BundleKind) -> tuple[Content, ...]:
    other = f"another {kind.reference}" if kind.reference == kind.played else kind.reference
    return kind.phase, kind.played, other, _interval(kind.cost), f"{kind.count:,} of {kind.asked:,}"


def _show_positions(bundle: FeedbackBundle) -> Iterator[Content]:
    if not bundle.positions:
        return
    yield el("h2", "The costliest decisions")
    yield el("ol", *(_show_position(position) for position in bundle.positions), class_="positions")


def _show_position(one: BundlePosition) -> Markup:
    part = (one.decision - 1) // PART_DECISIONS
    replay = f"/games/{one.game_id}/replay?part={part}#t={one.decision}"
    cost = ""
    if one.cost is not None:
        error = "" if one.error is None else f" ± {typeset(f'{2 * one.error:.2g}')}"
        cost = f", which cost {typeset_number(one.cost)}{error} points"
    return el(
        "li",
        el(
            "p",
            el("a", f"game {one.game_id}, decision {one.decision}", href=replay),
            f": it played {one.played}, and the reference chooses {one.reference}{cost}.",
        ),
        el("details", el("summary", "The table as the bot saw it"), quote_text("\n".join(one.lines))),
    )


def _link_game(number: int) -> Markup:
    return el("a", f"game {number}", href=f"/games/{number}")


def _interval(estimate: Estimate) -> str:
    return DASH if estimate.mean is None else typeset_interval(estimate, has_sign=True)
