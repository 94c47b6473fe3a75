"""The rule book of a game, for people."""

from __future__ import annotations

from pitboss.plugins.registry import Registry
from pitboss.plugins.rule_book import find_rule_book
from pitboss_tournament.authoring.game_reference import describe_briefly
from pitboss_tournament.text.terminal_text import escape_lines


def read_rule_book(registry: Registry, name: str) -> str:
    """Return the rule book of the game `name`, safe to print; if its author names none, what the game says of itself.

    Raises:
        ConfigError: there is no such game, or several.
    """
    book = find_rule_book(registry, name)
    if not book:
        game, plugin = registry.find_game(name), registry.list_distributions("pitboss_games")[name]
        book = f"{describe_briefly(game)}\n\n({plugin} has no rule book: its author can name one as `readme`.)"
    return "\n".join(escape_lines(book))
