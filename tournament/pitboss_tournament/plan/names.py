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
_UNSEEN: Final = (  # controls, other blanks, signs that turn the direction of text round or have no width, surrogates
    r"\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000"
    r"\ud800-\uf8ff\ufe00-\ufe0f\ufeff\ufff0-\uffff"
)
_NOT_FIRST: Final = r" ._:+?=&)'\-"

BotName = Annotated[
    str,
    Meta(
        pattern=rf"^(?![{_NOT_FIRST}])[^{_SIGNS}{_UNSEEN}]{{1,{MAX_CHARACTERS}}}\Z",
        extra={ALLOWED: NAME_RULE},
    ),
]


def make_bot_name(text: str) -> str:
    """Return a text as a bot may be called: what no name has is replaced by "-"; the same letters are the same name."""
    plain = re.sub(rf"[{_SIGNS}{_UNSEEN}]", "-", normalize("NFC", text))
    return re.sub(rf"^[{_NOT_FIRST}]+", "", plain)[:MAX_CHARACTERS] or "bot"
