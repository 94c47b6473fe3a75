"""Pieces of Markdown: tables, anchors, texts as cells, and links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

_LINK: Final = re.compile(r"\[([^\]\n]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
_LISTING: Final = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table without its empty columns."""
    lines = [list(map(escape_cell, row)) for row in rows]
    kept = [column for column in range(len(header)) if any(line[column] for line in lines)]
    shown = [[line[column] for column in kept] for line in [list(header), ["---"] * len(header), *lines]]
    return "\n".join(f"| {' | '.join(line)} |" for line in shown)


def escape_cell(text: str) -> str:
    """Escape a text for a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def code(text: str) -> str:
    """Return a short piece of code."""
    return f"`{text}`" if text else ""


def block(text: str, language: str = "") -> str:
    """Return a listing."""
    return f"```{language}\n{text}\n```"


def anchor_heading(name: str, heading: str) -> str:
    """Return a heading with a name that links can lead to."""
    return f"({name})=\n{heading}"


def join_docstring_lines(docstring: str | None) -> str:
    """Return a docstring as Markdown, each paragraph in one line."""
    paragraphs = re.split(r"\n\s*\n", (docstring or "").strip())
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def join_parts(parts: Iterable[str]) -> str:
    """Join the parts that are not empty to a page."""
    return "\n\n".join(part for part in parts if part) + "\n"


def escape_text(text: str) -> str:
    """Escape Markdown's signs in a text; backquoted words and options become code."""
    pieces = text.split("`")
    for place in range(0, len(pieces), 2):
        escaped = re.sub(r"([<>*\[\]_])", r"\\\1", pieces[place])
        pieces[place] = re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", escaped)
    return "`".join(pieces)


def rewrite_links(text: str, origin: str, page: str, pages: Mapping[str, str], modules: Collection[str]) -> str:
    """Rewrite the links of a page that lead to other files of the project: to pages, or to modules of the reference.

    `origin` is the path of the text in the project, `page` that of its page in docs/; `pages` has the page in docs/ for
    files and folders that lie elsewhere; `modules` are those that the reference describes.
    """

    def replace_link(link: re.Match[str]) -> str:
        words, target, part = link[1], link[2], link[3] or ""
        path = posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))
        at = path.removeprefix("docs/") if path.startswith("docs/") else pages.get(path)
        if at is not None:
            return f"[{words}]({posixpath.relpath(at, posixpath.dirname(page) or '.')}{part})"
        module = path.removeprefix("core/").removesuffix(".py").replace("/", ".")
        return f"{{py:mod}}`{words.strip('`')} <{module}>`" if module in modules else words

    pieces = _LISTING.split(text)
    return "".join(piece if place % 2 else _LINK.sub(replace_link, piece) for place, piece in enumerate(pieces))
