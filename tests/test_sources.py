"""The sources as others use them: packages that are typed, and tests that run with pytest alone."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import pytest

import pitboss
from pitboss.foreign_input import read_json
from pitboss.table.zones import ZoneKind
from tests import ROOT

SOURCES: Final = ("core", "tournament", "plugins", "engines", "house_bots", "adapters")
SCRIPTS: Final = ROOT / "tournament/pitboss_tournament/web/static"

PRONOUN_IN_FRONT: Final = re.compile(
    r'def (test_\w+)\([^"]*?\) -> None:\n +"""(?:It|Its|They|Their|Theirs|Them|He|His|Him|She|Her|Hers)\b'
)

BARE_DECODERS: Final = ("json.load", "json.loads", "json.JSONDecoder", "tomllib.load", "tomllib.loads")
BARE_DECODERS_OF_MSGSPEC: Final = tuple(
    f"msgspec.{kind}.{name}" for kind in ("json", "msgpack", "toml", "yaml") for name in ("decode", "Decoder")
)
OWN_BYTES: Final = {  # files that decode what Pitboss itself has written, or bytes that are bounded elsewhere
    "core/pitboss/foreign_input.py": "the bounded reader",
    "engines/pitboss_engines/process_engine.py": "lines of a program: 1 MiB at most, on the path of each decision",
    "core/pitboss/protocol/connection.py": "lines of a bot: 64 KiB at most, on the path of each decision",
    "house_bots/pitboss_house_bots/": "a bot, that the runner talks to; its own bot.toml",
    "plugins/poker/pitboss_poker/equilibrium.py": "a file of the package",
    "tournament/pitboss_tournament/audit/store_audit.py": "a field of the store, unpacked within bounds",
    "tournament/pitboss_tournament/bot_checks/scripted_table.py": "lines that the check has written",
    "tournament/pitboss_tournament/cluster/travelling_bots.py": "a file of the cache",
    "tournament/pitboss_tournament/cluster/bot_trial.py": "the answer of a process of its own",
    "tournament/pitboss_tournament/comparison_queue/queue_folder.py": "files of the queue",
    "tournament/pitboss_tournament/config/toml_file.py": "a key of a text that was read",
    "tournament/pitboss_tournament/doctor/": "the answer of a process of its own",
    "tournament/pitboss_tournament/formats/ladder.py": "its part of a checkpoint",
    "tournament/pitboss_tournament/league/book.py": "a database of the league",
    "tournament/pitboss_tournament/league/validat": "lines between the league and its validator",
    "tournament/pitboss_tournament/league/workshop/": "a database of the league, and lines between it and its trials",
    "tournament/pitboss_tournament/play/journal.py": "the journal of a game",
    "tournament/pitboss_tournament/counting/kept": "findings and checkpoints that a store keeps",
    "tournament/pitboss_tournament/running/": "lines between the processes of a run",
    "tournament/pitboss_tournament/store/": "a store, whose texts are unpacked within bounds",
    "tournament/pitboss_tournament/templates/": "programs of authors",
    "tournament/pitboss_tournament/web/": "types that are prepared, and pages of its own",
}

PROSE: Final = (*SOURCES, "bots", "examples", "docs", "README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md")
BANNED_PHRASES: Final = {  # phrases that make a reader guess, each with what to write instead
    r"so many": "the noun, or the name of the parameter",
    r"anew": "again, or a verb with re-: rebuild, redraw, recompute",
    r"(?:did|does) wrong": "commit a fault",
    r"likewise": "the sentence again",
    r"takes? it that": "assume",
    r"(?:is|are) not waited for": "the subject that does not wait",
    r"in good order": "cleanly",
    r"comes? out otherwise": "differ",
    r"that (?:is|are) (?-i:none)": "false, invalid, or no",
    r"be (?-i:none)": "lack, or no",
    r"stands in (?:a|an|it|its|the|their)": "contain, name or record, with a subject",
    r"told apart": "differ, distinguished, or a proven difference",
    r"by no bot's": "without a fault of a bot",
}


def test_packages_are_typed() -> None:
    """The packages have a `py.typed`; `tox -e types` runs mypy on a plugin and a bot against the built wheel."""
    packages = [*ROOT.glob("*/pitboss*/__init__.py"), *ROOT.glob("plugins/*/pitboss_*/__init__.py")]

    assert len(packages) >= 8
    assert [path.parent.name for path in packages if not (path.parent / "py.typed").is_file()] == []


def test_lines_of_scripts() -> None:
    """No line of a script is longer than 120 columns: the formatter breaks neither comments nor strings."""
    rules = read_json((ROOT / "deno.json").read_bytes(), dict[str, Any])["fmt"]
    found = [path for place in rules["include"] for path in ROOT.glob(place if "*" in place else f"{place}/*.js")]
    lines = [line for path in found for line in path.read_text(encoding="utf-8").splitlines()]

    assert len(found) >= 29
    assert [line for line in lines if len(line) > rules["lineWidth"]] == []


def test_one_script_knows_the_kinds_of_zones() -> None:
    """One script knows each kind of zones, and no other script names one."""
    scripts = {path.name: path.read_text(encoding="utf-8") for path in SCRIPTS.glob("*.js")}
    kinds = {kind.value for kind in ZoneKind}

    assert set(re.findall(r'super\("(\w+)"\)', scripts.pop("zone_kinds.js"))) == kinds
    assert [name for name, text in scripts.items() if any(f'"{kind}"' in text for kind in kinds)] == []


def test_the_changelog_is_by_version() -> None:
    """The newest version is that of the code, and each has its changes under Added, Changed and Fixed only."""
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    versions = [line.removeprefix("## ") for line in lines if line.startswith("## ")]

    assert versions[0].split()[0] == pitboss.__version__
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= {"Added", "Changed", "Fixed"}


def test_foreign_bytes_go_through_the_bounded_reader() -> None:
    """A bare decoder of JSON, TOML or MessagePack stands only where the bytes are Pitboss's own."""
    found = {file: [*find_bare_decoders((ROOT / file).read_text(encoding="utf-8"))] for file in list_sources()}
    bare = {file: uses for file, uses in found.items() if uses}

    assert {file: uses for file, uses in bare.items() if not file.startswith(tuple(OWN_BYTES))} == {}
    assert [place for place in OWN_BYTES if not any(file.startswith(place) for file in bare)] == []


def test_docstrings_of_tests_read_alone() -> None:
    """The docstring of a test begins with its subject, not with a pronoun for the words in the test's name."""
    files = [*(ROOT / "tests").rglob("*.py")]

    assert len(files) > 500
    assert [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in PRONOUN_IN_FRONT.findall(path.read_text(encoding="utf-8"))
    ] == []


@pytest.mark.parametrize(
    ("docstring", "found"),
    [("It is red.", ["test_a_card"]), ("Their cards are red.", ["test_a_card"]), ("Items are red: they shine.", [])],
)
def test_a_pronoun_in_front_of_a_docstring_is_found(docstring: str, found: list[str]) -> None:
    """A pronoun that begins a docstring is found behind parameters of any number; a word like it is not."""
    source = f'@pytest.mark.once\nasync def test_a_card(\n    one: Card,\n) -> None:\n    """{docstring}"""\n'

    assert PRONOUN_IN_FRONT.findall(source) == found


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import json\njson.loads(line)", ["json.loads, line 2"]),
        ("from msgspec.json import Decoder as D\nD(int)", ["msgspec.json.Decoder, line 2"]),
        ("import msgspec as m\nread = m.json.decode", ["msgspec.json.decode, line 2"]),
        ("import msgspec\nmsgspec.json.decode(msgspec.json.encode(value))", []),
        ("from pitboss.foreign_input import read_json\nread_json(line, int)", []),
    ],
)
def test_a_bare_decoder_is_found_by_any_name(source: str, found: list[str]) -> None:
    """A bare decoder is found by any name; a decoder of a value that was just encoded is none."""
    assert [*find_bare_decoders(source)] == found


@pytest.mark.parametrize("phrase", BANNED_PHRASES)
def test_no_text_has_a_banned_phrase(phrase: str) -> None:
    """Sources and pages name the noun, and use the field's word."""
    found = [line for file, text in read_prose().items() for line in find_phrase(phrase, file, text)]

    assert found == [], f"write {BANNED_PHRASES[phrase]}"


def test_a_phrase_is_found_across_lines() -> None:
    """The break of a line hides no phrase, and a longer word is another word."""
    text = "many so\nmany, so  many\n    # as so\n    # many"

    assert [*find_phrase("so many", "page.md", text)] == ["page.md:1", "page.md:2", "page.md:3"]
    assert [*find_phrase("anew", "page.md", "a new Anewton")] == []


@cache
def read_prose() -> dict[str, str]:
    """Return the texts that people read, by file."""
    texts = {}
    for place in PROSE:
        folder = ROOT / place
        for path in sorted(folder.rglob("*") if folder.is_dir() else [folder]):
            file = path.relative_to(ROOT).as_posix()
            is_text = path.suffix in (".py", ".md", ".js", ".toml", ".html") and "/build/" not in file
            if is_text:
                texts[file] = path.read_text(encoding="utf-8")
    return texts


def find_phrase(phrase: str, file: str, text: str) -> Iterator[str]:
    """Yield the file and line of each place where a phrase begins, also where a line breaks within it."""
    gap = r"(?:\s|\"\s*\n\s*f?\"|\n\s*(?:#|//|\*)\s)+"
    for found in re.finditer(r"\b" + phrase.replace(" ", gap) + r"\b", text, re.IGNORECASE):
        yield f"{file}:{text.count(chr(10), 0, found.start()) + 1}"


def list_sources() -> list[str]:
    """Return the Python files that are part of a package."""
    files = [path.relative_to(ROOT).as_posix() for folder in SOURCES for path in (ROOT / folder).rglob("*.py")]
    return sorted(file for file in files if "/tests/" not in file and "/build/" not in file)


def find_bare_decoders(source: str) -> Iterator[str]:
    """Yield each use of a bare decoder, with its line."""
    if not re.search(r"json|msgpack|toml|yaml", source):
        return
    tree = ast.parse(source)
    names: dict[str, str] = {}  # what is imported, by its name in this file
    allowed = set[ast.expr]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.partition(".")[0]] = (
                    alias.name if alias.asname else alias.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.AnnAssign | ast.arg) and node.annotation is not None:
            allowed |= {part for part in ast.walk(node.annotation) if isinstance(part, ast.expr)}
        elif isinstance(node, ast.Call) and node.args and _is_just_encoded(node.args[0]):
            allowed.add(node.func)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and node not in allowed:
            first, _, rest = dotted_name(node).partition(".")
            full = f"{names.get(first, first)}.{rest}".rstrip(".")
            if full in (*BARE_DECODERS, *BARE_DECODERS_OF_MSGSPEC):
                yield f"{full}, line {node.lineno}"


def dotted_name(node: ast.expr) -> str:
    """Return a name with its attributes, as "json.loads"; nothing if it is another expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ""


def _is_just_encoded(value: ast.expr) -> bool:
    """Tell whether a value is the call of an encoder."""
    return isinstance(value, ast.Call) and dotted_name(value.func) in ("msgspec.json.encode", "json.dumps")


@pytest.mark.long
@pytest.mark.once
def test_bare_pytest() -> None:
    """Tests run where pytest-xdist is missing."""
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "tests/test_sources.py"]
    ran = subprocess.run([*words, "-k", "typed"], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr


def test_the_colours_of_pages_are_tokens() -> None:
    """Only tokens.css gives names to colours, each once; the sheets of the table also have the inks of cards."""
    folder = ROOT / "tournament/pitboss_tournament"
    files = [*folder.glob("html/*.css"), *folder.glob("web/static/*.css")]
    sheets = {file.name: file.read_text("utf-8") for file in files}
    tokens = re.findall(r"(--[\w-]+):", sheets.pop("tokens.css"))
    screens = {name: text.partition("@media print")[0] for name, text in sheets.items()}
    named_again = {(name, token) for name, text in screens.items() for token in tokens if f"{token}:" in text}
    have_colours = {name for name, text in screens.items() if re.search(r"#[0-9a-f]{6}\b", text)}

    assert len(tokens) == len(set(tokens))
    assert named_again == set()
    assert have_colours <= {"table.css", "play.css"}
