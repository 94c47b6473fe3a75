"""What a bot may be called."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from pitboss_tournament.text.schema_text import ALLOWED

NAME_RULE: Final = (
    "a string of 1 to 40 letters, digits, blanks and characters of . _ : + ? = & - that begins with a letter or a digit"
)

BotName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._:+?=&-]{0,39}\Z", extra={ALLOWED: NAME_RULE})]
