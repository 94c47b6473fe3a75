"""What a bot may be called."""

from __future__ import annotations

import re
from typing import Annotated, Final
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
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # likewise; JSON Schema has no \U
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


def clean_name(text: str) -> str:
    """Return a name by NFKC, without what readers cannot see: default-ignorable code points, blanks but single ones."""
    seen = normalize("NFKC", re.sub(f"[{_IGNORABLE}{_IGNORABLE_BEYOND}]", "", normalize("NFKC", text)))
    return re.sub(f"[{_BLANKS}]+", " ", seen).strip(" ")


def make_bot_name(text: str) -> str:
    """Return a text as a bot may be called: cleaned, and with "-" in place of what no name has."""
    plain = re.sub(rf"[{_SIGNS}{_UNSEEN}]", "-", clean_name(text))
    return re.sub(rf"^[{_NOT_FIRST}]+", "", plain)[:MAX_CHARACTERS].rstrip(" ") or "bot"
