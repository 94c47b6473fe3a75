"""The rule book of a game: the description of its distribution, and the rules in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from pitboss.plugins.registry import Registry

_NO_RULES: Final = re.compile(  # sections of a rule book that its readers do not play by, or that the page has itself
    r"options|decisions|ambiguit|cases|examples|departures|messages|actions|observation|positions|what a bot", re.I
)
_LISTING: Final = re.compile(r"^```.*?^```\n?", re.MULTILINE | re.DOTALL)
_SOURCE: Final = re.compile(r"^\* \*\*(\w+)\*\*", re.MULTILINE)  # of a rule book, which it cites as [TAG, section]
_DECISION: Final = re.compile(r" ?\(D\d+(?:, D?\d+)*\)")  # a reference to a section that is not on the page


def find_rule_book(registry: Registry, name: str) -> str:
    """Return the rule book of the game `name`; "" if its author names none.

    Raises:
        ConfigError: there is no such game, or several.
    """
    registry.find_game(name)
    plugin = registry.list_distributions("pitboss_games")[name]
    from importlib.metadata import distribution  # noqa: PLC0415 - it takes long to import, and one command needs it

    described = distribution(plugin.split()[0]).read_text("METADATA") or ""
    return described.partition("\n\n")[2].strip()  # behind the headers


def extract_rules(book: str) -> str:
    """Return the sections of a rule book that are rules, without sources, test cases and the history of decisions."""
    preamble, *sections = re.split(r"^(?=##+ )", _LISTING.sub("", book), flags=re.MULTILINE)
    if not sections:
        return preamble.strip()
    tags = "|".join([rf"{tag}\b" for tag in _SOURCE.findall(preamble)] + ["§"])
    cited = re.compile(rf" ?\[(?:{tags})[^\]\n]*\](?!\()")
    kept, skipped = list[str](), False
    for section in sections:
        heading, _, body = section.partition("\n")
        if heading.startswith("## "):
            skipped = _NO_RULES.search(heading) is not None
        if not skipped and not _NO_RULES.search(heading):
            kept += [f"#{cited.sub('', heading)}", body]
    lines = _drop_sources("\n".join(kept).splitlines())
    text = "\n".join(line if line.startswith("    ") else _DECISION.sub("", cited.sub("", line)) for line in lines)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"^-{4,}$", "", text, flags=re.MULTILINE)).strip()


def _drop_sources(lines: Sequence[str]) -> Iterator[str]:
    """Yield lines, without the column of sources of tables."""
    column: int | None = None
    for line in lines:
        cells = line.strip().strip("|").split("|") if line.startswith("|") else []
        if not cells:
            column = None
        elif column is None:
            column = next((at for at, cell in enumerate(cells) if cell.strip().lower() in ("source", "sources")), -1)
        is_cut = cells and column is not None and 0 <= column < len(cells)
        yield f"|{'|'.join(cell for at, cell in enumerate(cells) if at != column)}|" if is_cut else line
