"""Responses of a server: pages, their scripts and style sheets, JSON, and errors as a line of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pitboss_tournament.html.elements import Content, Markup, el, markup
from pitboss_tournament.html.page_parts import read_style
from pitboss_tournament.web.script_bundle import hash_source
from pitboss_tournament.web.static import STATIC

STATIC_TYPES: Final = {".js": "text/javascript", ".css": "text/css"}
STATIC_FILES: Final = frozenset(entry.name for entry in STATIC.iterdir() if Path(entry.name).suffix in STATIC_TYPES)
SHARED_STYLES: Final = frozenset(
    {"charts.css", "scroll.css", "tokens.css"}
)  # those of the report, which other pages have too


async def send_static(request: Request) -> Response:
    """Return a script or style sheet."""
    name = request.path_params["name"]
    if name not in STATIC_FILES | SHARED_STYLES:
        raise HTTPException(404, "there is no such file")
    text = read_style(name) if name in SHARED_STYLES else (STATIC / name).read_text("utf-8")
    return Response(text, media_type=STATIC_TYPES[Path(name).suffix], headers={"cache-control": "no-cache"})


def render_page(
    title: str,
    kind: str,
    *content: Content,
    trail: Sequence[Markup] = (),
    styles: Sequence[str] = ("pages",),
    script: str | None = "pages",
    status: int = 200,
) -> Response:
    """Return a page; `kind` tells its script what to do. One with the style of the other pages has their frame.

    `trail`: links to the pages above it, the list of all tournaments left out.
    """
    home = el("a", "Pitboss", href="/")
    inner = (
        (el("nav", home, *((" › ", link) for link in trail)), el("main", *content)) if "pages" in styles else content
    )
    page = el(
        "html",
        el(
            "head",
            el("meta", charset="utf-8"),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("title", title),
            el("link", rel="icon", href="data:,"),
            link_styles("tokens", *styles),
            None if script is None else el("script", Markup(""), type="module", src=f"/static/{script}.js"),
        ),
        el("body", *inner, data_page=kind),
        lang="en",
    )
    return Response(f"<!doctype html>\n{page}", status, media_type="text/html")


def link_styles(*names: str) -> Markup:
    """Return links to style sheets of this server."""
    return markup(el("link", rel="stylesheet", href=f"/static/{name}.css") for name in names)


def send_whole_page(page: str, style: str) -> Response:
    """Return a page that needs no other file; its policy allows its own `style`, and no script."""
    policy = (
        f"default-src 'none'; style-src {hash_source(style)}; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return Response(page, media_type="text/html", headers={"content-security-policy": policy})


async def refuse(_: Request, error: Exception) -> Response:
    """Return an error as a line of text."""
    status = error.status_code if isinstance(error, HTTPException) else 404
    text = error.detail if isinstance(error, HTTPException) else str(error)
    return Response(text, status, media_type="text/plain")


def send_json(value: object) -> Response:
    """Return a value as JSON."""
    return send_json_text(msgspec.json.encode(value))


def send_json_text(data: bytes) -> Response:
    """Return JSON that is written already; a browser does not cache it."""
    return Response(data, media_type="application/json", headers={"cache-control": "no-store"})


def read_number(request: Request, name: str) -> int | None:
    """Return a number of the query of an address; None if it has none of this name.

    Raises:
        HTTPException: what it has is no number.
    """
    said = request.query_params.get(name)
    if said is None:
        return None
    if not (said.isascii() and said.isdecimal() and len(said) < 19):
        raise HTTPException(400, f"{name} is {said!r}; it must be a number")
    return int(said)
