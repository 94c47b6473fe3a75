"""Scripts as one: a module with all that it imports, for a page that is a single file."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

from pitboss_tournament.web.static import STATIC

_IMPORT: Final = re.compile(r'^import \{[^}]*\} from "\./(\w+\.js)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)
_LAYOUT: Final = re.compile(r"^[ \t]*(/\*\*.*?\*/\n|//[^\n]*\n|\n)?", re.MULTILINE | re.DOTALL)


def bundle_script(name: str) -> str:
    """Return a script after the scripts that it imports, each once, as one module without imports.

    All their names share one scope, so that no two of the scripts may use one name. Comments that fill lines are left
    out, and so are indents: no text within a script may have lines of its own.
    """
    texts: dict[str, str] = {}
    _collect_scripts(name, texts)
    return _LAYOUT.sub("", "".join(texts.values()))


def _collect_scripts(name: str, texts: dict[str, str]) -> None:
    text = (STATIC / name).read_text("utf-8")
    for needed in _IMPORT.findall(text):
        if needed not in texts:
            _collect_scripts(needed, texts)
    texts[name] = _EXPORT.sub("", _IMPORT.sub("", text))


def hash_source(text: str) -> str:
    """Return what a content security policy calls an inline script or style that it allows."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
