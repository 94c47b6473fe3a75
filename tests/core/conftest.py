"""Plugins written by a test: modules that are forgotten at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pitboss.plugins.registry import Registry

PluginInstaller = Callable[..., Registry]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[PluginInstaller]:
    """Write plugins, each a module of its own, and return the registry of them, in the order given."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def install_plugins(**sources: str) -> Registry:
        for name, source in sources.items():
            (tmp_path / f"plugin_{name}.py").write_text(source)
        return Registry([EntryPoint(name, f"plugin_{name}", "pitboss") for name in sources])

    yield install_plugins
    for name in set(sys.modules) - before:
        del sys.modules[name]
