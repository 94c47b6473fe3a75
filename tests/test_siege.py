"""Each door has a row in the siege, and each row names attacks and a page that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import get_args

from pitboss_tournament.exchange.importers import IMPORTERS, list_own_importers
from pitboss_tournament.league.site.editor_pages import EDITOR_PATH
from pitboss_tournament.league.site.league_app import UPLOAD_PATH
from pitboss_tournament.plan.plan import SANDBOX_LEVELS
from pitboss_tournament.processes.start_errors import VoidCause
from tests import ROOT
from tests.plugins import load_registry
from tests.soak.siege import PROMISES, list_attacks

LEAGUE_CODE = ROOT / "tournament/pitboss_tournament/league"
ROUTE = re.compile(r'Route\(f?"([^"]+)", [\w.]+, methods=\["(\w+)"\]')


def list_routes() -> list[str]:
    """Return the routes of a league that take something, with their methods."""
    found = [route for path in LEAGUE_CODE.rglob("*.py") for route in ROUTE.findall(path.read_text(encoding="utf-8"))]
    names = {"{UPLOAD_PATH}": UPLOAD_PATH, "{EDITOR_PATH}": EDITOR_PATH, "{{": "{", "}}": "}"}
    return [
        f"{method} {re.sub('|'.join(map(re.escape, names)), lambda m: names[m[0]], path)}" for path, method in found
    ]


def test_each_door_has_a_row() -> None:
    """Each level of the sandbox, cause of a void game, route of a league and kind of import has a row."""
    levels = [f"level {level}" for level in SANDBOX_LEVELS]
    voids = [f"void {cause}" for cause in (*get_args(VoidCause), "distrusted", "rejudged")]
    formats = [*(one.name for one in IMPORTERS), *list_own_importers(load_registry())]
    routes = list_routes()

    assert "PUT /api/submissions/{name}" in routes
    doors = {*levels, *voids, *routes, *(f"import {name}" for name in formats)}
    assert {door for promise in PROMISES for door in promise.doors} == doors


def test_attacks_and_pages_are_there() -> None:
    """The attacks and pages that the table names are there: a renamed test or heading is missed here, not by the
    table's reader.
    """
    for attack in list_attacks(PROMISES):
        file, _, function = attack.partition("::")
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        tests = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
        assert not function or function in tests, attack
    for promise in PROMISES:
        page, _, heading = promise.page.partition("#")
        titles = re.findall(r"(?m)^#+ (.+)$", Path(ROOT, "docs", page).read_text(encoding="utf-8"))
        assert heading in [re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles], promise.page
