"""The game of `pitboss new game --kind betting` as a module: a small game whose legal lists hold ranges."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any, Final

from tests import ROOT

SOURCE: Final = ROOT / "tournament" / "pitboss_tournament" / "templates" / "games" / "betting" / "newgame.py"


def load_betting_module() -> Any:  # noqa: ANN401 - a template, which is no part of a package
    """Return the module of the template."""
    name = "betting_template"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, SOURCE)
        assert spec is not None and spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]
