"""Words that replace names in texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

NOT_IN_A_WORD: Final = r"(?<![^\W_]){}(?![^\W_])"  # no letter or digit before or behind it


class Redaction:
    """Names, each with the words that replace it. Capital letters make no difference."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = {name.casefold(): other for name, other in names.items() if name}
        longest_first = sorted(self._names, key=len, reverse=True)
        words = "|".join(map(re.escape, longest_first)) or r"(?!)"
        self._pattern = re.compile(NOT_IN_A_WORD.format(f"(?:{words})"), re.IGNORECASE)

    def is_named_in(self, text: str) -> bool:
        """Whether a text has one of the names as a word."""
        return self._pattern.search(text) is not None

    def redact(self, text: str) -> str:
        """Return a text with other names."""
        return self._pattern.sub(lambda found: self._names[found[0].casefold()], text)

    def redact_bytes(self, text: bytes) -> bytes:
        """Return a text in UTF-8, or bytes that are no such text, with other names."""
        return self.redact(text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
