"""A recorded game as one page for a browser: film, decisions and outcome, with the viewer in the file."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from typing import Any, Final

import msgspec
from msgspec import Struct

from pitboss.film import Film, Scene, make_film
from pitboss.game import AnyGame
from pitboss.record import Record
from pitboss.text import format_count
from pitboss_tournament.reporting.elements import Markup, el
from pitboss_tournament.showing.fault_evidence import fault_text
from pitboss_tournament.text.terminal_text import action_text, escape_line, event_text

_ASSETS: Final = files(__package__)


class PageScene(Struct, frozen=True, omit_defaults=True):
    """A scene of a film with its event in words."""

    decision: int
    says: str
    zones: dict[int, list[int]] = {}
    faces: dict[int, Any] = {}
    known: dict[int, int] = {}
    secrets: dict[int, Any] = {}


class PageDecision(Struct, frozen=True, omit_defaults=True):
    """A decision as the viewer of a film may know it; with no seat if the viewer saw nothing of it."""

    seat: int | None = None
    text: str | None = None  # None: another seat's, of which the viewer saw only what happened
    us: int | None = None  # thinking time
    note: str = ""
    fault: str = ""


class PageFilm(Film, frozen=True):
    """A film whose scenes have words."""

    scenes: list[PageScene]  # type: ignore[assignment]


class ReplayData(Struct, frozen=True):
    """What the page of a game is made of."""

    title: str
    subtitle: str
    players: list[str]
    film: PageFilm
    decisions: list[PageDecision]
    places: list[int]
    results: list[str]  # by seat


def make_replay_data(record: Record, game: AnyGame, game_id: int, viewer: int | None = None) -> ReplayData:
    """Return the data of a page: for a seat what it knew, and nothing that would tell the deal.

    Raises:
        RecordError, ReplayDiffers: see `make_film`.
    """
    film = make_film(record, game, viewer)
    players = [escape_line(name) for name in record.players]
    who = "every card" if viewer is None else f"as seat {viewer} ({players[viewer]}) saw it"
    return ReplayData(
        title=f"{game.title}: game {game_id}",
        subtitle=f"{', '.join(players)} · {format_count(len(record.decisions), 'decision')} · {who}",
        players=players,
        film=PageFilm(
            viewer=film.viewer,
            seats=film.seats,
            looks=film.looks,
            zones=film.zones,
            secrets=film.secrets,
            scenes=[_word_scene(scene) for scene in film.scenes],
        ),
        decisions=_list_decisions(record, viewer, {scene.decision for scene in film.scenes}),
        places=list(record.outcome.places),
        results=[
            f"{place}. {points:g} {'point' if points == 1 else 'points'}"
            for place, points in zip(record.outcome.places, record.outcome.points, strict=True)
        ],
    )


def _word_scene(scene: Scene) -> PageScene:
    says = "all cards are gathered" if scene.event is None and scene.zones else ""
    return PageScene(
        decision=scene.decision,
        says=says if scene.event is None else escape_line(event_text(scene.event)),
        zones=scene.zones,
        faces=scene.faces,
        known=scene.known,
        secrets=scene.secrets,
    )


def _list_decisions(record: Record, viewer: int | None, seen: set[int]) -> list[PageDecision]:
    questions = [0] * len(record.players)
    faults = {(fault.seat, fault.decision): fault for fault in record.faults}
    decisions = []
    for number, decision in enumerate(record.decisions, 1):
        seat = decision.seat
        questions[seat] += 1
        if viewer not in (None, seat):
            decisions.append(PageDecision(seat if number in seen else None))
            continue
        fault = faults.get((seat, questions[seat]))
        decisions.append(
            PageDecision(
                seat=seat,
                text=escape_line(action_text(decision.action)) + (" (neutral)" if decision.forced else ""),
                us=None if decision.forced else decision.us,
                note=escape_line(" ".join((decision.note or "").split())),
                fault="" if fault is None else escape_line(fault_text(fault)),
            )
        )
    return decisions


def render_replay(data: ReplayData) -> str:
    """Return a page that needs no other file and no network, and runs no script but the viewer's."""
    style, script = ((_ASSETS / name).read_text("utf-8") for name in ("viewer.css", "viewer.js"))
    policy = f"default-src 'none'; script-src {_hash_source(script)}; style-src {_hash_source(style)}"
    block = msgspec.json.encode(data).decode().replace("<", "\\u003c")
    return "<!doctype html>\n" + el(
        "html",
        el(
            "head",
            el("meta", charset="utf-8"),
            el("meta", http_equiv="Content-Security-Policy", content=policy),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("title", data.title),
            el("style", Markup(style)),
        ),
        el(
            "body",
            el("div", el("noscript", el("p", "The replay needs JavaScript.")), id="replay"),
            el("script", Markup(block), type="application/json", id="replay-data"),
            el("script", Markup(script), type="module"),
        ),
        lang="en",
    )


def _hash_source(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
