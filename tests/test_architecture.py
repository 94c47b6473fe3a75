"""Architecture: imports run down the layers and in no circle, and a class name has one meaning."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

from tests import ROOT

SOURCES: Final = (
    "core",
    "engines",
    "house_bots",
    "tournament",
    *sorted(f"plugins/{path.name}" for path in (ROOT / "plugins").iterdir()),
)
FOLDERS: Final = ("core", "engines", "house_bots", "tournament", "plugins", "tests", "bench", "bots", "docs")
LAYERS: Final[dict[str, tuple[str, ...]]] = {
    "pitboss": (
        "api errors moved_modules", "foreign_input text", "table", "determinization rendering",
        "outcome options action_range", "loadouts", "game", "open_actions", "simulation moments table_game", "protocol",
        "records", "schema", "plugins", "parts", "bot", "inference", "foreign",
        "learning", "testing",
    ),
    "pitboss_tournament": (
        "text", "plan", "statistics", "models", "processes", "store", "counting", "results formats",
        "config html match", "rounds", "audit", "running",
        "exchange", "reask reporting", "web simulation", "play study", "authoring", "bot_checks doctor",
        "cluster rungs", "league", "arena", "showing", "comparison_queue", "cli", "built_in",
    ),
}  # fmt: skip


MAX_PAGE_WORDS: Final = 1_500  # of ARCHITECTURE.md
GAME_MODULES: Final = {"__init__", "bot", "game", "messages", "presentation", "state"}  # of each game
MODULES_OF_SOME: Final = {  # what games have beside these, by one name for one subject
    "cards": "the pack, where more than the state knows it",
    "rules": "what happens at the table, of a game whose state would be too long with it",
    "scoring": "what cards, tricks or deals count",
    "strategy": "how the bot judges its cards",
}
OWN_MODULES: Final[dict[str, set[str]]] = {
    "bridge": {
        "bidding", "card_play", "foreign_board", "lin_reading", "pbn", "pbn_deal", "pbn_reading", "pbn_results",
        "untold_hands",
    },
    "dou_dizhu": {"combinations"},
    "fireworks": {"conventions", "hanab_reading", "knowledge", "literal_bot"},
    "lucky_maker": {"trick"},
    "poker": {"acpc_log", "draw_plugin", "equilibrium", "equilibrium_bot", "solver", "stud_plugin"},
    "racko": {"rack"},
    "ragamaru": {"effects", "field", "phases", "plays"},
    "rummy": {"melds"},
}  # fmt: skip


def module_name(file: Path, source: str) -> str:
    """Return the dotted name of a file below a source folder."""
    return ".".join(file.relative_to(ROOT / source).with_suffix("").parts)


FILES: Final = {
    module_name(file, source): file
    for source in SOURCES
    for file in (ROOT / source).rglob("*.py")
    if "templates" not in file.parts
}


@cache
def parse(file: Path) -> ast.Module:
    """Return the tree of a file's statements."""
    return ast.parse(file.read_bytes())


@cache
def walk(file: Path) -> list[ast.Import | ast.ImportFrom | ast.ClassDef]:
    """Return the imports and classes anywhere in a file."""
    return [node for node in ast.walk(parse(file)) if isinstance(node, ast.Import | ast.ImportFrom | ast.ClassDef)]


def imported_names(file: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports anywhere in it, each as far as its import says."""
    for node in walk(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module or '.'}.{alias.name}" for alias in node.names)


def imported_modules(name: str) -> set[str]:
    """Return the modules of this repository that a module imports anywhere, for types too."""
    modules = set()
    for full in imported_names(FILES[name]):
        package = full.rpartition(".")[0]
        candidates = (full, f"{full}.__init__", package, f"{package}.__init__")
        modules |= {next((candidate for candidate in candidates if candidate in FILES), name)}
    return modules - {name}


@cache
def draw_arrows() -> dict[str, set[str]]:
    """Return for each module of this repository those that it imports."""
    return {name: imported_modules(name) for name in FILES}


def test_the_page_of_the_architecture() -> None:
    """ARCHITECTURE.md is short, and its tree has each folder of core and tournament."""
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    folders = [file.parent.name for package in LAYERS for file in ROOT.glob(f"*/{package}/*/__init__.py")]

    assert len(page.split()) <= MAX_PAGE_WORDS
    assert [name for name in folders if not re.search(rf"^  (?:\w+ )*{name}/", page, re.MULTILINE)] == []


def sibling_graph(package: str) -> dict[str, set[str]]:
    """Return for each child of a package the children that it imports from."""
    depth = len(package.split("."))
    graph = defaultdict[str, set[str]](set)
    for name, targets in draw_arrows().items():
        if name.startswith(f"{package}."):
            child = name.split(".")[depth]
            graph[child] |= {target.split(".")[depth] for target in targets if target.startswith(f"{package}.")} - {
                child
            }
    return dict(graph)


PACKAGES: Final = sorted({name.rpartition(".")[0] for name in FILES})


def find_cycles() -> list[str]:
    """Return a cycle for each package whose children import each other in a circle."""
    cycles = []
    for package in PACKAGES:
        try:
            TopologicalSorter(sibling_graph(package)).prepare()
        except CycleError as error:
            cycles.append(f"{package}: {' <- '.join(error.args[1])}")
    return cycles


def find_upward_arrows() -> list[str]:
    """Return the imports that run up the layers, or between two that share one."""
    upward = []
    for package, layers in LAYERS.items():
        rank = {child: number for number, layer in enumerate(layers) for child in layer.split()} | {
            "__init__": len(layers)
        }
        for name, targets in sorted(draw_arrows().items()):
            for target in sorted(targets):
                if name.startswith(f"{package}.") and target.startswith(f"{package}."):
                    child, other = name.split(".")[1], target.split(".")[1]
                    if child != other and (child not in rank or other not in rank or rank[other] >= rank[child]):
                        upward.append(f"{name} -> {target}")
    return upward


def has_shared_names(file: Path) -> bool:
    """Tell whether the class names of a file need not be unique: it is a game's messages, a template or a zoo bot.

    The messages of a part of games (`core/pitboss/parts`) are those of the games that stand on it.
    """
    relative = file.relative_to(ROOT).as_posix()
    is_game_file = not relative.startswith("core/") or relative.startswith("core/pitboss/parts/")
    is_message_file = file.name == "messages.py" and is_game_file
    is_other_program = relative.startswith("tests/bots/zoo/") or {"templates", "build"} & set(file.parts)
    return is_message_file or bool(is_other_program) or any(part.startswith(".") for part in Path(relative).parts)


def find_repeated_classes() -> list[str]:
    """Return the class names that are defined at more than one place."""
    places = defaultdict[str, list[str]](list)
    for file in (file for folder in FOLDERS for file in sorted((ROOT / folder).rglob("*.py"))):
        if not has_shared_names(file):
            for node in walk(file):
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(f"{file.relative_to(ROOT)}:{node.lineno}")
    return [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]


def distribution_of(file: Path) -> str:
    """Return the distribution that a file belongs to: a plugin, or Pitboss itself."""
    first, second, *_ = file.relative_to(ROOT).parts
    return second if first == "plugins" else "pitboss"


def list_names(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the public functions and constants that a file defines, each with what it is defined as.

    Names with a meaning of their own everywhere are left out: hooks, `main`, the functions of commands, type variables.
    """
    for node in parse(file).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name != "main" and not node.name.startswith(("_", "pitboss_")) and "cli" not in file.parts:
                yield node.name, ast.dump(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and target.id.isupper() and target.id[0] != "_" and len(target.id) > 1:
                    yield target.id, ast.dump(node.value)


def find_names_with_two_meanings() -> list[str]:
    """Return the functions and constants that a distribution defines at two places as different things."""
    places = defaultdict[tuple[str, str], dict[str, list[str]]](lambda: defaultdict(list))
    for file in FILES.values():
        if file.name != "messages.py":
            for name, meaning in list_names(file):
                places[distribution_of(file), name][meaning].append(file.relative_to(ROOT).as_posix())
    return [
        f"{name}: {', '.join(where for one in meanings.values() for where in one)}"
        for (_, name), meanings in sorted(places.items())
        if len(meanings) > 1
    ]


def find_zone_kind_branches() -> list[str]:
    """Return the modules that ask for the kind of a zone, and not for what follows from it (`Zone.hides_places`)."""
    return [name for name, file in FILES.items() if re.search(r"\bis (not )?ZoneKind\.", file.read_text("utf-8"))]


def find_two_words_for_one() -> list[str]:
    """Return constants whose names begin with a word for which another is used here: MAX_ and MIN_."""
    return [
        f"{file.relative_to(ROOT)}: {name}"
        for file in FILES.values()
        for name, _ in list_names(file)
        if name.startswith(("MOST_", "LEAST_", "FEWEST_"))
    ]


def test_no_imports_in_a_circle() -> None:
    """The children of each package can be put in an order in which each imports only from those before it."""
    assert find_cycles() == []


def test_no_import_runs_upward() -> None:
    """Each folder imports only from the layers below its own, `TYPE_CHECKING` imports included."""
    assert find_upward_arrows() == []


def test_a_class_name_has_one_meaning() -> None:
    """A class name is defined at one place in the whole repository."""
    assert find_repeated_classes() == []


def test_a_function_and_a_constant_have_one_meaning() -> None:
    """Within a distribution a name is not defined as two different things."""
    assert find_names_with_two_meanings() == []


def test_one_word_for_one_thing() -> None:
    """The greatest and the smallest of something are MAX_ and MIN_."""
    assert find_two_words_for_one() == []


def test_zones_tell_what_follows_from_their_kind() -> None:
    """Only the module of zones compares kinds; a picture may differ for each."""
    assert find_zone_kind_branches() == ["pitboss.table.zones"]


def test_games_have_the_same_modules() -> None:
    """Each game has GAME_MODULES, with its one state in `state`; what it has beside has a name that is listed."""
    modules = {
        folder.name: {file.stem for file in folder.glob(f"pitboss_{folder.name}/*.py")}
        for folder in (ROOT / "plugins").iterdir()
    }
    states = [name for name, file in FILES.items() if re.search(r"^class \w+State\(", file.read_text("utf-8"), re.M)]

    assert {game: GAME_MODULES - names for game, names in modules.items() if not names >= GAME_MODULES} == {}
    assert {
        game: beside
        for game, names in modules.items()
        if (beside := names - GAME_MODULES - {*MODULES_OF_SOME} - OWN_MODULES.get(game, set()))
    } == {}
    assert {game: names for game, names in OWN_MODULES.items() if not names <= modules[game]} == {}
    framework = ("pitboss.", "pitboss_engines.", "pitboss_tournament.")
    assert sorted(name for name in states if not name.startswith(framework)) == sorted(
        f"pitboss_{game}.state" for game in modules
    )


if __name__ == "__main__":
    findings = (find_cycles, find_upward_arrows, find_repeated_classes, find_names_with_two_meanings)
    for finding in (one for find in (*findings, find_two_words_for_one) for one in find()):
        print(finding)
