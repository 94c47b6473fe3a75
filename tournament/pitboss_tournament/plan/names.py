"""What a bot may be called, and which names readers take for one another: "Fox" with a Cyrillic "о" in it.

Two names are confusable if they have the same skeleton (Unicode Technical Standard 39): each letter stands for all that
look like it. Capital letters may be read as small ones first or afterwards, so a name has up to two skeletons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Annotated, Final, NamedTuple
from unicodedata import name as letter_name
from unicodedata import normalize

from msgspec import Meta

from pitboss_tournament.text.schema_text import ALLOWED

MAX_CHARACTERS: Final = 40
NAME_RULE: Final = (
    "a string of 1 to 40 letters of any script, digits, blanks and characters of . _ : + ? = & - ' ( ) that begins "
    "with a letter, a digit or ("
)
_SIGNS: Final = r"""!"#$%*,/;<>@\[\\\]^`{|}~"""  # of ASCII, none of which is in a name
_IGNORABLE: Final = (  # Unicode's Default_Ignorable_Code_Point: nothing is shown for them
    r"\xad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    r"\ufeff\uffa0\ufff0-\ufff8"
)
_IGNORABLE_BEYOND: Final = (
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # ignorable, too; JSON Schema has no \U
)
_BLANKS: Final = r" \u1680\u2800"  # those that NFKC leaves; the last one is Braille's
_UNSEEN: Final = (  # controls, other blanks, signs that turn the direction of text round or have no width, surrogates
    rf"{_IGNORABLE}\x00-\x1f\x7f-\xa0\u0600-\u0605\u06dd\u070f\u1680\u2000-\u200a\u2028-\u2029\u202f\u205f\u2800\u3000"
    r"\ud800-\uf8ff\ufff9-\uffff"
)
_NOT_FIRST: Final = r" ._:+?=&)'\-"

BotName = Annotated[
    str,
    Meta(
        pattern=rf"^(?![{_NOT_FIRST}])[^{_SIGNS}{_UNSEEN}]{{1,{MAX_CHARACTERS}}}\Z",
        extra={ALLOWED: NAME_RULE},
    ),
]

LEFT_TO_RIGHT_MARK: Final = "\u200e"  # the data have it around letters that are written from right to left


def clean_name(text: str) -> str:
    """Return a name by NFKC, without what readers cannot see: default-ignorable code points, blanks but single ones."""
    seen = normalize("NFKC", re.sub(f"[{_IGNORABLE}{_IGNORABLE_BEYOND}]", "", normalize("NFKC", text)))
    return re.sub(f"[{_BLANKS}]+", " ", seen).strip(" ")


def make_bot_name(text: str) -> str:
    """Return a text as a bot may be called: cleaned, and with "-" in place of what no name has."""
    plain = re.sub(rf"[{_SIGNS}{_UNSEEN}]", "-", clean_name(text))
    return re.sub(rf"^[{_NOT_FIRST}]+", "", plain)[:MAX_CHARACTERS].rstrip(" ") or "bot"


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
    """Return the letters that Unicode's data name, in which each pair is found in both directions."""
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
