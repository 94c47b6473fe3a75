"""Magpie, the game of the tests, for this process and for those that it starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from pitboss.plugins.registry import Registry

PACKAGE: Final = Path(__file__).with_name("magpie")
METADATA: Final = Path(__file__).with_name("magpie_entry")  # apart, so that this process does not see it as installed

if str(PACKAGE) not in sys.path:
    sys.path.append(str(PACKAGE))


def load_registry() -> Registry:
    """Return the registry of all installed plugins and Magpie."""
    return Registry([*entry_points(group="pitboss"), EntryPoint("magpie", "pitboss_magpie.magpie", "pitboss")])


@contextmanager
def magpie_installed() -> Iterator[None]:
    """Let the processes that are started meanwhile find Magpie among the installed plugins."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(PACKAGE), str(METADATA), *filter(None, [before])])
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
