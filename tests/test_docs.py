"""The pages of docs/ tell the truth: their game keeps every promise, their commands run, their lines are what bots hear
and say.
"""

from __future__ import annotations

import doctest
import re
import shlex
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Final, get_args

import msgspec
import pytest

from pitboss.protocol.faults import FaultKind
from pitboss.protocol.messages import Faulted
from pitboss_tournament.audit.rejudging import REJUDGED
from pitboss_tournament.plan.plan import FaultRules
from pitboss_tournament.processes.logs import STDERR_BYTES, WIRE_BYTES
from pitboss_tournament.processes.start_errors import VoidCause
from pitboss_tournament.running.verification import DISTRUSTED
from tests import ROOT
from tests.tournament.command_line import install_plugin, run_pitboss

pytestmark = pytest.mark.once

DOCS: Final = ROOT / "docs"
GAME: Final = (DOCS / "game.md").read_text(encoding="utf-8")
PROTOCOL: Final = (DOCS / "protocol.md").read_text(encoding="utf-8")
FAIRNESS: Final = (DOCS / "fairness.md").read_text(encoding="utf-8")

RECORDING_BOT: Final = """
import json, sys

wire = open("wire.txt", "a", buffering=1)
for line in sys.stdin:
    message = json.loads(line)
    answer = None
    if message["type"] == "hello":
        answer = {"type": "ready", "name": "mybot", "want": "both"}
    elif message["type"] == "start":
        choice = 9 if message["game_id"] == 2 else 0
    elif message["type"] == "decide":
        answer = {"type": "act", "id": message["id"], "choose": choice}
    wire.write(line)
    if answer:
        wire.write(json.dumps(answer) + "\\n")
        print(json.dumps(answer), flush=True)
"""


def read_listing(name: str) -> str:
    """Return a file of the page about games, its parts put together."""
    return "\n\n".join(re.findall(rf"<!-- file: {re.escape(name)} -->\n```\w+\n(.*?)```", GAME, re.DOTALL))


@pytest.fixture
def env(tmp_path: Path) -> Mapping[str, str]:
    """Return an environment in which the game of the page is installed."""
    return install_plugin(tmp_path, "highcard", read_listing("highcard.py"))


def test_the_project_file_of_the_page_names_the_hook() -> None:
    """The entry point is the module that the page lists, and the wheel holds it."""
    project = tomllib.loads(read_listing("pyproject.toml"))

    assert project["project"]["entry-points"]["pitboss"] == {"highcard": "highcard"}
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"]["include"] == ["highcard.py"]


@pytest.mark.long
def test_the_commands_of_the_page_run(tmp_path: Path, env: Mapping[str, str]) -> None:
    """Each command of the page ends with status 0 where the game is installed; `check-game` is one: the game keeps
    every promise.
    """
    commands = re.findall(r"^\$ pitboss (.+)$", GAME, re.MULTILINE)
    assert "check-game highcard" in commands

    for command in commands:
        ran = run_pitboss(*shlex.split(command), cwd=tmp_path, env=env)
        assert ran.status == 0, f"{command}\n{ran.err}"
        assert "High Card" in ran.out or "highcard" in ran.out


def test_the_lines_of_the_protocol_were_said(tmp_path: Path, env: Mapping[str, str]) -> None:
    """Every line that the page shows is said in that game, byte for byte, in the page's order; the last is a fault as
    it would be said.
    """
    bot = tmp_path / "mybot"
    bot.mkdir()
    (bot / "recorder.py").write_text(RECORDING_BOT, encoding="utf-8")
    (bot / "bot.toml").write_text('command = ["{python}", "recorder.py"]\n', encoding="utf-8")

    match = "match highcard ./mybot house:first --deals 2 --seed docs -o hand=2 -s games_at_once=1 --sandbox none"
    ran = run_pitboss(*shlex.split(match), cwd=tmp_path, env=env)

    *said, fault = re.findall(r"^```json\n(.+)\n```$", PROTOCOL, re.MULTILINE)
    wire = (bot / "wire.txt").read_text(encoding="utf-8").splitlines()
    assert ran.status == 0, ran.err
    assert [line for line in said if line not in wire] == []
    assert [wire.index(line) for line in said] == sorted(wire.index(line) for line in said)
    decoded = msgspec.json.decode(fault, type=Faulted)
    assert msgspec.json.encode(decoded).decode() == fault
    [told] = run_pitboss("export", "highcard-docs.pitboss", cwd=tmp_path).out.splitlines()[2:3]
    assert msgspec.json.encode(decoded.fault).decode() in told


def table_column(page: str, heading: str) -> list[str]:
    """Return the first column of a table of a page."""
    rows = page.partition(f"| {heading} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [row.split("`")[1] for row in rows]


def test_every_kind_of_fault_and_every_cause_of_a_void_game_is_told() -> None:
    """The tables of faults and of causes of a void game are the closed lists of the code."""
    assert set(table_column(PROTOCOL, "kind")) == set(get_args(FaultKind))
    assert set(table_column(FAIRNESS, "cause")) == {*get_args(VoidCause), DISTRUSTED, REJUDGED}


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    """The defaults of the policies on the page, and what is kept of logs, are those of the code."""
    rules = FaultRules()
    debugging = (DOCS / "debugging.md").read_text(encoding="utf-8")

    assert f"`disqualify_after = {rules.disqualify_after}`" in PROTOCOL
    assert f"`substitutions = {rules.substitutions}`" in PROTOCOL
    assert f'`policy = "{rules.policy}"`, the default' in PROTOCOL
    assert f"{WIRE_BYTES >> 10} KiB each of the wire and {STDERR_BYTES >> 10} KiB each of standard error" in debugging


@pytest.mark.parametrize("page", sorted(page.name for page in DOCS.glob("*.md")))
def test_links_of_the_docs_lead_somewhere(page: str) -> None:
    """The files to which a page of the docs links exist."""
    for target in re.findall(r"\]\(([^)#]+)\)", (DOCS / page).read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (DOCS / target).exists(), target


def test_every_page_stands_in_the_table_of_contents() -> None:
    """Each page of docs/ is named in a table of contents of docs/index.md; Sphinx refuses a page that is not."""
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    named = {name for tree in re.findall(r"```\{toctree\}\n(.*?)```", index, re.DOTALL) for name in tree.split()}

    assert {path.stem for path in DOCS.glob("*.md")} - named == {"index"}


def test_what_the_page_of_the_table_shows() -> None:
    """Each line that was typed prints what stands below it."""
    blocks = re.findall(r"```pycon\n(.*?)```", (DOCS / "table.md").read_text(encoding="utf-8"), re.DOTALL)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "table.md", "table.md", 0)
    runner = doctest.DocTestRunner(verbose=False)

    assert runner.run(session, out=lambda _: None) == (0, len(session.examples))
    assert len(session.examples) > 20
