"""Links of the built pages: to pages outside docs/, to modules of the reference, or replaced by their text."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Mapping
from typing import Final

_LINK: Final = re.compile(r"\[([^\]\n]*)\]\((?!https?:|mailto:|#)([^)#\s]+)(#[^)\s]*)?\)")
_LISTING: Final = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


def rewrite_links(text: str, origin: str, page: str, pages: Mapping[str, str], modules: Collection[str]) -> str:
    """Rewrite the links of a page that lead to other files of the project.

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
