"""Text for messages and screens: lists of words, counts, hints at names, lines of a given width."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

MAX_FOREIGN_TEXT: Final = 2_000  # characters of what foreign code says
MIN_PART: Final = 3  # letters of a part of a word by which the word is suggested

# control and direction characters, which do something to a terminal; JSON may have some of them unescaped
_UNSAFE: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def join_words(items: Iterable[object], last: str = "or") -> str:
    """Return the items as a sentence lists them: "2, 3 or 4"."""
    words = [str(item) for item in items]
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def format_count(number: int, noun: str) -> str:
    """Return "1 game", "1,000 games"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def suggest_nearest(word: str, known: Iterable[str]) -> str:
    """Return " (did you mean …?)" with the known word that is nearest to `word`, or has it as a part; "" if none is."""
    words = list(known)
    nearest = difflib.get_close_matches(word, words, 1)
    if not nearest and len(word) >= MIN_PART:
        nearest = [one for one in words if word.lower() in one]
    return f" (did you mean {nearest[0]!r}?)" if nearest else ""


def truncate_text(text: str, width: int) -> str:
    """Return a text of at most `width` characters; one that was cut ends in "…"."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def wrap_words(words: Iterable[str], gap: str, width: int) -> list[str]:
    """Return words in lines of at most `width` characters, `gap` between two words; no word is broken."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(gap) + len(word.rstrip()) <= width:
            lines[-1] += gap + word
        else:
            lines.append(word)
    return [line.rstrip() for line in lines]


def describe_exception(error: BaseException) -> str:
    """Return the class and the text of an exception of foreign code, in one line that is safe to print."""
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException as second:  # noqa: BLE001 - the border to foreign code
        text = f"its text cannot be made ({type(second).__name__})"
    return make_safe_line(f"{type(error).__name__}: {text}")


def make_safe_line(text: str) -> str:
    """Return a text of foreign code as one line of bounded length, with control and direction characters escaped."""
    return truncate_text(escape_json(" ".join(text.split())), MAX_FOREIGN_TEXT)


def escape_json(text: str) -> str:
    """Return the same JSON value with control and direction characters escaped by their numbers."""
    return _UNSAFE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
