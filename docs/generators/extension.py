"""The Sphinx extension: writes the generated pages into `docs/generated/` before Sphinx reads, and rewrites links."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from docs.generators import command_reference, game_pages, llms, protocol_reference, python_reference
from docs.generators.markdown import block, join_parts, rewrite_links
from sphinx.application import Sphinx

from pitboss.plugins.registry import Registry
from pitboss_tournament.cli.registry import load_registry

ROOT: Final = Path(__file__).resolve().parents[2]
GENERATED: Final = "generated"
PAGE_OF_SOURCE: Final = {  # what a link leads to on a forge, and the page that is made from it
    "bots": "example-bots",
    "bots/README.md": "example-bots",
    "core/pitboss": "python",
    "core/pitboss/protocol/messages.py": "protocol-reference",
    "core/pitboss/protocol/faults.py": "protocol-reference",
    "plugins": "games",
    "tournament/pitboss_tournament/cli": "commands",
}


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions of this module to Sphinx's events."""
    app.connect("builder-inited", _write_pages)
    app.connect("source-read", _rewrite_links)
    app.connect("autodoc-process-docstring", _rewrite_docstring)
    app.connect("autodoc-skip-member", _skip_member)
    app.connect("build-finished", _write_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def render_pages(registry: Registry) -> dict[str, str]:
    """Return the generated pages by name."""
    made = {
        "protocol-reference": protocol_reference.render_page(list(registry.games.values())),
        "commands": command_reference.render_page(),
        "python": python_reference.render_page(),
        "games": _render_game_list(registry),
    }
    moved, plugins = _map_pages(registry), registry.list_distributions("pitboss_games")
    for name, game in registry.games.items():
        rules = f"rules-{name}.md"
        made[f"game-{name}"] = game_pages.render_page(
            game, plugins[name], rules if f"{GENERATED}/{rules}" in moved.values() else None
        )
    for path, page in moved.items():
        if path.endswith(".md"):
            text = (ROOT / path).read_text(encoding="utf-8")
            made[Path(page).stem] = rewrite_links(text, path, page, moved, python_reference.MODULES)
    return made


def _map_pages(registry: Registry) -> dict[str, str]:
    """Return the page in docs/ for each file and folder outside docs/ that has one."""
    found = {path: f"{GENERATED}/{page}.md" for path, page in PAGE_OF_SOURCE.items()}
    for name, game in registry.games.items():
        rules = game_pages.find_rule_book(game, ROOT / "plugins")
        if rules is not None and rules.is_relative_to(ROOT):
            path = rules.relative_to(ROOT)
            found[path.parent.as_posix()] = f"{GENERATED}/game-{name}.md"
            found[path.as_posix()] = f"{GENERATED}/rules-{name}.md"
    return found


def _render_game_list(registry: Registry) -> str:
    rows = [f"* [{game.title}](game-{name}.md)" for name, game in registry.games.items()]
    tree = block(":hidden:\n\n" + "\n".join(f"game-{name}" for name in registry.games), "{toctree}")
    about = (
        "Every installed game has a page: its options, what a bot may do and what it is shown; "
        "each leads to its rule book."
    )
    return join_parts(["# The games", about, "\n".join(rows), tree])


def _write_pages(app: Sphinx) -> None:
    folder = Path(app.srcdir) / GENERATED
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / ".gitignore").write_text("*\n")
    for name, text in render_pages(load_registry()).items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def _write_texts(app: Sphinx, error: Exception | None) -> None:
    """Write llms.txt and llms-full.txt beside the built pages, from the pages as Sphinx has read them."""
    if error is not None or app.builder.format != "html":
        return
    moved, pages = _map_pages(load_registry()), dict[str, str]()
    for name in app.project.docnames:
        text = Path(app.srcdir, f"{name}.md").read_text(encoding="utf-8")
        is_made = name.startswith(GENERATED)
        pages[name] = (
            text if is_made else rewrite_links(text, f"docs/{name}.md", f"{name}.md", moved, python_reference.MODULES)
        )
    (Path(app.outdir) / "llms.txt").write_text(llms.render_list(pages["index"]), encoding="utf-8")
    (Path(app.outdir) / "llms-full.txt").write_text(llms.render_all(pages), encoding="utf-8")


def _rewrite_links(app: Sphinx, page: str, source: list[str]) -> None:
    if not page.startswith(GENERATED):
        source[0] = rewrite_links(
            source[0], f"docs/{page}.md", f"{page}.md", _map_pages(load_registry()), python_reference.MODULES
        )


def _rewrite_docstring(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:
    comment = python_reference.find_field_comment(name) if what == "attribute" and not any(lines) else ""
    lines[:] = python_reference.convert_to_rst([comment] if comment else lines)


def _skip_member(app: Sphinx, what: str, name: str, thing: object, is_skipped: bool, options: object) -> bool | None:
    """Leave out the constructors of protocols: nobody calls them."""
    return True if name == "__init__" and "_no_init" in getattr(thing, "__qualname__", "") else None
