"""Names that readers take for one another: "Fox" in Latin letters, and with a Cyrillic "о" in it.

Two names are confusable if they have the same skeleton (Unicode Technical Standard 39): each letter stands for all that
look like it. Capital letters may be read as small ones first or afterwards, so a name has up to two skeletons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple
from unicodedata import name as letter_name
from unicodedata import normalize

LEFT_TO_RIGHT_MARK: Final = "\u200e"  # the data have it around letters that are written from right to left


class Lookalikes(NamedTuple):
    """Which letters look alike: for each the one that stands for all of its kind, or the several that look like it."""

    kind: Mapping[str, str]
    several: Mapping[str, str]


def are_confusable(one: str, other: str) -> bool:
    """Whether readers may take a name for another one; a name is confusable with itself."""
    return not _find_skeletons(one).isdisjoint(_find_skeletons(other))


def find_confusable(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of different names that are confusable, one of which is not of ASCII letters alone."""
    names = list(names)
    if all(name.isascii() for name in names):
        return  # the data take a while to load
    seen: dict[str, str] = {}
    for name in names:
        others = {seen.setdefault(skeleton, name) for skeleton in _find_skeletons(name)} - {name}
        yield from ((other, name) for other in sorted(others) if not (other + name).isascii())


def describe_letters(name: str) -> str:
    """Return a name in quotes, with what its letters beyond ASCII are called."""
    beyond = [letter_name(letter, f"U+{ord(letter):04X}") for letter in dict.fromkeys(name) if not letter.isascii()]
    return f"{name!r} ({', '.join(beyond)})" if beyond else repr(name)


@cache
def _find_skeletons(name: str) -> frozenset[str]:
    small = _make_skeleton(name.casefold())
    return frozenset({small, _make_skeleton(_make_skeleton(name).casefold())})


def _make_skeleton(text: str) -> str:
    kind, several = _load_lookalikes()
    letters = (part for letter in normalize("NFD", text) for part in several.get(letter, letter))
    return normalize("NFD", "".join(kind.get(letter, letter) for letter in letters))


@cache
def _load_lookalikes() -> Lookalikes:
    """Return the letters that Unicode's data name, in which each pair stands in both directions."""
    from confusable_homoglyphs.confusables import confusables_data  # noqa: PLC0415 - it reads a large file

    kind: dict[str, str] = {}
    several: dict[str, str] = {}
    for letter, pairs in ((key.strip(LEFT_TO_RIGHT_MARK), pairs) for key, pairs in confusables_data.items()):
        others = [pair["c"].strip(LEFT_TO_RIGHT_MARK) for pair in pairs]
        if len(letter) == 1:
            several |= [(letter, other) for other in others if len(other) > 1]
            alike = [letter, *(other for other in others if len(other) == 1)]
            if len(alike) > 2 or letter not in kind:  # the one of its kind to which all others are paired
                kind |= dict.fromkeys(alike, min(alike))
    return Lookalikes(kind, several)
