"""Elements of HTML and SVG.

Any string that is not `Markup` is escaped, in content and in attributes, and has no control or direction characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final, TypeAlias

from pitboss_tournament.text.terminal_text import escape_line

_EMPTY: Final = frozenset({"link", "meta"})  # elements of HTML that have no end


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


class Cell(Markup):
    """A cell of a table, made with attributes of its own."""

    __slots__ = ()


Content: TypeAlias = str | Iterable["Content"] | None
Attribute: TypeAlias = str | int | float | bool | None


def el(tag: str, *content: Content, **attributes: Attribute) -> Markup:
    """Return an element.

    `class_` is written "class", `aria_label` "aria-label"; an attribute that is True has no value, None or False is
    left out.
    """
    opened = "".join([f"<{tag}", *(_render_attribute(name, value) for name, value in attributes.items()), ">"])
    return Markup(opened if tag in _EMPTY else f"{opened}{markup(*content)}</{tag}>")


def make_cell(*content: Content, **attributes: Attribute) -> Cell:
    """Return a cell of a table."""
    return Cell(el("td", *content, **attributes))


def markup(*content: Content) -> Markup:
    """Return content as HTML, one part after the other."""
    return Markup("".join(map(_render_part, content)))


def _render_part(content: Content) -> str:
    match content:
        case None:
            return ""
        case Markup():
            return content
        case str():
            return escape(escape_line(content))
        case _:
            return "".join(map(_render_part, content))


def _render_attribute(name: str, value: Attribute) -> str:
    written = name.rstrip("_").replace("_", "-")
    match value:
        case None | False:
            return ""
        case True:
            return f" {written}"
        case float():
            return f' {written}="{value:.6g}"'
        case _:
            return f' {written}="{escape(escape_line(str(value)))}"'
