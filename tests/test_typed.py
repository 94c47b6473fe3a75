"""Every package that is installed says that it is typed, so that `mypy --strict` accepts what is built on it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def test_packages_are_typed() -> None:
    """`tox -e types` runs mypy on a plugin and a bot against the built wheel."""
    packages = [*ROOT.glob("*/pitboss*/__init__.py"), *ROOT.glob("plugins/*/pitboss_*/__init__.py")]

    assert len(packages) >= 8
    assert [path.parent.name for path in packages if not (path.parent / "py.typed").is_file()] == []
