"""axe-core on a page in Chromium: what would keep somebody from using it. The script comes from a package of PyPI."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from tests.browser.chromium import Page

SERIOUS: Final = ("serious", "critical")
RUN: Final = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations.map(one => [
    one.impact,
    `${one.id}: ${one.help}: `
        + one.nodes.slice(0, 3).map(node => `${node.html.slice(0, 200)} ${node.any[0]?.message ?? ''}`),
]))"""


def find_violations(page: Page) -> list[str]:
    """Return the violations that are serious, each with elements. Where the package is not installed the test is
    skipped.
    """
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        pytest.skip("axe-playwright-python is not installed")
    if not page.run("typeof axe === 'object'"):
        page.run(f"{(Path(package.origin).parent / 'axe.min.js').read_text('utf-8')};0")
    return [what for impact, what in page.run(RUN) if impact in SERIOUS]


def set_scheme(page: Page, scheme: str) -> None:
    """Let a page be light or dark, with nothing that moves."""
    wanted = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    features = [{"name": name, "value": value} for name, value in wanted.items()]
    page.call("Emulation.setEmulatedMedia", features=features)
