"""llms.txt and llms-full.txt, beside the built pages: what there is to read, and all of it, for programs that read.

llms.txt has the form of llmstxt.org: a title, a summary as a quotation, and lists of links under headings. It is made
from docs/index.md, whose lists have a sentence for each page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from docs.generators.markdown import join_parts

_PAGE_LINK = re.compile(r"\]\(([\w./-]+)\.md(#[\w-]+)?\)")
_ITEM = re.compile(r"^(?:\d+\.|\*) +")
FIRST_PAGES = ("agents", "first-bot", "protocol")  # of llms-full.txt


def render_list(index: str) -> str:
    """Return llms.txt; `index` is the front page, whose links lead to pages by their names in docs/."""
    title, _, rest = index.partition("\n")
    summary, _, rest = rest.strip().partition("\n\n")
    quoted = f"> {' '.join(summary.split())}"
    more = (
        "A program that writes bots begins with [For agents](agents.html). All pages as one text: "
        "[llms-full.txt](llms-full.txt)."
    )
    return join_parts([title, quoted, more, *_render_sections(rest)])


def _render_sections(text: str) -> Iterator[str]:
    """Yield each section with links as a heading and one list."""
    for section in re.split(r"^## ", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE), flags=re.M)[1:]:
        heading, _, body = section.partition("\n")
        items = [*_list_items(body)]
        if items:
            yield f"## {heading}\n\n" + "\n".join(items)


def _list_items(body: str) -> Iterator[str]:
    """Yield the items of lists, each in one line, with links to built pages."""
    for part in re.split(r"\n(?=(?:\d+\.|\*) )|\n\n", body):
        if _ITEM.match(part) and "](" in part:
            line = _ITEM.sub("", " ".join(part.split()))
            yield "- " + _PAGE_LINK.sub(r"](\1.html\2)", line)


def render_all(pages: Mapping[str, str]) -> str:
    """Return llms-full.txt: all pages by name, those for agents first, each behind a line with its name."""
    names = [name for name in FIRST_PAGES if name in pages] + sorted(pages.keys() - {*FIRST_PAGES, "index"})
    return join_parts(f"<!-- page: {name} -->\n\n{_leave_out_marks(pages[name]).strip()}" for name in names)


def _leave_out_marks(text: str) -> str:
    """Return a page without what is for Sphinx alone."""
    return re.sub(r"^```\{toctree\}.*?^```\n|^\([\w-]+\)=\n", "", text, flags=re.DOTALL | re.MULTILINE)
