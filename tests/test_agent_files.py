"""What programs read: the skill in the wheel, AGENTS.md, llms.txt and llms-full.txt."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from docs.generators.llms import render_all, render_list

from pitboss_tournament.models.chat import estimate_text_tokens
from tests import ROOT
from tests.printed_commands import find_command_lines, find_refusal

SKILL = Path(str(files("pitboss_tournament"))) / ".agents/skills/pitboss/SKILL.md"


def test_the_skill_has_the_head_that_agents_look_for() -> None:
    """The name is that of the folder; name and description keep to the bounds of the format; the text is short."""
    text = SKILL.read_text(encoding="utf-8")
    head = yaml.safe_load(text.split("---\n")[1])

    assert head.keys() == {"name", "description"}
    assert head["name"] == SKILL.parent.name
    assert re.fullmatch(r"[a-z0-9-]{1,64}", head["name"])
    assert 0 < len(head["description"]) <= 1_024
    assert estimate_text_tokens(text) < 1_200


@pytest.mark.parametrize("page", ["SKILL.md", "docs/agents.md"])
def test_commands_for_agents_can_be_called(page: str) -> None:
    """The command line takes each command that the skill and the page for agents name."""
    text = (SKILL if page == "SKILL.md" else ROOT / page).read_text(encoding="utf-8")
    lines = find_command_lines(text)

    assert len(lines) > 10
    assert {line: find_refusal(line) for line in lines if find_refusal(line)} == {}


def test_the_page_for_those_who_change_pitboss_leads_on() -> None:
    """AGENTS.md is short, and its links lead to files."""
    text = (ROOT / "AGENTS.md").read_text(encoding="utf-8")

    links = re.findall(r"\]\(([^)]+)\)", text)
    assert "CONTRIBUTING.md" in links
    assert all((ROOT / link).is_file() for link in links)
    assert estimate_text_tokens(text) < 500


def test_the_list_of_pages() -> None:
    """llms.txt has title, summary and a link to each page that the front page lists, with what is said of it."""
    text = render_list((ROOT / "docs/index.md").read_text(encoding="utf-8"))

    title, summary, *_ = text.split("\n\n")
    assert title == "# Pitboss"
    assert summary.startswith("> Card games for programs: ")
    assert "- [For agents](agents.html): programs that write bots; " in text
    assert "## You write a game" in text
    assert "toctree" not in text
    assert ".md)" not in re.sub(r"\(\.\./[^)]*\)", "", text)
    listed = {*re.findall(r"\]\(([\w-]+)\.html", text)}
    assert {path.stem for path in (ROOT / "docs").glob("*.md")} - listed <= {"index", "glossary"}


def test_all_pages_as_one_text() -> None:
    """llms-full.txt has each page once, that for agents first, and nothing that is for Sphinx alone."""
    pages = {
        "index": "# I",
        "b": "(mark)=\n# B\n\ntext\n\n```{toctree}\n:hidden:\n\nx\n```\n",
        "agents": "# For agents",
        "a": "# A",
    }

    assert render_all(pages) == (
        "<!-- page: agents -->\n\n# For agents\n\n<!-- page: a -->\n\n# A\n\n<!-- page: b -->\n\n# B\n\ntext\n"
    )
