"""What is promised to plugins: the page of public names, modules that have moved, the version of the contract."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from docs.generators import api_page, python_reference

from pitboss import __version__
from pitboss.api import LEVELS
from pitboss.moved_modules import MOVED
from pitboss.plugins.hookspec import API_VERSION
from pitboss.plugins.registry import Registry
from tests import ROOT

TEMPLATES = ROOT / "tournament/pitboss_tournament/templates/games"
AUTHORED = [
    file
    for folder in (TEMPLATES, ROOT / "examples/plugins", ROOT / "examples/engines")
    for file in folder.rglob("*.py")
]
PROMISING = {module.partition(".")[0] for module in LEVELS}


def read_version(text: str) -> tuple[int, ...]:
    """Return a version as numbers."""
    return tuple(map(int, text.split(".")))


def test_the_page_is_true() -> None:
    """docs/api.md names what the modules have: whoever adds or removes a public name writes the page again."""
    page = api_page.PAGE.read_text(encoding="utf-8")

    assert page == api_page.render_page(), "python -m docs.generators.api_page writes it; CHANGELOG.md tells a removal"


def test_the_reference_has_each_module() -> None:
    """The Python reference describes the modules that are promised, and no others."""
    assert {*python_reference.MODULES} == {*LEVELS} - {"pitboss", "pitboss.api"}


@pytest.mark.parametrize("file", AUTHORED, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_examples_keep_to_the_page(file: Path) -> None:
    """What templates and examples import is promised, so that a game that begins there does not rest on internals."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PROMISING:
            assert node.module in LEVELS, node.module
            names = {alias.name for alias in node.names}
            assert names <= {*api_page.list_public(str(node.module))}, (node.module, names)


@pytest.mark.parametrize("old", MOVED)
def test_a_module_that_has_moved(old: str) -> None:
    """The old name works, and warns where the module is now, until the version that is named."""
    sys.modules.pop(old, None)
    with pytest.warns(DeprecationWarning, match=f"^{old} has moved to {MOVED[old].place}: import that; "):
        module = importlib.import_module(old)
    new = importlib.import_module(MOVED[old].place)

    assert all(getattr(module, name) is getattr(new, name) for name in api_page.list_public(MOVED[old].place))
    assert read_version(__version__) < read_version(MOVED[old].until), f"remove {old} from MOVED"


def test_a_module_that_is_nowhere() -> None:
    """A module that is neither there nor moved is missing as ever."""
    with pytest.raises(ModuleNotFoundError, match=r"pitboss\.nowhere"):
        importlib.import_module("pitboss.nowhere")


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (API_VERSION, None),
        (
            API_VERSION + 1,
            f"needs version {API_VERSION + 1} of the plugin contract (pitboss_api), and this Pitboss has",
        ),
        ("2", "its pitboss_api is '2'; it must be the version of the plugin contract, from 1 on"),
        (0, "its pitboss_api is 0; it must be the version of the plugin contract, from 1 on"),
    ],
)
def test_the_version_of_the_contract(
    wanted: object, reason: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plugin that needs a later contract is left out, in a sentence; one that says nothing needs the first."""
    (tmp_path / "later_plugin.py").write_text(
        "from pitboss.plugins.hookspec import hookimpl\n"
        f"pitboss_api = {wanted!r}\npitboss_games = hookimpl(lambda: [])\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "later_plugin", raising=False)

    broken = Registry([EntryPoint("later", "later_plugin", "pitboss")]).broken_plugins

    assert (reason is None) == (not broken)
    assert all((reason or "") in one.reason for one in broken)


@pytest.mark.once
def test_an_author_sees_the_warning(tmp_path: Path) -> None:
    """Tests with warnings as errors fail where the author's own module imports an old name, by its line."""
    (tmp_path / "old_game.py").write_text("import pitboss\nfrom pitboss.packs import rank_of\n")
    command = [sys.executable, "-W", "error::DeprecationWarning:old_game", "-c", "import old_game"]

    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert ran.returncode == 1
    assert 'old_game.py", line 2' in ran.stderr
    assert "pitboss.packs has moved to pitboss.plugins.packs" in ran.stderr
