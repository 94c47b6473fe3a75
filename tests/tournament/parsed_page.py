"""A page taken apart by the standard library's parser, and what a page must keep."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Final

VOID_ELEMENTS: Final = frozenset({"link", "meta"})


class ParsedPage(HTMLParser):
    """Reads a page; `wrong` says what is out of order in it."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []  # tag, name, value
        self.texts: list[str] = []
        self.rows: dict[str, list[list[str]]] = {}  # by the id of a table's caption
        self.errors: list[str] = []
        self._open: list[str] = []
        self._table = ""
        self.feed(page)
        self.close()
        self.errors += [f"<{tag}> is never closed" for tag in self._open]
        self.errors += [f"two ids {name!r}" for name in set(self.ids) if self.ids.count(name) > 1]
        named = {
            value.removeprefix("#") for _, name, value in self.attributes if name == "href" and value.startswith("#")
        }
        named |= {part for _, name, value in self.attributes if name == "aria-labelledby" for part in value.split()}
        self.errors += [f"nothing has the id {name!r}" for name in sorted(named - set(self.ids))]

    @property
    def text(self) -> str:
        """All that a reader sees."""
        return " ".join(self.texts)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID_ELEMENTS:
            self._open.append(tag)
        if tag == "span" and self._open[-2:-1] == ["caption"]:
            self.rows[self._table] = []
        if tag == "caption":
            self._table = (dict(attrs)["id"] or "").removesuffix("-caption")
        if tag == "tr":
            self.rows[self._table].append([])
        if tag in ("th", "td"):
            self.rows[self._table][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        """Note its end."""
        if not self._open or self._open.pop() != tag:
            self.errors.append(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data: str) -> None:
        """Note what is between."""
        if self._open and self._open[-1] != "style":
            self.texts.append(data)
        if "tr" in self._open:
            row = self.rows[self._table][-1]
            row[-1] = f"{row[-1]} {data}".strip()

    def handle_comment(self, data: str) -> None:
        """Allow none."""
        self.errors.append(f"a comment: {data!r}")
