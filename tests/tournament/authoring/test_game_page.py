"""`pitboss games GAME --page`: what a bot's author must know, in 3,000 tokens at most."""

from __future__ import annotations

import json
import re

import pytest

from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import extract_rules, find_rule_book
from pitboss_tournament.authoring.game_page import (
    MAX_PAGE_TOKENS,
    render_game_page,
    shorten_rules,
)
from pitboss_tournament.authoring.game_reference import describe_game
from pitboss_tournament.models.chat import estimate_text_tokens
from tests import ROOT
from tests.marks import first_rows

REGISTRY = Registry()
GAMES = sorted(path.parent.name.replace("_", "-") for path in ROOT.glob("plugins/*/RULES.md"))
BOOK = """# A book

* **W** = a source, cited as [W, section]

## 1. Cards [W, Cards]

| # | Rule | Source |
|---|------|--------|
| S1 | Two hands (D1). | W 3 |

Mind the [link](page.md), and the list [1, 2].

    CODE : [W] stays here (D1)

## 2. Options

Left out.

## 3. The count

* **C1** Most points win [W, Scoring] (D2, D3).

## 4. Golden cases

```json case
{"id": "G1"}
```
"""


@pytest.mark.once
@first_rows(4)("name", ["poker", "ragamaru", "gin-rummy", *sorted({*GAMES} - {"poker", "ragamaru", "gin-rummy"})])
def test_the_page_of_a_game_is_short_and_complete(name: str) -> None:
    """A page of each game has all its sections within 3,000 tokens; every action, every field of the view and every
    option is on it, and no test case.
    """
    game = REGISTRY.find_game(name)
    about = describe_game(game, f"pitboss-{name} 1")

    page = render_game_page(game, about, find_rule_book(REGISTRY, name))

    assert estimate_text_tokens(page) <= MAX_PAGE_TOKENS
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == [
        "How to start",
        "The rules",
        "What it is asked",
        "What it may do",
        "What it sees",
        "Events",
        "By which rules it is played",
    ]
    assert all(f"`{action.shape}`" in page for action in about.actions)
    assert all(f"* `{field.name}`:" in page for struct in about.view for field in struct.fields)
    assert all(f"`{option.name}`" in page for option in about.options)
    assert "json case" not in page
    assert "shuffle" in page.partition("## Events")[2]
    rules = extract_rules(find_rule_book(REGISTRY, name))
    headings = re.findall(r"^###.*$", rules, re.MULTILINE)
    assert len(headings) >= 3
    assert all(heading in page for heading in headings)
    assert (rules in page) == (name not in ("ragamaru", "poker"))  # whose rule book has draw and stud, too


def test_rules_have_no_sources_cases_and_decisions() -> None:
    """What is left of a rule book are its rules: links, lists and listings stay as they are."""
    assert extract_rules(BOOK) == (
        "### 1. Cards\n\n| # | Rule |\n|---|------|\n| S1 | Two hands. |\n\n"
        "Mind the [link](page.md), and the list [1, 2].\n\n    CODE : [W] stays here (D1)\n\n"
        "### 3. The count\n\n* **C1** Most points win."
    )


def test_a_book_without_sections_is_kept_without_its_listings() -> None:
    """A book of a few sentences is its own rules."""
    assert extract_rules("Play a card.\n\n```json case\n{}\n```\n") == "Play a card."


@pytest.mark.parametrize("room", [0, 1, 20, 60, 100, 200])
def test_the_longest_section_is_cut_first(room: int) -> None:
    """Shortened rules have at most as many characters as there is room for, and if they can a part of each section."""
    rules = "### 1. Long\n" + "\n".join(f"* rule {number}" for number in range(50)) + "\n\n### 2. Short\n* the end"

    short = shorten_rules(rules, room)

    assert len(short) <= room
    assert shorten_rules(rules, 10_000) == rules
    if room >= 60:
        assert short.startswith("### 1. Long\n")
        assert "…" in short
        assert short.endswith("### 2. Short\n* the end")


@pytest.mark.parametrize("most", [200, 600, 1_000, 2_000])
def test_any_page_is_bounded(most: int) -> None:
    """However little room there is, the page keeps to it, and says where the rest is."""
    game = REGISTRY.find_game("racko")

    page = render_game_page(game, describe_game(game, "pitboss-racko 1"), find_rule_book(REGISTRY, "racko"), most)

    assert estimate_text_tokens(page) <= most
    assert "`pitboss rules racko`" in page


def test_the_questions_are_json_where_nothing_is_left_out() -> None:
    """The first question of a page can be read as the bot reads it."""
    game = REGISTRY.find_game("racko")

    page = render_game_page(game, describe_game(game, "pitboss-racko 1"), most=None)

    listing = re.search(r"```json\n(.*?)\n```", page, re.DOTALL)
    assert listing is not None
    question = json.loads(re.sub(r"\s*… \d+ more,?", "", listing[1]))
    assert question["type"] == "decide"
    assert question["view"]["rack"]
