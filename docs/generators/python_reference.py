"""The Python reference: which modules it describes.

The words are the docstrings, which autodoc reads, once they are what it expects.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from docs.generators.markdown import block, join_parts

MODULES: Final = {
    "pitboss.bot": "For bots in Python",
    "pitboss.inference.state_tracker": "For bots that look ahead",
    "pitboss.foreign.engine": "Games of other programs: what an engine offers",
    "pitboss.foreign.engine_game": "Games of other programs: the game of an engine",
    "pitboss.foreign.engine_state": "Games of other programs: its states",
    "pitboss_engines.process_engine": "Games of other programs: a program in any language",
    "pitboss.learning.learning_game": "For programs that learn",
    "pitboss.learning.batch": "Learning: many games at once",
    "pitboss.learning.spelling": "Learning: decisions letter by letter",
    "pitboss.learning.alphabet": "Learning: the letters of a game",
    "pitboss.learning.observation": "Learning: observations",
    "pitboss.learning.rewards": "Learning: rewards",
    "pitboss.game": "What a game is",
    "pitboss.moments": "Choices at the same moment",
    "pitboss.table_game": "Bases for games at a table",
    "pitboss.table.zone_fields": "Zones and secrets of a state",
    "pitboss.parts.suits": "Parts: suits and ranks",
    "pitboss.parts.tricks": "Parts: tricks",
    "pitboss.parts.trick_position": "Parts: positions of games of tricks",
    "pitboss.parts.trick_match": "Parts: matches of several deals of tricks",
    "pitboss.parts.trick_rendering": "Parts: pictures of games of tricks",
    "pitboss.parts.trick_estimate": "Parts: estimates in games of tricks",
    "pitboss.parts.trick_reading": "Parts: what a bot reads of a trick",
    "pitboss.parts.auction": "Parts: an auction",
    "pitboss.parts.betting.variant": "Games of betting: what a kind of poker declares",
    "pitboss.parts.betting.acts": "Games of betting: acts",
    "pitboss.parts.betting.messages": "Games of betting: messages",
    "pitboss.parts.betting.rankings": "Games of betting: how hands compare",
    "pitboss.parts.betting.high_hands": "Games of betting: the strength of a hand",
    "pitboss.parts.betting.pots": "Games of betting: pots and seats",
    "pitboss.parts.betting.game": "Games of betting: the base of the game",
    "pitboss.parts.betting.betting_state": "Games of betting: the state",
    "pitboss.parts.betting.board_state": "Games of betting: a state with hidden hands and a board",
    "pitboss.parts.betting.named_cards": "Games of betting: cards that a seed names",
    "pitboss.parts.betting.phh_writing": "Games of betting: hand histories, written",
    "pitboss.parts.betting.phh_reading": "Games of betting: hand histories, read",
    "pitboss.parts.climbing": "Parts: climbing rounds",
    "pitboss.parts.decks": "Parts: decks that players build",
    "pitboss.parts.stock": "Parts: a stock that is made again",
    "pitboss.parts.deals": "Parts: games of several deals",
    "pitboss.parts.melds": "Parts: melds",
    "pitboss.parts.shown_melds": "Parts: melds that are shown",
    "pitboss.options": "Options",
    "pitboss.outcome": "How a game ends",
    "pitboss.table.turns": "Turns",
    "pitboss.table.cards": "Cards",
    "pitboss.table.zones": "Zones",
    "pitboss.table.secrets": "Secrets",
    "pitboss.table.secret_table": "The verbs of secrets",
    "pitboss.table.table": "The table and its verbs",
    "pitboss.table.position_setup": "Setting up positions",
    "pitboss.determinization.sampling": "Sampling worlds",
    "pitboss.simulation.chance": "Outcomes of chance",
    "pitboss.records.luck": "The luck of the draw",
    "pitboss.action_range": "Ranges of actions",
    "pitboss.loadouts": "Loadouts",
    "pitboss.open_actions": "Open actions",
    "pitboss.simulation.random_play": "Games played at random",
    "pitboss.rendering.table_text": "Rendering for people",
    "pitboss.rendering.appearance": "How cards look, and where zones lie",
    "pitboss.rendering.instruments": "What a page draws beside the cards, declared by a game",
    "pitboss.rendering.model_words": "What language models are told of a moment",
    "pitboss.rendering.presentation": "How a game speaks to people, and its score sheets",
    "pitboss.records.frames": "A game as frames",
    "pitboss.text": "Words and lines",
    "pitboss.plugins.packs": "Packs",
    "pitboss.table.randomness": "Randomness",
    "pitboss.records.record": "Records",
    "pitboss.records.notation": "Notation",
    "pitboss.plugins.formats": "Formats",
    "pitboss.plugins.hookspec": "The hooks",
    "pitboss.plugins.rungs": "Rungs",
    "pitboss.plugins.registry": "What is installed",
    "pitboss.testing": "The conformance suite",
    "pitboss.errors": "Errors",
}
_MODULE: Final = ".. automodule:: {}\n   :members:\n   :undoc-members:\n   :member-order: bysource"


def render_page() -> str:
    """Return the page."""
    return join_parts(
        [
            "# Python reference",
            "The public names of the package `pitboss`, from their docstrings. "
            "Messages are in the [protocol reference](protocol-reference.md).",
            *(f"## {title}\n\n{block(_MODULE.format(name), '{eval-rst}')}" for name, title in MODULES.items()),
        ]
    )


def convert_to_rst(docstring: Iterable[str]) -> Iterator[str]:
    """Convert a docstring to reStructuredText.

    Backquoted names become code, indented text literal blocks, `Raises:` fields.
    """
    is_listing = is_about_errors = False
    for line in docstring:
        indented = line.startswith("    ")
        if line == "Raises:":
            is_about_errors = True
        elif is_about_errors and indented:
            error, _, when = line.strip().partition(": ")
            yield f":raises {error}: {_mark_code(when)}"
        elif indented:
            if not is_listing:
                yield from ("::", "")
            is_listing = True
            yield line
        else:
            is_listing = is_listing and not line.strip()
            is_about_errors = False
            yield _mark_code(line)


def _mark_code(line: str) -> str:
    return re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", line)


def find_field_comment(name: str) -> str:
    """Return the comment behind a class's field in its source: the field's documentation."""
    path, _, field = name.rpartition(".")
    module, _, kind = path.rpartition(".")
    found = getattr(sys.modules.get(module), kind, None)
    if not isinstance(found, type):
        return ""
    comment = re.search(rf"^    {re.escape(field)}: [^\n]*?  # ([^\n]+)$", inspect.getsource(found), re.MULTILINE)
    return comment[1] if comment else ""
