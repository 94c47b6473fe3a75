"""The rule book that lies in the project of a game, as it is now: an installed distribution may have an older one."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from pitboss.errors import PitbossError
from pitboss.foreign_input import read_toml
from pitboss.game import AnyGame
from pitboss.plugins.hookspec import PROJECT

PROJECT_FILE: Final = "pyproject.toml"


def read_project_rule_book(game: AnyGame) -> str:
    """Return the readme of the project in which the module of a game lies; "" if there is none."""
    module = type(game).__module__
    file = getattr(sys.modules.get(module), "__file__", None)
    for folder in Path(file).resolve().parents[:2] if file else ():
        with suppress(OSError, ValueError, PitbossError):  # no TOML is a ValueError, as is no UTF-8
            project = read_toml((folder / PROJECT_FILE).read_text(encoding="utf-8")).get("project", {})
            if _offers(project, module.partition(".")[0]):
                return (folder / _find_readme(project)).read_text(encoding="utf-8")
    return ""


def _offers(project: Any, package: str) -> bool:  # noqa: ANN401 - whatever a file says
    """Whether a project has a plugin in a module or package of the top level."""
    entries = project.get("entry-points", {}).get(PROJECT, {}) if isinstance(project, dict) else {}
    return any(str(value).replace(":", ".").partition(".")[0].strip() == package for value in entries.values())


def _find_readme(project: dict[str, Any]) -> str:
    readme = project.get("readme", "")
    return str(readme.get("file", "") if isinstance(readme, dict) else readme)
