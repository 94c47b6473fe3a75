"""Scripts and style sheets of the pages."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

STATIC: Final = files(__name__)
